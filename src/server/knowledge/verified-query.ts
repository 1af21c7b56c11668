/** An answered session as a verified query: what was asked, what was accepted, and on which database. Pure. */
import { toChecksum } from "../../catalog/checksum.ts";
import {
  type Catalog,
  type Cell,
  type LedgerEntry,
  type Manifest,
  type QueryResult,
  ThothError,
  type VerifiedParameter,
  type VerifiedQuery,
} from "../../protocol/index.ts";
import { foldLedger, type HeldDecision } from "../../workflow/fold-ledger.ts";
import { toResultChecksum } from "../../workspace/verify-query.ts";
import { usedTables } from "./suggestions.ts";

export interface Answered {
  entries: readonly LedgerEntry[];
  manifest: Manifest;
  catalog: Catalog;
  result: QueryResult;
  /** As it is to be found again; the session's own when absent. */
  question?: string | undefined;
}

/** The decision that holds the accepted SQL. Throws ThothError `no-result-yet`. */
export function findAccepted(entries: readonly LedgerEntry[]): HeldDecision & { question: string; sql: string } {
  const { decisions, outcome, question } = foldLedger(entries);
  const held = decisions.findLast(({ decision }) => decision.kind === "sql");
  if (outcome !== "answered" || held?.decision.kind !== "sql")
    throw new ThothError(
      "no-result-yet",
      "This session has no accepted SQL yet, so there is nothing to save.",
      "Review it through to its answer first.",
    );
  return { ...held, question, sql: held.decision.sql };
}

/** Throws ThothError: `no-result-yet`; `catalog-changed` when the database is another one than the decisions rest on. */
export function toVerifiedQuery({ entries, manifest, catalog, result, question }: Answered): VerifiedQuery {
  const accepted = findAccepted(entries);
  if (manifest.catalogChecksum !== "" && manifest.catalogChecksum !== catalog.checksum)
    throw new ThothError(
      "catalog-changed",
      "The database's structure has changed since this was accepted.",
      "Ask the question again and save that answer.",
    );
  const state = foldLedger(entries);
  const asked = question?.trim() || accepted.question;
  const tables = catalog.tables.filter(({ name }) => usedTables(state).includes(name));
  const parameters = findParameters(asked, accepted.sql, state.decisions);
  const checksum = toResultChecksum(accepted.sql, result);
  return {
    question: asked,
    engine: catalog.engine,
    sql: accepted.sql,
    ...(parameters.length > 0 ? { parameters } : {}),
    decisions: state.decisions.map(({ seq, phase, decision }) => ({ seq, phase, decision })),
    by: accepted.by,
    at: accepted.at,
    model: findModel(entries, accepted.seq) ?? `${manifest.provider}/${manifest.model}`,
    prompt_version: findPromptVersion(entries) ?? manifest.promptVersion,
    catalog_checksum: catalog.checksum,
    ...(tables.length > 0
      ? { tables: tables.map((table) => ({ table: table.name, checksum: toChecksum([table]) })) }
      : {}),
    columns: result.columns.map(({ name, type }) => ({ name, type })),
    row_count: result.rowCount,
    ...(checksum ? { result_checksum: checksum } : {}),
    origin: { session: manifest.id, seq: accepted.seq },
  };
}

/** The model can be changed within a session: the one that answered last before the SQL was accepted. */
function findModel(entries: readonly LedgerEntry[], seq: number): string | undefined {
  const usage = entries.findLast((entry) => entry.type === "usage" && entry.seq < seq);
  return usage?.type === "usage" ? `${usage.provider}/${usage.model}` : undefined;
}

function findPromptVersion(entries: readonly LedgerEntry[]): string | undefined {
  const prompt = entries.findLast((entry) => entry.type === "prompt" && entry.kind !== "steer");
  return prompt?.type === "prompt" ? prompt.promptVersion : undefined;
}

/** Values of the accepted filters that the question says itself, and a number of rows that it asks for. */
export function findParameters(
  question: string,
  sql: string,
  decisions: readonly Pick<HeldDecision, "decision">[],
): VerifiedParameter[] {
  const found = new Map<string, VerifiedParameter>();
  const add = (text: string | undefined, value: Cell, column?: VerifiedParameter["column"]): void => {
    if (text === undefined || (typeof value !== "string" && typeof value !== "number") || value === "") return;
    if (!sql.includes(String(value).replaceAll("'", "''"))) return;
    const key = text.toLowerCase();
    if (!found.has(key)) found.set(key, { text, value, ...(column ? { column } : {}) });
  };
  for (const { decision } of decisions) {
    if (decision.kind !== "filter") continue;
    const column = { table: decision.table, column: decision.column };
    for (const value of decision.values) add(findInQuestion(question, String(value)), value, column);
    // A year stands in the question alone and in the SQL as part of a date.
    for (const [year] of question.matchAll(/(?<!\d)(?:19|20)\d{2}(?!\d)/g))
      if ([decision.condition, ...decision.values.map(String)].some((text) => text.includes(year)))
        add(year, year, column);
  }
  for (const { decision } of decisions)
    if (decision.kind === "interpretation" && decision.aspect === "limit") {
      const rows = /\bLIMIT\s+(\d+)/i.exec(sql)?.[1];
      if (rows !== undefined) add(findInQuestion(question, rows), Number(rows));
    }
  return [...found.values()].slice(0, 50);
}

/** The value as the question writes it, as words of their own. */
function findInQuestion(question: string, value: string): string | undefined {
  const words = value.trim();
  if (words === "" || words.length > 1_000) return undefined;
  const pattern = words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, "iu").exec(question)?.[0];
}
