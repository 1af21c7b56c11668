/** One place where a proposal differs from gold, and the words for it. */
import type { Catalog } from "../../protocol/index.ts";
import type { Aggregate, ColumnName, StatementParts } from "./statement-parts.ts";
import { say, type TemplateId } from "./templates.ts";

/** What of an answer it is about. */
export type DifferencePart =
  | "outputs"
  | "measure"
  | "groups"
  | "filters"
  | "order"
  | "limit"
  | "duplicates"
  | "tables"
  | "joins"
  | "anew";

const partOf: Partial<Record<TemplateId, DifferencePart>> = {
  "use-table": "tables",
  "add-table": "tables",
  "drop-table": "tables",
  "use-column": "outputs",
  show: "outputs",
  hide: "outputs",
  "show-only": "outputs",
  "join-type": "joins",
  "join-pair": "joins",
  aggregate: "measure",
  "count-distinct": "measure",
  "count-rows": "measure",
  "group-by": "groups",
  ungroup: "groups",
  sort: "order",
  direction: "order",
  top: "limit",
  "no-limit": "limit",
  distinct: "duplicates",
  repeat: "duplicates",
  means: "anew",
  "start-over": "anew",
};

export interface Difference {
  part: DifferencePart;
  template: TemplateId;
  text: string;
  /** Names and values in it that must be read at the gate. */
  names: string[];
  values: (string | number)[];
}

export interface GoldView {
  parts: StatementParts;
  catalog: Catalog;
}

export function toDifference(
  template: TemplateId,
  slots: Record<string, string>,
  names: string[] = [],
  values: (string | number)[] = [],
): Difference {
  return { part: partOf[template] ?? "filters", template, text: say(template, slots), names, values };
}

/** Names as the catalog spells them. */
export function createSpelling({ catalog, parts }: GoldView) {
  const tableOf = (folded: string) => catalog.tables.find((table) => table.name.toLowerCase() === folded);
  const table = (folded: string): string => tableOf(folded)?.name ?? folded;
  const column = ({ table: of, column: folded }: ColumnName): string =>
    `${table(of)}.${tableOf(of)?.columns.find((known) => known.name.toLowerCase() === folded)?.name ?? folded}`;
  /** As words of a sentence, with the table where its name alone is shared by another table of gold. */
  const words = (of: ColumnName): string => {
    const name = column(of).slice(table(of.table).length + 1);
    const shared = parts.tables.filter((known) =>
      tableOf(known)?.columns.some((other) => other.name.toLowerCase() === of.column),
    );
    return shared.length > 1 ? `${toWords(table(of.table))} ${toWords(name)}` : toWords(name);
  };
  return { table, column, words };
}

/** `Song_releaseYear` as a person says it. */
const toWords = (name: string): string =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .toLowerCase()
    .trim();

export const namesOf = (column: ColumnName): string[] => [column.table, column.column];

export const aggregateWords: Record<Aggregate, string> = {
  COUNT: "count",
  SUM: "total",
  AVG: "average",
  MIN: "minimum",
  MAX: "maximum",
};
