/** `reviewer_decide`: a proposal with its evidence, measured now, shown to the reviewer as one gate. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
import type { DatabaseProblem } from "../../database/database.ts";
import { measureFilters } from "../../evidence/measure-filters.ts";
import { measureJoins } from "../../evidence/measure-joins.ts";
import { measureSteps } from "../../evidence/measure-steps.ts";
import { measureTables } from "../../evidence/measure-tables.ts";
import {
  type ColumnDecision,
  type CteDecision,
  type FilterDecision,
  type InterpretationDecision,
  type JoinDecision,
  PhaseId,
  type PhaseSummary,
  ProposedDecision,
  type TableDecision,
} from "../../protocol/index.ts";
import type { SessionState } from "../../workflow/fold-ledger.ts";
import { gateKindOf, refuseProposal } from "../../workflow/proposals.ts";
import { askGate, type GateAsk } from "../ask-gate.ts";
import { refuseNames } from "../check-names.ts";
import { plural, proposalTitle, toChips, toFrame, toWrite } from "../gate-frame.ts";
import { toPhaseResult } from "../phase-note.ts";
import { toKnown } from "../recall-knowledge.ts";
import type { SessionContext } from "../session-context.ts";
import { toMeasures } from "../to-measures.ts";
import { exactly } from "./exact-arguments.ts";
import { refuseMalformedSummary, SummaryArgument, toSummary } from "./summary-argument.ts";

const Parameters = Type.Object(
  {
    phase: PhaseId,
    decisions: Type.Array(ProposedDecision, { minItems: 1, maxItems: 60 }),
    summary: Type.Optional(SummaryArgument),
  },
  { additionalProperties: false },
);

export function registerReviewerDecide(pi: ExtensionAPI, session: SessionContext): void {
  pi.registerTool({
    name: "reviewer_decide",
    label: "Propose decisions",
    description:
      "Proposes decisions of the current phase to the reviewer and waits. With `summary` the same gate closes the phase. Joins are proposed alone, as one complete set.",
    ...exactly(Parameters, ({ summary }) => refuseMalformedSummary(summary)),
    executionMode: "sequential",
    async execute(_id, { phase, decisions, summary }, signal, _update, context) {
      const state = await session.state();
      const { catalog } = await session.catalog();
      const refused = refuseProposal(state, phase, decisions) ?? refuseNames(catalog, decisions);
      if (refused) throw new Error(refused);
      const closing = summary ? toSummary(phase, summary) : undefined;
      const payload = await toPayload(session, state, phase, decisions, closing);
      const ask = { kind: gateKindOf(decisions), phase, tool: "reviewer_decide", payload } as GateAsk;
      return toPhaseResult(session, context, await askGate(pi, context, ask, signal), phase);
    },
  });
}

async function toPayload(
  session: SessionContext,
  state: SessionState,
  phase: PhaseId,
  decisions: ProposedDecision[],
  summary: PhaseSummary | undefined,
): Promise<GateAsk["payload"]> {
  const database = await session.database();
  const { catalog, values } = await session.catalog();
  const shared = {
    ...(await toKnown(session, state, phase, decisions)),
    phase,
    summary,
    title: proposalTitle(phase, decisions),
    intro: summary?.summary ?? "",
    writes: decisions.map(toWrite),
    chips: toChips(phase, decisions),
  };
  switch (phase) {
    case "F3": {
      const joins = decisions as JoinDecision[];
      const measured = orThrow(await measureJoins(database, catalog, joins, { measures: toMeasures(state, joins) }));
      const all = joins.length === 1 ? "the join" : `all ${joins.length} joins as one set`;
      const frame = toFrame(state, {
        ...shared,
        findings: measured.findings,
        consequence: `Writes ${all}`,
        otherConsequence: `Writes none of the ${joins.length} ${plural(joins.length, "join")}. The model must propose the complete set again.`,
      });
      return { frame, decisions: joins, evidence: measured.evidence };
    }
    case "F4": {
      const filters = decisions as FilterDecision[];
      const measured = orThrow(await measureFilters(database, catalog, values, filters, acceptedJoins(state)));
      const frame = toFrame(state, { ...shared, findings: measured.findings, ...count(filters.length, "filter") });
      return { frame, decisions: filters, filters: measured.filters };
    }
    case "F5": {
      const steps = decisions as CteDecision[];
      const measured = orThrow(await measureSteps(database, catalog, steps));
      const frame = toFrame(state, {
        ...shared,
        findings: measured.findings,
        ...count(steps.length, "step", " with the row counts shown"),
      });
      return { frame, decisions: steps, sql: measured.sql, steps: measured.steps, checks: measured.checks };
    }
    case "F2": {
      const data = decisions as (TableDecision | ColumnDecision)[];
      const measured = await measureTables(database, catalog, data);
      const frame = toFrame(state, { ...shared, findings: measured.findings, ...count(data.length, "decision") });
      return { frame, decisions: data, tables: measured.tables };
    }
    default: {
      const frame = toFrame(state, { ...shared, ...count(decisions.length, "decision") });
      return { frame, decisions: decisions as InterpretationDecision[] };
    }
  }
}

const count = (n: number, one: string, more = "") => ({
  consequence: `Writes ${n} ${plural(n, one)}${more}`,
  otherConsequence: `Writes nothing. The model gets your words and proposes the ${plural(2, one)} again.`,
});

function orThrow<T extends object>(measured: T | { problem: DatabaseProblem }): T {
  if ("problem" in measured) throw new Error(`${measured.problem.code}: ${measured.problem.message}`);
  return measured;
}

const acceptedJoins = (state: SessionState): JoinDecision[] =>
  state.decisions.flatMap(({ decision }) => (decision.kind === "join" ? [decision] : []));
