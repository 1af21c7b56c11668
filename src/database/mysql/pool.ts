/** Up to four sessions at once; one idle session is kept a while for the next read and keeps no process alive. */
import type { Session } from "./session.ts";

const maxSessions = 4;
const idleMs = 20_000;

export interface Lease {
  session: Session;
  /** False when the session had served before: it may have died while it waited. */
  fresh: boolean;
  /** `usable`: nothing runs on it any more. */
  release(usable: boolean): void;
}

export interface Pool {
  /** Waits for a free place. Rejects with the error of connecting, or with the signal's reason. */
  acquire(signal?: AbortSignal): Promise<Lease>;
  /** Ends the idle session; those at work end with their release. */
  close(): void;
}

export function createPool(open: () => Promise<Session>): Pool {
  let idle: { session: Session; timer: NodeJS.Timeout } | undefined;
  let busy = 0;
  let generation = 0;
  const waiting: (() => void)[] = [];

  function takeIdle(): Session | undefined {
    const kept = idle;
    idle = undefined;
    if (!kept) return undefined;
    clearTimeout(kept.timer);
    return kept.session.alive ? kept.session : undefined;
  }

  function keep(session: Session): void {
    session.hold(false);
    const timer = setTimeout(() => {
      if (idle?.session !== session) return;
      idle = undefined;
      session.end();
    }, idleMs).unref();
    idle = { session, timer };
  }

  async function place(signal: AbortSignal | undefined): Promise<void> {
    while (busy >= maxSessions) {
      await new Promise<void>((resolve, reject) => {
        const turn = () => {
          signal?.removeEventListener("abort", leave);
          resolve();
        };
        const leave = () => {
          waiting.splice(waiting.indexOf(turn), 1);
          reject(signal?.reason);
        };
        waiting.push(turn);
        signal?.addEventListener("abort", leave, { once: true });
      });
    }
    signal?.throwIfAborted();
    busy += 1;
  }

  return {
    async acquire(signal) {
      await place(signal);
      const born = generation;
      const free = () => {
        busy -= 1;
        waiting.shift()?.();
      };
      try {
        const kept = takeIdle();
        kept?.hold(true);
        const session = kept ?? (await open());
        return {
          session,
          fresh: kept === undefined,
          release(usable) {
            if (!usable) session.cut();
            else if (idle || born !== generation || !session.alive) session.end();
            else keep(session);
            free();
          },
        };
      } catch (error) {
        free();
        throw error;
      }
    },
    close() {
      generation += 1;
      takeIdle()?.end();
    },
  };
}
