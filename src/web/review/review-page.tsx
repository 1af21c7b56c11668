/** The middle column of a session: its question, its phases, and what stands at the present point. */
import { type ReactNode, useEffect, useState } from "react";
import type { SessionView } from "../../protocol/api.ts";
import { phaseTitles } from "../../protocol/phases.ts";
import { Boundary } from "../elements/error-boundary.tsx";
import { Icon } from "../elements/icon.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import { toClock } from "../layout/times.ts";
import { Decisions } from "./decisions.tsx";
import type { Facts } from "./facts.ts";
import { Finished } from "./finished.tsx";
import { GateHost } from "./gate-host.tsx";
import { PhaseList } from "./phase-list.tsx";
import { Running } from "./running.tsx";
import { CannotAnswer, Failed, GateKept, Paused, type ResumeProps } from "./stopped.tsx";

/** How long the page says that an answer came too late. */
const lostMs = 12_000;

export interface ReviewPageProps {
  id: string;
  question: string | undefined;
  /** What was asked last, when that is no longer the session's question. */
  followUp: string | undefined;
  startedAt: number | null;
  view: SessionView | undefined;
  facts: Facts;
  /** What the model said before its turn ended, `null` if it ended otherwise. */
  lastWords: string | null;
  live: boolean;
  gone: boolean;
  resume: ResumeProps;
  menu: ReactNode;
  /** Why the last thing pressed did not work. */
  notice: ReactNode;
  onModel: () => void;
  onChanged: () => void;
}

export function ReviewPage(props: ReviewPageProps) {
  const { question, followUp, view, facts, menu, notice } = props;
  const [lost, setLost] = useState<{ gateId: string; words: string } | null>(null);
  useEffect(() => {
    if (!lost) return;
    const timer = window.setTimeout(() => setLost(null), lostMs);
    return () => window.clearTimeout(timer);
  }, [lost]);
  return (
    <>
      <div className="flex items-start gap-3 px-5 pb-1.5 pt-2.5">
        <div className="min-w-0 flex-1">
          <h1
            className="text-base font-semibold leading-5 text-ink [overflow-wrap:anywhere] lg:truncate"
            title={question}
          >
            <VisibleText text={view?.name ?? question ?? "…"} />
          </h1>
          {followUp ? (
            <p className="mt-0.5 text-sm text-ink [overflow-wrap:anywhere]">
              <span className="text-ink-3">Follow-up</span> <VisibleText text={followUp} />
            </p>
          ) : null}
          <p className="num mt-0.5 truncate text-xs text-ink-3">{toMeta(props)}</p>
        </div>
        {menu}
      </div>
      <PhaseList facts={facts} />
      {notice}
      {lost && lost.gateId !== facts.openGate?.gateId ? (
        <p
          role="status"
          className="flex items-start gap-2 border-b border-notice-line bg-notice-soft px-5 py-2 text-sm"
        >
          <Icon name="info" className="mt-0.5 text-notice" />
          <span className="text-ink">{lost.words}</span>
        </p>
      ) : null}
      <Boundary what="this part of the session" resetKey={`${facts.openGate?.gateId} ${facts.turn}`}>
        <Present {...props} onLost={setLost} />
      </Boundary>
    </>
  );
}

function toMeta({ startedAt, view, facts }: ReviewPageProps): string {
  const parts = [
    startedAt === null ? null : `Started ${toClock(startedAt)}`,
    view
      ? facts.outcome === "answered" && facts.turn === "idle"
        ? `answered ${toClock(Date.parse(view.updatedAt))}`
        : view.review === "every-phase"
          ? "stops at every phase"
          : "stops when needed"
      : null,
    `${facts.decisions} ${facts.decisions === 1 ? "decision" : "decisions"} in the ledger`,
  ];
  return parts.filter(Boolean).join(" · ");
}

interface PresentProps extends ReviewPageProps {
  onLost: (lost: { gateId: string; words: string }) => void;
}

function Present({ id, view, facts, lastWords, live, gone, resume, onModel, onChanged, onLost }: PresentProps) {
  const restsIdle = useLasting(
    facts.ready && facts.turn === "idle" && facts.outcome === null && facts.openGate === null,
    1_200,
  );
  const idleLasts = useLasting(facts.turn === "idle" && facts.openGate !== null, 1_200);
  if (facts.openGate) {
    const { gateId } = facts.openGate;
    return (
      <>
        {facts.turn === "failed" || idleLasts ? <GateKept facts={facts} {...resume} /> : null}
        <GateHost
          sessionId={id}
          gate={facts.openGate}
          live={live}
          gone={gone}
          onChanged={onChanged}
          onLost={(words) => onLost({ gateId, words })}
        >
          <div className="h-4" />
          <Decisions sessionId={id} facts={facts} />
        </GateHost>
      </>
    );
  }
  if (facts.turn === "failed")
    return (
      <>
        <Failed facts={facts} onModel={onModel} {...resume} />
        <Decisions sessionId={id} facts={facts} />
      </>
    );
  if (facts.turn === "idle" && facts.outcome === "answered") {
    return (
      <>
        {view?.outcome === "answered" ? <Finished view={view} onModel={onModel} /> : <Finishing />}
        <Decisions sessionId={id} facts={facts} title="Decisions" />
      </>
    );
  }
  if (facts.turn === "idle" && facts.outcome === "cannot-answer") {
    return (
      <>
        <CannotAnswer
          missing={view?.cannotAnswer?.missing ?? "what the question needs"}
          reason={view?.cannotAnswer?.reason ?? ""}
        />
        <Decisions sessionId={id} facts={facts} title="Decisions" />
      </>
    );
  }
  if (facts.turn === "idle" && restsIdle)
    return (
      <>
        <Paused facts={facts} lastWords={lastWords} onModel={onModel} {...resume} />
        <Decisions sessionId={id} facts={facts} />
      </>
    );
  if (!facts.ready) return <p className="px-5 py-4 text-sm text-ink-3">Opening the session…</p>;
  return (
    <>
      <Running facts={facts} />
      <Decisions sessionId={id} facts={facts} />
    </>
  );
}

/** The stream said that it is answered; the answer itself is on its way. */
const Finishing = () => (
  <section aria-label="Answer on its way" className="px-5 pb-3 pt-3">
    <p className="flex items-center gap-1.5 text-xs font-medium text-ok">
      <Icon name="ok" className="h-3.5 w-3.5" />
      Answered
    </p>
    <p className="mt-1 text-sm text-ink-2">Fetching the answer…</p>
  </section>
);

/** True once `value` has been true for `ms`: a state that is only passed through is not worth drawing. */
function useLasting(value: boolean, ms: number): boolean {
  const [lasting, setLasting] = useState(false);
  useEffect(() => {
    if (!value) return setLasting(false);
    const timer = window.setTimeout(() => setLasting(true), ms);
    return () => window.clearTimeout(timer);
  }, [value, ms]);
  return value && lasting;
}

export const gateWords = (facts: Facts): string | null =>
  facts.openGate ? `${facts.openGate.phase} ${phaseTitles[facts.openGate.phase]}` : null;
