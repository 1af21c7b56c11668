import type { ReactNode } from "react";
import type { ThinkingLevel, TurnState } from "../../protocol/phases.ts";
import { Button, IconButton } from "../elements/button.tsx";
import { cn } from "../elements/class-names.ts";
import { Icon } from "../elements/icon.tsx";
import { navigate } from "../route.ts";
import { useTheme } from "../styles/theme.ts";
import { TurnChip } from "./turn-chip.tsx";

export interface HeaderProps {
  workspace: ReactNode;
  model: { name: string; local: boolean } | null;
  thinking: ThinkingLevel | null;
  /** The level asked for, when another one is in force. */
  asked: ThinkingLevel | null;
  /** Null where no session is shown. */
  turn: TurnState | null;
  /** Model and workspace are still being asked for. */
  waiting?: boolean;
  stop: { stopping: boolean; press: () => void } | null;
  onModel: (() => void) | null;
  activityShown: boolean;
  /** Null where there is no activity to show. */
  onActivity: (() => void) | null;
  onKeys: () => void;
}

const Rule = ({ className }: { className?: string }) => (
  <span className={cn("hidden h-4 w-px bg-line-strong md:block", className)} />
);

export function Header({
  workspace,
  model,
  thinking,
  asked,
  turn,
  stop,
  onModel,
  waiting,
  activityShown,
  onActivity,
  onKeys,
}: HeaderProps) {
  const [theme, switchTheme] = useTheme();
  const modelWords = model ? (
    <>
      <Icon name="model" />
      <span className="sr-only">Model in force</span>
      <span className="min-w-0 max-w-[30ch] truncate font-medium text-ink">{model.name}</span>
      <span className="hidden font-normal text-ink-3 xl:inline">{model.local ? "on this machine" : "hosted"}</span>
    </>
  ) : null;
  return (
    <header className="z-30 flex h-10 shrink-0 items-center gap-1 border-b border-line bg-surface px-3">
      <a
        href="/"
        aria-label="ThothII"
        className="flex items-center gap-2 pr-1 text-sm font-semibold tracking-tight"
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          navigate("/");
        }}
      >
        <Mark />
        <span>
          Thoth<span className="font-mono tracking-tighter text-ink-2">II</span>
        </span>
      </a>
      <Rule className="mx-1.5" />
      <div className="hidden shrink-0 items-center md:flex">{workspace}</div>
      <div className="flex-1" />
      {model && onModel ? (
        <button type="button" className="btn-ghost hidden h-7 min-w-0 shrink lg:inline-flex" onClick={onModel}>
          {modelWords}
        </button>
      ) : model ? (
        <span className="hidden h-7 items-center gap-1.5 whitespace-nowrap px-2 text-sm text-ink-2 lg:inline-flex">
          {modelWords}
        </span>
      ) : waiting ? (
        <span className="hidden h-7 items-center gap-1.5 whitespace-nowrap px-2 text-sm text-ink-3 lg:inline-flex">
          <Icon name="model" />
          Default model
        </span>
      ) : null}
      {thinking ? (
        <span
          className="hidden h-7 items-center gap-1.5 whitespace-nowrap px-1.5 text-sm text-ink-2 lg:inline-flex"
          title="Thinking level in force"
        >
          <Icon name={thinking === "off" ? "off" : "think"} />
          Thinking <span className="font-medium text-ink">{thinking}</span>
          {asked ? <span className="hidden text-ink-3 xl:inline">asked: {asked}</span> : null}
        </span>
      ) : null}
      {turn ? (
        <>
          <Rule className="mx-1.5" />
          <TurnChip turn={turn} />
        </>
      ) : null}
      {stop ? (
        <Button
          size="sm"
          icon="stop"
          className="ml-1 hidden sm:inline-flex"
          onClick={stop.press}
          blocked={stop.stopping ? "The model is being stopped." : undefined}
        >
          {stop.stopping ? "Stopping" : "Stop"}
        </Button>
      ) : null}
      <Rule className="mx-1" />
      {onActivity ? (
        <IconButton
          label={activityShown ? "Hide activity" : "Show activity"}
          icon="panel"
          onClick={onActivity}
          className={cn("hidden lg:inline-flex", activityShown && "xl:hidden")}
        />
      ) : null}
      <IconButton label="Switch theme" icon={theme === "dark" ? "sun" : "moon"} onClick={switchTheme} />
      <button type="button" className="icon-btn hidden md:inline-flex" aria-label="Keys" title="Keys" onClick={onKeys}>
        <span className="text-sm font-medium">?</span>
      </button>
    </header>
  );
}

/** Keeps the place of words that are on their way. */
export const Waiting = ({ width }: { width: string }) => (
  <span aria-hidden="true" className={cn("mx-2 h-2 rounded-sm bg-line", width)} />
);

function Mark() {
  return (
    <svg
      className="h-5 w-5 shrink-0 text-accent-ink"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth={2}
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M3 4.5h8.5a4 4 0 0 1 0 8H10" />
      <path d="M7 4.5V16" />
      <path d="M10 12.5c2.5.3 4.5 1.6 6.500 4" />
    </svg>
  );
}
