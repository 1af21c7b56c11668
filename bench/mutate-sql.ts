/** Seeded faults in a statement: what a model may get wrong on the way from accepted decisions to SQL. */
import type { Catalog } from "../src/protocol/index.ts";
import type { BlockText, QueryText, SqlText } from "./sql-blocks.ts";
import {
  applyEdits,
  clauseOf,
  columnAt,
  type Edit,
  everyBlock,
  pairAt,
  put,
  tableOf,
  type Variant,
} from "./sql-edits.ts";

export function random(seed: string): () => number {
  let state = [...seed].reduce((sum, letter) => (Math.imul(sum, 31) + letter.charCodeAt(0)) | 0, 7);
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}

/** Every kind that fits once, then more of them up to `count`. */
export function mutateSql(text: SqlText, catalog: Catalog, seed: string, count = 14): Variant[] {
  const next = random(seed);
  const all: { kind: string; edits: Edit[] }[] = [];
  for (const { query, block } of everyBlock(text)) all.push(...mutationsOf(text, catalog, query, block));
  const order = all.map((mutation) => ({ mutation, key: next() })).sort((a, b) => a.key - b.key);
  const chosen: Variant[] = [];
  const kinds = new Map<string, number>();
  for (let round = 1; chosen.length < count && round < 9; round++)
    for (const { mutation } of order) {
      if ((kinds.get(mutation.kind) ?? 0) >= round || chosen.length >= Math.max(count, kinds.size)) continue;
      const sql = applyEdits(text, mutation.edits);
      if (sql === text.sql || chosen.some((known) => known.sql === sql)) continue;
      kinds.set(mutation.kind, (kinds.get(mutation.kind) ?? 0) + 1);
      chosen.push({ kind: mutation.kind, sql });
    }
  return chosen;
}

const aggregates: Record<string, string> = { SUM: "AVG", AVG: "SUM", MAX: "MIN", MIN: "MAX" };
const operators: Record<string, string[]> = {
  "=": ["<>", ">="],
  "<>": ["="],
  "!=": ["="],
  "<": ["<=", ">"],
  ">": [">=", "<"],
  "<=": ["<", ">="],
  ">=": [">", "<="],
};
const sets: Record<string, string> = { UNION: "INTERSECT", INTERSECT: "UNION", EXCEPT: "INTERSECT" };

