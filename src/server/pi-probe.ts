/** A Pi child that only says that it can: started, asked for its state, stopped. Nothing of it stays on disk. */
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ThothError } from "../protocol/index.ts";
import { startChild } from "../runtime/child.ts";
import { toChildCommand, toChildDirs } from "../runtime/child-command.ts";

const timeoutMs = 30_000;

/** Milliseconds from spawn to its first answer. Throws `pi-start`. */
export async function probePi(piCli: string, compileCacheDir: string): Promise<number> {
  const root = await mkdtemp(join(tmpdir(), "thoth-probe-"));
  const dirs = toChildDirs(root);
  await Promise.all(Object.values(dirs).map((dir) => mkdir(dir, { recursive: true })));
  const begun = performance.now();
  const child = startChild(
    toChildCommand({
      nodePath: process.execPath,
      piCli,
      extensionFile: null,
      systemPromptFile: null,
      dirs,
      sessionId: "probe",
      model: null,
      path: process.env.PATH ?? "",
      compileCacheDir,
      keys: {},
      thoth: null,
    }),
    { onRecord: () => undefined },
  );
  try {
    await child.rpc.send({ type: "get_state" }, timeoutMs);
    return performance.now() - begun;
  } catch (cause) {
    throw new ThothError(
      "pi-start",
      "Pi could not be started.",
      "Run `npm ci` in ThothII's folder; with THOTH_DEBUG=1 you see more.",
      cause,
    );
  } finally {
    await child.stop();
    await rm(root, { recursive: true, force: true });
  }
}

export async function readPiVersion(piCli: string): Promise<string> {
  const parsed: unknown = JSON.parse(await readFile(join(dirname(piCli), "..", "..", "package.json"), "utf8"));
  return typeof parsed === "object" && parsed !== null && "version" in parsed ? String(parsed.version) : "unknown";
}
