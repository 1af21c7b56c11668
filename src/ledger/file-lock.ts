/**
 * A lock that the operating system itself frees: an EXCLUSIVE transaction on an empty SQLite file. It holds across
 * processes, ends within milliseconds when its holder is killed, and is never taken from a holder that is merely slow.
 * Local disks only: a network file system may not honour it.
 */
import { DatabaseSync } from "node:sqlite";
import { ThothError } from "../protocol/index.ts";

export interface FileLock {
  /** False while somebody else, in this process or another, holds it. */
  tryAcquire(): boolean;
  /** Gives the lock up, held or not. */
  close(): void;
}

const sqliteBusy = 5;

export function openFileLock(path: string): FileLock {
  const database = new DatabaseSync(path, { timeout: 0 });
  return {
    tryAcquire() {
      try {
        // Nothing is ever written, so no journal need be made for it: ten times quicker, and no room on the disk is needed.
        database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
        return true;
      } catch (error) {
        if (isBusy(error)) return false;
        database.close();
        throw new ThothError(
          "lock-damaged",
          "A lock file of this session can't be used.",
          "Remove the .lock files in the session's folder and try again.",
          error,
        );
      }
    },
    close() {
      if (database.isOpen) database.close();
    },
  };
}

/** The low byte is the primary result code; the rest says what kind of busy it is. */
function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" && (code & 0xff) === sqliteBusy;
}
