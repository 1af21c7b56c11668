/** The reviewer's words of a session that the workspace could remember, and what became of them. Pure. */
import type {
  Catalog,
  GatePayload,
  Knowledge,
  KnowledgeOrigin,
  LedgerEntry,
  Suggestion,
} from "../../protocol/index.ts";
import { budgetOf } from "../../workflow/budget.ts";
import { foldLedger, type GateRecord, type SessionState } from "../../workflow/fold-ledger.ts";
import { toDrafts, type Words } from "./draft-pieces.ts";

export interface SessionRecord {
  id: string;
  entries: readonly LedgerEntry[];
  knowledge: Knowledge;
  /** None when the database can't be read: then names stay empty. */
  tables: Catalog["tables"];
}

/** In ledger order: each `Other — specify` in words, whether what followed still holds or not. */
export function toSuggestions({ id, entries, knowledge, tables }: SessionRecord): Suggestion[] {
  const state = foldLedger(entries);
  const used = usedTables(state);
  const dropped = new Map<number, boolean>();
  for (const entry of entries) if (entry.type === "knowledge") dropped.set(entry.of, entry.piece === null);
  return entries.flatMap((entry): Suggestion[] => {
    if (entry.type !== "gate-answered" || entry.answer !== "other") return [];
    const text = entry.text?.trim() ?? "";
    const gate = state.gates.get(entry.gateId);
    if (text === "" || !gate || budgetOf(gate.opened)) return [];
    const kept = findKept(knowledge, { session: id, seq: entry.seq });
    return [
      {
        seq: entry.seq,
        at: entry.at,
        phase: entry.phase,
        text,
        drafts: toDrafts({ text, joins: acceptedJoins(state, gate), used }, tables),
        state: kept.length > 0 ? "kept" : dropped.get(entry.seq) ? "dropped" : "open",
        kept,
      },
    ];
  });
}

/** Pieces of the workspace that name this entry as where they come from. */
export function findKept(knowledge: Knowledge, origin: KnowledgeOrigin): Suggestion["kept"] {
  const { descriptions, relations, synonyms, evidence } = knowledge;
  return [...descriptions, ...relations, ...synonyms, ...evidence]
    .filter((piece) => piece.origin?.session === origin.session && piece.origin.seq === origin.seq)
    .map(({ id, file }) => ({ id, file }));
}

/** Of the tables that the accepted decisions name, as they name them. */
export function usedTables({ decisions }: SessionState): string[] {
  const names = decisions.flatMap(({ decision }) => {
    switch (decision.kind) {
      case "table":
        return decision.use === "used" ? [decision.table] : [];
      case "join":
        return [decision.left.table, decision.right.table];
      case "column":
      case "filter":
        return [decision.table];
      default:
        return [];
    }
  });
  return [...new Set(names)];
}

/** Words at a join review are about its set: what was accepted in its place, with the cardinality that was measured. */
function acceptedJoins(state: SessionState, { opened }: GateRecord): Words["joins"] {
  if (opened.kind !== "join-review") return [];
  return state.decisions.flatMap(({ decision, gateId }) => {
    if (decision.kind !== "join" || decision.pairs.length === 0) return [];
    const payload = state.gates.get(gateId)?.opened.payload as GatePayload<"join-review"> | undefined;
    const at = payload?.decisions.findIndex((one) => JSON.stringify(one) === JSON.stringify(decision)) ?? -1;
    const measured = payload?.evidence.joins.find(({ n }) => n === at + 1)?.cardinality;
    return [{ decision, cardinality: measured === undefined || measured === "none" ? ("N:M" as const) : measured }];
  });
}
