/**
 * What a page does while deltas come in, noted inside the page itself: React's commits and the rows they render again,
 * long tasks, late frames, and how old each delta is when it stands in the DOM. React reports each commit to a hook that
 * developer tools use; a component that rendered has its `PerformedWork` flag set.
 */
import type { BrowserContext, Page } from "playwright-core";

interface Watched {
  commits: number;
  /** Renders of rows that were finished before. */
  finishedRenders: number;
  longTasks: number[];
  lateFrames: number[];
  /** Milliseconds from the child's write to the DOM, one per delta. */
  ages: number[];
  /** Times a delta was not followed by the next one: reasoning that ended and folded up in the same frame. */
  gaps: number;
}

export async function watchCommits(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    interface Fiber {
      alternate: Fiber | null;
      child: Fiber | null;
      sibling: Fiber | null;
      flags: number;
      tag: number;
      memoizedProps: { entry?: { live?: boolean; status?: string }; onToggle?: unknown } | null;
    }
    const watched = { commits: 0, finishedRenders: 0 };
    Object.assign(window, { watched });
    const isRow = ({ memoizedProps: props }: Fiber) => props?.entry !== undefined && props.onToggle !== undefined;
    const walk = (fiber: Fiber): void => {
      const before = fiber.alternate;
      if (!before) return;
      const props = fiber.memoizedProps;
      // The row itself, with the same entry as before: nothing about it changed, so rendering it again is waste.
      if (isRow(fiber) && (fiber.flags & 1) === 1 && before.memoizedProps?.entry === props?.entry)
        watched.finishedRenders += 1;
      if (fiber.child === before.child) return;
      for (let child = fiber.child; child; child = child.sibling) walk(child);
    };
    Object.assign(window, {
      __REACT_DEVTOOLS_GLOBAL_HOOK__: {
        supportsFiber: true,
        renderers: new Map(),
        inject: () => 1,
        checkDCE: () => undefined,
        onScheduleFiberRoot: () => undefined,
        onCommitFiberUnmount: () => undefined,
        onPostCommitFiberRoot: () => undefined,
        onCommitFiberRoot: (_id: number, root: { current: Fiber }) => {
          watched.commits += 1;
          walk(root.current);
        },
      },
    });
  });
}

/** Starts noting; the log of the activity must be there. */
export const startWatching = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const log = document.querySelector('[role="log"]');
    if (!log) throw new Error("no activity log");
    const notes = {
      ages: [] as number[],
      gaps: 0,
      last: -1,
      longTasks: [] as number[],
      lateFrames: [] as number[],
      from: { ...(window as unknown as { watched: { commits: number; finishedRenders: number } }).watched },
    };
    Object.assign(window, { notes });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) notes.longTasks.push(Math.round(entry.duration));
    }).observe({ type: "longtask" });
    let before = performance.now();
    const frame = (at: number) => {
      if (at - before > 50) notes.lateFrames.push(Math.round(at - before));
      before = at;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    // Of the growing row only its end is read, so that looking costs little.
    new MutationObserver((changes) => {
      const now = Date.now();
      let seen = notes.last;
      for (const change of changes) {
        const text =
          change.type === "characterData" ? (change.target.nodeValue ?? "") : (change.target.textContent ?? "");
        for (const [, n, at] of text.slice(-20_000).matchAll(/<(\d+)@(\d+)>/g)) {
          const number = Number(n);
          if (number <= seen) continue;
          if (number !== seen + 1) notes.gaps += 1;
          seen = number;
          notes.ages.push(now - Number(at));
        }
      }
      notes.last = seen;
    }).observe(log, { subtree: true, childList: true, characterData: true });
  });

export const lastSeen = (page: Page): Promise<number> =>
  page.evaluate(() => (window as unknown as { notes: { last: number } }).notes.last);

export const readWatched = (page: Page): Promise<Watched> =>
  page.evaluate(() => {
    const { notes, watched } = window as unknown as {
      notes: Watched & { from: { commits: number; finishedRenders: number } };
      watched: { commits: number; finishedRenders: number };
    };
    return {
      commits: watched.commits - notes.from.commits,
      finishedRenders: watched.finishedRenders - notes.from.finishedRenders,
      longTasks: notes.longTasks,
      lateFrames: notes.lateFrames,
      ages: notes.ages,
      gaps: notes.gaps,
    };
  });
