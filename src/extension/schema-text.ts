/**
 * The catalog as a model reads it, as much of it as a phase needs: everything of a small database at once, of a large
 * one the tables that fit the question. Keys of a table that is told are always told whole. Pure.
 */
import { searchCatalog } from "../catalog/search-catalog.ts";
import type { Catalog, Column, Table } from "../protocol/index.ts";

/** About 2,000 tokens: what a small local model can spare for a schema. */
const overviewLength = 8000;
const maxSamples = 3;

/** The schema for the first phase. `question` says which tables matter when not all have room. */
export function toOverview(catalog: Catalog, question: string, length = overviewLength): string {
  const whole = catalog.tables.map((table) => toTableLine(catalog, table)).join("\n");
  if (whole.length <= length) return whole;
  const ranked = rank(catalog, question);
  const told: string[] = [];
  let used = 0;
  for (const table of ranked) {
    const line = toTableLine(catalog, table, Math.max(200, length / 10));
    if (used + line.length > length * 0.75) break;
    told.push(line);
    used += line.length + 1;
  }
  const rest = catalog.tables.length - told.length;
  const names: string[] = [];
  for (const { name } of ranked.slice(told.length)) {
    if (used + name.length + 2 > length) break;
    names.push(name);
    used += name.length + 2;
  }
  const further = names.length > 0 ? ` Some of them: ${names.join(", ")}.` : "";
  return `${told.join("\n")}\n(${rest} of ${catalog.tables.length} tables are not told here: find them with catalog_search.${further})`;
}

/** Tables that fit the words, then those that share a key with them, then the rest by their number of keys. */
function rank(catalog: Catalog, question: string): Table[] {
  const score = new Map<string, number>();
  for (const match of searchCatalog(catalog, question, 60))
    score.set(match.table, (score.get(match.table) ?? 0) + match.score);
  const found = new Map(score);
  for (const { from, to } of catalog.relations) {
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const)
      score.set(one, (score.get(one) ?? 0) + (found.get(other) ?? 0) / 4 + 0.001);
  }
  return [...catalog.tables].sort((a, b) => (score.get(b.name) ?? 0) - (score.get(a.name) ?? 0));
}

/** `Album (AlbumId INTEGER key, Title TEXT, ArtistId INTEGER → Artist.ArtistId) 347 rows`; long tables are cut, keys never. */
function toTableLine(catalog: Catalog, table: Table, length = Number.POSITIVE_INFINITY): string {
  const target = (column: Column): string => {
    const relation = catalog.relations.find(
      ({ from, fromColumns }) => from === table.name && fromColumns.includes(column.name),
    );
    const at = relation?.fromColumns.indexOf(column.name) ?? -1;
    return relation ? ` → ${relation.to}.${relation.toColumns[at] ?? ""}` : "";
  };
  const isKey = (column: Column): boolean => table.primaryKey.includes(column.name) || target(column) !== "";
  const shown: string[] = [];
  let used = 0;
  let hidden = 0;
  for (const column of table.columns) {
    const text = `${column.name} ${column.type}${table.primaryKey.includes(column.name) ? " key" : ""}${target(column)}`;
    if (used + text.length > length && !isKey(column)) hidden += 1;
    else {
      shown.push(text);
      used += text.length + 2;
    }
  }
  const more = hidden > 0 ? `, and ${hidden} more columns` : "";
  return `${table.name} (${shown.join(", ")}${more}) ${table.rows} rows${toComment(table)}`;
}

/** Columns with types and samples, keys, and every relation of the table. */
export function describeTable(catalog: Catalog, table: Table): string {
  const relations = catalog.relations.filter((relation) => relation.from === table.name || relation.to === table.name);
  return [
    `${table.name}: ${table.rows} rows${toComment(table)}`,
    ...table.columns.map((column) => `  ${toColumnLine(table, column)}`),
    relations.length > 0 ? "joins:" : "no keys to other tables",
    ...relations.map((relation) => `  ${toRelationLine(relation)}`),
  ].join("\n");
}

/** Columns of some tables with their samples, for conditions on them. */
export function toColumns(catalog: Catalog, names: readonly string[]): string {
  return tablesOf(catalog, names)
    .map((table) => [table.name, ...table.columns.map((column) => `  ${toColumnLine(table, column)}`)].join("\n"))
    .join("\n");
}

/** Every relation between some tables, and those through one table more where two of them share none. */
export function toKeys(catalog: Catalog, names: readonly string[]): string {
  const among = new Set(names);
  const direct = catalog.relations.filter(({ from, to }) => among.has(from) && among.has(to));
  const bridges = catalog.tables.filter((table) => {
    if (among.has(table.name)) return false;
    const ends = new Set(
      catalog.relations.flatMap(({ from, to }) => (from === table.name ? [to] : to === table.name ? [from] : [])),
    );
    return [...ends].filter((end) => among.has(end)).length > 1;
  });
  const through = catalog.relations.filter(
    ({ from, to }) =>
      bridges.some((table) => table.name === from || table.name === to) && (among.has(from) || among.has(to)),
  );
  const primary = tablesOf(catalog, [...names, ...bridges.map((table) => table.name)]).map(
    (table) => `${table.name}: ${table.primaryKey.length > 0 ? `key ${table.primaryKey.join(", ")}` : "no key"}`,
  );
  return [
    ...primary,
    ...direct.map(toRelationLine),
    ...(through.length > 0 ? ["through one table more:", ...through.map(toRelationLine)] : []),
  ].join("\n");
}

const tablesOf = (catalog: Catalog, names: readonly string[]): Table[] =>
  catalog.tables.filter((table) => names.includes(table.name));

function toColumnLine(table: Table, column: Column): string {
  const samples = column.samples.slice(0, maxSamples).map((sample) => `'${sample}'`);
  return `${column.name} ${column.type}${table.primaryKey.includes(column.name) ? " primary key" : ""}${column.nullable ? "" : " not null"}${samples.length > 0 ? `, e.g. ${samples.join(", ")}` : ""}${toComment(column)}`;
}

function toRelationLine(relation: Catalog["relations"][number]): string {
  const side = (table: string, columns: readonly string[]) => columns.map((column) => `${table}.${column}`).join(", ");
  return `${side(relation.from, relation.fromColumns)} = ${side(relation.to, relation.toColumns)} (${relation.origin})`;
}

/** On the same line: a comment of several lines must not look like columns. */
const toComment = ({ comment }: { comment?: string | undefined }): string =>
  comment === undefined || comment.trim() === "" ? "" : ` -- ${comment.replaceAll(/\s+/g, " ").trim()}`;
