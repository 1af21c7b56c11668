/**
 * One child per session, on the whole machine: Pi doesn't lock its session files, and two children on one of them would
 * fork it silently. The lock itself is the operating system's, so it ends with its holder; the record beside it names
 * the holder for people and the child for the next owner, who must not start while a dead server's child still lives.
 */
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { type Static, Type } from "typebox";
import { openFileLock } from "../../ledger/file-lock.ts";
import { replaceFile } from "../../ledger/replace-file.ts";
import { withWriterLock } from "../../ledger/writer-lock.ts";
import { check, ThothError } from "../../protocol/index.ts";

/** A pid alone may have been given to somebody else since: its start time tells. */
const ProcessMark = Type.Object({ pid: Type.Integer({ minimum: 1 }), startedAt: Type.String() });
type ProcessMark = Static<typeof ProcessMark>;

const OwnerRecord = Type.Object({
  mark: Type.String(),
  server: ProcessMark,
  child: Type.Union([ProcessMark, Type.Null()]),
});
type OwnerRecord = Static<typeof OwnerRecord>;

export interface OwnerLock {
  /** Tells the next owner about the child, should this process die. */
  nameChild(pid: number | undefined): Promise<void>;
  release(): Promise<void>;
}

const recordFile = (dir: string): string => join(dir, "owner.json");
/** An orphan ends by itself when its stdin closes; after this it is ended. */
const orphanGraceMs = 3000;

/** Throws ThothError `session-owned`, which names the process that runs the session. */
export async function acquireOwner(dir: string): Promise<OwnerLock> {
  const lock = openFileLock(join(dir, "owner.lock"));
  if (!lock.tryAcquire()) {
    lock.close();
    const other = await readRecord(dir);
    throw new ThothError(
      "session-owned",
      `Another ThothII${other ? ` (process ${other.server.pid})` : ""} runs this session.`,
      "Go on there, or stop that one first.",
    );
  }
  try {
    const left = await readRecord(dir);
    if (left?.child) await endOrphan(left.child);
    const mark = randomUUID();
    const server = { pid: process.pid, startedAt: (await startOf(process.pid)) ?? "" };
    // Under the writer lock, because a writer of the ledger removes what looks like a dead writer's file.
    const write = (child: ProcessMark | null) =>
      withWriterLock(dir, () =>
        replaceFile(recordFile(dir), `${JSON.stringify({ mark, server, child } satisfies OwnerRecord)}\n`),
      );
    return {
      async nameChild(pid) {
        const startedAt = pid === undefined ? undefined : await startOf(pid);
        await write(pid !== undefined && startedAt !== undefined ? { pid, startedAt } : null);
      },
      async release() {
        if ((await readRecord(dir))?.mark === mark) await rm(recordFile(dir), { force: true });
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

async function endOrphan(child: ProcessMark): Promise<void> {
  const lives = async () => (await startOf(child.pid)) === child.startedAt;
  for (const deadline = performance.now() + orphanGraceMs; await lives(); await pause(50)) {
    if (performance.now() < deadline) continue;
    process.kill(child.pid, "SIGKILL");
    await pause(200);
    return;
  }
}

/** When a process began, in words that only equal themselves; undefined when there is none. */
async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform === "linux") {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined); // no such file: no such process
    // The name in parentheses may hold anything, so fields are counted from its end: state is the 3rd, start the 22nd.
    const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields?.[0] === "Z" ? undefined : fields?.[19];
  }
  if (process.platform === "win32") return undefined;
  const listed = await promisify(execFile)("ps", ["-o", "lstart=", "-p", String(pid)]).catch(() => undefined); // exit 1: no such process
  return listed?.stdout.trim() || undefined;
}

/** A record that can't be read names nobody: the lock alone decides, so a new one may be written over it. */
async function readRecord(dir: string): Promise<OwnerRecord | null> {
  try {
    const checked = check(OwnerRecord, JSON.parse(await readFile(recordFile(dir), "utf8")));
    return checked.ok ? checked.value : null;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
