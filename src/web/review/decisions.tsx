import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { type PhaseId, phaseTitles } from "../../protocol/phases.ts";
import { cn } from "../elements/class-names.ts";
import { Boundary } from "../elements/error-boundary.tsx";
import { Section } from "../elements/section.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import { toClock } from "../layout/times.ts";
import { api } from "../session/api.ts";
import { ledgerKey } from "../session/query-keys.ts";
import { normalizeSummary } from "../widgets/normalize-summary.ts";
import { SummaryView } from "../widgets/summary-text.tsx";
import type { Facts } from "./facts.ts";
import { LedgerDialog } from "./ledger-dialog.tsx";
import { LeftOpen } from "./left-open.tsx";
import { Reopen } from "./reopen.tsx";
import { type DecisionGroup, type DecisionLine, toDecisionGroups } from "./to-decision-groups.ts";

/** Only where the reviewer sent something back, which most sessions never do. */
const Remember = lazy(async () => ({ default: (await import("../knowledge/remember.tsx")).Remember }));

export const decisionsId = (phase: PhaseId) => `decisions-${phase}`;

/** What holds, by phase; beside each phase the way back to it. Nothing is drawn while nothing was decided. */
export function Decisions({
  sessionId,
  facts,
  title = "Accepted so far",
}: {
  sessionId: string;
  facts: Facts;
  title?: string;
}) {
  const { data } = useQuery({ queryKey: ledgerKey(sessionId), queryFn: () => api.ledger(sessionId) });
  const [shown, setShown] = useState(false);
  const groups = useMemo(() => toDecisionGroups(data?.entries ?? []), [data]);
  if (!data || data.entries.length === 0) return null;
  return (
    <>
      <Section
        title={title}
        className="border-t border-line"
        right={
          <button type="button" className="link" onClick={() => setShown(true)}>
            Open ledger
          </button>
        }
      >
        {groups.length === 0 ? (
          <p className="px-5 pb-4 text-sm text-ink-3">
            {title === "Decisions"
              ? "No decision was written."
              : "Nothing yet. Each decision stands here once you have accepted it."}
          </p>
        ) : null}
        {groups.length > 0 ? (
          <ol className="pb-4">
            {groups.map((group) => (
              <Boundary key={group.phase} what={`the decisions of ${group.phase}`}>
                <Group sessionId={sessionId} facts={facts} group={group} groups={groups} />
              </Boundary>
            ))}
          </ol>
        ) : null}
      </Section>
      {data.entries.some(({ type, answer, text }) => type === "gate-answered" && answer === "other" && text) ? (
        <Boundary what="what is worth remembering">
          <Suspense fallback={null}>
            <Remember sessionId={sessionId} />
          </Suspense>
        </Boundary>
      ) : null}
      {shown ? <LedgerDialog entries={data.entries} onClose={() => setShown(false)} /> : null}
    </>
  );
}

function Group({
  sessionId,
  facts,
  group,
  groups,
}: {
  sessionId: string;
  facts: Facts;
  group: DecisionGroup;
  groups: DecisionGroup[];
}) {
  const [reopening, setReopening] = useState(false);
  const [more, setMore] = useState(false);
  const questions = useMemo(() => normalizeSummary(group.summary).openQuestions, [group.summary]);
  const folded = group.superseded.length + (group.summary === undefined ? 0 : 1);
  return (
    <li id={decisionsId(group.phase)} tabIndex={-1} className="scroll-mt-4 px-5 py-1 -outline-offset-2">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 md:grid-cols-[88px_minmax(0,1fr)_auto]">
        <h4 className="text-xs leading-5 text-ink-3">
          <span className="font-mono">{group.phase}</span> {phaseTitles[group.phase]}
        </h4>
        <div className="order-last col-span-2 min-w-0 md:order-none md:col-span-1">
          <ul>
            {group.lines.map((line) => (
              <Line key={`${line.seqs} ${line.text}`} line={line} />
            ))}
          </ul>
          {folded > 0 ? (
            <button
              type="button"
              className="text-xs text-ink-3 hover:text-ink hover:underline"
              aria-expanded={more}
              onClick={() => setMore(!more)}
            >
              {more ? "Show less" : toMore(group)}
            </button>
          ) : null}
          {more ? (
            <div className="mt-1 space-y-2">
              {group.summary === undefined ? null : (
                <Boundary what={`the summary of ${group.phase}`}>
                  <SummaryView value={group.summary} />
                </Boundary>
              )}
              {group.superseded.length > 0 ? (
                <ul aria-label="Superseded">
                  {group.superseded.map((line) => (
                    <Line key={`${line.seqs} ${line.text}`} line={line} gone />
                  ))}
                </ul>
              ) : null}
            </div>
          ) : null}
        </div>
        <span className="num flex items-start whitespace-nowrap text-xs leading-5 text-ink-3">
          {group.by}
          {group.at === null ? "" : ` · ${toClock(group.at)}`}
          <button
            type="button"
            aria-label={`Reopen ${group.phase}`}
            aria-expanded={reopening}
            onClick={() => setReopening(!reopening)}
            className="ml-2 rounded-sm font-medium text-accent-ink hover:underline"
          >
            Reopen
          </button>
        </span>
      </div>
      {questions.length > 0 ? (
        <LeftOpen sessionId={sessionId} phase={group.phase} questions={questions} facts={facts} />
      ) : null}
      {reopening ? (
        <Reopen
          sessionId={sessionId}
          phase={group.phase}
          groups={groups}
          openGate={facts.openGate}
          onClose={() => setReopening(false)}
        />
      ) : null}
    </li>
  );
}

function toMore(group: DecisionGroup): string {
  const parts = [
    group.summary === undefined ? null : "summary",
    group.superseded.length === 0 ? null : `${group.superseded.length} superseded`,
  ];
  return `Show ${parts.filter(Boolean).join(" and ")}`;
}

function Line({ line, gone }: { line: DecisionLine; gone?: boolean }) {
  return (
    <li
      data-seqs={gone ? undefined : line.seqs}
      className="-mx-1 flex items-baseline gap-2 rounded px-1 text-sm transition-colors duration-base data-[lit]:bg-accent-soft"
    >
      <span className="num w-14 shrink-0 font-mono text-xs text-ink-3">{line.seqs}</span>
      <span
        className={cn(
          "min-w-0 [overflow-wrap:anywhere]",
          line.code && "font-mono text-xs",
          gone ? "text-ink-3 line-through" : line.sentBack ? "text-ink-3" : line.code ? "text-ink" : "text-ink-2",
        )}
      >
        <VisibleText text={line.text} />
        {gone ? <span className="sr-only"> (superseded)</span> : null}
      </span>
    </li>
  );
}
