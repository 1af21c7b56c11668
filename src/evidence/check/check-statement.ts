/**
 * Checks any SQL against its database, and against the question when there is one, without a session: the evidence of
 * joins, filters, groups and results, drawn from the statement itself. Counting statements are built from names and
 * values; the statement runs as it is written, and no text that a parser wrote is ever run. Only `warning` and
 * `problem` are alarms: what often stands in right queries too is said as `info` or `notice`.
 */
import type { ValueIndex } from "../../catalog/value-index.ts";
import type { Database } from "../../database/database.ts";
import type { Catalog, CheckedStatement, CheckWarning, Severity } from "../../protocol/index.ts";
import { dialectOf } from "../../sql/dialect.ts";
import { parseStatements } from "../../sql/parser.ts";
import { cut } from "../ask.ts";
import { measureAnswer } from "../measure-answer.ts";
import { findTraps } from "../traps/find-traps.ts";
import type { CheckSubject, Warn } from "./check-subject.ts";
import { findAnswerShape } from "./find-answer-shape.ts";
import { findAskedColumns } from "./find-asked-columns.ts";
import { findAskedTime } from "./find-asked-time.ts";
import { findConditionFaults } from "./find-condition-faults.ts";
import { findGroupFaults } from "./find-group-faults.ts";
import { findIgnoredWords } from "./find-ignored-words.ts";
import { findJoinFaults } from "./find-join-faults.ts";
import { findLostRows } from "./find-lost-rows.ts";
import { findValueFaults } from "./find-value-faults.ts";
import { readQuery } from "./query-view.ts";
import { readQuestion } from "./read-question.ts";
import { toTraits } from "./statement-traits.ts";

const order: Severity[] = ["problem", "warning", "notice", "info"];
const isAlarm = ({ severity }: CheckWarning): boolean => severity === "problem" || severity === "warning";

/** What can't be parsed or run is a warning of its own. Throws only when the database itself can't be asked. */
export async function checkStatement(
  database: Database,
  catalog: Catalog,
  values: ValueIndex,
  sql: string,
  question?: string,
): Promise<CheckedStatement> {
  const warnings: CheckWarning[] = [];
  const warn: Warn = (severity, code, message, where = "") => {
    if (warnings.some((known) => known.code === code && known.where === where)) return;
    warnings.push({ code, severity, message: cut(message, 1000), where: cut(where, 200) });
  };
  const result = await runStatement(database, catalog, sql, warn);
  const parsed = parseStatements(sql, dialectOf(database.engine).parser);
  const [tree] = parsed.ok ? parsed.value : [];
  if (tree && parsed.ok && parsed.value.length === 1) {
    const query = readQuery(tree, catalog);
    const subject: CheckSubject = { database, catalog, values, sql, query, result };
    await findJoinFaults(subject, warn);
    await findLostRows(subject, warn);
    await findValueFaults(subject, warn);
    await findConditionFaults(subject, warn);
    await findGroupFaults(subject, warn);
    for (const { code, severity, title, body } of await findTraps(database, catalog, sql, question))
      if (!warnings.some((known) => known.code === code)) warn(severity, code, `${title}. ${body}`, "data");
    if (question !== undefined && question.trim() !== "") {
      const asked = readQuestion(question);
      const traits = toTraits(query, catalog);
      findIgnoredWords(subject, asked, traits, warn);
      findAskedTime(subject, asked, traits, warn);
      findAskedColumns(subject, asked, traits, warn);
      await findAnswerShape(subject, asked, traits, warn);
    }
  } else if (result)
    warn("notice", "not-parsed", "The statement runs but could not be read part by part, so little of it is checked.");
  warnings.sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
  return { ok: !warnings.some(isAlarm), warnings };
}

/** What is said of a result. Ties and divisions are looked for elsewhere, with more to tell them by. */
const ofResult: Record<string, Severity> = {
  "result-empty": "warning",
  "column-null": "warning",
  "rows-repeated": "info",
  "result-long": "info",
};

async function runStatement(
  database: Database,
  catalog: Catalog,
  sql: string,
  warn: Warn,
): Promise<CheckSubject["result"]> {
  const measured = await measureAnswer(database, catalog, sql);
  if ("problem" in measured) {
    const refused = measured.problem.code === "refused";
    warn(
      "problem",
      refused ? "refused" : "does-not-run",
      refused ? `Only one reading statement can be checked: ${measured.problem.message}` : measured.problem.message,
    );
    return undefined;
  }
  for (const { code, title, body } of measured.findings) {
    const severity = ofResult[code];
    if (severity) warn(severity, code, `${title}. ${body}`, "result");
  }
  return measured.result;
}