function mutationsOf(text: SqlText, catalog: Catalog, query: QueryText, block: BlockText) {
  const made: { kind: string; edits: Edit[] }[] = [];
  const add = (kind: string, ...edits: Edit[]) => made.push({ kind, edits });
  const other = (at: number, step = 1): string | undefined => {
    const here = columnAt(text, at, block, catalog);
    const names = here?.table.columns.map((column) => column.name) ?? [];
    const now = names.indexOf(here?.column ?? "");
    return now < 0 || names.length <= step ? undefined : `"${names[(now + step) % names.length]}"`;
  };
  for (const source of block.sources) {
    const words = text.text({ from: source.from, to: source.to });
    if (source.on) {
      const parts = text.conjuncts(source.on);
      const pairs = parts.filter((part) => pairAt(text, part));
      if (parts.length === 1 && pairs.length === 1)
        add("pair dropped", put(source.whole.from, source.whole.to, `CROSS JOIN ${words}`));
      else
        for (const pair of pairs)
          add(
            "pair dropped",
            put(
              source.on.from,
              source.on.to,
              parts
                .filter((part) => part !== pair)
                .map(text.text)
                .join(" AND "),
            ),
          );
      for (const pair of pairs)
        for (const at of pairAt(text, pair) ?? []) {
          const name = other(at);
          if (name) add("other key", put(at, at + 1, name));
        }
      const rest = text.text({ from: source.to, to: source.whole.to });
      if (source.join === "INNER" || source.join === "LEFT")
        add(
          "join type",
          put(source.whole.from, source.whole.to, `${source.join === "LEFT" ? "INNER" : "LEFT"} JOIN ${words} ${rest}`),
        );
    }
  }
  for (const span of [block.where, block.having]) {
    const parts = clauseOf(text, span);
    if (!span) continue;
    for (const part of parts) {
      const rest = parts.filter((candidate) => candidate !== part);
      const kind = pairAt(text, part) ? "pair dropped" : "filter dropped";
      if (rest.length === 0) add(kind, put(span.from, span.to, ""));
      else add(kind, put(span.from + 1, span.to, rest.map((one) => `(${text.text(one)})`).join(" AND ")));
    }
    if (parts.length > 1)
      add("OR for AND", put(span.from + 1, span.to, parts.map((one) => `(${text.text(one)})`).join(" OR ")));
    let inner = 0;
    for (let at = span.from + 1; at < span.to; at++) {
      if (text.word(at) === "(" && /^(SELECT|WITH)$/.test(text.word(at + 1))) inner = Math.max(inner, text.close(at));
      if (at < inner) continue;
      const token = text.tokens[at];
      if (token?.type === "NUMBER") add("filter value", put(at, at + 1, String(Number(token.text) + 1)));
      if (token?.type === "STRING")
        add("filter value", put(at, at + 1, `'${otherValue(token.text, text, at, block, catalog)}'`));
      for (const operator of operators[text.word(at)] ?? []) add("operator", put(at, at + 1, operator));
    }
  }
  for (let at = block.from; at < block.to; at++) {
    const word = text.word(at);
    if (text.word(at + 1) !== "(") continue;
    const name = aggregates[word];
    if (name) add("aggregate", put(at, at + 1, name));
    if (word === "COUNT" && text.word(at + 2) === "DISTINCT") add("distinct dropped", put(at + 2, at + 3, ""));
    else if (word === "COUNT" && text.word(at + 2) === "*") {
      const source = block.sources[0];
      for (const { name: column } of tableOf(catalog, source)?.columns.slice(-3) ?? [])
        add("aggregate", put(at + 2, at + 3, `DISTINCT ${source?.alias}."${column}"`));
    } else if (word === "COUNT") add("aggregate", put(at, at + 1, "MAX"));
  }
  if (block.group) {
    const [first] = block.groups;
    for (const group of block.groups) {
      const rest = block.groups.filter((candidate) => candidate !== group);
      if (rest.length === 0) add("group dropped", put(block.group.from, block.group.to, ""));
      else add("group dropped", put((first ?? group).from, block.group.to, rest.map(text.text).join(", ")));
    }
  }
  const last = block.sources.at(-1);
  const used = new Set(block.sources.map((source) => tableOf(catalog, source)?.name));
  const extra = catalog.tables
    .filter((table) => !used.has(table.name) && table.rows > 1)
    .sort((a, b) => a.rows - b.rows);
  for (const table of extra.slice(0, 3))
    if (last) add("table added", put(last.whole.to, last.whole.to, ` CROSS JOIN "${table.name}" AS added `));
  if (block.distinctAt !== undefined) add("distinct dropped", put(block.distinctAt, block.distinctAt + 1, ""));
  else if (!block.items.some((item) => text.word(item.from) === "*"))
    add("distinct added", put(block.from + 1, block.from + 1, "DISTINCT "));
  const plain = block.items.filter((item) => text.word(item.to - 1) !== "*");
  const [one, two] = plain;
  if (one && two) add("output swapped", put(one.from, one.to, text.text(two)), put(two.from, two.to, text.text(one)));
  for (const item of plain)
    for (const step of [1, 2, 3]) {
      const name = other(item.expression.to - 1, step);
      if (name) add("output column", put(item.expression.to - 1, item.expression.to, name));
    }
  const source = block.sources[0];
  for (const column of tableOf(catalog, source)?.columns.slice(0, 6) ?? []) {
    const value = column.samples[0] ?? "0";
    if (!source) continue;
    const condition = `${source.alias}."${column.name}" <> '${value.replaceAll("'", "''")}'`;
    if (block.where)
      add(
        "filter added",
        put(
          block.where.from + 1,
          block.where.to,
          `(${text.text({ from: block.where.from + 1, to: block.where.to })}) AND ${condition}`,
        ),
      );
    else if (last) add("filter added", put(last.whole.to, last.whole.to, ` WHERE ${condition} `));
  }
  if (query.blocks[0] !== block) return made;
  for (const part of query.order)
    add(
      "order flipped",
      put(part.expression.to, (part.directionAt ?? part.expression.to - 1) + 1, part.descending ? " ASC" : " DESC"),
    );
  if (query.limit) {
    const count = text.tokens[query.limit.from];
    if (count?.type === "NUMBER")
      add("limit", put(query.limit.from, query.limit.from + 1, String(Number(count.text) + 1)));
    add("limit", put(query.limit.from - 1, query.to, ""));
  } else if (query === text.query) for (const count of [1, 2]) add("limit", put(query.to, query.to, ` LIMIT ${count}`));
  for (let at = query.main; at < query.to; at++) {
    if (text.word(at) === "(") at = text.close(at);
    const set = sets[text.word(at)];
    if (set) add("set operator", put(at, at + (text.word(at + 1) === "ALL" ? 2 : 1), set));
  }
  return made;
}

/** Another stored value of the column that is compared, or one that is stored nowhere. */
function otherValue(value: string, text: SqlText, at: number, block: BlockText, catalog: Catalog): string {
  for (const back of [2, 3, 4]) {
    const here = columnAt(text, at - back, block, catalog);
    const samples = here?.table.columns.find((column) => column.name === here.column)?.samples ?? [];
    const found = samples.find((sample) => sample.toLowerCase() !== value.toLowerCase());
    if (found !== undefined && !value.includes("%")) return found.replaceAll("'", "''");
  }
  return `${value.replaceAll("'", "''").replace(/%$/, "")}x`;
}
