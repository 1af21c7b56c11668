/** The accepted or proposed join set as a graph of aliases, and the FROM clauses that count it. Pure. */
import { type Catalog, type Column, type JoinDecision, type Table, toTablePath } from "../protocol/index.ts";

export interface JoinedTable {
  table: Table;
  alias: string;
  role?: string;
}
export interface Join {
  n: number;
  decision: JoinDecision;
  left: JoinedTable;
  right: JoinedTable;
}
export interface JoinGraph {
  tables: JoinedTable[];
  joins: Join[];
  conflicts: string[];
}

export const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export function findColumn(table: Table, name: string): Column | undefined {
  return table.columns.find((column) => same(column.name, name));
}

export function findTable(catalog: Catalog, name: string): Table | undefined {
  return catalog.tables.find((table) => same(table.name, name));
}

/** A table's name in SQL. */
export function toTableName(table: Table, quote: (name: string) => string): string {
  return toTablePath(table).map(quote).join(".");
}

/** Throws nothing: an unknown table or column is the answer. */
export function toGraph(
  decisions: readonly JoinDecision[],
  catalog: Catalog,
): JoinGraph | { unknown: string; code: "unknown-table" | "unknown-column" } {
  const tables: JoinedTable[] = [];
  const conflicts: string[] = [];
  const joins: Join[] = [];
  for (const [index, decision] of decisions.entries()) {
    const sides: JoinedTable[] = [];
    for (const side of [decision.left, decision.right]) {
      const table = findTable(catalog, side.table);
      if (!table) return { unknown: `There is no table ${side.table}.`, code: "unknown-table" };
      let known = tables.find((candidate) => same(candidate.alias, side.alias));
      if (known && known.table !== table && !conflicts.includes(side.alias)) conflicts.push(side.alias);
      if (!known || known.table !== table) {
        known = { table, alias: side.alias };
        tables.push(known);
      }
      if (side.role !== undefined && known.role === undefined) known.role = side.role;
      sides.push(known);
    }
    const [left, right] = sides;
    if (!left || !right) continue;
    for (const pair of decision.pairs) {
      for (const [side, column] of [
        [left, pair.left],
        [right, pair.right],
      ] as const) {
        if (!findColumn(side.table, column))
          return { unknown: `${side.table.name} has no column ${column}.`, code: "unknown-column" };
      }
    }
    joins.push({ n: index + 1, decision, left, right });
  }
  return { tables, joins, conflicts };
}

/** Aliases that hang together, each group in the order they first appear. */
export function connectedGroups(graph: JoinGraph): JoinedTable[][] {
  const groups: JoinedTable[][] = graph.tables.map((table) => [table]);
  for (const join of graph.joins) {
    if (join.decision.type === "CROSS" || join.decision.pairs.length === 0) continue;
    const left = groups.find((group) => group.includes(join.left));
    const right = groups.find((group) => group.includes(join.right));
    if (!left || !right || left === right) continue;
    left.push(...right);
    groups.splice(groups.indexOf(right), 1);
  }
  return groups;
}

/** Numbers compare as numbers and texts as texts; everything else may be converted on the way. */
export function mixedTypes(join: Join): boolean {
  return join.decision.pairs.some((pair) => {
    const [left, right] = [
      findColumn(join.left.table, pair.left)?.kind,
      findColumn(join.right.table, pair.right)?.kind,
    ];
    const group = (kind: string | undefined) =>
      kind === "integer" || kind === "number" || kind === "boolean" ? "number" : kind === "date" ? "text" : kind;
    return group(left) !== group(right);
  });
}

interface Part {
  aliases: Set<JoinedTable>;
  from: string;
  where: string[];
  tests: Test[];
}
interface Test {
  type: "SEMI" | "ANTI";
  outer: string[];
  inner: string[];
  part: Part;
}

export interface CountPart {
  /** What stands after FROM, its WHERE included. */
  from: string;
  aliases: Set<JoinedTable>;
  /** The same with further conditions, each true for a row that stays. */
  narrowed(conditions: readonly string[]): string;
}

/**
 * FROM … WHERE … of the set after its first joins. Parts that no condition connects are counted apart and multiplied;
 * a cross product is not built. Tables behind EXISTS stay behind it.
 */
