/**
 * What names, types, keys and values tell about a catalog: the words of each name, which columns show a row to
 * a person, which hold money, durations or dates, and how tables hang together. Nothing here knows a database.
 */
import { type Catalog, type Column, type Relation, type Table, toTablePath } from "../../protocol/index.ts";
import type { KnownWords } from "../knowledge/knowledge.ts";
import { nameWords, stem } from "../words/language.ts";
import { type ConceptName, concepts, keyWords, measureWords } from "../words/lexicon.ts";
import { readingsOf } from "../words/short-words.ts";
import { flagName, flagOf } from "./flags.ts";
import { type SpokenName, toSpokenName } from "./name-score.ts";
import { type NamesAround, writtenColumn, writtenTable } from "./short-names.ts";

export interface ColumnRef {
  table: string;
  column: string;
  /** Which instance of the table is meant when it is joined to itself. */
  role?: string;
}

export interface ColumnInfo extends ColumnRef {
  info: Column;
  words: string[];
  stems: string[];
  spoken: SpokenName;
  /** The table's words before its own. */
  owned: SpokenName;
  isKey: boolean;
  /** The relation this column starts, if it is a foreign key. */
  reference?: Relation;
}

export interface TableInfo {
  name: string;
  table: Table;
  words: string[];
  stems: string[];
  spoken: SpokenName;
  /** Its stems as a set: words that cost nothing in the names of its columns. */
  ownWords: ReadonlySet<string>;
  columns: ColumnInfo[];
  /** Columns that show a row to a person: first and last name, a name, a title. */
  display: ColumnInfo[];
  /** Only links two others: its columns are keys alone. */
  bridge: boolean;
  person: boolean;
}

export interface Schema {
  catalog: Catalog;
  tables: TableInfo[];
  table(name: string): TableInfo;
  column(ref: ColumnRef): ColumnInfo;
  relations: Relation[];
  /** What people told of it. */
  knowledge?: KnownWords;
}

const lower = (text: string) => text.toLowerCase();
export const sameColumn = (a: ColumnRef, b: ColumnRef) =>
  lower(a.table) === lower(b.table) && lower(a.column) === lower(b.column) && (a.role ?? "") === (b.role ?? "");

export function createSchema(catalog: Catalog): Schema {
  const spoken = spokenNames(catalog.tables).map(nameWords);
  const prefix = sharedStart(spoken);
  const references = referencesOf(catalog.relations);
  const names = spoken.map((words) => tableWords(words, prefix));
  const named = new Map(catalog.tables.map((table, index) => [table.name, names[index] ?? []]));
  const tables = catalog.tables.map((table, index) =>
    toTableInfo(table, names[index] ?? [], prefix, references, {
      tables: names,
      nameOf: (name) => named.get(name),
    }),
  );
  const byName = new Map(tables.map((info) => [lower(info.name), info]));
  const schema: Schema = {
    catalog,
    tables,
    relations: catalog.relations,
    table(name) {
      const found = byName.get(lower(name));
      if (!found) throw new Error(`no table ${name} in the catalog`);
      return found;
    },
    column(ref) {
      const found = schema.table(ref.table).columns.find((column) => lower(column.column) === lower(ref.column));
      if (!found) throw new Error(`no column ${ref.table}.${ref.column} in the catalog`);
      return found;
    },
  };
  return schema;
}

/** The first relation from each single column, by `toPlace`. */
function referencesOf(relations: readonly Relation[]): ReadonlyMap<string, Relation> {
  const found = new Map<string, Relation>();
  for (const relation of relations) {
    const [column, ...more] = relation.fromColumns;
    if (column === undefined || more.length > 0) continue;
    const place = toPlace(relation.from, column);
    if (!found.has(place)) found.set(place, relation);
  }
  return found;
}

const toPlace = (table: string, column: string): string => JSON.stringify([lower(table), lower(column)]);

/** What a table is called, in full, without what all tables begin with and marks such as `tbl`. */
const tableWords = (spoken: string[], prefix: string[]): string[] =>
  writtenTable(
    spoken
      .slice(prefix.length)
      .filter((word, index, all) => all.length === 1 || !keyWords.prefixes.has(word) || index > 0),
  );

