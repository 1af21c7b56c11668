/**
 * What opens a phase for a language model: the phase's own prompt and the part of the schema and of the accepted
 * decisions it needs. Nothing told in an earlier phase is told again. The offline planner needs none of it.
 */
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import {
  type Catalog,
  type Engine,
  type FilterDecision,
  type GateReply,
  type JoinDecision,
  offlineProvider,
  type PhaseId,
} from "../protocol/index.ts";
import { tellKnowledge } from "../recall/tell-knowledge.ts";
import { assembleSteps } from "../sql/assemble-steps.ts";
import { readBriefing } from "../workflow/briefing.ts";
import type { SessionState } from "../workflow/fold-ledger.ts";
import { phasePrompt } from "../workflow/phase-prompts.ts";
import { toGateResult } from "./ask-gate.ts";
import { recallKnowledge } from "./recall-knowledge.ts";
import { toColumns, toKeys, toOverview } from "./schema-text.ts";
import type { SessionContext } from "./session-context.ts";
import { fence } from "./tools/data-result.ts";

/** The result of a tool that asked at a gate, with the opening of the phase that the answer leads to. */
export async function toPhaseResult(
  session: SessionContext,
  context: Pick<ExtensionContext, "model">,
  reply: GateReply,
  phase: PhaseId,
  note = "",
): Promise<ReturnType<typeof toGateResult>> {
  const opened = reply.answer === "continue" && reply.next !== null && reply.next !== phase ? reply.next : undefined;
  if (opened === undefined || !readsProse(context)) return toGateResult(reply, phase, note);
  return toGateResult(reply, phase, `${note}\n\n${await openPhase(session, opened)}`);
}

/** A run that starts with a question, or with one taken up again, begins with the opening of its phase. */
export function registerPhaseOpening(pi: ExtensionAPI, session: SessionContext): void {
  pi.on("before_agent_start", async (event, context) => {
    const briefing = event.messageType === "user" ? readBriefing(event.prompt) : null;
    if (!briefing || !readsProse(context)) return undefined;
    const content = await openPhase(session, briefing.phase);
    return { message: { customType: "phase.opened", content, display: false } };
  });
}

const readsProse = ({ model }: Pick<ExtensionContext, "model">): boolean => model?.provider !== offlineProvider;

async function openPhase(session: SessionContext, phase: PhaseId): Promise<string> {
  const { catalog } = await session.catalog();
  const { engine } = await session.database();
  const state = await session.state();
  return toPhaseNote(phase, state, catalog, engine, tellKnowledge(phase, await recallKnowledge(session, state)));
}

/** Pure. `known`: what the workspace knows that matters in this phase; people wrote it, so it is data like the rest. */
export function toPhaseNote(
  phase: PhaseId,
  state: Pick<SessionState, "question" | "decisions">,
  catalog: Catalog,
  engine: Engine,
  known = "",
): string {
  const told = known === "" ? "" : `${knownWords}\n${fence(known)}`;
  return [phasePrompt(phase), disclose(phase, state, catalog, engine), told].filter((part) => part !== "").join("\n\n");
}

const knownWords =
  "What people at this workspace wrote down and accepted about the data. Where it fits the question, propose accordingly, and say so in your reasons:";

function disclose(
  phase: PhaseId,
  { question, decisions }: Pick<SessionState, "question" | "decisions">,
  catalog: Catalog,
  engine: Engine,
): string {
  const held = decisions.map(({ decision }) => decision);
  const tables = held.flatMap((one) => (one.kind === "table" && one.use === "used" ? [one.table] : []));
  const joins = held.filter((one): one is JoinDecision => one.kind === "join");
  const filters = held.filter((one): one is FilterDecision => one.kind === "filter");
  switch (phase) {
    case "F1":
      return `The database (${engine}):\n${fence(toOverview(catalog, question))}`;
    case "F3":
      return `Keys of the chosen tables:\n${fence(toKeys(catalog, tables))}`;
    case "F4":
      return `Columns of the chosen tables:\n${fence(toColumns(catalog, tables))}`;
    case "F5":
      return [
        joins.length > 0 ? `Accepted joins:\n${joins.map(toJoinLine).join("\n")}` : "",
        filters.length > 0 ? `Accepted filters:\n${filters.map(({ condition }) => condition).join("\n")}` : "",
      ]
        .filter((part) => part !== "")
        .join("\n\n");
    case "F6": {
      const steps = held.filter((one) => one.kind === "cte");
      return steps.length > 0 ? `Accepted steps:\n${assembleSteps(steps, "SELECT …", engine)}` : "";
    }
    default:
      return "";
  }
}

function toJoinLine({ left, type, right, pairs }: JoinDecision): string {
  const on = pairs.map((pair) => `${left.alias}.${pair.left} = ${right.alias}.${pair.right}`).join(" AND ");
  return `${left.table} ${left.alias} ${type} JOIN ${right.table} ${right.alias}${on === "" ? "" : ` ON ${on}`}`;
}