export function toCountParts(joins: readonly Join[], quote: (name: string) => string): CountPart[] {
  const parts: Part[] = [];
  const source = (table: JoinedTable) => `${toTableName(table.table, quote)} AS ${quote(table.alias)}`;
  const column = (table: JoinedTable, name: string) =>
    `${quote(table.alias)}.${quote(findColumn(table.table, name)?.name ?? name)}`;
  const all = (part: Part): Part[] => [part, ...part.tests.flatMap((test) => all(test.part))];
  const partOf = (table: JoinedTable) => parts.flatMap(all).find((part) => part.aliases.has(table));
  const fresh = (table: JoinedTable): Part => ({
    aliases: new Set([table]),
    from: source(table),
    where: [],
    tests: [],
  });
  for (const join of joins) {
    const { left, right, decision } = join;
    const on = decision.pairs.map((pair) => `${column(left, pair.left)} = ${column(right, pair.right)}`).join(" AND ");
    let leftPart = partOf(left);
    const rightPart = partOf(right);
    if (!leftPart && !rightPart) {
      leftPart = fresh(left);
      parts.push(leftPart);
    }
    if (decision.type === "SEMI" || decision.type === "ANTI") {
      const part = leftPart ?? fresh(left);
      if (!leftPart) parts.push(part);
      part.tests.push({
        type: decision.type,
        part: fresh(right),
        outer: decision.pairs.map((pair) => column(left, pair.left)),
        inner: decision.pairs.map((pair) => column(right, pair.right)),
      });
    } else if (leftPart && rightPart) {
      if (leftPart === rightPart) {
        if (on) leftPart.where.push(on);
      } else if (parts.includes(leftPart) && parts.includes(rightPart)) {
        // Two parts meet: the right one comes in as a whole.
        leftPart.from = `${leftPart.from} ${words(decision.type)} (${rightPart.from}) ON ${on || "1 = 1"}`;
        for (const table of rightPart.aliases) leftPart.aliases.add(table);
        leftPart.where.push(...rightPart.where);
        leftPart.tests.push(...rightPart.tests);
        parts.splice(parts.indexOf(rightPart), 1);
      }
    } else if (on === "") {
      // Cross product: counted as parts of their own.
      if (!leftPart) parts.push(fresh(left));
      if (!rightPart) parts.push(fresh(right));
    } else if (leftPart) {
      leftPart.from = `${leftPart.from} ${words(decision.type)} ${source(right)} ON ${on}`;
      leftPart.aliases.add(right);
    } else if (rightPart) {
      // The side whose rows are kept comes in last.
      const type = decision.type === "LEFT" ? "RIGHT JOIN" : words(decision.type);
      rightPart.from = `${rightPart.from} ${type} ${source(left)} ON ${on}`;
      rightPart.aliases.add(left);
    }
  }
  return parts.map((part) => ({
    from: render(part),
    aliases: part.aliases,
    narrowed: (conditions) => render({ ...part, where: [...part.where, ...conditions] }),
  }));
}

const words = (type: JoinDecision["type"]): string =>
  type === "LEFT" ? "LEFT JOIN" : type === "FULL" ? "FULL JOIN" : "JOIN";

function render(part: Part): string {
  const tests = part.tests.map((test) => {
    const inner = render(test.part);
    if (test.outer.length === 0) return `${test.type === "ANTI" ? "NOT " : ""}EXISTS (SELECT 1 FROM ${inner})`;
    const filled = test.inner.map((name) => `${name} IS NOT NULL`).join(" AND ");
    const row = (names: string[]) => (names.length === 1 ? names[0] : `(${names.join(", ")})`);
    const within = `${row(test.outer)} IN (SELECT ${test.inner.join(", ")} FROM ${inner}${inner.includes(" WHERE ") ? " AND " : " WHERE "}${filled})`;
    // A NULL key has no partner.
    return test.type === "ANTI" ? `(${within}) IS NOT TRUE` : within;
  });
  const where = [...part.where.map((condition) => `(\n${condition}\n)`), ...tests];
  return where.length > 0 ? `${part.from} WHERE ${where.join(" AND ")}` : part.from;
}