function toTableInfo(
  table: Table,
  words: string[],
  prefix: string[],
  references: ReadonlyMap<string, Relation>,
  others: Pick<NamesAround, "tables"> & { nameOf: (table: string) => string[] | undefined },
): TableInfo {
  const stems = words.map(stem);
  const marks = sharedStart(table.columns.map((info) => nameWords(info.name)));
  const columns: ColumnInfo[] = table.columns.map((info) => {
    const raw = nameWords(info.name);
    const said = withoutMarks(raw, marks, words, prefix);
    const reference = references.get(toPlace(table.name, info.name));
    const referenced = reference && others.nameOf(reference.to);
    const written = writtenColumn(said, { own: words, tables: others.tables, ...(referenced ? { referenced } : {}) });
    const own = flagOf({ info, isKey: false }) ? flagName(written) : written;
    const isKey =
      table.primaryKey.some((key) => lower(key) === lower(info.name)) ||
      reference !== undefined ||
      (raw.length > 1 &&
        keyWords.ids.has(raw.at(-1) ?? "") &&
        info.kind !== "text" &&
        !countsOthers(raw, words, table));
    const ownStems = own.map(stem);
    const column: ColumnInfo = {
      table: table.name,
      column: info.name,
      info,
      words: own,
      stems: ownStems,
      spoken: toSpokenName(own, ownStems),
      owned: toSpokenName([...words, ...own], [...stems, ...ownStems]),
      isKey,
    };
    if (reference) column.reference = reference;
    return column;
  });
  const display = displayColumns(words, columns, table);
  const plainKeys = columns.filter((column) => column.isKey).length;
  return {
    name: table.name,
    table,
    words,
    stems,
    spoken: toSpokenName(words, stems),
    ownWords: new Set(stems),
    columns,
    display,
    bridge:
      columns.length >= 2 && plainKeys === columns.length && columns.filter((column) => column.reference).length >= 2,
    person: display.length > 1,
  };
}

/** "citation_num" of a publication says how many, "flight_num" of a flight which one. */
const countsOthers = (name: string[], own: string[], table: Table): boolean =>
  name.at(-1) === "num" &&
  !name.some((word) => own.map(stem).includes(stem(word))) &&
  (table.columns.find((column) => nameWords(column.name).join() === name.join())?.distinct ?? 0) < table.rows;

/** Words that all names begin with and that leave each of them a word: `sb` in sbCustomer, sbTicker, sbTransaction. */
function sharedStart(names: string[][]): string[] {
  const [first = [], ...others] = names;
  if (names.length < 3) return [];
  const most = Math.min(...names.map((name) => name.length - 1));
  let length = 0;
  while (length < most && others.every((name) => name[length] === first[length])) length += 1;
  return first.slice(0, length);
}

/** A column's words without the mark that all columns of its table, or all tables, carry; the table's own words stay. */
function withoutMarks(words: string[], marks: string[], table: string[], prefix: string[]): string[] {
  const own = new Set(table.map(stem));
  // A mark of the table's own name alone is said with it: charge_type of charges.
  const ownName = marks.every((word) => own.has(stem(word)));
  const kept = words.filter((word, index) =>
    index < marks.length ? ownName : index >= prefix.length || word !== prefix[index],
  );
  return kept.length > 0 ? kept : words;
}

/** What each table is called: with its schema only where two of them hold a table of that name. */
function spokenNames(tables: readonly Table[]): string[] {
  const own = tables.map((table) => toTablePath(table).at(-1) ?? table.name);
  const counts = new Map<string, number>();
  for (const name of own) counts.set(lower(name), (counts.get(lower(name)) ?? 0) + 1);
  return tables.map((table, index) => {
    const name = own[index] ?? table.name;
    return (counts.get(lower(name)) ?? 0) > 1 ? table.name : name;
  });
}

const has = (column: ColumnInfo, ...words: string[]) =>
  words.some((word) => column.words.includes(word) || column.words.join("") === word);

