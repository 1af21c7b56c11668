/**
 * Ways to join two tables: declared keys, and keys that nobody declared but names and values speak for. Pure: names
 * propose candidates here, the catalog's reader measures how many of their values are found in the other table.
 */
import type { Column, Relation, Table } from "../protocol/index.ts";

export interface Candidate {
  from: string;
  fromColumn: string;
  to: string;
  toColumn: string;
  /** How far the names speak for it, 0..1. */
  names: number;
  /** The words of that. */
  why: string;
}

/** Distinct values of the referring column, and how many of them the target has. */
export interface Overlap {
  distinct: number;
  found: number;
}

const leastOverlap = 0.9;

/** Names that say nothing about what is referred to. */
const generic = new Set([
  "id",
  "key",
  "code",
  "no",
  "number",
  "name",
  "type",
  "kind",
  "status",
  "date",
  "time",
  "year",
  "title",
  "description",
  "value",
  "count",
  "amount",
  "price",
  "total",
  "order",
  "rank",
  "level",
  "class",
  "category",
  "notes",
  "comment",
  "text",
  "url",
  "email",
  "age",
  "sex",
  "gender",
  "active",
  "lastupdate",
  "createdat",
  "updatedat",
  "firstname",
  "lastname",
  "position",
  "result",
]);
const keyEnding = /(?:id|key|code|no|nr|num|number|uid|uuid)$/;

/** Declared keys of tables that are in the catalog. */
export function toDeclaredRelations(tables: readonly Table[]): Relation[] {
  return tables.flatMap((table) =>
    table.foreignKeys.map(
      (key): Relation => ({
        from: table.name,
        fromColumns: key.columns,
        to: key.table,
        toColumns: key.tableColumns,
        origin: "declared",
      }),
    ),
  );
}

