/** Whether the statement answers in the shape that is asked: one figure or a list, a count or names, groups without partners or not. */
import { dialectOf, quoteTable } from "../../sql/dialect.ts";
import { resolveColumn } from "../../sql/scope.ts";
import { toNode, unwrap } from "../../sql/tree.ts";
import { ask, figure, toCount } from "../ask.ts";
import { type CheckSubject, columnOf, isKey, isNumeric, tableOf, type Warn } from "./check-subject.ts";
import type { SelectView } from "./query-view.ts";
import type { QuestionView } from "./read-question.ts";
import type { StatementTraits } from "./statement-traits.ts";
import { findAggregates } from "./walk-tree.ts";

const countWords = /\bhow many\b|\bcount the\b|\bcount of\b|\bnumber of\b/;
const listWords = /\b(?:list|show all|names? of|which|who|what are the|display|details)\b/;
const manyWords =
  /\b(?:each|every|per|respectively|grouped?|both|various|those|list|show)\b|\b(?:and|,) (?:what|which|who|how|their|its)\b/;

export async function findAnswerShape(
  subject: CheckSubject,
  asked: QuestionView,
  traits: StatementTraits,
  warn: Warn,
): Promise<void> {
  const mains = subject.query.selects.filter((select) => select.role === "main");
  const [main] = mains;
  if (!main) return;
  findNoData(subject, warn);
  findCountMissing(subject, main, asked, traits, warn);
  findListForOne(subject, main, asked, warn);
  findCountForList(main, asked, warn);
  if (mains.length === 1) await findZeroRows(subject, main, asked, warn);
}

/** Only the engine's own tables are read. */
function findNoData({ query, catalog }: CheckSubject, warn: Warn): void {
  const reads = query.selects.some((select) => select.scope.sources.some((source) => source.table !== undefined));
  if (!reads && catalog.tables.length > 0)
    warn(
      "warning",
      "no-data-read",
      `The statement reads ${query.unknown[0] ?? "no table"}, none of the database's own tables.`,
      "FROM",
    );
}

/** "How many" answered by something that is no number. */
function findCountMissing(
  { catalog, result }: CheckSubject,
  main: SelectView,
  asked: QuestionView,
  traits: StatementTraits,
  warn: Warn,
): void {
  if (
    !/^(?:\W*(?:so|and|then|please|can you tell me|tell me|show me|give me|find|return))?\W*(?:how many|count the|(?:what is )?the (?:total )?(?:number|count) of)\b/.test(
      asked.plain,
    )
  )
    return;
  if (traits.counts || traits.sums || traits.aggregates) return;
  const numeric = main.outputs.some(({ origins, expression }) => {
    const [origin] = origins;
    if (toNode(unwrap(expression))?.kind === "star") return false;
    if (!origin) return true;
    return isNumeric(columnOf(catalog, origin)) && !isKey(catalog, origin);
  });
  if (!numeric && result)
    warn("warning", "count-missing", "The question asks how many, and the statement counts nothing.", "SELECT");
}

/** One figure is asked, several rows come. */
function findListForOne({ result }: CheckSubject, main: SelectView, asked: QuestionView, warn: Warn): void {
  const text = asked.plain
    .trim()
    .replace(/^.*\b(?=how (?:many|much)\b)/, (before) =>
      /\b(?:each|every|per|list|which|names?)\b/.test(before) ? before : "",
    );
  const one =
    /^(?:how (?:many|much)\b|(?:what (?:is|was|would be) |give |find |calculate |compute )?(?:me )?the (?:total|overall|average|combined|number|count|sum)\b|what (?:percentage|proportion|share)\b)/.test(
      text,
    );
  // "By country" lists, "by Ann" and "by the singer" do not.
  const by = /\bby (?!the\b)[a-z]/.test(asked.text);
  if (
    !one ||
    by ||
    manyWords.test(text) ||
    /\bhow many\b.*\bhow many\b/.test(asked.plain) ||
    !result ||
    result.rows.length < 2
  )
    return;
  const measured = main.outputs.some(({ expression }) => findAggregates(expression).length > 0);
  if (measured && main.grouped.length > 0 && asked.words.length > 40) return;
  warn(
    "warning",
    "list-for-one",
    `The question asks for one figure, and the statement gives ${figure(result.rows.length)} rows.`,
    "SELECT",
  );
}

/** Names are asked, only a figure comes. */
function findCountForList(main: SelectView, asked: QuestionView, warn: Warn): void {
  const figures =
    main.outputs.length > 0 &&
    main.outputs.every(({ expression }) => findAggregates(expression).some((node) => node.kind === "count"));
  if (!figures || main.grouped.length > 0) return;
  if (
    countWords.test(asked.plain) ||
    /\b(?:total|amount|percent\w*|ratio|proportion|rate|whether|is there|are there|do we|how|count\w*|quantity|frequency|often)\b/.test(
      asked.plain,
    )
  )
    return;
  if (listWords.test(asked.plain))
    warn("warning", "count-for-list", "The question asks for a list, and the statement only counts.", "SELECT");
}

/** LEFT JOIN adds groups without a partner, with 0: whether they are wanted the question may not say. */
async function findZeroRows(
  { database, catalog, result }: CheckSubject,
  main: SelectView,
  asked: QuestionView,
  warn: Warn,
): Promise<void> {
  const left = main.joins.filter((join) => join.kind === "LEFT" && join.left.table && join.right.table);
  const at = main.outputs.findIndex(({ expression }) => {
    const node = toNode(unwrap(expression));
    const source = node?.kind === "count" ? resolveColumn(node.value.this, main.scope)?.source : undefined;
    return source !== undefined && left.some((join) => join.right === source || main.joins.length > 1);
  });
  if (at < 0 || main.grouped.length === 0 || !result) return;
  const zeros = result.rows.filter((row) => Number(row[at]) === 0).length;
  const [join] = left;
  const owner = join?.left.table ? tableOf(catalog, join.left.table) : undefined;
  if (zeros === 0 || !owner || !join?.right.table) return;
  if (
    /\b(?:all|every|any|including|even|zero|no|not|none|without|if any|whether|also|never|fewest|least|lowest|0)\b/.test(
      asked.plain,
    )
  )
    return;
  const [read] = await ask(database, [`SELECT COUNT(*) FROM ${quoteTable(dialectOf(database.engine), owner)}`], {
    maxRows: 1,
  });
  warn(
    "warning",
    "zero-groups",
    `${figure(zeros)} of ${figure(result.rows.length)} rows show 0: LEFT JOIN keeps what has no ${join.right.table}${read?.ok ? ` (${owner.name} has ${figure(toCount(read))} rows)` : ""}. The question doesn't say that they are wanted.`,
    "LEFT JOIN",
  );
}
