/**
 * Questions to begin with on a database that nobody has asked anything yet. Each is made from names, keys and types,
 * and kept only if the planner reads it as it was meant: without an open question, on just the tables it names.
 */
import type { ValueIndex } from "../catalog/value-index.ts";
import type { Catalog, FirstQuestion, Relation } from "../protocol/index.ts";
import type { Plan } from "./plan.ts";
import { planQuestion } from "./plan-question.ts";
import {
  type ColumnInfo,
  createSchema,
  dateColumns,
  moneyColumns,
  type Schema,
  type TableInfo,
} from "./schema/schema.ts";
import { plural, tokenize } from "./words/language.ts";

interface Candidate extends FirstQuestion {
  tables: string[];
}

/** Values of a column that a person would group by: how many, and rows to each on average. */
const groups = { least: 2, most: 20, rows: 3 };

/** At most `count` questions, one of each kind before a second. Stops early when `goOn` says so between two of them. */
export async function findFirstQuestions(
  catalog: Catalog,
  values: ValueIndex,
  count: number,
  goOn: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<FirstQuestion[]> {
  const found: FirstQuestion[] = [];
  for (const candidate of inTurns(toCandidates(createSchema(catalog)))) {
    if (found.length === count || !(await goOn())) break;
    const { question, kind, tables } = candidate;
    const planned = await planQuestion({ question, catalog, values, corrections: [], choices: {} });
    if (planned.outcome === "plan" && isAsMeant(planned.plan, tables)) found.push({ question, kind });
  }
  return found;
}

function isAsMeant(plan: Plan, meant: readonly string[]): boolean {
  const used = plan.tables.filter((table) => table.use === "used").map((table) => table.table);
  const open = Object.values(plan.summaries).some((summary) => summary.open_questions?.length);
  return !open && used.length === meant.length && meant.every((table) => used.includes(table));
}

/** The first of each list, then the second of each. */
function inTurns<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, turn) => lists.flatMap((list) => list.slice(turn, turn + 1))).flat();
}

/** One list for each kind of question, the best first: about the tables with most rows. */
function toCandidates(schema: Schema): Candidate[][] {
  const tables = schema.tables.filter((info) => isSpeakable(info)).sort((a, b) => b.table.rows - a.table.rows);
  const parents = schema.relations
    .flatMap((relation) => toParentAndChild(schema, relation))
    .sort((a, b) => b.child.table.rows - a.child.table.rows);
  return [
    parents.map(({ parent, child }) => ({
      question: `Which ${one(parent)} has the most ${many(child)}?`,
      kind: "1 join",
      tables: [parent.name, child.name],
    })),
    tables.flatMap((info) => {
      const [amount] = moneyColumns(info);
      if (!amount || dateColumns(info).length === 0) return [];
      return [
        {
          question: `What is the ${total(amount)} of ${many(info)} in each year?`,
          kind: "by year",
          tables: [info.name],
        },
      ];
    }),
    tables.flatMap((info) => {
      const column = info.columns.find((one) => isGroup(one, info));
      return column
        ? [
            {
              question: `How many ${many(info)} are there for each ${say(column)}?`,
              kind: "1 table",
              tables: [info.name],
            },
          ]
        : [];
    }),
    parents.toReversed().map(({ parent, child }) => ({
      question: `Which ${many(parent)} have no ${many(child)}?`,
      kind: "outer join",
      tables: [parent.name, child.name],
    })),
    tables.flatMap((info) => {
      const [amount] = moneyColumns(info);
      return amount
        ? [{ question: `What is the average ${say(amount)} of ${many(info)}?`, kind: "average", tables: [info.name] }]
        : [];
    }),
    tables.map((info) => ({ question: `How many ${many(info)} are there?`, kind: "count", tables: [info.name] })),
  ];
}

/** A table of things that a person has a word for, with rows in it. */
const isSpeakable = ({ bridge, table, words }: TableInfo): boolean =>
  !bridge && table.rows > 0 && words.length > 0 && words.every((word) => /^[a-z]{3,}$/.test(word));

/** Who is referred to by more rows than it has, and has a name to be shown by. */
function toParentAndChild(schema: Schema, relation: Relation): { parent: TableInfo; child: TableInfo }[] {
  const [parent, child] = [schema.table(relation.to), schema.table(relation.from)];
  const named = parent.display.some((column) => !column.isKey);
  const fits = relation.fromColumns.length === 1 && parent !== child && child.table.rows > parent.table.rows;
  return fits && named && isSpeakable(parent) && isSpeakable(child) ? [{ parent, child }] : [];
}

/** A column with a few values, each held by several rows. */
const isGroup = (column: ColumnInfo, info: TableInfo): boolean => {
  const { kind, dateFormat, distinct = 0, nulls = 0 } = column.info;
  const filled = info.table.rows - nulls;
  return (
    kind === "text" &&
    dateFormat === undefined &&
    !column.isKey &&
    !info.display.includes(column) &&
    column.words.every((word) => /^[a-z]{3,}$/.test(word)) &&
    distinct >= groups.least &&
    distinct <= groups.most &&
    distinct * groups.rows <= filled &&
    filled * 2 >= info.table.rows
  );
};

/** What a row of the table is called: "coupon" for `coupons`. */
function one({ words }: TableInfo): string {
  const last = tokenize(words.at(-1) ?? "")[0];
  return [...words.slice(0, -1), last?.lemma ?? ""].join(" ");
}
function many(info: TableInfo): string {
  const words = one(info).split(" ");
  return [...words.slice(0, -1), plural(words.at(-1) ?? "")].join(" ");
}
const say = (column: ColumnInfo) => column.words.join(" ");
const total = (column: ColumnInfo) => (column.words[0] === "total" ? say(column) : `total ${say(column)}`);
