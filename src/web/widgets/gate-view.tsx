import type { FC } from "react";
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import type { GateKind, OpenGate } from "../../protocol/gates.ts";
import { type PhaseId, phaseIds, phaseTitles } from "../../protocol/phases.ts";
import { Button } from "../elements/button.tsx";
import { answerWords, hasWords, toggleWords } from "../elements/chip-words.ts";
import { cn } from "../elements/class-names.ts";
import { Dock } from "../elements/dock.tsx";
import { Boundary } from "../elements/error-boundary.tsx";
import { FindingItem } from "../elements/finding-item.tsx";
import { Icon } from "../elements/icon.tsx";
import { plural } from "../elements/numbers.ts";
import { OtherForm } from "../elements/other-form.tsx";
import { Prose } from "../elements/prose.tsx";
import { Section } from "../elements/section.tsx";
import { Tag } from "../elements/tag.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import { useDraft } from "./draft.ts";
import {
  type Answer,
  continueBlocked,
  otherBlocked,
  toChipGroups,
  toContinue,
  toFindingCounts,
  toHeadTags,
  toIntro,
  toOther,
  toWrites,
} from "./gate-answer.ts";
import type { DraftControl, GateProps } from "./gate-props.ts";
import { gateWidgets } from "./gate-widgets.ts";
import { normalizeSummary } from "./normalize-summary.ts";
import { OpenQuestions } from "./open-questions.tsx";
import { toProposalChips } from "./proposal-chips.ts";
import { RestsOn } from "./rests-on.tsx";
import { SummaryText } from "./summary-text.tsx";
import { Writes } from "./writes.tsx";

export interface GateViewProps {
  gate: OpenGate;
  /** False while no live updates come in: answering still works, the server refuses a changed gate. */
  live: boolean;
  sending: boolean;
  /** Why no answer can get through, e.g. that ThothII isn't running. */
  blocked?: string;
  /** Set when another answer holds already, e.g. from another tab. */
  lost?: string;
  onAnswer: (answer: Answer) => void;
  /** What the server said of SQL that the reviewer wrote. */
  refused?: string;
  /** Phase of a decision in the ledger, as far as that is known here. */
  phaseOf?: (seq: number) => PhaseId | undefined;
  /** Stands between the evidence and the dock: what was accepted before. */
  children?: ReactNode;
  otherOpen?: boolean;
  onOtherOpen?: (open: boolean) => void;
}

