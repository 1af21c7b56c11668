/** The same statement written in other ways. Whether it really is the same, the one who runs both finds out. */
import type { Catalog } from "../src/protocol/index.ts";
import { inFor, inToOr, joinBetween, orToIn, splitBetween, turned } from "./rewrite-conditions.ts";
import { derivedDrawnOut, inlined, tableDrawnOut } from "./rewrite-steps.ts";
import type { BlockText, QueryText, Span, SqlText } from "./sql-blocks.ts";
import { applyEdits, clauseOf, type Edit, everyBlock, pairAt, put, tableOf, type Variant } from "./sql-edits.ts";

export function rewriteSql(text: SqlText, catalog: Catalog): Variant[] {
  const made: Variant[] = [];
  const add = (kind: string, edits: readonly Edit[] | undefined) => {
    if (!edits || edits.length === 0) return;
    const sql = applyEdits(text, edits);
    if (sql !== text.sql && !made.some((known) => known.sql === sql)) made.push({ kind, sql });
  };
  const blocks = everyBlock(text);
  const conditions = blocks.flatMap(({ block }) => [
    ...clauseOf(text, block.where),
    ...clauseOf(text, block.having),
    ...block.sources.flatMap((source) => (source.on ? text.conjuncts(source.on) : [])),
  ]);
  add("other aliases", otherAliases(text));
  for (const { block } of blocks) {
    add("join order", joinOrder(text, block));
    add("comma and WHERE", commaJoin(text, block));
    add(
      "USING",
      usingFor(text, block, () => true, "USING"),
    );
    add(
      "NATURAL",
      usingFor(
        text,
        block,
        (names, shared) => names.length === shared && block.sources.length === 2,
        "NATURAL",
        catalog,
      ),
    );
  }
  add(
    "sides turned",
    conditions.flatMap((span) => turned(text, span)),
  );
  for (const { block } of blocks) {
    const parts = clauseOf(text, block.where);
    if (block.where && parts.length > 1)
      add("conditions reordered", [
        put(
          block.where.from + 1,
          block.where.to,
          parts
            .toReversed()
            .map((part) => `(${text.text(part)})`)
            .join(" AND "),
        ),
      ]);
  }
  add(
    "brackets",
    outermost(conditions).map((span) => put(span.from, span.to, `(${text.text(span)})`)),
  );
  add(
    "IN for =",
    conditions.flatMap((span) => inFor(text, span)),
  );
  for (const span of conditions) {
    add("IN for OR", orToIn(text, span));
    add("OR for IN", inToOr(text, span));
    add("two comparisons for BETWEEN", splitBetween(text, span));
  }
  for (const { block } of blocks) add("BETWEEN for two comparisons", joinBetween(text, block));
  add("quoted names", quoted(text, catalog));
  add(
    "case of keywords",
    text.tokens.flatMap((token, at) =>
      isKeyword(text, at)
        ? [
            put(
              at,
              at + 1,
              token.text === token.text.toUpperCase() ? token.text.toLowerCase() : token.text.toUpperCase(),
            ),
          ]
        : [],
    ),
  );
  add(
    "comments and lines",
    text.tokens.flatMap((_, at) =>
      /^(FROM|WHERE|JOIN|GROUP|ORDER|AND)$/.test(text.word(at)) && at > 0
        ? [put(at, at, "\n-- next, SELECT 1\n/* x */ ")]
        : [],
    ),
  );
  const { query } = text;
  if (query.steps.length > 0) add("steps inlined", inlined(text, query));
  else made.push({ kind: "drawn out", sql: `WITH answer AS (\n${text.text(query)}\n)\nSELECT * FROM answer` });
  add("table drawn out", tableDrawnOut(text, query, catalog));
  add("derived table drawn out", derivedDrawnOut(text, query));
  add("GROUP BY for DISTINCT", groupForDistinct(text, query));
  add("place for name", placeForName(text, query));
  return made;
}

const outermost = (spans: readonly Span[]) =>
  spans.filter((span) => !spans.some((other) => other !== span && other.from <= span.from && other.to >= span.to));

const isKeyword = (text: SqlText, at: number) => {
  const token = text.tokens[at];
  return (
    token !== undefined &&
    /^(SELECT|FROM|WHERE|GROUP|ORDER|BY|HAVING|LIMIT|JOIN|INNER|LEFT|ON|AND|OR|NOT|IN|AS|DISTINCT|UNION|INTERSECT|EXCEPT|BETWEEN|LIKE|CASE|WHEN|THEN|ELSE|END|DESC|ASC|WITH|IS|NULL|COUNT|SUM|AVG|MIN|MAX)$/.test(
      text.word(at),
    ) &&
    text.word(at - 1) !== "." &&
    (!/^(COUNT|SUM|AVG|MIN|MAX)$/.test(text.word(at)) || text.word(at + 1) === "(")
  );
};

