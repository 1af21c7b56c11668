/** The user's folder, `$THOTH_HOME` or `~/.thoth`: where it is, and that it can be written to. */
import { randomUUID } from "node:crypto";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { ThothError } from "../protocol/index.ts";

/** No access to the disk. */
export function homePath(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.THOTH_HOME ? resolve(environment.THOTH_HOME) : join(homedir(), ".thoth");
}

/** Cached catalogs of all workspaces. */
export const catalogDir = (home: string): string => join(home, "catalogs");

/** Makes the folder (only its owner may look inside) and proves that it can be written to; throws `home-not-writable`. */
export async function openHome(home: string): Promise<void> {
  const probe = join(home, `.write-test-${randomUUID()}`);
  try {
    await makeFolder(home, 0o700);
    await writeFile(probe, "", { mode: 0o600 });
    await rm(probe);
  } catch (cause) {
    throw new ThothError(
      "home-not-writable",
      `ThothII can't write to its folder ${home}.`,
      "Make that folder writable for you, or set THOTH_HOME to a folder that is, e.g. THOTH_HOME=~/thoth-home.",
      cause,
    );
  }
}

/** Not with `recursive`: Node tries for ever where a parent is there but refuses with "no such file", as /proc does. */
async function makeFolder(path: string, mode?: number): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (found?.isDirectory()) return;
  if (dirname(path) !== path) await makeFolder(dirname(path));
  await mkdir(path, { mode }).catch((error: NodeJS.ErrnoException) => {
    // Another process made it meanwhile.
    if (error.code !== "EEXIST" || found) throw error;
  });
}
