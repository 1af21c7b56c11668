/**
 * One server per home. `server.lock` is held by the operating system, so it is never stale; `server.json` beside it says
 * who holds it and where it listens, for a second server's refusal and for the command line.
 */
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Static, Type } from "typebox";
import { openFileLock } from "../ledger/file-lock.ts";
import { replaceFile } from "../ledger/replace-file.ts";
import { check, ThothError } from "../protocol/index.ts";

const ServerRecord = Type.Object({
  pid: Type.Integer(),
  startedAt: Type.String(),
  /** Tells this start from any other. */
  mark: Type.String(),
  /** Null until it listens. */
  address: Type.Union([Type.String(), Type.Null()]),
});
export type ServerRecord = Static<typeof ServerRecord>;

export interface ServerLock {
  announce(address: string): Promise<void>;
  release(): Promise<void>;
}

const lockFile = (home: string) => join(home, "server.lock");
const recordFile = (home: string) => join(home, "server.json");
/** Somebody who only looks whether a server runs holds the lock for an instant: try again before refusing. */
const attempts = 6;
const pauseMs = 50;

/** Throws `server-running` with the other one's pid and address. */
export async function lockServer(home: string): Promise<ServerLock> {
  const lock = openFileLock(lockFile(home));
  for (let left = attempts; !lock.tryAcquire(); left--) {
    if (left === 0) {
      lock.close();
      throw refusal(await readRecord(home), home);
    }
    await pause(pauseMs);
  }
  const record: ServerRecord = {
    pid: process.pid,
    startedAt: new Date().toISOString(),
    mark: randomUUID(),
    address: null,
  };
  const write = (next: ServerRecord) => replaceFile(recordFile(home), `${JSON.stringify(next)}\n`);
  await write(record);
  return {
    announce: (address) => write({ ...record, address }),
    async release() {
      if ((await readRecord(home))?.mark === record.mark) await rm(recordFile(home), { force: true });
      lock.close();
    },
  };
}

/** The server that runs on this home now, or null; a record that a killed server left behind counts as none. */
export async function findServer(home: string): Promise<ServerRecord | null> {
  const record = await readRecord(home);
  if (!record) return null;
  const lock = openFileLock(lockFile(home));
  try {
    return lock.tryAcquire() ? null : record;
  } finally {
    lock.close();
  }
}

async function readRecord(home: string): Promise<ServerRecord | null> {
  try {
    const checked = check(ServerRecord, JSON.parse(await readFile(recordFile(home), "utf8")));
    return checked.ok ? checked.value : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function refusal(other: ServerRecord | null, home: string): ThothError {
  const who = other ? ` It is process ${other.pid}${other.address ? ` at ${other.address}` : ""}.` : "";
  return new ThothError(
    "server-running",
    `Another ThothII server already uses ${home}.${who}`,
    "Use that one (`thoth open` shows its address), stop it first, or set THOTH_HOME to another folder.",
  );
}
