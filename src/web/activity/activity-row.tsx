/** One row per thing that happened. Memoised: a finished row keeps its entry object and never renders again. */
import { memo, type ReactNode } from "react";
import { phaseTitles } from "../../protocol/phases.ts";
import { cn } from "../elements/class-names.ts";
import { Icon, type IconName } from "../elements/icon.tsx";
import { Elapsed } from "../layout/elapsed.tsx";
import { toClock, toClockSeconds, toSpan } from "../layout/times.ts";
import type {
  BlockEntry,
  DividerEntry,
  Entry,
  GateEntry,
  PromptEntry,
  StatusEntry,
  ToolEntry,
} from "../session/fold-session.ts";
import { GrowingText } from "./growing-text.tsx";

export interface ActivityRowProps {
  entry: Entry;
  /** What someone chose for this row; otherwise a block is open while it is written. */
  open: boolean | undefined;
  onToggle: (id: string, open: boolean) => void;
  /** For the virtual list, which measures rows by it. */
  index?: number;
  measure?: (element: HTMLElement | null) => void;
}

export const ActivityRow = memo(function ActivityRow({ entry, open, onToggle, index, measure }: ActivityRowProps) {
  return (
    <li data-index={index} ref={measure}>
      {toContent(entry, open, onToggle)}
    </li>
  );
});

function toContent(entry: Entry, open: boolean | undefined, onToggle: ActivityRowProps["onToggle"]): ReactNode {
  switch (entry.kind) {
    case "divider":
      return <Divider entry={entry} />;
    case "prompt":
      return <Prompt entry={entry} />;
    case "reasoning":
      return <Reasoning entry={entry} open={open ?? entry.live} onToggle={onToggle} />;
    case "text":
      return <Text entry={entry} />;
    case "tool":
      return <Tool entry={entry} />;
    case "gate":
      return <Gate entry={entry} />;
    case "status":
      return <Status entry={entry} />;
  }
}

const Time = ({ at }: { at: number }) => (
  <time dateTime={new Date(at).toISOString()} className="num text-2xs text-ink-3">
    {toClock(at)}
  </time>
);

function Line({
  icon,
  look = "text-ink-3",
  at,
  children,
}: {
  icon: IconName;
  look?: string;
  at?: number;
  children: ReactNode;
}) {
  return (
    <div className="flex gap-2 px-3 py-0.5">
      <Icon name={icon} className={cn("mt-px h-3.5 w-3.5", look)} />
      <div className="min-w-0 flex-1 text-xs [overflow-wrap:anywhere]">{children}</div>
      {at === undefined ? null : <Time at={at} />}
    </div>
  );
}

function Rule({ text, at }: { text: string; at: number }) {
  return (
    <div className="flex items-center gap-2 px-3 pb-1 pt-3">
      <span className="text-2xs font-medium text-ink-2">{text}</span>
      <span className="h-px flex-1 bg-line" />
      <time dateTime={new Date(at).toISOString()} className="num text-2xs text-ink-3">
        {toClockSeconds(at)}
      </time>
    </div>
  );
}

const Divider = ({ entry }: { entry: DividerEntry }) => <Rule text={entry.text} at={entry.at} />;

const promptWords = { question: "Prompt", "follow-up": "Follow-up", steer: "Steered", resume: "Resumed" };

function Prompt({ entry }: { entry: PromptEntry }) {
  return (
    <>
      {entry.from === "question" ? <Rule text="Turn 1" at={entry.at} /> : null}
      <Line icon="prompt" at={entry.from === "question" ? undefined : entry.at}>
        <p className="font-medium text-ink">{promptWords[entry.from]}</p>
        <p className="mt-0.5 whitespace-pre-wrap leading-[18px] text-ink-2">{entry.text}</p>
      </Line>
    </>
  );
}

const Caret = () => (
  <span aria-hidden="true" className="caret ml-px inline-block h-3 w-[5px] translate-y-0.5 bg-accent" />
);
const Discarded = () => <span className="ml-1 text-warning">discarded, tried again</span>;

