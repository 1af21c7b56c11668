/** Runs exactly the statement that is shown and looks at its result. */
import type { Database } from "../database/database.ts";
import type { Catalog, Check, Decision, Finding, QueryResult } from "../protocol/index.ts";
import { checkReadOnly } from "../sql/read-only.ts";
import { toLimitEnd } from "../sql/step-shape.ts";
import { ask, cut, cutResult, figure, listing, type Measured, rowsOf, toCount, toText } from "./ask.ts";
import { findIntegerDivisions, kindsOf, sayDivision } from "./find-divisions.ts";
import { reconcileTotals } from "./reconcile-totals.ts";
import { sayTotal } from "./say-total.ts";

const shownRows = 50;
/** Rows looked at for duplicates and empty columns. */
const examinedRows = 1000;
const examinedBytes = 4_000_000;

/** `result` holds the first 50 rows with short cells; how many there are in all stands in the checks. */
export async function measureAnswer(
  database: Database,
  catalog: Catalog,
  sql: string,
  decisions: readonly { seq: number; decision: Decision }[] = [],
): Promise<Measured<{ result: QueryResult; ms: number; checks: Check[]; findings: Finding[] }>> {
  const reading = checkReadOnly(sql, database.engine);
  if (!reading.ok) return { problem: { code: "refused", message: reading.reason } };
  const read = await database.read(sql, { maxRows: examinedRows, maxBytes: examinedBytes, deadlineMs: 20_000 });
  if (!read.ok) return { problem: read.error };
  const { result } = read;
  const end = toLimitEnd(sql, database.engine);
  const [total, longer] = await ask(
    database,
    [
      result.truncated ? `SELECT COUNT(*) FROM (\n${sql.replace(/[\s;]+$/, "")}\n) AS answer` : "SELECT NULL",
      end && result.rows.length === end.limit && end.limit < examinedRows
        ? `${end.before}LIMIT ${end.limit + 1}`
        : "SELECT NULL",
    ],
    { maxRows: examinedRows },
  );

  const checks: Check[] = [];
  const findings: Finding[] = [];
  const add = (code: string, severity: Finding["severity"], title: string, body: string, waysOut: string[] = []) => {
    findings.push({
      id: findings.some((finding) => finding.id === code) ? `${code}-${findings.length}` : code,
      code,
      severity,
      title: cut(title, 300),
      body: cut(body, 1000),
      waysOut: waysOut.map((text) => ({ label: cut(text, 120), text: cut(text, 400) })),
    });
  };
  const count = result.truncated ? (total?.ok ? toCount(total) : undefined) : result.rows.length;
  if (count === 0) {
    checks.push({ ok: false, text: "The result has no rows" });
    add("result-empty", "warning", "The answer has no rows", "The statement ran and found nothing.", [
      "Loosen a filter",
    ]);
  } else if (result.truncated) {
    checks.push({
      ok: true,
      text: count === undefined ? `More than ${rowsOf(result.rows.length)}` : `${rowsOf(count)} in all`,
    });
    add(
      "result-long",
      "info",
      count === undefined
        ? `The answer has more than ${rowsOf(result.rows.length)}`
        : `The answer has ${rowsOf(count)}`,
      `The first ${figure(Math.min(shownRows, result.rows.length))} are shown.`,
    );
  } else checks.push({ ok: true, text: `${rowsOf(result.rows.length)}, complete` });

  if (result.rows.length > 0) {
    const blank = result.columns
      .filter((_, at) => result.rows.every((row) => row[at] === null))
      .map((column) => column.name);
    checks.push({
      ok: blank.length === 0,
      text: blank.length === 0 ? "No column that is all NULL" : cut(`All NULL: ${listing(blank)}`, 300),
    });
    if (blank.length > 0)
      add(
        "column-null",
        "warning",
        `${listing(blank)} ${blank.length === 1 ? "is" : "are"} NULL in every row`,
        `${rowsOf(result.rows.length)} were looked at.`,
        [`Without ${listing(blank)}`],
      );
    const twice = result.rows.length - new Set(result.rows.map((row) => JSON.stringify(row))).size;
    checks.push({
      ok: twice === 0,
      text: twice === 0 ? "No row stands twice" : `${rowsOf(twice)} stand there more than once`,
    });
    if (twice > 0)
      add(
        "rows-repeated",
        "notice",
        `${rowsOf(twice)} repeat another row`,
        "A join may meet several partners, or the columns shown don't tell the rows apart.",
        ["Show each row once"],
      );
  }
  for (const division of findIntegerDivisions(sql, database.engine, kindsOf(catalog, sql))) {
    const { title, body, wayOut } = sayDivision(division);
    add("integer-division", "warning", title, body, [wayOut]);
  }
  const tie = end && longer?.ok ? findTie(result, longer.result, end) : undefined;
  if (tie) {
    checks.push({ ok: false, text: `LIMIT ${end?.limit} cuts a tie` });
    add("limit-tie", "notice", `LIMIT ${end?.limit} cuts a tie`, tie, [
      `Show all with the same ${cut(end?.orderBy ?? "value", 60)} as number ${end?.limit}`,
    ]);
  }
  const held = decisions.map(({ decision }) => decision);
  for (const total of await reconcileTotals(database, catalog, sql, result, held)) {
    const said = sayTotal(total);
    checks.push(said.check);
    if (said.finding)
      add(said.finding.code, said.finding.severity, said.finding.title, said.finding.body, said.finding.waysOut);
  }
  return { result: cutResult(result, shownRows), ms: Math.round(read.ms), checks, findings };
}

/** The row after the last has the same value in the first sorting key, when that key is a column of the result. */
function findTie(
  result: QueryResult,
  longer: QueryResult,
  end: { limit: number; orderBy: string },
): string | undefined {
  if (longer.rows.length !== end.limit + 1) return undefined;
  const key = end.orderBy
    .replace(/^.*\./, "")
    .replaceAll(/["`[\]]/g, "")
    .toLowerCase();
  const at = /^\d+$/.test(end.orderBy)
    ? Number(end.orderBy) - 1
    : result.columns.findIndex((column) => column.name.toLowerCase() === key);
  const [last, next] = [longer.rows[end.limit - 1]?.[at], longer.rows[end.limit]?.[at]];
  if (at < 0 || last === undefined || last === null || last !== next) return undefined;
  const label = longer.rows[end.limit]?.find((cell, index) => index !== at && typeof cell === "string");
  return `${label === undefined ? "The next row" : toText(label)} has ${toText(next)} too, like number ${figure(end.limit)}.`;
}