/** The whole review of one gate, in this order: asked, evidence, findings, consequence. */
export function GateView({
  gate,
  live,
  sending,
  blocked,
  lost,
  onAnswer,
  refused,
  phaseOf,
  children,
  otherOpen,
  onOtherOpen,
}: GateViewProps) {
  const [draft, change] = useDraft(gate.gateId);
  const isOpen = otherOpen ?? draft.otherOpen;
  const [focus, setFocus] = useState(false);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    wasOpen.current = isOpen;
  }, [isOpen]);
  // Opened by hand while this gate was shown: then the field may take the focus. A gate that arrives open may not.
  const opened = focus || (isOpen && !wasOpen.current && !isEditing());

  const frame = gate.payload.frame;
  const [unseen, setUnseen] = useState<string | null>(null);
  const stop = unseen === gate.hash ? notShown : continueBlocked(gate, draft);
  const unavailable = blocked ?? lost ?? (sending ? "Your answer is on its way." : undefined);
  const stopped = unavailable ?? (stop ? `${stop.headline} ${stop.rest}` : undefined);
  const reasonId = useId();

  const latestAnswer = useRef(onAnswer);
  latestAnswer.current = onAnswer;
  const control = useMemo<DraftControl>(() => {
    const open = (next: boolean) => {
      change((now) => ({ ...now, otherOpen: next }));
      onOtherOpen?.(next);
    };
    return {
      draft,
      isOtherOpen: isOpen,
      hasWords: (words) => hasWords(draft.text, words),
      toggleWords: (words) => {
        change((now) => ({ ...now, text: toggleWords(now.text, words) }));
        open(true);
      },
      answerQuestion: (question, answer) => {
        change((now) => ({
          ...now,
          text: answerWords(now.text, question, now.answers[question] ?? "", answer),
          answers: { ...now.answers, [question]: answer },
        }));
        open(true);
      },
      choose: (choice) => change((now) => ({ ...now, choice })),
      toggleAccepted: (id) =>
        change((now) => ({
          ...now,
          accepted: now.accepted.includes(id) ? now.accepted.filter((other) => other !== id) : [...now.accepted, id],
        })),
      writeSql: (sql) => change(({ sql: _before, ...now }) => (sql === null ? now : { ...now, sql, otherOpen: false })),
      proposeSql: () => {
        if (draft.sql !== undefined) latestAnswer.current({ answer: "other", sql: draft.sql });
      },
      unavailable,
      refused,
    };
  }, [draft, change, isOpen, onOtherOpen, unavailable, refused]);

  const setOpen = (next: boolean) => {
    setFocus(next);
    change((now) => ({ ...now, otherOpen: next }));
    onOtherOpen?.(next);
  };

  return (
    <section id="review" aria-label="Review" className="flex flex-1 flex-col [&>*]:shrink-0">
      <GateHead gate={gate} />
      <div className="beside">
        <div className="min-w-0 pb-1">
          <Boundary what="this proposal" resetKey={gate.hash} onBroken={() => setUnseen(gate.hash)}>
            <Widget gate={gate} control={control} />
          </Boundary>
        </div>
        <div className="min-w-0">
          {frame.findings.length > 0 ? (
            <Section title="Findings" right={toFindingCounts(frame)}>
              <ul className="border-y border-line">
                {frame.findings.map((finding) => (
                  <FindingItem
                    key={finding.id}
                    finding={finding}
                    isOn={control.hasWords}
                    onToggle={control.toggleWords}
                  />
                ))}
              </ul>
            </Section>
          ) : null}
          {gate.kind !== "phase-summary" && frame.summary ? (
            <ClosingSummary
              summary={frame.summary}
              said={[frame.intro, gate.kind === "sql-review" ? gate.payload.explanation : ""]}
              control={control}
            />
          ) : null}
          {frame.writes.length > 0 ? (
            <Writes kind={gate.kind} phase={gate.phase} lines={toWrites(gate, draft)} />
          ) : null}
          <RestsOn items={frame.restsOn} phaseOf={phaseOf} />
        </div>
      </div>
      {children}
      <div className="min-h-4 flex-1" />
      <Dock
        textId={reasonId}
        above={
          isOpen ? (
            <OtherForm
              key={gate.gateId}
              groups={toChipGroups(frame, toProposalChips(gate))}
              text={draft.text}
              onText={(text) => change((now) => ({ ...now, text }))}
              onSend={() => onAnswer(toOther(draft))}
              onClose={() => setOpen(false)}
              consequence={frame.otherConsequence}
              blocked={unavailable ?? otherBlocked(draft)}
              focus={opened}
            />
          ) : undefined
        }
        actions={
          <>
            <Button
              variant={isOpen || stop ? "secondary" : "primary"}
              className="flex-1 sm:flex-none"
              blocked={stopped}
              aria-describedby={reasonId}
              onClick={() => onAnswer(toContinue(gate, draft))}
            >
              Continue
            </Button>
            <Button
              className={cn(
                "flex-1 sm:flex-none",
                isOpen && "border-accent bg-accent-soft text-accent-ink hover:border-accent hover:bg-accent-soft",
              )}
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
            >
              Other — specify
            </Button>
          </>
        }
        text={
          <DockText
            consequence={frame.consequence}
            live={live}
            sending={sending}
            blocked={blocked}
            lost={lost}
            stop={stop}
            accepted={stop ? 0 : (toContinue(gate, draft).acceptedDeviations?.length ?? 0)}
          />
        }
        right={frame.gatesLeft === 0 ? "Last gate" : `${plural(frame.gatesLeft, "gate")} left after this`}
      />
    </section>
  );
}

/** Nobody accepts what they have not seen. */
const notShown = {
  headline: "Continue is blocked: this proposal could not be shown.",
  rest: "Send it back with Other, or stop.",
};

const isEditing = (): boolean => {
  if (typeof document === "undefined") return false;
  const active = document.activeElement;
  return (
    active instanceof HTMLInputElement ||
    active instanceof HTMLTextAreaElement ||
    (active?.getAttribute("aria-pressed") !== null && active?.getAttribute("aria-pressed") !== undefined)
  );
};