function displayColumns(tableWords: string[], columns: ColumnInfo[], table: Table): ColumnInfo[] {
  const text = columns.filter((column) => column.info.kind === "text" || column.info.kind === "other");
  const first = text.find(
    (column) =>
      has(column, "firstname", "fname", "forename", "givenname") ||
      (has(column, "first", "given") && has(column, "name")),
  );
  const last = text.find(
    (column) =>
      has(column, "lastname", "lname", "surname", "familyname") ||
      (has(column, "last", "family") && has(column, "name")),
  );
  if (first && last) return [first, last];
  const own = new Set(tableWords.map(stem));
  const named = (words: string[]) =>
    text
      .filter(
        (column) =>
          words.some((word) => column.words.at(-1) === word || column.words.join("").endsWith(word)) &&
          !column.reference,
      )
      .sort((a, b) => extra(a, own) - extra(b, own));
  const codes = named(["code"]).flatMap((column) => column.info.samples);
  const terse = codes.length > 0 && codes.every((code) => code.length <= 2);
  const told = named(["description"]).filter(
    (column) => terse && column.info.samples.every((sample) => sample.length <= 40),
  );
  for (const words of [["name"], ["title"], ["fullname", "label"], ["code"], ["description"]]) {
    // A code of a letter or two says nothing; what it stands for is told by a short description.
    const found = [...(words[0] === "code" ? told : []), ...named(words)].find(
      (column) =>
        words[0] === "name" ||
        words[0] === "title" ||
        words[0] === "fullname" ||
        (extra(column, own) <= 1 && column.stems.some((word) => own.has(word))) ||
        column.words.length === 1,
    );
    if (found) return [found];
  }
  const same = text.find((column) => column.stems.every((word) => own.has(word)) && !column.isKey);
  if (same) return [same];
  if (last ?? first) return [(last ?? first) as ColumnInfo];
  // A thing without any name is known by its text, then by its key.
  const key = columns.find((column) => table.primaryKey.some((name) => lower(name) === lower(column.column)));
  const any = text.find(
    (column) => !column.isKey && (column.info.distinct ?? 0) >= table.rows * 0.8 && !column.info.dateFormat,
  );
  const shown = key ?? any ?? columns[0];
  return shown ? [shown] : [];
}

const extra = (column: ColumnInfo, own: Set<string>) => column.stems.filter((word) => !own.has(word)).length;

/** Numeric column whose values add up to money, best first within a table. */
export function moneyColumns(info: TableInfo): ColumnInfo[] {
  return info.columns.filter(
    (column) =>
      isNumeric(column) &&
      !column.isKey &&
      column.words.some((word) => measureWords.money.has(word) || measureWords.money.has(stem(word))),
  );
}

export function lineMoney(info: TableInfo): { price: ColumnInfo; quantity: ColumnInfo } | undefined {
  const price = info.columns.find(
    (column) => isNumeric(column) && !column.isKey && column.words.some((word) => measureWords.price.has(word)),
  );
  const quantity = quantityColumn(info);
  return price && quantity ? { price, quantity } : undefined;
}

/**
 * Pieces on a line and their price, on the same row or on the thing that the line names: by a name for quantities, or by
 * the unit in the price's name ("bottle price" of bottles, "price per tonne" of tonnes).
 */
export function pricedLines(schema: Schema): PricedLine[] {
  let found = knownLines.get(schema);
  if (!found) {
    found = findPricedLines(schema);
    knownLines.set(schema, found);
  }
  return found;
}

interface PricedLine {
  price: ColumnInfo;
  quantity: ColumnInfo;
}
const knownLines = new WeakMap<Schema, PricedLine[]>();

function findPricedLines(schema: Schema): PricedLine[] {
  return schema.tables.flatMap((line) => {
    if (lineMoney(line)) return [];
    const parents = line.columns.flatMap(({ reference }) => (reference ? [schema.table(reference.to)] : []));
    return [line, ...parents].flatMap((holder) =>
      holder.columns.filter(isPrice).flatMap((price) => {
        const unit = price.stems.filter((word) => !/^(price|cost|rate|fee|charg|per|unit|list|a|of)$/.test(word));
        const quantity =
          (holder === line || holder.columns.filter(isPrice).length > 1 ? undefined : quantityColumn(line)) ??
          line.columns.find(
            (column) =>
              column !== price &&
              isNumeric(column) &&
              !column.isKey &&
              column.stems.length <= 2 &&
              unit.includes(column.stems[0] ?? ""),
          );
        return quantity ? [{ price, quantity }] : [];
      }),
    );
  });
}