function otherAliases(text: SqlText): Edit[] {
  const edits: Edit[] = [];
  const blocks = everyBlock(text);
  const names = new Map<BlockText, Map<string, string>>();
  let count = 0;
  for (const { block } of blocks) {
    const mine = new Map<string, string>();
    for (const source of block.sources) {
      const name = `r${++count}`;
      mine.set(source.alias.toLowerCase(), name);
      edits.push(
        source.aliasAt === undefined
          ? put(source.to, source.to, ` AS ${name} `)
          : put(source.aliasAt, source.aliasAt + 1, name),
      );
    }
    names.set(block, mine);
  }
  const spanOf = ({ query, block }: { query: QueryText; block: BlockText }): Span =>
    query.blocks.length === 1 ? { from: block.from, to: query.to } : block;
  text.tokens.forEach((token, at) => {
    if (text.word(at + 1) !== "." || text.word(at - 1) === "." || token.type === "NUMBER") return;
    if (
      blocks.some(({ block }) => block.sources.some((source) => !source.query && at >= source.from && at < source.to))
    )
      return;
    const around = blocks
      .filter((place) => at >= spanOf(place).from && at < spanOf(place).to)
      .sort((a, b) => spanOf(a).to - spanOf(a).from - (spanOf(b).to - spanOf(b).from));
    for (const { block } of around) {
      const name = names.get(block)?.get(token.text.toLowerCase());
      if (name === undefined) continue;
      edits.push(put(at, at + 1, name));
      return;
    }
  });
  return edits;
}

function joinOrder(text: SqlText, block: BlockText): Edit[] | undefined {
  const [first, second] = block.sources;
  if (!first || !second?.on || block.sources.some((source) => !/FROM|INNER/.test(source.join))) return undefined;
  return [
    put(first.from, first.to, text.text({ from: second.from, to: second.to })),
    put(second.from, second.to, text.text({ from: first.from, to: first.to })),
  ];
}

function commaJoin(text: SqlText, block: BlockText): Edit[] | undefined {
  const joined = block.sources.slice(1);
  if (joined.length === 0 || joined.some((source) => source.join !== "INNER" || !source.on)) return undefined;
  const on = joined.map((source) => (source.on ? text.text(source.on) : "")).join(" AND ");
  const edits = joined.map((source) =>
    put(source.whole.from, source.whole.to, `, ${text.text({ from: source.from, to: source.to })}`),
  );
  const last = joined.at(-1);
  if (block.where)
    edits.push(
      put(
        block.where.from + 1,
        block.where.to,
        `${on} AND (${text.text({ from: block.where.from + 1, to: block.where.to })})`,
      ),
    );
  else if (last) edits.push(put(last.whole.to, last.whole.to, ` WHERE ${on} `));
  return edits;
}

function usingFor(
  text: SqlText,
  block: BlockText,
  fits: (names: string[], shared: number) => boolean,
  how: "USING" | "NATURAL",
  catalog?: Catalog,
): Edit[] {
  return block.sources.flatMap((source, index) => {
    if (!source.on || !/INNER|LEFT/.test(source.join)) return [];
    const pairs = text.conjuncts(source.on).map((part) => pairAt(text, part));
    const names = pairs.map((pair) => {
      const [a, b] = (pair ?? []).map((at) => text.tokens[at]?.text ?? "");
      return a !== undefined && b !== undefined && a.toLowerCase() === b.toLowerCase() ? a : undefined;
    });
    if (names.some((name) => name === undefined)) return [];
    const before = catalog && tableOf(catalog, block.sources[index - 1]);
    const here = catalog && tableOf(catalog, source);
    const shared =
      here?.columns.filter((column) =>
        before?.columns.some((other) => other.name.toLowerCase() === column.name.toLowerCase()),
      ) ?? [];
    if (!fits(names as string[], shared.length)) return [];
    const words = text.text({ from: source.from, to: source.to });
    const kind = source.join === "LEFT" ? "LEFT " : "";
    return how === "USING"
      ? [put(source.to, source.whole.to, ` USING (${names.join(", ")})`)]
      : [put(source.whole.from, source.whole.to, ` NATURAL ${kind}JOIN ${words}`)];
  });
}

function quoted(text: SqlText, catalog: Catalog): Edit[] {
  const columns = new Set(catalog.tables.flatMap((table) => table.columns.map((column) => column.name.toLowerCase())));
  return text.tokens.flatMap((token, at) => {
    if (token.type !== "VAR" || text.word(at + 1) === "(" || text.word(at + 1) === ".") return [];
    const isColumn = columns.has(token.text.toLowerCase()) && text.word(at - 1) === ".";
    const isTable =
      /^(FROM|JOIN)$/.test(text.word(at - 1)) &&
      catalog.tables.some((table) => table.name.toLowerCase() === token.text.toLowerCase());
    // PostgreSQL folds names that stand without quotes.
    const name = catalog.engine === "postgres" ? token.text.toLowerCase() : token.text;
    return isColumn || isTable ? [put(at, at + 1, `"${name}"`)] : [];
  });
}

function groupForDistinct(text: SqlText, query: QueryText): Edit[] | undefined {
  const [block] = query.blocks;
  if (!block || query.blocks.length > 1 || block.distinctAt === undefined || block.group) return undefined;
  const keys = block.items.map((item) => text.text(item.expression)).join(", ");
  if (/\b(count|sum|avg|min|max)\s*\(|\*/i.test(keys)) return undefined;
  return [put(block.distinctAt, block.distinctAt + 1, ""), put(block.to, block.to, ` GROUP BY ${keys} `)];
}

function placeForName(text: SqlText, query: QueryText): Edit[] | undefined {
  const [block] = query.blocks;
  const key = (span: Span) => text.text(span).toLowerCase().replaceAll(/\s/g, "");
  return query.order.flatMap((part) => {
    const at =
      block?.items.findIndex(
        (item) => item.alias?.toLowerCase() === key(part.expression) || key(item.expression) === key(part.expression),
      ) ?? -1;
    return at < 0 ? [] : [put(part.expression.from, part.expression.to, String(at + 1))];
  });
}
