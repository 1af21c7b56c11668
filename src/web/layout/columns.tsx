/** The middle and right parts of the grid; the left one belongs to the app. On small widths a tab chooses one of them. */
import type { ReactNode } from "react";
import { cn } from "../elements/class-names.ts";
import { ColumnHandle } from "./column-handle.tsx";
import type { Workbench } from "./workbench.ts";

const workId = "work";

/** The first thing that Tab reaches: past the sessions and the header to the work itself. */
export const SkipLink = () => (
  <a
    href={`#${workId}`}
    onClick={(event) => {
      event.preventDefault();
      document.getElementById(workId)?.focus();
    }}
    className="sr-only z-50 rounded-md bg-accent text-sm font-medium text-on-accent focus:not-sr-only focus:absolute focus:left-2 focus:top-1 focus:px-3 focus:py-1.5"
  >
    Skip to the work
  </a>
);

export function MainColumn({ bench, children, foot }: { bench: Workbench; children: ReactNode; foot?: ReactNode }) {
  return (
    <main
      id={workId}
      tabIndex={-1}
      className={cn(
        "min-h-0 min-w-0 flex-col bg-surface -outline-offset-2 [grid-area:main] lg:flex",
        bench.tab === "review" ? "flex" : "hidden",
      )}
    >
      <div className="work relative flex min-h-0 flex-1 flex-col overflow-y-auto">
        <div className="mx-auto flex w-full max-w-[1920px] flex-1 flex-col [&>*]:shrink-0">{children}</div>
      </div>
      {foot}
    </main>
  );
}

export interface ActivityColumnProps {
  bench: Workbench;
  /** What someone chose; null for the usual width. */
  width: number | null;
  onWidth: (width: number | null) => void;
  children: ReactNode;
}

export function ActivityColumn({ bench, width, onWidth, children }: ActivityColumnProps) {
  return (
    <section
      aria-label="Model activity"
      className={cn(
        "relative min-h-0 flex-col border-line bg-canvas [grid-area:main] lg:[grid-area:auto]",
        bench.tab === "activity" ? "flex" : "hidden",
        bench.activityOpen
          ? "lg:fixed lg:bottom-0 lg:right-0 lg:top-10 lg:z-40 lg:flex lg:w-80 lg:border-l lg:shadow-pop xl:relative xl:top-0 xl:z-0 xl:w-auto xl:shadow-none xl:[grid-area:activity]"
          : "lg:hidden",
      )}
    >
      <ColumnHandle
        label="Width of the activity"
        width={width}
        min={260}
        max={720}
        direction={-1}
        onWidth={onWidth}
        className="xl:block"
      />
      {children}
    </section>
  );
}
