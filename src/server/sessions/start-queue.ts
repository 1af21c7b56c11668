/**
 * Starting a child costs a processor a second: many at once would all take long, and some too long. So only a few start
 * at a time, in the order in which they were asked for, and those behind them are told their place.
 */
import { availableParallelism } from "node:os";

export interface StartQueue {
  /**
   * Runs `work` when its turn has come; with what it gives or throws. `onPlace` hears the place in the queue (1 is next)
   * at once and whenever it changes, and 0 when the turn has come; never for a start that needn't wait. Rejects with the
   * signal's reason when that comes first.
   */
  run<T>(work: () => Promise<T>, signal: AbortSignal, onPlace: (place: number) => void): Promise<T>;
}

interface Waiting {
  begin(): void;
  onPlace(place: number): void;
}

export function createStartQueue(most = Math.max(2, availableParallelism())): StartQueue {
  const waiting: Waiting[] = [];
  let running = 0;

  const tellPlaces = (): void => {
    for (const [index, one] of waiting.entries()) one.onPlace(index + 1);
  };
  const wait = (signal: AbortSignal, onPlace: (place: number) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => {
        waiting.splice(waiting.indexOf(mine), 1);
        reject(signal.reason);
        tellPlaces();
      };
      const mine: Waiting = {
        onPlace,
        begin() {
          signal.removeEventListener("abort", leave);
          onPlace(0);
          resolve();
        },
      };
      signal.addEventListener("abort", leave, { once: true });
      waiting.push(mine);
      onPlace(waiting.length);
    });
  const release = (): void => {
    const next = waiting.shift();
    if (!next) {
      running -= 1;
      return;
    }
    // The place that was free goes on to the next one.
    next.begin();
    tellPlaces();
  };

  return {
    async run(work, signal, onPlace) {
      signal.throwIfAborted();
      if (running < most) running += 1;
      else await wait(signal, onPlace);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
}
