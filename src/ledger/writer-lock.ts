/** One writer at a time per session folder: a queue inside this process, a file lock towards the others. */
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { ThothError } from "../protocol/index.ts";
import { openFileLock } from "./file-lock.ts";

/** A writer holds the lock for milliseconds; this long means that something is badly wrong with the one who has it. */
const longestWaitMs = 30_000;
const longestPauseMs = 16;

const queues = new Map<string, Promise<unknown>>();

/** Runs `work` alone among all writers of this folder. Throws ThothError `ledger-locked` after 30 s of waiting. */
export function withWriterLock<T>(dir: string, work: () => Promise<T>): Promise<T> {
  const key = resolve(dir);
  const before = queues.get(key) ?? Promise.resolve();
  const mine = before.then(() => underFileLock(key, work));
  const settled = mine.then(
    () => undefined,
    () => undefined,
  );
  queues.set(key, settled);
  void settled.then(() => {
    if (queues.get(key) === settled) queues.delete(key);
  });
  return mine;
}

async function underFileLock<T>(dir: string, work: () => Promise<T>): Promise<T> {
  const lock = openFileLock(join(dir, "ledger.lock"));
  try {
    const deadline = performance.now() + longestWaitMs;
    for (let longest = 1; !lock.tryAcquire(); longest = Math.min(longest * 2, longestPauseMs)) {
      if (performance.now() > deadline) {
        throw new ThothError(
          "ledger-locked",
          "Another process keeps this session's ledger locked.",
          "Stop the other ThothII process that uses this session, then try again.",
        );
      }
      // Jitter, so that writers who failed together don't try again together.
      await pause(Math.random() * longest);
    }
    return await work();
  } finally {
    lock.close();
  }
}
