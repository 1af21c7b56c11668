/** Runs all verified queries of a workspace again and writes into their files which of them no longer hold. */
import type { Database } from "../database/database.ts";
import { ThothError, type VerifiedPiece } from "../protocol/index.ts";
import { amendVerified } from "./change-knowledge.ts";
import { readKnowledge } from "./read-knowledge.ts";
import { type Structure, type Verdict, verifyQuery } from "./verify-query.ts";

export interface VerifiedState {
  file: string;
  question: string;
  verdict: Verdict;
  /** What became of the mark in its file; `kept` when it stays as it was. */
  mark: "set" | "cleared" | "kept";
}

/** `now`: ISO 8601. What can't be known now changes no mark. */
export async function verifyWorkspace(
  folder: string,
  database: Database,
  structure: Structure,
  now: string,
): Promise<VerifiedState[]> {
  const states: VerifiedState[] = [];
  for (const piece of (await readKnowledge(folder)).verified) {
    const verdict = await verifyQuery(piece, database, structure);
    states.push({ file: piece.file, question: piece.question, verdict, mark: await mark(folder, piece, verdict, now) });
  }
  return states;
}

async function mark(
  folder: string,
  { file, stale }: VerifiedPiece,
  verdict: Verdict,
  now: string,
): Promise<VerifiedState["mark"]> {
  try {
    if (verdict.state === "stale" && stale?.reason !== verdict.reason) {
      await amendVerified(folder, file, { stale: { since: stale?.since ?? now, reason: verdict.reason } });
      return "set";
    }
    if (verdict.state === "holds" && stale) {
      await amendVerified(folder, file, { stale: undefined });
      return "cleared";
    }
  } catch (error) {
    // Removed meanwhile: then there is nothing to mark.
    if (!(error instanceof ThothError) || error.code !== "piece-unknown") throw error;
  }
  return "kept";
}
