/** Removed sessions lie in `<home>/trash` for thirty days: that is what Undo takes them back from. */
import { mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { sessionIdPattern, toSessionDir } from "../../ledger/session-dirs.ts";
import { ThothError } from "../../protocol/index.ts";

const keptMs = 30 * 86_400_000;

const trashDir = (home: string): string => join(home, "trash");

/** The folder's own time says when it was removed; `now` is in epoch milliseconds. */
export async function moveToTrash(home: string, id: string, now: number): Promise<void> {
  const dir = toSessionDir(home, id);
  const trashed = join(trashDir(home), id);
  await mkdir(dirname(trashed), { recursive: true, mode: 0o700 });
  await rm(trashed, { recursive: true, force: true });
  await rename(dir, trashed);
  await utimes(trashed, now / 1000, now / 1000);
}

/** Does nothing for a session that is there. Throws ThothError `session-unknown` when the trash has none of that id. */
export async function takeFromTrash(home: string, id: string): Promise<void> {
  const dir = toSessionDir(home, id);
  const isThere = await stat(dir).catch(ignoreMissing);
  if (isThere) return;
  await rename(join(trashDir(home), id), dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    throw new ThothError(
      "session-unknown",
      "This session can't be brought back any more.",
      "Removed sessions are kept for thirty days.",
    );
  });
}

/** Takes what has lain there for thirty days. Only folders that carry a session's name are ever touched. */
export async function emptyTrash(home: string, now: number): Promise<void> {
  const names = await readdir(trashDir(home)).catch(ignoreMissing);
  for (const name of names ?? []) {
    if (!sessionIdPattern.test(name)) continue;
    const path = join(trashDir(home), name);
    const found = await stat(path).catch(ignoreMissing);
    if (found && now - found.mtimeMs > keptMs) await rm(path, { recursive: true, force: true });
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
