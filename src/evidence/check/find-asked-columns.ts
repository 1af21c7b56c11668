/** Columns that the question names and the statement passes over, and literals the question never mentions. Pure. */
import { type CheckSubject, columnOf, isKey, isNumeric, tableOf, type Warn } from "./check-subject.ts";
import { nameWords, type QuestionView, stemOf } from "./read-question.ts";
import type { StatementTraits } from "./statement-traits.ts";
import { keyOf } from "./walk-tree.ts";

export function findAskedColumns(
  subject: CheckSubject,
  asked: QuestionView,
  traits: StatementTraits,
  warn: Warn,
): void {
  const passed = findPassedOver(subject, asked, traits, warn);
  if (!passed) findOtherName(subject, asked, traits, warn);
  findStrangeNumbers(subject, asked, warn);
}

/** Part of the question that says what to show: up to the first condition. */
const showPart = (asked: QuestionView): string[] => {
  const at = asked.words.findIndex(
    (word, index) => index > 2 && /^(?:whose|where|with|that|who|if|having|produced|when)$/.test(word),
  );
  return (at < 0 ? asked.words : asked.words.slice(0, at)).map(stemOf);
};

const generic = new Set(
  "id code name type number date time key value highest lowest average maximum minimum most least total count"
    .split(" ")
    .map(stemOf),
);

/** A column that is called as the question says, while the statement shows one the question doesn't mention. */
function findPassedOver(
  { query, catalog }: CheckSubject,
  asked: QuestionView,
  traits: StatementTraits,
  warn: Warn,
): boolean {
  const mains = query.selects.filter((select) => select.role === "main");
  const shown = mains.flatMap((select) => select.outputs.flatMap((output) => output.origins));
  const tables = new Set(
    query.selects.flatMap((select) => select.scope.sources.flatMap((source) => source.table ?? [])),
  );
  const wanted = showPart(asked);
  const text = ` ${asked.words.map(stemOf).join(" ")} `;
  for (const origin of shown) {
    const shownColumn = columnOf(catalog, origin);
    const own = nameWords(shownColumn?.name ?? origin.column).map(stemOf);
    const mentioned = own.some((word) => asked.stems.has(word) && !generic.has(word));
    for (const column of tableOf(catalog, origin.table)?.columns ?? []) {
      const key = keyOf({ table: origin.table, column: column.name });
      const words = nameWords(column.name).map(stemOf);
      if (
        traits.columns.has(key) ||
        (isNumeric(column) && isKey(catalog, { table: origin.table, column: column.name }))
      )
        continue;
      const whole = words.length > 1 && text.includes(` ${words.join(" ")} `);
      const [word = ""] = words;
      const alone = words.length === 1 && !generic.has(word) && !mentioned && wanted.includes(word);
      // "The location coordinates" ask for coordinates, and a school of the table schools is no column.
      const single =
        alone &&
        shownColumn?.kind === column.kind &&
        !nameWords(origin.table).map(stemOf).includes(word) &&
        standsAlone(asked, word);
      const owned = tables.has(origin.table);
      if (!owned || !(whole || single)) continue;
      if (
        single &&
        !isTableWord(
          catalog.tables.map((table) => table.name),
          word,
          origin.table,
        )
      ) {
        warn(
          "warning",
          "asked-column-unused",
          `The question says ${column.name}, which ${origin.table} has; the statement shows ${origin.column} instead.`,
          origin.column,
        );
        return true;
      }
      if (whole) {
        warn(
          "warning",
          "asked-column-unused",
          `The question says “${words.join(" ")}”, which is ${origin.table}.${column.name}; the statement never reads it.`,
          `${origin.table}.${column.name}`,
        );
        return true;
      }
    }
  }
  return false;
}

/** Not the first of two nouns. */
const standsAlone = (asked: QuestionView, word: string): boolean =>
  asked.words.some((one, index) => {
    const next = asked.words[index + 1];
    const plain =
      /^(?:of|for|in|on|at|and|or|to|from|with|by|that|which|who|whose|where|is|are|was|were|has|have|does|do|did|the|each)$/;
    return stemOf(one) === word && (next === undefined || plain.test(next));
  });

/** A word that names another table as well says nothing about a column. */
const isTableWord = (tables: readonly string[], word: string, own: string): boolean =>
  tables.some((table) => table !== own && nameWords(table).map(stemOf).join(" ") === word);

/** "The name of the song" where the table has a song name of its own, and the plain name is shown. */
function findOtherName(
  { query, catalog }: CheckSubject,
  asked: QuestionView,
  traits: StatementTraits,
  warn: Warn,
): void {
  const mains = query.selects.filter((select) => select.role === "main");
  for (const origin of mains.flatMap((select) => select.outputs.flatMap((output) => output.origins))) {
    const own = nameWords(origin.column).map(stemOf);
    const [only] = own;
    if (own.length !== 1 || only === undefined || !asked.stems.has(only)) continue;
    const closer = (tableOf(catalog, origin.table)?.columns ?? []).find((column) => {
      const words = nameWords(column.name).map(stemOf);
      const rest = words.filter((word) => word !== only);
      if (
        words.length < 2 ||
        !words.includes(only) ||
        traits.columns.has(keyOf({ table: origin.table, column: column.name }))
      )
        return false;
      return (
        rest.length > 0 &&
        rest.every((word) =>
          new RegExp(
            `\\b${only} (?:(?!of\\b|for\\b)\\w+ ){0,5}(?:of|for) (?:(?:all|the|each|a|their|it) )*${word}\\b`,
          ).test(asked.words.map(stemOf).join(" ")),
        )
      );
    });
    if (
      closer &&
      nameWords(origin.table)
        .map(stemOf)
        .every((word) => !nameWords(closer.name).map(stemOf).includes(word))
    )
      warn(
        "warning",
        "closer-column",
        `${origin.table}.${closer.name} fits the question's words better than ${origin.column}, which is shown.`,
        origin.column,
      );
  }
}

/** A number in a condition that the question doesn't say: an assumed year, a threshold somebody worked out. */
function findStrangeNumbers({ query, catalog }: CheckSubject, asked: QuestionView, warn: Warn): void {
  if (asked.numbers.length === 0) return;
  const said = new Set(asked.numbers.flatMap(({ value }) => [value, value + 1, value - 1, value / 100, value * 100]));
  for (const select of query.selects) {
    for (const { literals, origins, clause } of select.comparisons) {
      const [origin] = origins;
      const numeric = origin && isNumeric(columnOf(catalog, origin)) && !isKey(catalog, origin);
      for (const { text, number } of literals) {
        const value = Number(text);
        if (!number || !numeric || clause === "having" || Math.abs(value) < 3 || said.has(value)) continue;
        if (asked.plain.includes(text) || [100, 1000].includes(value)) continue;
        warn(
          "warning",
          "number-unasked",
          `${origin.table}.${origin.column} is compared with ${text}, which the question doesn't say.`,
          text,
        );
      }
    }
  }
}
