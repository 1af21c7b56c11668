/** `phase_summary`, `reviewer_ask` and `cannot_answer`: gates that carry words instead of measured evidence. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
import { cut } from "../../evidence/ask.ts";
import { PhaseId } from "../../protocol/index.ts";
import { phaseLabel } from "../../workflow/fold-ledger.ts";
import { refuseSummary } from "../../workflow/proposals.ts";
import { askGate } from "../ask-gate.ts";
import { toFrame } from "../gate-frame.ts";
import { toPhaseResult } from "../phase-note.ts";
import { toKnown } from "../recall-knowledge.ts";
import type { SessionContext } from "../session-context.ts";
import { exactly } from "./exact-arguments.ts";
import { refuseMalformedSummary, SummaryArgument, toSummary } from "./summary-argument.ts";

const closed = { additionalProperties: false } as const;
const wordsBack = "Writes nothing. The model gets your words.";

export function registerSummaryTools(pi: ExtensionAPI, session: SessionContext): void {
  pi.registerTool({
    name: "phase_summary",
    label: "Summarise the phase",
    description: "Closes a phase that has nothing (left) to propose, for example no joins or no filters.",
    ...exactly(
      Type.Object({ phase: PhaseId, ...SummaryArgument.properties }, closed),
      ({ phase: _phase, ...summary }) => refuseMalformedSummary(summary),
    ),
    executionMode: "sequential",
    async execute(_id, { phase, ...argument }, signal, _update, context) {
      const state = await session.state();
      const refused = refuseSummary(state, phase);
      if (refused) throw new Error(refused);
      const summary = toSummary(phase, argument);
      const titles: Partial<Record<PhaseId, string>> = {
        F3: "No join is needed. Is that right?",
        F4: "No filter is needed. Is that right?",
      };
      // A verified statement may join and filter inside its steps.
      const reusedTitles: typeof titles = {
        F3: "No join beside those in the verified steps. Is that right?",
        F4: "No filter beside those in the verified steps. Is that right?",
      };
      const { isReused, ...known } = await toKnown(session, state, phase, []);
      const nothing = !state.decisions.some((held) => held.phase === phase);
      const frame = toFrame(state, {
        ...known,
        phase,
        title: (nothing ? (isReused ? reusedTitles : titles)[phase] : undefined) ?? `Is ${phaseLabel(phase)} done?`,
        intro: summary.summary,
        writes: [`summary  ${summary.title}`],
        consequence: "Writes the summary",
        otherConsequence: wordsBack,
        summary,
      });
      return toPhaseResult(
        session,
        context,
        await askGate(
          pi,
          context,
          { kind: "phase-summary", phase, tool: "phase_summary", payload: { frame, summary } },
          signal,
        ),
        phase,
      );
    },
  });

  pi.registerTool({
    name: "reviewer_ask",
    label: "Ask the reviewer",
    description: "Asks about one ambiguity with 2 to 6 readings; the first one marked proposed is what Continue means.",
    ...exactly(
      Type.Object(
        {
          phase: PhaseId,
          topic: Type.Optional(Type.String({ maxLength: 200, description: "a short name for what is ambiguous" })),
          question: Type.String({ minLength: 1, maxLength: 2000 }),
          options: Type.Array(
            Type.Object(
              {
                label: Type.String({ minLength: 1, maxLength: 400 }),
                detail: Type.Optional(Type.String({ maxLength: 1000 })),
                proposed: Type.Optional(Type.Boolean()),
              },
              closed,
            ),
            { minItems: 1, maxItems: 6 },
          ),
        },
        closed,
      ),
    ),
    executionMode: "sequential",
    async execute(_id, { phase, topic, question, options }, signal, _update, context) {
      const state = await session.state();
      const proposed = Math.max(
        0,
        options.findIndex((option) => option.proposed),
      );
      const shown = options.map((option, index) => ({
        id: `option-${index + 1}`,
        label: option.label,
        ...(option.detail ? { detail: option.detail } : {}),
        ...(index === proposed ? { proposed: true } : {}),
      }));
      const [asked = question] = question.split(/\n\s*\n/);
      const frame = toFrame(state, {
        phase,
        title: asked,
        intro:
          shown.length > 1
            ? "There is more than one reading. Choose the one you mean."
            : "Continue goes on as described; Other takes what you mean instead.",
        writes: [`choice   ${cut(shown[proposed]?.label ?? "", 200)}`],
        consequence: "Writes your choice",
        otherConsequence: wordsBack,
      });
      const payload = { frame, topic: cut(topic ?? question, 200), question, options: shown };
      return toPhaseResult(
        session,
        context,
        await askGate(pi, context, { kind: "question", phase, tool: "reviewer_ask", payload }, signal),
        phase,
      );
    },
  });

  pi.registerTool({
    name: "cannot_answer",
    label: "Cannot answer",
    description: "Ends the session when the data to answer is not in this database. Say what is missing.",
    ...exactly(
      Type.Object(
        {
          missing: Type.String({ minLength: 1, maxLength: 500 }),
          reason: Type.String({ minLength: 1, maxLength: 2000 }),
        },
        closed,
      ),
    ),
    executionMode: "sequential",
    async execute(_id, { missing, reason }, signal, _update, context) {
      const state = await session.state();
      const frame = toFrame(state, {
        phase: state.phase,
        title: "The data is not there. Stop here?",
        intro: `Missing: ${missing}`,
        writes: [`outcome  cannot answer: ${missing}`],
        consequence: "Ends the session as cannot answer",
        otherConsequence: wordsBack,
      });
      frame.consequence = "Ends the session as cannot answer. Nothing else is written.";
      frame.gatesLeft = 0;
      const payload = {
        frame,
        topic: "cannot-answer",
        question: `Missing: ${missing}`,
        cannotAnswer: { missing, reason },
        options: [{ id: "option-1", label: "End as cannot answer", proposed: true }],
      };
      return toPhaseResult(
        session,
        context,
        await askGate(pi, context, { kind: "question", phase: state.phase, tool: "cannot_answer", payload }, signal),
        state.phase,
      );
    },
  });
}
