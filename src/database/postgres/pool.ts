/** Connections for reads that run at the same time: few, one of them kept for a while. */
import type { Session } from "./session.ts";

/** Why a connection at work ended, when `close` did it. */
export const closedByUs = "The connection was closed.";
const maxSessions = 4;
/** An idle connection is kept this long for the next read. */
const idleMs = 20_000;

export interface Lease {
  session: Session;
  /** False when it had served before: its loss then says nothing about the server. */
  fresh: boolean;
}
export interface Pool {
  /** Waits for a free place; undefined when the signal ends the wait. Throws what opening throws. */
  acquire(signal?: AbortSignal): Promise<Lease | undefined>;
  /** Gives it back; one that isn't alive any more is forgotten. */
  release(session: Session): void;
  /** Ends every connection, also those at work. */
  close(): Promise<void>;
}

export function createPool(open: () => Promise<Session>): Pool {
  const busy = new Set<Session>();
  const waiting: (() => void)[] = [];
  let taken = 0;
  let idle: { session: Session; timer: NodeJS.Timeout } | undefined;
  let era = 0;
  const eras = new WeakMap<Session, number>();

  const takeIdle = (): Session | undefined => {
    const kept = idle?.session;
    clearTimeout(idle?.timer);
    idle = undefined;
    if (!kept?.alive) return undefined;
    kept.hold(true);
    return kept;
  };
  const leave = (): void => {
    taken -= 1;
    waiting.shift()?.();
  };
  /** False when the signal came first. */
  const enter = async (signal?: AbortSignal): Promise<boolean> => {
    while (!signal?.aborted) {
      if (taken < maxSessions) {
        taken += 1;
        return true;
      }
      await new Promise<void>((resolve) => {
        const go = (): void => {
          signal?.removeEventListener("abort", abort);
          resolve();
        };
        const abort = (): void => {
          const at = waiting.indexOf(go);
          if (at >= 0) waiting.splice(at, 1);
          resolve();
        };
        waiting.push(go);
        signal?.addEventListener("abort", abort, { once: true });
      });
    }
    // A place may have been offered to us while the signal came.
    if (taken < maxSessions) waiting.shift()?.();
    return false;
  };

  return {
    async acquire(signal) {
      if (!(await enter(signal))) return undefined;
      try {
        const kept = takeIdle();
        const session = kept ?? (await open());
        if (!kept) eras.set(session, era);
        busy.add(session);
        return { session, fresh: kept === undefined };
      } catch (error) {
        leave();
        throw error;
      }
    },
    release(session) {
      if (!busy.delete(session)) return;
      if (session.alive && !idle && eras.get(session) === era) {
        session.hold(false);
        const timer = setTimeout(() => {
          idle = undefined;
          void end(session);
        }, idleMs).unref();
        idle = { session, timer };
      } else if (session.alive) void end(session);
      leave();
    },
    async close() {
      era += 1;
      const kept = takeIdle();
      for (const session of busy) {
        session.cancel();
        session.destroy(closedByUs);
      }
      if (kept) await end(kept);
    },
  };
}

/** Says goodbye, and closes the socket should that take too long. */
async function end(session: Session): Promise<void> {
  const timer = setTimeout(() => session.destroy(), 1000).unref();
  try {
    await session.client.end();
  } catch {
    // It was lost already.
    session.destroy();
  } finally {
    session.alive = false;
    clearTimeout(timer);
  }
}
