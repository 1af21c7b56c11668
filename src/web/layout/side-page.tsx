import type { ReactNode } from "react";
import { cn } from "../elements/class-names.ts";
import { navigate } from "../route.ts";
import { BackendGone } from "./banner.tsx";
import { Header } from "./header.tsx";
import { useKeys } from "./keys.ts";
import type { Workbench } from "./workbench.ts";

export interface SidePageProps {
  label: string;
  gone: boolean;
  bench: Workbench;
  workspace?: ReactNode;
  /** What the key `/` does here. */
  onSearch?: () => void;
  className?: string;
  children: ReactNode;
}

/** A page beside the sessions: no question, no turn, no activity; the list stays on the left. */
export function SidePage({ label, gone, bench, workspace = null, onSearch, className, children }: SidePageProps) {
  const showKeys = () => bench.setDialog("keys");
  useKeys({ "?": showKeys, n: () => navigate("/"), "/": onSearch, close: () => bench.setListOpen(false) }, null);
  return (
    <>
      <div className="[grid-area:header]">
        <Header
          workspace={workspace}
          model={null}
          onModel={null}
          thinking={null}
          asked={null}
          turn={null}
          stop={null}
          activityShown={false}
          onActivity={null}
          onKeys={showKeys}
        />
      </div>
      <div className="[grid-area:banner]">{gone ? <BackendGone /> : null}</div>
      <main
        aria-label={label}
        className={cn(
          "min-h-0 min-w-0 bg-surface [grid-column:main-start/-1] [grid-row:main] lg:flex",
          bench.tab === "sessions" ? "hidden" : "flex",
          className,
        )}
      >
        {children}
      </main>
    </>
  );
}