function Reasoning({
  entry,
  open,
  onToggle,
}: {
  entry: BlockEntry;
  open: boolean;
  onToggle: ActivityRowProps["onToggle"];
}) {
  return (
    <div className="px-3 py-1">
      <button
        type="button"
        className="flex w-full items-center gap-2 text-left text-xs"
        aria-expanded={open}
        onClick={() => onToggle(entry.id, !open)}
      >
        <Icon name="think" className="h-3.5 w-3.5 text-ink-3" />
        <span className="font-medium text-ink-2">Reasoning</span>
        <span className="num text-ink-3">
          {entry.live ? <Elapsed since={entry.at} /> : toSpan(entry.endAt - entry.at)}
        </span>
        {entry.discarded ? <Discarded /> : null}
        <Icon name="down" className={cn("ml-auto h-3.5 w-3.5 text-ink-3", open && "rotate-180")} />
      </button>
      {open ? (
        <div
          className={cn(
            "ml-[7px] mt-1 whitespace-pre-wrap border-l border-line-strong pl-[13px] text-xs leading-[18px] [overflow-wrap:anywhere]",
            entry.discarded ? "text-ink-3 line-through" : "text-ink-2",
          )}
        >
          <GrowingText text={entry.text} />
          {entry.live ? <Caret /> : null}
        </div>
      ) : (
        <p className={cn("truncate pl-[22px] text-xs text-ink-3", entry.discarded && "line-through")}>
          {entry.text.slice(0, 200)}
        </p>
      )}
    </div>
  );
}

function Text({ entry }: { entry: BlockEntry }) {
  return (
    <Line icon="text">
      <p className={cn("whitespace-pre-wrap leading-[18px]", entry.discarded ? "text-ink-3 line-through" : "text-ink")}>
        <GrowingText text={entry.text} />
        {entry.live ? <Caret /> : null}
      </p>
      {entry.discarded ? <Discarded /> : null}
    </Line>
  );
}

const toolLooks: Record<ToolEntry["status"], { look: string; icon: IconName }> = {
  running: { look: "text-accent-ink", icon: "run" },
  completed: { look: "text-ink-3", icon: "tool" },
  failed: { look: "text-problem", icon: "problem" },
  ended: { look: "text-ink-3", icon: "stop" },
};

/** These run for as long as the reviewer thinks, which is no measure of the model. */
const gateTools = new Set(["reviewer_decide", "reviewer_ask", "phase_summary", "submit_sql", "cannot_answer"]);

function Tool({ entry }: { entry: ToolEntry }) {
  const { look, icon } = toolLooks[entry.status];
  return (
    <div className="flex items-center gap-2 px-3 py-0.5 text-xs">
      <Icon name={icon} className={cn("h-3.5 w-3.5", look, entry.status === "running" && "spin")} />
      <span className="truncate font-mono text-ink-2" title={entry.name}>
        {entry.name}
      </span>
      <span className={cn("ml-auto", look)}>{entry.status}</span>
      <span className="num w-12 whitespace-nowrap text-right text-ink-3">
        {entry.status === "running" ? (
          gateTools.has(entry.name) ? null : (
            <Elapsed since={entry.at} />
          )
        ) : entry.endAt === null ? (
          ""
        ) : (
          toSpan(entry.endAt - entry.at)
        )}
      </span>
    </div>
  );
}

const gateWords: Record<GateEntry["what"], { words: string; icon: IconName; look: string; title: string }> = {
  opened: { words: "gate opened", icon: "hand", look: "text-accent-ink", title: "text-accent-ink" },
  continue: { words: "Continue", icon: "check", look: "text-ok", title: "text-ink" },
  other: { words: "Other: sent back", icon: "back", look: "text-warning", title: "text-ink" },
  superseded: { words: "gate superseded", icon: "back", look: "text-notice", title: "text-ink" },
  stopped: { words: "gate stopped", icon: "stop", look: "text-ink-3", title: "text-ink" },
  failed: { words: "gate failed", icon: "problem", look: "text-problem", title: "text-ink" },
  reopened: { words: "gate closed: phase reopened", icon: "back", look: "text-notice", title: "text-ink" },
};

function Gate({ entry }: { entry: GateEntry }) {
  const { words, icon, look, title } = gateWords[entry.what];
  return (
    <Line icon={icon} look={look} at={entry.at}>
      <p className="flex items-baseline gap-2">
        <span className={cn("truncate font-medium", title)} title={`${entry.phase} ${phaseTitles[entry.phase]}`}>
          {entry.phase} {words}
        </span>
        <span className="shrink-0 font-mono text-2xs text-ink-3">{entry.gate}</span>
      </p>
    </Line>
  );
}

function Status({ entry }: { entry: StatusEntry }) {
  return (
    <Line icon={entry.problem ? "problem" : "info"} look={entry.problem ? "text-problem" : undefined} at={entry.at}>
      <p className={entry.problem ? "font-medium text-problem" : "text-ink-2"}>{entry.text}</p>
    </Line>
  );
}
