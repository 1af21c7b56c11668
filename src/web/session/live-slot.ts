/**
 * A browser allows six connections per origin, over all tabs. Four tabs may hold a live stream (one Web Lock each),
 * so that answers and the session list always get through; a further tab polls.
 */
export const liveTabs = 4;

export interface LiveSlot {
  release(): void;
}

/** Null when all slots are taken. Where Web Locks are missing (plain HTTP on another host) every tab is live. */
export async function takeLiveSlot(locks: LockManager | undefined = navigator.locks): Promise<LiveSlot | null> {
  if (!locks) return { release: () => undefined };
  for (let n = 1; n <= liveTabs; n += 1) {
    const slot = await takeLock(locks, `thothii-live-${n}`);
    if (slot) return slot;
  }
  return null;
}

function takeLock(locks: LockManager, name: string): Promise<LiveSlot | null> {
  return new Promise((resolve, reject) => {
    locks
      .request(name, { ifAvailable: true }, (lock) => {
        if (!lock) return resolve(null);
        return new Promise<void>((release) => resolve({ release }));
      })
      .catch(reject);
  });
}
