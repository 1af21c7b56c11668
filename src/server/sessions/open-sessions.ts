/**
 * The sessions that this server has in memory, by id. One at which nobody works and nobody looks can be read from disk
 * again, so only the last hundred of those are kept: a server that runs for weeks must not grow with every session that
 * was ever looked at. With one that is dropped goes what its page's activity showed, which lives in memory alone.
 */
import type { LiveSession } from "./live-session.ts";

/** Sessions at rest that stay in memory. */
const mostAtRest = 100;
/** Milliseconds: whoever was just given a session may not have begun with it. */
const untouchedMs = 5_000;

export interface OpenSessions {
  readonly all: ReadonlyMap<string, Promise<LiveSession>>;
  /** The session in memory, as used now. */
  get(id: string): Promise<LiveSession> | undefined;
  /** Kept from now on; a loading that fails is not remembered. */
  put(id: string, loading: Promise<LiveSession>): void;
  delete(id: string): void;
  clear(): void;
}

export function createOpenSessions(now: () => number): OpenSessions {
  /** In the order of their last use. */
  const all = new Map<string, Promise<LiveSession>>();
  const ready = new Map<string, LiveSession>();
  const usedAt = new Map<string, number>();

  const remove = (id: string): void => {
    all.delete(id);
    ready.delete(id);
    usedAt.delete(id);
  };
  const use = (id: string, session: Promise<LiveSession>): void => {
    all.delete(id);
    all.set(id, session);
    usedAt.set(id, now());
  };
  const dropUnused = (): void => {
    const resting = [...all.keys()].filter((id) => ready.get(id)?.isAtRest);
    for (const id of resting.slice(0, Math.max(0, resting.length - mostAtRest))) {
      // A clock that was set back makes them look young, and they stay a little longer.
      if (now() - (usedAt.get(id) ?? 0) >= untouchedMs) remove(id);
    }
  };

  return {
    all,
    get(id) {
      const found = all.get(id);
      if (found) use(id, found);
      return found;
    },
    put(id, loading) {
      use(id, loading);
      loading.then(
        (session) => {
          if (all.get(id) !== loading) return;
          ready.set(id, session);
          if (all.size > mostAtRest) setImmediate(dropUnused);
        },
        () => {
          if (all.get(id) === loading) remove(id);
        },
      );
    },
    delete: remove,
    clear() {
      all.clear();
      ready.clear();
      usedAt.clear();
    },
  };
}
