/** "When …", "Where …", "Describe …": questions whose words name no column, only the kind of it. */

import { isCue, type Sentence } from "../clauses/clause-types.ts";
import type { Item } from "../linking/linking.ts";
import { type ColumnInfo, dateColumns, isDate, sameColumn } from "../schema/schema.ts";
import { placeWords } from "../words/lexicon.ts";
import { isDerived } from "../words/word-forms.ts";
import type { Building } from "./building.ts";
import type { Measure, Output } from "./frame.ts";

export function readWhen(sentence: Sentence, build: Building): void {
  const { frame, resolver } = build;
  if (sentence.intent === "where") {
    readWhere(build);
    return;
  }
  const hints = sentence.clauses.flatMap((clause) => clause.hints);
  const repeated = repeatedDate(build, hints);
  if (repeated) {
    delete build.ranking;
    frame.outputs = [{ kind: "measure", measure: repeated }];
    build.missing = build.missing.filter((words) => !words.startsWith("a date"));
    return;
  }
  const ref = resolver.date([frame.entity], hints);
  const first = sentence.outputs[0];
  if (!ref) return;
  // What is named by a value is told apart by it, and not asked for.
  const fixed = (output: Output) =>
    output.kind === "column" &&
    frame.conditions.some(
      (condition) =>
        condition.kind === "compare" && condition.operator === "=" && sameColumn(condition.ref, output.ref),
    );
  frame.outputs = frame.outputs.filter((output) => output.kind !== "key" && !fixed(output));
  if (build.ranking && first?.superlative) {
    const fn = build.ranking.direction === "ASC" ? "MIN" : "MAX";
    build.rankedWhen = build.ranking;
    delete build.ranking;
    frame.outputs.push({
      kind: "measure",
      measure: { kind: "aggregate", fn, of: { column: ref }, words: first.words },
    });
  } else frame.outputs.push({ kind: "column", ref, words: "when" });
}

/** "When did Ann last order something?": what one row does again and again is dated in another table. */
function repeatedDate({ frame, schema, graph, linked, main }: Building, hints: string[]): Measure | undefined {
  const said = linked.items.find(
    (item) => isCue(item, "superlative") && /^(last|first|most recently|latest)$/i.test(item.text),
  );
  const before = linked.items[linked.items.indexOf(said as Item) + 1];
  // "the last order" names what is dated.
  if (!isCue(said, "superlative") || ["table", "column", "concept"].includes(before?.kind ?? "")) return undefined;
  const fixed = frame.conditions.find((condition) => condition.kind === "compare" && condition.operator === "=");
  if (fixed?.kind !== "compare" || fixed.ref.role) return undefined;
  const spoken = (column: ColumnInfo) =>
    [...column.stems, ...schema.table(column.table).stems].some((word) =>
      hints.some((hint) => hint.length > 3 && (hint === word || isDerived(hint, word))),
    );
  const own = schema.table(fixed.ref.table).columns.find((column) => isDate(column) && spoken(column));
  if (own) return undefined;
  const dated = schema.tables
    .filter((table) => table.name !== fixed.ref.table && graph.toOne(table.name, fixed.ref.table))
    .flatMap((table) => dateColumns(table).slice(0, 1))
    .sort(
      (a, b) =>
        Number(spoken(b)) - Number(spoken(a)) ||
        graph.distance(fixed.ref.table, a.table) - graph.distance(fixed.ref.table, b.table),
    );
  const [best] = dated;
  if (!best) return undefined;
  const words = `${main.intent} ${said.text}`;
  const of = { column: { table: best.table, column: best.column } };
  return { kind: "aggregate", fn: said.direction === "ASC" ? "MIN" : "MAX", of, words };
}

/** "Describe section B", "how is the course described?": by the column that describes it. */
export function readDescription({ frame, schema, linked }: Building): void {
  const asked = linked.items.some((item) => /^describe[ds]?$/i.test(item.text));
  if (!asked || !frame.outputs.every((output) => output.kind === "key" && output.key.kind === "entity")) return;
  const column = schema.table(frame.entity).columns.find((known) => known.words.includes("description"));
  if (column)
    frame.outputs = [{ kind: "column", ref: { table: column.table, column: column.column }, words: "description" }];
}

/** "Where is the youngest teacher from?": the place its row holds. */
function readWhere(build: Building): void {
  const { frame, schema } = build;
  if (!frame.outputs.every((output) => output.kind === "key" && output.key.kind === "entity")) return;
  const { columns } = schema.table(frame.entity);
  const place = [...placeWords]
    .map((word) => columns.find((column) => !column.isKey && column.words.includes(word)))
    .find(Boolean);
  if (place) frame.outputs = [{ kind: "column", ref: { table: place.table, column: place.column }, words: "where" }];
}
