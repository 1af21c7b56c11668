/** What the workspace knows about the question, for the phase's note and for the gates: recalled anew each time. */

import type { Plan } from "../planner/plan.ts";
import { planQuestion } from "../planner/plan-question.ts";
import { findVerified, reuseVerified } from "../planner/reuse/reuse.ts";
import { describeDifferences } from "../planner/reuse/reuse-match.ts";
import type { GateFrame, Knowledge, PhaseId, ProposedDecision, RestsOnItem } from "../protocol/index.ts";
import { type RecalledPiece, recall } from "../recall/recall.ts";
import { toKnowledgeRests } from "../recall/rests-on.ts";
import { hashOf } from "../workflow/canonical.ts";
import type { SessionState } from "../workflow/fold-ledger.ts";
import { proposalOf } from "../workflow/proposals.ts";
import type { SessionContext } from "./session-context.ts";

type Asked = Pick<SessionState, "question" | "askedOn" | "decisions">;

/** Best first. Verified questions come with what differs, and the nearest of them first. */
export async function recallKnowledge(session: SessionContext, state: Asked): Promise<RecalledPiece[]> {
  const knowledge = await session.knowledge();
  const { catalog, values } = await session.catalog();
  const { question, askedOn } = state;
  const accepted = state.decisions.flatMap(({ decision }) =>
    decision.kind === "table" && decision.use === "used" ? [decision.table] : [],
  );
  const near = findVerified({ question, catalog, values, knowledge });
  const recalled = recall(knowledge, catalog, question, accepted.length > 0 ? accepted : undefined);
  const place = (piece: RecalledPiece) => near.findIndex((found) => found.piece.id === piece.id);
  const alike = await findAlike(session, knowledge, question, askedOn);
  return recalled
    .map((piece): RecalledPiece => {
      const found = piece.kind === "verified" ? near[place(piece)] : undefined;
      if (alike !== undefined && piece.file === alike.file)
        return { ...piece, why: alike.why, score: 40, nearness: "same" };
      if (!found) return piece;
      const { match, stale } = found;
      const same = match.kind !== "near";
      const why =
        match.kind === "exact" ? "it is the same question" : `this question differs: ${describeDifferences(match)}`;
      return {
        ...piece,
        why,
        score: 30 - place(piece),
        nearness: same ? "same" : "close",
        ...(stale === undefined ? {} : { stale }),
      };
    })
    .toSorted((a, b) => b.score - a.score);
}

type Alike = { file: string; why: string } | undefined;
/** By knowledge, then by question and day: each phase and each gate asks for it again. */
const alikes = new WeakMap<Knowledge, Map<string, Promise<Alike>>>();

/** A verified question in other words that the planner reads as this one; `today` as for the session's own plan. */
function findAlike(session: SessionContext, knowledge: Knowledge, question: string, today: string): Promise<Alike> {
  if (knowledge.verified.length === 0) return Promise.resolve(undefined);
  const kept = alikes.get(knowledge) ?? new Map<string, Promise<Alike>>();
  alikes.set(knowledge, kept);
  const key = `${today} ${question}`;
  const found = kept.get(key) ?? planAlike(session, knowledge, question, today);
  kept.set(key, found);
  found.catch(() => kept.delete(key)); // a fault that is mended must not be remembered
  return found;
}

async function planAlike(
  session: SessionContext,
  knowledge: Knowledge,
  question: string,
  today: string,
): Promise<Alike> {
  const { catalog, values } = await session.catalog();
  const day = today === "" ? {} : { today };
  const planned = await planQuestion({ question, catalog, values, corrections: [], choices: {}, knowledge, ...day });
  const verified = planned.outcome === "plan" ? planned.plan.verified : undefined;
  if (verified?.match.kind !== "reading") return undefined;
  return { file: verified.file, why: `its words differ and mean the same: ${verified.differences}` };
}

/**
 * What a gate rests on beside earlier decisions, the verified query that it repeats to the letter, if any, and whether
 * the question is answered by a verified query with other values.
 */
export async function toKnown(
  session: SessionContext,
  state: SessionState,
  phase: PhaseId,
  decisions: readonly ProposedDecision[],
): Promise<{ knowledge: RestsOnItem[]; verifiedBy?: NonNullable<GateFrame["verifiedBy"]>; isReused: boolean }> {
  const knowledge = toKnowledgeRests(phase, await recallKnowledge(session, state), decisions);
  const plan = await findReused(session, state);
  const verifiedBy = plan && phase !== "F6" ? toRepeated(plan, phase, decisions) : undefined;
  return { knowledge, isReused: plan !== undefined, ...(verifiedBy ? { verifiedBy } : {}) };
}

async function findReused(session: SessionContext, { question, corrections }: SessionState): Promise<Plan | undefined> {
  const knowledge = await session.knowledge();
  if (knowledge.verified.length === 0) return undefined;
  const { catalog, values } = await session.catalog();
  return reuseVerified({ question, catalog, values, knowledge, corrections, choices: {} });
}

function toRepeated(
  { verified, interpretation, tables, columns, joins, filters, steps }: Plan,
  phase: Exclude<PhaseId, "F6">,
  decisions: readonly ProposedDecision[],
): GateFrame["verifiedBy"] {
  // Decisions that were only read out of its SQL have been seen by nobody.
  if (verified?.match.kind !== "exact" || !verified.accepted) return undefined;
  const accepted: readonly ProposedDecision[] = {
    F1: interpretation,
    F2: [...tables, ...columns],
    F3: joins,
    F4: filters,
    F5: steps,
  }[phase];
  const key = (some: readonly ProposedDecision[]) => hashOf(proposalOf("decision-review", { decisions: some }));
  return key(accepted) === key(decisions) ? { file: verified.file, origin: verified.origin } : undefined;
}
