/** `manifest.json`: what a session is. Replaced as a whole, under the same lock as the ledger. */
import { mkdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { check, Manifest, ThothError } from "../protocol/index.ts";
import { removeLeftovers, replaceFile } from "./replace-file.ts";
import { withWriterLock } from "./writer-lock.ts";

/** Throws ThothError `session-unknown` without a file and `manifest-damaged` for one that can't be read. */
export async function readManifest(dir: string): Promise<Manifest> {
  let text: string;
  try {
    text = await readFile(join(dir, "manifest.json"), "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR")
      throw new ThothError("session-unknown", "There is no such session.", "Choose one from the list.");
    throw error;
  }
  const checked = check(Manifest, parse(text));
  if (!checked.ok) throw damaged(checked.problem);
  return checked.value;
}

/** Makes the folder when it isn't there yet. */
export async function writeManifest(dir: string, manifest: Manifest): Promise<void> {
  await mkdir(dirname(dir), { recursive: true, mode: 0o700 });
  // Not with `recursive`, which tells a read-only disk as a folder that isn't there.
  await mkdir(dir, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await withWriterLock(dir, async () => {
    await removeLeftovers(dir);
    await replaceFile(join(dir, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw damaged("it isn't valid JSON");
  }
}

function damaged(fault: string): ThothError {
  return new ThothError(
    "manifest-damaged",
    `This session's manifest can't be read: ${fault}.`,
    "Put manifest.json back from a backup, or delete the session.",
  );
}