/** Kind and payload belong together in `OpenGate`; the map's type says the same of kind and widget. */
function Widget<K extends GateKind>({ gate, control }: { gate: OpenGate & { kind: K }; control: DraftControl }) {
  const View = gateWidgets[gate.kind] as FC<GateProps<K>>;
  return (
    <View gateId={gate.gateId} phase={gate.phase} payload={gate.payload as GateProps<K>["payload"]} control={control} />
  );
}

function GateHead({ gate }: { gate: OpenGate }) {
  const frame = gate.payload.frame;
  const tags = toHeadTags(gate);
  const intro = toIntro(gate);
  return (
    <div className="px-5 pb-2.5 pt-3">
      <p className="text-xs tabular-nums text-accent-ink">
        <span className="font-medium">Your decision</span>{" "}
        <span className="text-ink-3">
          · gate {phaseIds.indexOf(gate.phase) + 1} of {phaseIds.length} · {phaseTitles[gate.phase]}
        </span>
      </p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <h2 className="text-lg font-semibold tracking-[-0.01em] [overflow-wrap:anywhere]">
          <VisibleText text={frame.title} />
        </h2>
        {tags.length > 0 ? (
          <div className="flex flex-wrap items-center gap-1.5">
            {tags.map((tag) => (
              <Tag key={tag.text} tone={tag.tone} href={tag.href}>
                {tag.text}
              </Tag>
            ))}
          </div>
        ) : null}
      </div>
      {intro ? (
        <p className="mt-0.5 max-w-[108ch] whitespace-pre-line text-sm text-ink-2 [overflow-wrap:anywhere]">
          <Prose text={intro} keepLayout />
        </p>
      ) : null}
    </div>
  );
}

/** Words that already stand above the evidence aren't said twice. */
function ClosingSummary({
  summary,
  said: before,
  control,
}: {
  summary: unknown;
  said: string[];
  control: DraftControl;
}) {
  const normal = normalizeSummary(summary);
  const said = before.includes(normal.summary);
  if (said && normal.openQuestions.length === 0) return null;
  return (
    <Section title={said ? "Open questions" : "Summary"} right="closes the phase">
      {normal.summary && !said ? <SummaryText text={normal.summary} className="px-5" /> : null}
      <OpenQuestions questions={normal.openQuestions} control={control} />
    </Section>
  );
}

interface DockTextProps {
  consequence: string;
  live: boolean;
  sending: boolean;
  blocked: string | undefined;
  lost: string | undefined;
  stop: ReturnType<typeof continueBlocked>;
  /** Deviations that Continue would write as new decisions. */
  accepted: number;
}

function DockText({ consequence, live, sending, blocked, lost, stop, accepted }: DockTextProps) {
  if (blocked)
    return (
      <Aloud icon="problem" className="text-problem">
        {blocked}
      </Aloud>
    );
  if (lost)
    return (
      <Aloud icon="info" className="text-notice">
        {lost}
      </Aloud>
    );
  if (sending)
    return (
      <span className="inline-flex items-center gap-1.5">
        <Icon name="run" className="h-3.5 w-3.5 animate-spin text-accent-ink" />
        Your answer is on its way.
      </span>
    );
  if (stop)
    return (
      <>
        <span className="font-medium text-warning">{stop.headline}</span> {stop.rest}
      </>
    );
  if (!live)
    return (
      <>
        <span className="font-medium text-warning">Not live.</span> You can still answer: it is refused if this gate has
        changed.
      </>
    );
  return (
    <>
      <VisibleText text={consequence} />
      {accepted > 0
        ? ` Accepts ${plural(accepted, "deviation")} as ${accepted === 1 ? "a new decision" : "new decisions"}.`
        : null}
    </>
  );
}

const Aloud = ({ icon, className, children }: { icon: "problem" | "info"; className: string; children: string }) => (
  <span role="status" className="flex items-start gap-1.5">
    <Icon name={icon} className={cn("mt-px h-3.5 w-3.5", className)} />
    <span className="font-medium text-ink">{children}</span>
  </span>
);