/** A rate by the day is no price of a piece. */
const isPrice = (column: ColumnInfo): boolean =>
  isNumeric(column) &&
  !column.isKey &&
  column.words.some((word) => /^(price|unitprice|rate|fee)$/.test(word)) &&
  !column.words.some((word) => /^(hour|hourly|day|daily|week|weekly|month|monthly|year|yearly|annual)$/.test(word));

export function quantityColumn(info: TableInfo): ColumnInfo | undefined {
  return info.columns.find(
    (column) => isNumeric(column) && !column.isKey && column.words.some((word) => measureWords.quantity.has(word)),
  );
}

export const isNumeric = (column: ColumnInfo) =>
  column.info.kind === "integer" ||
  column.info.kind === "number" ||
  holdsNumbers(column) ||
  (column.info.kind === "other" && /num|dec|int|real|double|float|money/i.test(column.info.type));
/** A text column that only numbers are kept in, though not codes and keys. */
const holdsNumbers = (column: ColumnInfo): boolean =>
  column.info.kind === "text" &&
  column.info.dateFormat === undefined &&
  !column.isKey &&
  column.info.samples.length > 2 &&
  column.info.samples.every((sample) => /^-?\d{1,9}(\.\d+)?$/.test(sample) && !/^0\d/.test(sample)) &&
  !column.words.some((word) => /^(phone|zip|postcode|postal|code|number|no|nr|id|fax|year)$/.test(word));
export const isDate = (column: ColumnInfo) => column.info.kind === "date" || column.info.dateFormat !== undefined;

/** Columns of a table that a concept such as duration, price or age can mean, best first. */
export function conceptColumns(info: TableInfo, concept: ConceptName): ColumnInfo[] {
  const words = concepts[concept].columns;
  return info.columns
    .filter(
      (column) =>
        !column.isKey &&
        (isNumeric(column) || isDate(column) || concept === "age") &&
        readWords(column).some((word) => words.includes(word) || words.includes(stem(word))),
    )
    .sort((a, b) => rank(a, words) - rank(b, words));
}

/** A column's words, those of several readings in each of them. */
const readWords = (column: ColumnInfo): string[] => column.words.flatMap((word) => [word, ...readingsOf(word)]);

const rank = (column: ColumnInfo, words: readonly string[]) =>
  Math.min(...readWords(column).map((word) => (words.includes(word) ? words.indexOf(word) : 99))) +
  column.words.length * 2;

/** A column that holds years as such, whatever its type. */
export const isYearColumn = (column: ColumnInfo): boolean =>
  holdsYears(column) ||
  (column.words.includes("year") &&
    (column.info.dateFormat === undefined ? column.info.kind !== "date" : column.info.dateFormat === "YYYY"));

/** "founded", "built": a number that is always a year, though the name doesn't say so. */
const holdsYears = (column: ColumnInfo): boolean =>
  column.info.kind === "integer" &&
  !column.isKey &&
  column.info.samples.length > 1 &&
  column.info.samples.every((sample) => /^(1[5-9]|20)\d\d$/.test(sample)) &&
  /(ed|built|begun|since|debut|opening|season|start|end)$/.test(column.words.at(-1) ?? "");

/** The date by which rows of a table are placed in time. */
export function dateColumns(info: TableInfo): ColumnInfo[] {
  const own = new Set(info.stems);
  const score = (column: ColumnInfo) =>
    (column.stems.some((word) => own.has(word)) ? 2 : 0) +
    (column.info.nullable ? 0 : 1) -
    (column.words.some((word) => ["birth", "update", "updated", "modified", "dob", "birthdate"].includes(word))
      ? 4
      : 0);
  return info.columns.filter((column) => isDate(column) && !column.isKey).sort((a, b) => score(b) - score(a));
}

export function yearColumns(info: TableInfo): ColumnInfo[] {
  return info.columns.filter(
    (column) =>
      (column.words.some((word) => word === "year") || holdsYears(column)) && !column.isKey && !isDate(column),
  );
}
