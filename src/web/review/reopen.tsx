import { useState } from "react";
import type { OpenGate } from "../../protocol/gates.ts";
import { type PhaseId, phaseIds, phaseTitles } from "../../protocol/phases.ts";
import { Button } from "../elements/button.tsx";
import { plural } from "../elements/numbers.ts";
import { VisibleText } from "../elements/visible-text.tsx";
import { ProblemNotice } from "../layout/notice.tsx";
import { type ApiProblem, api, asProblem } from "../session/api.ts";
import { toDecisionCount } from "./phase-words.ts";
import type { DecisionGroup } from "./to-decision-groups.ts";

/** What reopening `phase` would take out of force: its own decisions and those of every later phase. */
export function toSuperseded(groups: DecisionGroup[], phase: PhaseId): { groups: DecisionGroup[]; count: number } {
  const from = phaseIds.indexOf(phase);
  const found = groups.filter((group) => phaseIds.indexOf(group.phase) >= from && group.holding > 0);
  return { groups: found, count: found.reduce((sum, group) => sum + group.holding, 0) };
}

export interface ReopenProps {
  sessionId: string;
  phase: PhaseId;
  groups: DecisionGroup[];
  openGate: OpenGate | null;
  onClose: () => void;
}

/** Says before anything happens what no longer holds afterwards, line by line. */
export function Reopen({ sessionId, phase, groups, openGate, onClose }: ReopenProps) {
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [sending, setSending] = useState(false);
  const superseded = toSuperseded(groups, phase);
  const reopen = async () => {
    setSending(true);
    setProblem(null);
    try {
      await api.reopen(sessionId, phase);
      onClose();
    } catch (cause) {
      setProblem(asProblem(cause));
      setSending(false);
    }
  };
  return (
    <section
      aria-label={`What reopening ${phase} supersedes`}
      className="mt-1.5 rounded-md border border-notice-line bg-notice-soft/60 px-3 py-2.5 text-sm text-ink-2"
    >
      <p>
        <span className="font-medium text-ink">
          Reopening {phase} {phaseTitles[phase]} supersedes {plural(superseded.count, "decision")}.
        </span>{" "}
        They stay in the ledger; the model proposes this phase again.
      </p>
      <dl className="mt-2 space-y-1 text-xs">
        {openGate ? (
          <div className="grid gap-x-3 md:grid-cols-[128px_minmax(0,1fr)]">
            <dt className="text-ink-3">Open gate</dt>
            <dd>
              {openGate.phase} {phaseTitles[openGate.phase]} closes without an answer.
            </dd>
          </div>
        ) : null}
        {superseded.groups.map((group) => (
          <div key={group.phase} className="grid gap-x-3 md:grid-cols-[128px_minmax(0,1fr)]">
            <dt className="text-ink-3">
              <span className="font-mono">{group.phase}</span> {toDecisionCount(group.phase, group.holding)}
            </dt>
            <dd className="space-y-0.5">
              {group.lines
                .filter((line) => !line.sentBack)
                .map((line) => (
                  <p key={`${line.seqs} ${line.text}`} className="line-clamp-2 [overflow-wrap:anywhere]">
                    <span className="mr-1.5 font-mono text-2xs text-ink-3">{line.seqs}</span>
                    <VisibleText text={line.text} />
                  </p>
                ))}
            </dd>
          </div>
        ))}
      </dl>
      {problem ? <ProblemNotice problem={problem} className="mt-2" /> : null}
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => void reopen()} blocked={sending ? "On its way." : undefined}>
          {sending ? "Reopening" : `Reopen ${phase} now`}
        </Button>
        <Button size="sm" variant="ghost" onClick={onClose}>
          Leave as it is
        </Button>
      </div>
    </section>
  );
}