/** `customer_id`, `CustomerID` and `customer id` are one name. */
function squeeze(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function singular(name: string): string {
  if (/ies$/.test(name)) return name.replace(/ies$/, "y");
  if (/(?:ss|us|is)$/.test(name)) return name;
  if (/(?:ch|sh|x|z|s)es$/.test(name)) return name.replace(/es$/, "");
  return name.replace(/s$/, "");
}

interface Key {
  table: Table;
  column: Column;
  declared: boolean;
}

/** Single columns that identify a row: declared ones, or, in a table that declares none, measured ones. */
function findKeys(table: Table): Key[] {
  if (table.kind === "view" || (table.rows === 0 && !table.rowsEstimated)) return [];
  const declared = [table.primaryKey, ...table.unique].filter((names) => names.length === 1).flat();
  const isKey = (column: Column): boolean =>
    table.primaryKey.length > 0 || declared.length > 0
      ? declared.includes(column.name)
      : column.distinct === table.rows && !table.rowsEstimated && (column.nulls ?? 0) === 0;
  return table.columns
    .filter((column) => column.kind !== "blob" && isKey(column))
    .map((column) => ({ table, column, declared: declared.includes(column.name) }));
}

/** Integers refer to integers and texts to texts; where a type is missing, or the name is plain, the values decide. */
function comparable(a: Column, b: Column, names: number): boolean {
  if (names >= 0.85) return true;
  const group = (column: Column): string =>
    column.kind === "integer" || column.kind === "number" ? "number" : column.kind;
  return group(a) === group(b) || a.kind === "other" || b.kind === "other";
}

interface Spelling {
  key: Key;
  names: number;
  why: string;
}
type Named = [name: string, spelling: Spelling];

/** `sbCustomer`, `sbTicker`, …: what all tables begin with says nothing. */
function sharedPrefix(tables: readonly Table[]): string {
  const names = tables.map((table) => squeeze(table.name));
  let prefix = names.length < 3 ? "" : (names[0] ?? "");
  for (const name of names) while (!name.startsWith(prefix)) prefix = prefix.slice(0, -1);
  return prefix.length < 2 || names.includes(prefix) ? "" : prefix;
}

/**
 * 1 when the key bears its own table's name, a little less when it bears a part of it (`aid` of `author`), 0 when it
 * belongs to another table or none. Of two tables that begin alike the shorter name is the thing itself:
 * `did` is of `domain`, not of `domain_author`.
 */
function rateOwner(keyName: string, tableName: string): number {
  const table = singular(tableName);
  const stem = keyName.replace(keyEnding, "");
  if (stem === "") return 0;
  if (table === stem || singular(stem) === table) return 1;
  return table.endsWith(stem) || table.startsWith(stem) ? 0.9 - Math.min(table.length, 50) / 1000 : 0;
}

/**
 * The names under which a column may refer to the key, and the ending that a longer name may have.
 * A key `id` belongs to its table by the table's name; `aid` to `author` by its first letter.
 */
function toSpellings(key: Key, strip: (name: string) => string, owners: number): { exact: Named[]; endings: Named[] } {
  const keyName = strip(key.column.name);
  const tableName = strip(key.table.name);
  const table = singular(tableName);
  const owner = rateOwner(keyName, tableName);
  const full = owner > 0 ? keyName : table + keyName;
  const refersByTable = key.declared || keyEnding.test(keyName);
  const exact: Named[] = [];
  const add = (names: number, why: string, ...spelled: string[]): void => {
    for (const name of spelled) if (!exact.some(([known]) => known === name)) exact.push([name, { key, names, why }]);
  };
  if (!generic.has(keyName)) {
    if (owner > 0) add(owner, `has the name of ${key.table.name}'s key`, keyName);
    else if (owners === 1) add(0.6, `has the name of a key that only ${key.table.name} has`, keyName);
  }
  add(0.95, `names ${key.table.name} and its key`, ...(owner > 0 ? [] : [full, tableName + keyName]), `${table}id`);
  if (refersByTable) add(0.85, `has the name of ${key.table.name}`, table);
  const lastWord = singular(
    key.table.name
      .replace(/([\p{Ll}])(\p{Lu})/gu, "$1 $2")
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .at(-1) ?? "",
  );
  if (refersByTable && !generic.has(lastWord)) add(0.65, `has the last word of ${key.table.name}'s name`, lastWord);
  const endings: Named[] = [[full, { key, names: 0.8, why: `ends with the name of ${key.table.name}'s key` }]];
  if (refersByTable) endings.push([table, { key, names: 0.7, why: `ends with the name of ${key.table.name}` }]);
  return { exact, endings };
}

/** Never where a key is declared: not from a declared column, nor between tables that a declared key joins. */
export function findCandidates(tables: readonly Table[]): Candidate[] {
  const keys = tables.flatMap(findKeys);
  const keyColumns = new Set(keys.map((key) => key.column));
  const prefix = sharedPrefix(tables);
  const strip = (name: string): string => {
    const squeezed = squeeze(name);
    return squeezed.startsWith(prefix) ? squeezed.slice(prefix.length) : squeezed;
  };
  const owners = new Map<string, number>();
  for (const { column } of keys) owners.set(strip(column.name), (owners.get(strip(column.name)) ?? 0) + 1);
  const exact = new Map<string, Spelling[]>();
  const endings = new Map<string, Spelling[]>();
  for (const key of keys) {
    const spellings = toSpellings(key, strip, owners.get(strip(key.column.name)) ?? 0);
    for (const [name, spelling] of spellings.exact) push(exact, name, spelling);
    for (const [name, spelling] of spellings.endings) if (name.length >= 4) push(endings, name, spelling);
  }
  const joined = new Set(
    tables.flatMap((table) =>
      table.foreignKeys.flatMap((key) => [`${table.name}\0${key.table}`, `${key.table}\0${table.name}`]),
    ),
  );

  const found: Candidate[] = [];
  for (const table of tables) {
    if (table.kind === "view") continue;
    const referring = new Set(table.foreignKeys.flatMap((key) => key.columns));
    for (const column of table.columns) {
      if (referring.has(column.name) || column.kind === "blob" || column.kind === "date") continue;
      const name = strip(column.name);
      // A key that bears its table's name refers to nothing weaker: `course.course_id` is not about `program_course`.
      const own = keyColumns.has(column) ? rateOwner(name, strip(table.name)) : 0;
      const seen = new Set<Key>();
      const spellings = [...(exact.get(name) ?? [])];
      for (let start = 1; start <= name.length - 4; start++) spellings.push(...(endings.get(name.slice(start)) ?? []));
      for (const { key, names, why } of spellings) {
        const itself = key.table === table && key.column === column;
        if (
          seen.has(key) ||
          itself ||
          names <= own ||
          joined.has(`${table.name}\0${key.table.name}`) ||
          !comparable(column, key.column, names)
        )
          continue;
        seen.add(key);
        found.push({
          from: table.name,
          fromColumn: column.name,
          to: key.table.name,
          toColumn: key.column.name,
          names,
          why,
        });
      }
    }
  }
  return found;
}

function push(map: Map<string, Spelling[]>, name: string, spelling: Spelling): void {
  const known = map.get(name);
  if (known) known.push(spelling);
  else map.set(name, [spelling]);
}

/** The best target of each column; two keys that refer to each other become one relation. */
export function toInferredRelations(measured: readonly { candidate: Candidate; overlap: Overlap }[]): Relation[] {
  const best = new Map<string, { candidate: Candidate; overlap: Overlap }>();
  const share = ({ overlap }: { overlap: Overlap }): number => overlap.found / overlap.distinct;
  for (const entry of measured) {
    const { candidate, overlap } = entry;
    if (overlap.distinct === 0 || share(entry) < leastOverlap) continue;
    const column = `${candidate.from}\0${candidate.fromColumn}`;
    const rival = best.get(column);
    if (
      !rival ||
      candidate.names > rival.candidate.names ||
      (candidate.names === rival.candidate.names && share(entry) > share(rival))
    )
      best.set(column, entry);
  }
  const kept = [...best.values()];
  const mirrors = (a: Candidate, b: Candidate): boolean =>
    a.from === b.to && a.to === b.from && a.fromColumn === b.toColumn && a.toColumn === b.fromColumn;
  return kept
    .filter(
      ({ candidate }, index) =>
        !kept.some(
          (other, position) =>
            mirrors(candidate, other.candidate) &&
            (other.candidate.names > candidate.names ||
              (other.candidate.names === candidate.names && position < index)),
        ),
    )
    .map(
      ({ candidate, overlap }): Relation => ({
        from: candidate.from,
        fromColumns: [candidate.fromColumn],
        to: candidate.to,
        toColumns: [candidate.toColumn],
        origin: "inferred",
        why: `${candidate.from}.${candidate.fromColumn} ${candidate.why}; ${overlap.found === overlap.distinct ? "all" : `${overlap.found} of`} ${overlap.distinct} different values are found in ${candidate.to}.${candidate.toColumn}`,
      }),
    );
}
