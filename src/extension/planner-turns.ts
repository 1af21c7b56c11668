/** What the offline planner says next: reasoning and tool calls, as a model would make them. Pure. */
import type { ToolCall } from "@earendil-works/pi-ai";
import type { Plan, Planned } from "../planner/plan.ts";
import type { PhaseId } from "../protocol/index.ts";
import { phaseLabel } from "../workflow/fold-ledger.ts";
import { sentBackWords } from "../workflow/gate-rules.ts";
import { type Progress, proposalKey } from "./read-progress.ts";
import { ownSqlExplanation } from "./tools/own-sql.ts";

export interface PlannerTurn {
  reasoning: string;
  text: string;
  calls: Pick<ToolCall, "name" | "arguments">[];
}

/** A tool that keeps failing is not called for ever. */
const maxFailures = 3;

export function toTurn(planned: Planned, progress: Progress): PlannerTurn {
  if (progress.closed) return { reasoning: "", text: closingWords(planned), calls: [] };
  if (progress.failures >= maxFailures) {
    return {
      reasoning: "",
      text: `I could not finish ${progress.phase}: the database refused what I tried. Reopen a phase and say it in other words, or use another model.`,
      calls: [],
    };
  }
  const own = toOwnSql(progress);
  if (own) return own;
  if (planned.outcome === "cannot-answer") {
    return {
      reasoning: planned.why,
      text: "",
      calls: [{ name: "cannot_answer", arguments: { missing: planned.missing, reason: planned.reason } }],
    };
  }
  if (planned.outcome === "ask") {
    const options = planned.options.map(({ label, detail, proposed }) => ({
      label,
      ...(detail ? { detail } : {}),
      ...(proposed ? { proposed } : {}),
    }));
    return {
      reasoning: planned.why,
      text: "",
      calls: [
        {
          name: "reviewer_ask",
          arguments: { phase: progress.phase, topic: planned.id, question: planned.question, options },
        },
      ],
    };
  }
  return toPhaseTurn(planned.plan, progress);
}

/** The reviewer's own SQL goes back as it is; one that fails is told and not tried again. */
function toOwnSql({ phase, sql, failed }: Progress): PlannerTurn | null {
  if (phase !== "F6" || sql === undefined || failed !== null) return null;
  return {
    reasoning: "The reviewer wrote the final SQL. I submit it exactly as it is.",
    text: "",
    calls: [{ name: "submit_sql", arguments: { sql, explanation: ownSqlExplanation } }],
  };
}

function closingWords(planned: Planned): string {
  return planned.outcome === "plan" ? planned.plan.explanation : "This question is closed without an answer.";
}

function toPhaseTurn(plan: Plan, progress: Progress): PlannerTurn {
  const { phase } = progress;
  const proposal = proposalOf(plan, phase);
  if (isSentBack(proposal, progress)) return askAbout(progress);
  const corrected = progress.last?.answer === "other";
  const lookups = corrected || progress.lookups > 0 ? [] : lookupsOf(plan, phase);
  const reasoning = corrected
    ? `The reviewer says: ${progress.last?.text ?? ""}. ${plan.reasoning[phase]}`
    : plan.reasoning[phase];
  if (lookups.length > 0) return { reasoning, text: "", calls: lookups };
  const thought = corrected || lookupsOf(plan, phase).length === 0 ? reasoning : "";
  return { reasoning: thought, text: "", calls: [proposal] };
}

/** The reviewer's words changed nothing in this phase; after a pause only the refusal of the repeated proposal tells. */
function isSentBack(proposal: PlannerTurn["calls"][number], progress: Progress): boolean {
  const repeated = progress.sentBack !== null && progress.sentBack === proposalKey(proposal);
  return repeated || (progress.failed?.includes(sentBackWords) ?? false);
}

/** Never the same proposal again without a question in between. */
function askAbout(progress: Progress): PlannerTurn {
  const words = progress.corrections.at(-1)?.text ?? "";
  const label = phaseLabel(progress.phase);
  return {
    reasoning: `The reviewer says: ${words}. I find nothing in ${label} that these words change, so I ask before I propose it again.`,
    text: "",
    calls: [
      {
        name: "reviewer_ask",
        arguments: {
          phase: progress.phase,
          topic: `no change: ${words}`.slice(0, 200),
          question: `“${words}” changes nothing in ${label}. How shall I go on?`.slice(0, 2000),
          options: [
            {
              label: "Keep this phase as it was",
              detail: "Your words stay noted and count in the phases they fit.",
              proposed: true,
            },
          ],
        },
      },
    ],
  };
}

function lookupsOf(plan: Plan, phase: PhaseId): PlannerTurn["calls"] {
  switch (phase) {
    case "F1":
      return plan.lookups.catalog.slice(0, 3).map((words) => ({ name: "catalog_search", arguments: { words } }));
    case "F2":
      return plan.lookups.tables.slice(0, 6).map((table) => ({ name: "describe_table", arguments: { table } }));
    case "F4":
      return plan.lookups.values.slice(0, 4).map(({ text, table, column }) => ({
        name: "search_values",
        arguments: { text, ...(table ? { table } : {}), ...(column ? { column } : {}) },
      }));
    default:
      return [];
  }
}

function proposalOf(plan: Plan, phase: PhaseId): PlannerTurn["calls"][number] {
  const { title, summary, open_questions } = plan.summaries[phase];
  const words = { title, summary, ...(open_questions?.length ? { open_questions } : {}) };
  const decisions = {
    F1: plan.interpretation,
    F2: [...plan.tables, ...plan.columns],
    F3: plan.joins,
    F4: plan.filters,
    F5: plan.steps,
    F6: [],
  }[phase];
  if (phase === "F6")
    return { name: "submit_sql", arguments: { sql: plan.sql, explanation: plan.explanation, summary: words } };
  if (decisions.length === 0) return { name: "phase_summary", arguments: { phase, ...words } };
  return { name: "reviewer_decide", arguments: { phase, decisions, summary: words } };
}
