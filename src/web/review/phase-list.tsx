import { type ReactNode, useState } from "react";
import type { Outcome } from "../../protocol/events.ts";
import { type PhaseId, type PhaseView, phaseIds, phaseTitles, type TurnState } from "../../protocol/phases.ts";
import { cn } from "../elements/class-names.ts";
import { Icon } from "../elements/icon.tsx";
import { Elapsed } from "../layout/elapsed.tsx";
import { toClock } from "../layout/times.ts";
import { decisionsId } from "./decisions.tsx";
import type { Facts } from "./facts.ts";
import { toDecisionCount } from "./phase-words.ts";

type Look = "cannot" | "done" | "waiting" | "running" | "failed" | "idle" | "to-come" | "superseded";
interface Item {
  phase: PhaseId;
  look: Look;
  current: boolean;
  decisions: number;
  /** Its decisions were set aside and are being made anew. */
  reopened: boolean;
  setAside: number;
}

export function toItems(phases: PhaseView[], current: PhaseId, turn: TurnState, outcome: Outcome): Item[] {
  return phaseIds.map((phase) => {
    const view = phases.find((one) => one.phase === phase);
    const now = phase === current;
    const state = view?.state ?? (now ? "current" : "to-come");
    const ended = turn === "idle" && now;
    const look: Look =
      state === "done" || (ended && outcome === "answered")
        ? "done"
        : !now
          ? view?.setAside
            ? "superseded"
            : "to-come"
          : ended && outcome === "cannot-answer"
            ? "cannot"
            : turn;
    const setAside = view?.setAside ?? 0;
    return { phase, look, current: now, decisions: view?.decisions ?? 0, reopened: now && setAside > 0, setAside };
  });
}

const lookWords: Record<Look, string> = {
  done: "done",
  waiting: "waiting for you",
  running: "running",
  failed: "failed",
  idle: "paused",
  cannot: "cannot answer",
  "to-come": "not started",
  superseded: "superseded",
};

export function PhaseList({ facts }: { facts: Facts }) {
  const [all, setAll] = useState(false);
  const items = toItems(facts.phases, facts.phase, facts.turn, facts.outcome);
  const current = items.find((item) => item.current);
  return (
    <div className="shrink-0 border-b border-line-strong">
      <div className="px-5 pb-2 md:hidden">
        {current ? (
          <div className="flex items-center gap-1.5 text-sm">
            <LookIcon look={current.look} />
            <span className="font-mono text-xs text-accent-ink">{current.phase}</span>
            <span className="font-semibold">{phaseTitles[current.phase]}</span>
            <button type="button" className="link ml-auto text-xs" aria-expanded={all} onClick={() => setAll(!all)}>
              {all ? "Current phase" : "All six phases"}
            </button>
          </div>
        ) : null}
        {all ? null : (
          <ol aria-label="Phases" className="mt-1.5 grid grid-cols-6 gap-1">
            {items.map((item) => (
              <li
                key={item.phase}
                aria-current={item.current ? "step" : undefined}
                className={cn(
                  "h-1 rounded-full",
                  item.look === "done"
                    ? "bg-ok"
                    : item.look === "failed"
                      ? "bg-problem"
                      : item.current
                        ? "bg-accent"
                        : item.look === "superseded"
                          ? "bg-notice/40"
                          : "bg-line-strong",
                )}
              >
                <span className="sr-only">
                  {item.phase} {phaseTitles[item.phase]}: {item.reopened ? "reopened, " : ""}
                  {lookWords[item.look]}
                </span>
              </li>
            ))}
          </ol>
        )}
      </div>
      <ol aria-label="Phases" className={cn("no-bar px-5 md:flex md:overflow-x-auto", all ? "block pb-1" : "hidden")}>
        {items.map((item) => (
          <PhaseItem key={item.phase} item={item} facts={facts} />
        ))}
      </ol>
    </div>
  );
}

