/**
 * Does the statement hold what words of the question demand? "not" needs a negation, "or" an alternative, "each" groups,
 * "most" an order, "average" an average. What is missing was read as something else or lost: then it is asked, not answered.
 */
import { isCue } from "../clauses/clause-types.ts";
import { keyTable } from "../frame/frame.ts";
import type { Item } from "../linking/linking.ts";
import type { AskOption, Planned } from "../plan.ts";
import type { Attempt } from "../plan-question.ts";
import type { ColumnInfo } from "../schema/schema.ts";
import type { Compiled } from "../statement/relational-tree.ts";
import { tableWords } from "../wording/describe.ts";
import { restate } from "../wording/restate.ts";
import { isOn } from "../words/parts.ts";

type Ask = Extract<Planned, { outcome: "ask" }>;

interface Demand {
  name: string;
  word(item: Item, next: Item | undefined, before: Item | undefined): boolean;
  met: RegExp;
}

const demands: Demand[] = [
  {
    name: "negation",
    word: (item, next) =>
      (isCue(item, "not") || (isCue(item, "no") && !/^zero$/i.test(item.text))) && !isCue(next, "compare", "only"),
    met: /NOT EXISTS|NOT IN|<>|IS (NOT )?NULL|NOT (I?LIKE|\()|<|>=|= 0\b|= '(0|[Nn][Oo]?|[Ff](alse)?)'|= FALSE|LEFT JOIN/,
  },
  {
    name: "alternative",
    word: (item, next) =>
      isCue(item, "or") && !/^(more|less|fewer|greater|later|earlier|after|before)$/i.test(next?.text ?? ""),
    met: /\bOR\b|\bIN \(|NOT EXISTS|<>/,
  },
  {
    name: "ranking",
    word: (item) => isCue(item, "superlative", "popular") && !/^(first|last|final|latest)$/i.test(item.text),
    met: /ORDER BY|\bMAX\(|\bMIN\(/,
  },
  {
    name: "average",
    word: (item) => isCue(item, "aggregate") && item.fn === "AVG",
    met: /\bAVG\(/,
  },
  {
    name: "median",
    word: (item) => isCue(item, "aggregate") && item.fn === "MEDIAN",
    met: /_place/,
  },
  {
    name: "comparison",
    word: (item) => isCue(item, "compare") && item.operator !== "=",
    met: /[<>]|HAVING|BETWEEN/,
  },
  {
    name: "comparison",
    word: (item) => item.kind === "word" && /^than$/i.test(item.text),
    met: /[<>]|BETWEEN/,
  },
  {
    name: "count",
    word: (item, next) => isCue(item, "how-many") && next?.kind === "table",
    met: /COUNT\(|SUM\(|LIMIT/,
  },
];

/** A question back about the first demand that the statement doesn't meet. */
export function askAboutGap(
  attempt: Attempt,
  { sql, tables }: Pick<Compiled, "sql" | "tables">,
  settled: ReadonlySet<string>,
): Ask | undefined {
  if (attempt.corrected.frameEdits.length > 0 || !isOn("audit")) return undefined;
  const { items } = attempt.linked;
  for (const [index, item] of items.entries()) {
    const demand = demands.find((known) => known.word(item, items[index + 1], items[index - 1]));
    const id = demand ? `gap:${demand.name}` : "";
    if (!demand || demand.met.test(sql) || settled.has(id)) continue;
    return {
      outcome: "ask",
      phase: "F1",
      id,
      question: `I could not tell what "${item.text}" belongs to. How should I go on?`,
      why: `"${item.text}" asks for a ${demand.name}, and nothing in the statement I would write does that.`,
      options: [goOn(`without "${item.text}"`, attempt)],
    };
  }
  const seller = askAboutSeller(attempt);
  if (seller && !settled.has(seller.id)) return seller;
  const compared = askAboutTimes(attempt);
  if (compared && !settled.has(compared.id)) return compared;
  // Where others are joined, their rows are counted with it.
  const itself = tables.length === 1 ? askAboutItself(attempt) : undefined;
  if (itself && !settled.has(itself.id)) return itself;
  const grain = askAboutGrain(attempt);
  if (grain && !settled.has(grain.id)) return grain;
  const unread = items.find((item) => isUnread(item, attempt, tables));
  const id = unread ? `unread:${unread.text.toLowerCase()}` : "";
  if (!unread || settled.has(id)) return undefined;
  return {
    outcome: "ask",
    phase: "F1",
    id,
    question: `I could not tell what "${unread.text}" does in this question. How should I go on?`,
    why: `"${unread.text}" names something that is stored, and nothing in the statement I would write reads it.`,
    options: [goOn(`without "${unread.text}"`, attempt)],
  };
}

/** What the answer would be as far as the question could be read, so that whoever agrees knows to what. */
const goOn = (how: string, { build, schema }: Attempt): AskOption => ({
  id: "go-on",
  label: `Go on ${how}`,
  detail: `The answer would then be: ${restate(build.frame, schema)}`.slice(0, 1000),
  proposed: true,
});

/** "Who sold more": those who buy are people too, and nothing says that they are meant. */
function askAboutSeller(attempt: Attempt): Ask | undefined {
  const { build, linked, schema } = attempt;
  const { items } = linked;
  const [who, sold] = items;
  const people = schema.tables.filter((table) => table.person);
  if (!isCue(who, "who") || !isCue(sold, "sold") || !/^(sold|sells?)$/i.test(sold.text) || people.length < 2)
    return undefined;
  const taken = tableWords(build.frame.entity);
  return {
    outcome: "ask",
    phase: "F1",
    id: "gap:seller",
    question: `Who is meant by "${who.text} ${sold.text}"?`,
    why: `${people.map((table) => table.name).join(", ")} hold people, and nothing says which of them sell.`,
    options: [goOn(`with each ${taken}`, attempt)],
  };
}

/** "more in 2024 than in 2023": two figures must meet, not only the rows of either time. */
function askAboutTimes(attempt: Attempt): Ask | undefined {
  const { build, linked } = attempt;
  const { items } = linked;
  const than = items.findIndex((item) => /^than$/i.test(item.text));
  if (items[than - 1]?.kind !== "period" || items[than + 1]?.kind !== "period") return undefined;
  const { frame } = build;
  const meets =
    frame.having.some((having) => having.than) ||
    frame.outputs.some((output) => output.kind === "measure" && output.measure.minus);
  if (meets) return undefined;
  const text = `${items[than - 1]?.text} than ${items[than + 1]?.text}`;
  return {
    outcome: "ask",
    phase: "F1",
    id: "gap:times",
    question: `I could not tell which figures to compare "${text}". How should I go on?`,
    why: `"${text}" compares two figures, and nothing in the statement I would write does that.`,
    options: [goOn("without comparing", attempt)],
  };
}

/** "makers with more than 3 makers": of each row there is one, so the number limits something else. */
function askAboutItself(attempt: Attempt): Ask | undefined {
  const { frame } = attempt.build;
  const [key, ...more] = frame.groups;
  if (key?.kind !== "entity" || more.length > 0) return undefined;
  const { schema } = attempt;
  if (schema.relations.some(({ from, to }) => from === key.table && to === key.table)) return undefined;
  // "towns that at least two teachers share": counted by what is shown, not by the row.
  const isOwn = ({ isKey, reference }: ColumnInfo) => isKey && reference === undefined;
  const own = frame.outputs.some(
    (output) =>
      (output.kind === "key" && output.key.kind === "entity" && output.key.table === key.table) ||
      (output.kind === "column" && isOwn(schema.column(output.ref))),
  );
  if (!own) return undefined;
  // "at least one" holds for each row and does no harm.
  const never = frame.having.find(
    ({ measure, value, operator }) =>
      measure.kind === "count" &&
      measure.table === key.table &&
      !measure.distinct &&
      typeof value === "number" &&
      (operator === ">" ? value >= 1 : operator === ">=" && value > 1),
  );
  if (!never) return undefined;
  return {
    outcome: "ask",
    phase: "F1",
    id: "gap:itself",
    question: `What should "${never.words}" count?`,
    why: `I read a row for each ${tableWords(key.table)}, and of each there is exactly one, so "${never.words}" would leave none.`,
    options: [goOn("as I read it", attempt)],
  };
}

/** One row per pair of things that the question never paired: a word was taken for a second group. */
function askAboutGrain(attempt: Attempt): Ask | undefined {
  const { build, schema } = attempt;
  const { frame, main } = build;
  const tables = [...new Set(frame.groups.map(keyTable))];
  const [first, second] = tables;
  if (!first || !second || main.groups.length > 1 || frame.winner || frame.share || frame.over?.outer) return undefined;
  // Columns that are shown were asked for one by one.
  if (!frame.groups.some((key) => key.kind === "entity")) return undefined;
  const words = tables.map((table) => tableWords(schema.table(table).name));
  return {
    outcome: "ask",
    phase: "F1",
    id: `grain:${words.join("+")}`,
    question: `Should there be a row for each ${words.join(" and ")}?`,
    why: `I read the question so that it groups by ${words.join(" and ")} at once, but it doesn't say so.`,
    options: [
      goOn(`with a row for each ${words.join(" and ")}`, attempt),
      ...words.map((word, index) => ({ id: `only-${index + 1}`, label: `For each ${word}` })),
    ],
  };
}

/** A table that the question names and the statement doesn't read, not even by a key that refers to it. */
const isUnread = (item: Item, { schema }: Attempt, tables: string[]): boolean =>
  item.kind === "table" &&
  item.score >= 0.95 &&
  !/ed$/i.test(item.text) &&
  !tables.includes(item.table) &&
  !schema.relations.some((relation) => relation.to === item.table && tables.includes(relation.from));
