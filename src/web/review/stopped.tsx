/** Three ends that are not an answer, each with its own look: failed, cannot answer, and merely paused. */
import type { ReactNode } from "react";
import { type PhaseId, phaseIds, phaseTitles } from "../../protocol/phases.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { plural } from "../elements/numbers.ts";
import { VisibleText } from "../elements/visible-text.tsx";
import { ProblemNotice } from "../layout/notice.tsx";
import { toClockSeconds } from "../layout/times.ts";
import type { ApiProblem } from "../session/api.ts";
import { toMissingSentence } from "../widgets/missing-words.ts";
import type { Facts } from "./facts.ts";
import { toFailureAction, toFailureTitle } from "./failure-words.ts";

export interface ResumeProps {
  resume: () => void;
  resuming: boolean;
  refused: ApiProblem | null;
}

function ResumeRow({ resume, resuming, refused, children }: ResumeProps & { children: ReactNode }) {
  return (
    <>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Button variant="primary" onClick={resume} blocked={resuming ? "The session is being resumed." : undefined}>
          {resuming ? "Resuming" : "Resume"}
        </Button>
        {children}
      </div>
      {refused ? <ProblemNotice problem={refused} className="mt-3" /> : null}
    </>
  );
}

export function Failed({ facts, onModel, ...resume }: ResumeProps & { facts: Facts; onModel: () => void }) {
  const { failure, phase, decisions, turnAt } = facts;
  const action = toFailureAction(failure);
  return (
    <section aria-labelledby="failed-title" className="border-b border-line">
      <div className="relative px-5 py-4">
        <span className="absolute inset-y-0 left-0 w-[3px] bg-problem" />
        <div className="flex gap-3">
          <Icon name="problem" className="mt-0.5 h-5 w-5 text-problem" />
          <div className="min-w-0 flex-1" role="alert">
            <h2 id="failed-title" className="text-lg font-semibold tracking-[-0.01em]">
              {toFailureTitle(failure)}
            </h2>
            <p className="mt-0.5 max-w-[96ch] text-sm text-ink-2">
              {action ? `${action} ` : ""}
              {decisions > 0 ? `Your ${plural(decisions, "decision")} ${decisions === 1 ? "is" : "are"} kept. ` : ""}
              Resume starts {phase} {phaseTitles[phase]} again{decisions > 0 ? " from the ledger" : ""}.
            </p>
            <ResumeRow {...resume}>
              <Button onClick={onModel}>Use another model</Button>
              <span className="text-xs text-ink-3">Resume keeps the model and the thinking level</span>
            </ResumeRow>
          </div>
        </div>
      </div>
      <dl className="border-t border-line px-5 py-3 md:pl-[52px]">
        <Reason name="Reason">
          <code className="font-mono text-xs text-ink">{failure?.code ?? "unknown"}</code>
        </Reason>
        <Reason name="Failed at">
          {turnAt === null ? "" : `${toClockSeconds(turnAt)}, `}in {phase} {phaseTitles[phase]}
        </Reason>
        <Reason name="Kept">
          {decisions === 0 ? "your question" : `${plural(decisions, "decision")}, ${toKept(phase)}`}
        </Reason>
        <Reason name="Lost">nothing written; only what the model had worked out since</Reason>
        <Reason name="Details">in the server’s log, under this session. Keys and addresses are removed there.</Reason>
      </dl>
    </section>
  );
}

function toKept(phase: PhaseId): string {
  const before = phaseIds[phaseIds.indexOf(phase) - 1];
  return before === undefined ? "all of F1" : before === "F1" ? "all of F1" : `all of F1 to ${before}`;
}

function Reason({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-3 py-1 text-sm">
      <dt className="w-20 shrink-0 text-ink-3 md:w-28">{name}</dt>
      <dd className="num min-w-0 text-ink-2">{children}</dd>
    </div>
  );
}

export function CannotAnswer({ missing, reason }: { missing: string; reason: string }) {
  return (
    <section aria-labelledby="cannot-title" className="relative border-b border-line px-5 py-4">
      <span className="absolute inset-y-0 left-0 w-[3px] bg-notice" />
      <div className="flex gap-3">
        <Icon name="slash" className="mt-0.5 h-5 w-5 text-notice" />
        <div className="min-w-0 flex-1">
          <p className="text-xs font-medium text-notice">Cannot answer</p>
          <h2 id="cannot-title" className="text-lg font-semibold tracking-[-0.01em] [overflow-wrap:anywhere]">
            <VisibleText text={toMissingSentence(missing)} />
          </h2>
          {reason ? <p className="mt-0.5 max-w-[96ch] whitespace-pre-line text-sm text-ink-2">{reason}</p> : null}
          <p className="mt-2 text-sm text-ink-2">
            This is a finding about the data, not a fault. Ask a follow-up that the data can answer.
          </p>
        </div>
      </div>
    </section>
  );
}

/** A gate outlives the model that opened it: it can be answered, and who looks for Resume finds it. */
export function GateKept({ facts, resume, resuming, refused }: ResumeProps & { facts: Facts }) {
  const failed = facts.turn === "failed";
  return (
    <section aria-label="Turn stopped" className="border-b border-line bg-sunken px-5 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-2">
        <Icon name={failed ? "problem" : "circle"} className={failed ? "text-problem" : "text-ink-3"} />
        <p className="min-w-60 flex-1">
          <span className="font-medium text-ink">
            {failed ? toFailureTitle(facts.failure) : "The model is not at work"}.
          </span>{" "}
          This gate is kept: answer it as it is, and the model goes on.
        </p>
        <Button size="sm" onClick={resume} blocked={resuming ? "The session is being resumed." : undefined}>
          {resuming ? "Resuming" : "Resume"}
        </Button>
      </div>
      {refused ? <ProblemNotice problem={refused} className="mt-2" /> : null}
    </section>
  );
}

/** Nobody works and nothing is asked; what the model said last may tell why. */
export function Paused({
  facts,
  lastWords,
  onModel,
  ...resume
}: ResumeProps & { facts: Facts; lastWords: string | null; onModel: () => void }) {
  return (
    <section aria-labelledby="paused-title" className="border-b border-line px-5 py-4">
      <div className="flex gap-3">
        <Icon name="circle" className="mt-0.5 h-5 w-5 text-ink-3" />
        <div className="min-w-0 flex-1">
          <h2 id="paused-title" className="text-lg font-semibold tracking-[-0.01em]">
            The model is not at work
          </h2>
          <p className="mt-0.5 max-w-[96ch] text-sm text-ink-2">
            The session stands at {facts.phase} {phaseTitles[facts.phase]}.{" "}
            {facts.decisions > 0
              ? `Your ${plural(facts.decisions, "decision")} ${facts.decisions === 1 ? "is" : "are"} kept. `
              : ""}
            Resume goes on from there.
          </p>
          {lastWords === null ? null : (
            <figure className="mt-3 max-w-[96ch] border-l-2 border-line pl-3 text-sm">
              <figcaption className="text-xs text-ink-3">The model’s last words</figcaption>
              <blockquote className="whitespace-pre-wrap text-ink [overflow-wrap:anywhere]">
                <VisibleText text={lastWords} keepLayout />
              </blockquote>
            </figure>
          )}
          <ResumeRow {...resume}>
            <Button onClick={onModel}>Use another model</Button>
            <span className="text-xs text-ink-3">Resume keeps the model and the thinking level</span>
          </ResumeRow>
        </div>
      </div>
    </section>
  );
}