function PhaseItem({ item, facts }: { item: Item; facts: Facts }) {
  const { phase, look, current } = item;
  const failed = look === "failed";
  const tone = failed ? "text-problem" : look === "cannot" ? "text-notice" : current ? "text-accent-ink" : "text-ink-3";
  return (
    <li aria-current={current ? "step" : undefined} className="relative min-w-24 flex-1 pb-1.5 pr-3 pt-0.5">
      <PhaseWords item={item}>
        <span
          className={cn(
            "flex items-center gap-1.5 text-sm",
            current ? "font-semibold text-ink" : look === "done" ? "text-ink-2" : "text-ink-3",
          )}
        >
          <LookIcon look={look} />
          <span className={cn("font-mono text-xs", tone)}>{phase}</span>
          <span className="decoration-line-strong underline-offset-2 group-hover:underline">{phaseTitles[phase]}</span>
        </span>
        <span className={cn("num block whitespace-nowrap pl-5 text-xs", tone)}>
          {toNote(item, facts)}
          <span className="sr-only">{look === "to-come" ? "not started" : look === "done" ? "done" : ""}</span>
        </span>
      </PhaseWords>
      {current ? (
        <span
          className={cn(
            "absolute inset-x-0 -bottom-px mr-3 h-0.5",
            failed ? "bg-problem" : look === "cannot" ? "bg-notice" : "bg-accent",
          )}
        />
      ) : null}
    </li>
  );
}

/** A phase with decisions leads to them, an open gate to itself; one that has nothing yet leads nowhere. */
function PhaseWords({ item, children }: { item: Item; children: ReactNode }) {
  const target =
    item.look === "waiting" ? "review" : item.decisions > 0 || item.setAside > 0 ? decisionsId(item.phase) : null;
  if (target === null) return children;
  return (
    <a
      href={`#${target}`}
      className="group block rounded-sm"
      onClick={(event) => {
        event.preventDefault();
        showPlace(target);
      }}
    >
      {children}
    </a>
  );
}

/** Scrolls there and takes the focus along: the reader asked for it by a press. */
export function showPlace(id: string): void {
  const place = document.getElementById(id);
  if (!place) return;
  place.tabIndex = -1;
  place.scrollIntoView({ block: "start" });
  place.focus({ preventScroll: true });
}

function toNote({ phase, look, decisions, reopened, setAside }: Item, { turnAt }: Facts) {
  if (look === "superseded") return `${setAside} superseded`;
  if (look === "waiting") return reopened ? "Reopened, waiting" : "Waiting for you";
  if (look === "running")
    return (
      <>
        {reopened ? "Reopened" : "Running"} {turnAt === null ? null : <Elapsed since={turnAt} />}
      </>
    );
  if (look === "failed") return `Failed${turnAt === null ? "" : ` ${toClock(turnAt)}`}`;
  if (look === "idle") return "Paused";
  if (look === "cannot") return "Cannot answer";
  return look === "done" ? toDecisionCount(phase, decisions) : "\u00a0";
}

function LookIcon({ look }: { look: Look }) {
  const size = "h-3.5 w-3.5";
  if (look === "done") return <Icon name="check" className={cn(size, "text-ok")} />;
  if (look === "waiting") return <Icon name="hand" className={cn(size, "text-accent-ink")} />;
  if (look === "failed") return <Icon name="problem" className={cn(size, "text-problem")} />;
  if (look === "cannot") return <Icon name="slash" className={cn(size, "text-notice")} />;
  if (look === "running") return <Icon name="run" className={cn(size, "spin text-accent-ink")} />;
  if (look === "superseded") return <Icon name="back" className={cn(size, "text-notice")} />;
  return (
    <svg className={cn(size, "shrink-0")} viewBox="0 0 14 14" aria-hidden="true">
      <circle cx="7" cy="7" r="2.5" fill="none" className={look === "idle" ? "stroke-accent" : "stroke-control"} />
    </svg>
  );
}
