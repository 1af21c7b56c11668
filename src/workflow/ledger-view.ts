/** What of the ledger may reach the page: queries without SQL and rows, gates without their payload. */
import {
  type LedgerEntry,
  type LedgerView,
  type LedgerViewEntry,
  type OpenGate,
  phaseIds,
  toBudgetWords,
  toDollars,
  tokensOf,
} from "../protocol/index.ts";
import { foldLedger, type OpenedEntry } from "./fold-ledger.ts";

export const toOpenGate = ({ gateId, kind, phase, payload, hash }: OpenedEntry): OpenGate =>
  ({ gateId, kind, phase, payload, hash }) as OpenGate;

export function toLedgerView(entries: readonly LedgerEntry[]): LedgerView {
  const { superseded } = foldLedger(entries);
  return {
    entries: entries.map((entry) => ({
      seq: entry.seq,
      at: entry.at,
      type: entry.type,
      ...fieldsOf(entry, superseded),
    })),
  };
}

function fieldsOf(entry: LedgerEntry, superseded: ReadonlySet<number>): Partial<LedgerViewEntry> {
  switch (entry.type) {
    case "prompt":
      return { text: entry.text, reason: entry.kind };
    case "gate-opened":
      return { phase: entry.phase, gateId: entry.gateId, kind: entry.kind };
    case "gate-answered":
      return {
        phase: entry.phase,
        gateId: entry.gateId,
        answer: entry.answer,
        by: entry.by,
        ...toWords(entry),
      };
    case "gate-closed":
      return { phase: entry.phase, gateId: entry.gateId, reason: entry.reason };
    case "gate-delivered":
      return { gateId: entry.gateId };
    case "decision":
      return {
        phase: entry.phase,
        gateId: entry.gateId,
        decision: entry.decision,
        by: entry.by,
        holds: !superseded.has(entry.seq),
      };
    case "summary":
      return toSummaryFields(entry);
    case "superseded":
      return { phase: entry.phase, reason: entry.reason };
    case "query":
      return { tool: entry.tool, ok: entry.ok, rowCount: entry.rowCount, ms: entry.ms };
    case "usage":
      return { text: toUsageWords(entry) };
    case "budget":
      return { by: entry.by, text: entry.budget ? toBudgetWords(entry.budget) : "no budget" };
    case "knowledge":
      return { by: entry.by, text: `#${entry.of} ${entry.piece === null ? "dropped" : `kept as ${entry.piece}`}` };
    case "outcome":
      return { reason: entry.outcome, ...(entry.missing ? { text: entry.missing } : {}) };
  }
}

function toWords({ text, choice, sql, verified }: LedgerEntry & { type: "gate-answered" }): Partial<LedgerViewEntry> {
  const repeated = verified && `As accepted in ${verified.file} (session ${verified.origin.session}).`;
  const words = text ?? choice ?? (sql === undefined ? repeated : ownSqlWords);
  return words ? { text: words } : {};
}

/** Stands for the SQL that a reviewer sent instead of words. */
const ownSqlWords = "Their own SQL, sent as the next proposal.";

function toUsageWords({ provider, model, ...usage }: LedgerEntry & { type: "usage" }): string {
  const cost = usage.cost > 0 ? `, ${toDollars(usage.cost)}` : "";
  return `${tokensOf(usage).toLocaleString("en-US")} tokens${cost}, ${provider}/${model}`;
}

/** Kept summaries may have any form: only fields that are what they should be get a name, and the rest is the summary. */
function toSummaryFields(entry: LedgerEntry & { type: "summary" }): Partial<LedgerViewEntry> {
  const { seq: _seq, at: _at, type: _type, phase: kept, gateId, by, summary, ...rest } = entry;
  const named = (value: unknown) => phaseIds.find((id) => id === value);
  const phase = named(kept) ?? named((summary as { phase?: unknown } | null | undefined)?.phase);
  return {
    ...(phase ? { phase } : {}),
    ...(typeof gateId === "string" ? { gateId } : {}),
    ...(typeof by === "string" ? { by } : {}),
    summary: summary === undefined ? rest : summary,
  };
}
