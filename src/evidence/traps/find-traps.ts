/**
 * traps/ recognises the mistakes of modelling that give an answer which looks right: old versions counted, deleted rows
 * added, shares ignored, currencies mixed. Each trap is a module of its own: names, keys and the statement's shape
 * raise a suspicion, counting statements confirm it or not. All suspicions of a statement are asked in one batch,
 * bounded in number, rows and time; what could not be counted is not claimed.
 */
import { foldAccents } from "../../catalog/fold-text.ts";
import type { Database, Read } from "../../database/database.ts";
import type { Catalog, Finding, Severity } from "../../protocol/index.ts";
import { parseStatements } from "../../sql/parser.ts";
import { queryDialectOf } from "../../sql/query-dialect.ts";
import { checkReadOnly } from "../../sql/read-only.ts";
import { plainColumns } from "../../sql/scope.ts";
import { isTree } from "../../sql/tree.ts";
import { cut } from "../ask.ts";
import { nameOf } from "./amend.ts";
import { traps } from "./registry.ts";
import { readBlocks } from "./statement-blocks.ts";
import type { Draft, Suspicion, TrapContext } from "./trap.ts";

const maxStatements = 30;
const maxFindings = 12;
/** Rows of a table that are looked at. */
const maxLooked = 300_000;
const limits = { maxRows: 200, maxBytes: 1_000_000, deadlineMs: 5000 };
const unread: Read = { ok: false, error: { code: "stopped", message: "It was not asked." } };
const order: Severity[] = ["problem", "warning", "notice", "info"];

/** Worst first. Statements that can't be read as one query give none; a database that fails gives what needs no rows. */
export async function findTraps(database: Database, catalog: Catalog, sql: string, question = ""): Promise<Finding[]> {
  const context = toContext(catalog, sql, question);
  if (!context) return [];
  const suspicions = traps.flatMap(({ code, look }) => look(context).map((suspicion) => ({ code, suspicion })));
  const asked: string[] = [];
  const kept = suspicions.filter(({ suspicion }) => {
    const fresh = [...new Set(suspicion.asks)].filter((statement) => !asked.includes(statement));
    if (asked.length + fresh.length > maxStatements) return false;
    asked.push(...fresh);
    return true;
  });
  const reads = asked.length === 0 ? [] : await database.readAll(asked, limits);
  const answers = new Map(asked.map((statement, at) => [statement, reads[at] ?? unread]));
  const found = kept.flatMap(({ code, suspicion }) => judged(code, suspicion, answers));
  return toFindings(found);
}

function judged(
  code: string,
  suspicion: Suspicion,
  answers: ReadonlyMap<string, Read>,
): { code: string; draft: Draft }[] {
  const draft = suspicion.judge(suspicion.asks.map((statement) => answers.get(statement) ?? unread));
  return draft ? [{ code, draft }] : [];
}

/** Undefined for what is not one reading query over known syntax. */
function toContext(catalog: Catalog, sql: string, question: string): TrapContext | undefined {
  const dialect = queryDialectOf(catalog.engine);
  if (!checkReadOnly(sql, catalog.engine).ok) return undefined;
  const parsed = parseStatements(sql, dialect.parser);
  if (!parsed.ok || parsed.value.length !== 1) return undefined;
  const root = plainColumns(parsed.value[0], catalog);
  if (!isTree(root)) return undefined;
  const sampled: TrapContext["sampled"] = (table) => table.rows > maxLooked;
  return {
    catalog,
    statement: readBlocks(root, catalog),
    sql,
    dialect,
    question: foldAccents(question),
    sampled,
    from: (table, alias) => {
      const name = nameOf({ dialect }, table);
      return `${sampled(table) ? `(SELECT * FROM ${name} LIMIT ${maxLooked})` : name} AS ${alias}`;
    },
  };
}

function toFindings(found: readonly { code: string; draft: Draft }[]): Finding[] {
  const findings: Finding[] = [];
  const sorted = [...found].sort((a, b) => order.indexOf(a.draft.severity) - order.indexOf(b.draft.severity));
  for (const { code, draft } of sorted) {
    if (findings.length >= maxFindings || findings.some((known) => known.title === draft.title)) continue;
    const n = findings.filter((known) => known.code === code).length + 1;
    findings.push({
      id: `${code}-${n}`,
      code,
      severity: draft.severity,
      title: cut(draft.title, 300),
      body: cut(draft.body, 1000),
      waysOut: draft.waysOut.map((text) => ({ label: cut(text, 120), text: cut(text, 400) })),
      ...(draft.proof ? { proof: draft.proof } : {}),
    });
  }
  return findings;
}
