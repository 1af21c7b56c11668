/** Notices a child that says nothing for too long while it should be working. A gate is no silence: pause it then. */
export interface Watchdog {
  /** Something came: the time starts anew, if it is running at all. */
  touch(): void;
  start(): void;
  pause(): void;
}

export const defaultStallMs = 120_000;

export function createWatchdog(ms: number, onStall: () => void): Watchdog {
  let timer: NodeJS.Timeout | undefined;
  let lastSign = 0;
  const arm = (wait: number): void => {
    timer = setTimeout(() => {
      const left = lastSign + ms - performance.now();
      // Moving a timer for each of hundreds of records a second would cost more than looking at the clock here.
      if (left > 1) {
        arm(left);
        return;
      }
      timer = undefined;
      onStall();
    }, wait);
    timer.unref();
  };
  return {
    touch() {
      lastSign = performance.now();
    },
    start() {
      lastSign = performance.now();
      if (timer === undefined) arm(ms);
    },
    pause() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
