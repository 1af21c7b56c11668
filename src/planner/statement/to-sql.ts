/**
 * Relational steps to readable SQL text of the catalog's engine. Conditions and joins are rendered once, here, and
 * quoted in decisions as they are.
 */
import type { Catalog, Column, JoinType } from "../../protocol/index.ts";
import { nameTable, type QueryDialect, queryDialectOf } from "../../sql/query-dialect.ts";

export interface Instance {
  table: string;
  alias: string;
  role?: string;
}
export interface JoinNode {
  left: Instance;
  right: Instance;
  type: JoinType;
  pairs: { left: string; right: string }[];
  reason: string;
}
/** A column of a step to order by. */
export interface OrderTerm {
  /** Name of the column. */
  column: string;
  sql: string;
  direction: "ASC" | "DESC";
  mayBeNull: boolean;
}
export interface SelectNode {
  columns: { sql: string; name: string }[];
  distinct: boolean;
  /** `table` tells a stored table from a step. */
  from: { name: string; alias: string; table: boolean };
  joins: JoinNode[];
  where: string[];
  groupBy: string[];
  having: string[];
  orderBy: OrderTerm[];
  limit?: number;
  /** Rows left out before those of the limit. */
  skip?: number;
}

/** Rows of one table or step as they are, until more is said. */
export const plainSelect = (from: SelectNode["from"], columns: SelectNode["columns"]): SelectNode => ({
  columns,
  distinct: false,
  from,
  joins: [],
  where: [],
  groupBy: [],
  having: [],
  orderBy: [],
});

type Joined = Pick<JoinNode, "left" | "right" | "pairs">;

export interface SqlWriter extends QueryDialect {
  column(alias: string, column: string): string;
  /** A stored table in FROM. */
  table(name: string): string;
  /** A value to compare with; `column` says what it is compared with. */
  literal(value: string | number, column?: Column): string;
  /** A column that is calculated with: numbers kept as text are only read as such where the engine does it by itself. */
  number(sql: string, column: Column): string;
  join(join: JoinNode): string;
  /** The condition of a join. */
  on(join: Joined): string;
  /** A block of joined tables that must, or must not, have a partner row. */
  exists(first: JoinNode, rest: JoinNode[], where: string[], negated: boolean): string;
  select(node: SelectNode): string;
  /** The steps word for word inside WITH, then the final SELECT. */
  statement(steps: { name: string; sql: string }[], final: string): string;
}

export function createSqlWriter(catalog: Catalog): SqlWriter {
  const dialect = queryDialectOf(catalog.engine);
  const column = (alias: string, name: string) => `${alias}.${dialect.name(name)}`;
  const table = (name: string) => nameTable(dialect, catalog.tables.find((known) => known.name === name) ?? { name });
  const holdsText = (side: Instance, name: string) =>
    catalog.tables.find((known) => known.name === side.table)?.columns.find((known) => known.name === name)?.kind ===
    "text";
  // A number and a text are compared as text: strict engines don't, and others would read the text as a number.
  const toSide = (side: Instance, name: string, other: boolean) => {
    const text = column(side.alias, name);
    return other && !dialect.looseTypes && !holdsText(side, name) ? dialect.asText(text) : text;
  };
  const toPair = (join: Joined, { left, right }: { left: string; right: string }): string =>
    `${toSide(join.left, left, holdsText(join.right, right))} = ${toSide(join.right, right, holdsText(join.left, left))}`;
  const on: SqlWriter["on"] = (join) => join.pairs.map((pair) => toPair(join, pair)).join(" AND ");
  const join = (node: JoinNode): string => {
    const target = `${table(node.right.table)} AS ${node.right.alias}`;
    return node.type === "CROSS"
      ? `CROSS JOIN ${target}`
      : `${node.type === "FULL" ? "FULL OUTER" : node.type} JOIN ${target} ON ${on(node)}`;
  };
  return {
    ...dialect,
    column,
    table,
    join,
    on,
    number: (sql, { kind }) => (kind === "text" && !dialect.looseTypes ? dialect.asNumber(sql) : sql),
    literal(value, compared) {
      if (compared && ["integer", "number"].includes(compared.kind) && /^-?\d{1,15}$/.test(String(value)))
        return String(Number(value));
      if (dialect.looseTypes || !compared) return typeof value === "number" ? String(value) : dialect.text(value);
      if (compared.kind === "boolean" && /^(1|0|t|f|true|false|yes|no)$/i.test(String(value)))
        return dialect.boolean(/^(1|t|true|yes)$/i.test(String(value)));
      return typeof value === "number" && compared.kind !== "text" ? String(value) : dialect.text(String(value));
    },
    exists: (first, rest, where, negated) =>
      [
        `${negated ? "NOT " : ""}EXISTS (`,
        "  SELECT 1",
        `  FROM ${table(first.right.table)} AS ${first.right.alias}`,
        ...rest.map((node) => `  ${join(node)}`),
        `  WHERE ${on(first)}`,
        ...where.map((condition) => `    AND ${indent(condition, 4).trimStart()}`),
        ")",
      ].join("\n"),
    select(node) {
      const { distinct, groupBy, orderBy } = settleDistinct(node, dialect);
      const ranked = node.limit !== undefined;
      const order = orderBy.map((term) => dialect.order(term.sql, term.direction, term.mayBeNull, ranked));
      const lines = [
        `SELECT${distinct ? " DISTINCT" : ""}`,
        node.columns.map((shown) => `  ${toShown(shown, dialect)}`).join(",\n"),
        `FROM ${node.from.table ? table(node.from.name) : dialect.name(node.from.name)} AS ${node.from.alias}`,
        ...node.joins.filter((known) => known.type !== "SEMI" && known.type !== "ANTI").map(join),
      ];
      const where = node.where.map((condition) => condition.split("\n").join("\n  "));
      if (where.length > 0) lines.push(`WHERE ${where.join("\n  AND ")}`);
      if (groupBy.length > 0) lines.push(`GROUP BY ${groupBy.join(", ")}`);
      if (node.having.length > 0) lines.push(`HAVING ${node.having.join(" AND ")}`);
      if (order.length > 0) lines.push(`ORDER BY ${order.join(", ")}`);
      if (node.limit !== undefined) lines.push(`LIMIT ${node.limit}${node.skip ? ` OFFSET ${node.skip}` : ""}`);
      return lines.join("\n");
    },
    statement(steps, final) {
      const parts = steps.map((step) => `${dialect.name(step.name)} AS (\n${step.sql}\n)`);
      return `WITH ${parts.join(",\n")}\n${final}`;
    },
  };
}

/** Without AS where the column is called that already. */
function toShown(shown: { sql: string; name: string }, dialect: QueryDialect): string {
  const bare = shown.sql.split(".").at(-1)?.replaceAll(/["`]/g, "");
  return bare === shown.name && /^\w+\.\S+$/.test(shown.sql)
    ? shown.sql
    : `${shown.sql} AS ${dialect.name(shown.name)}`;
}

/**
 * SELECT DISTINCT may only order by what it shows, except in SQLite: equal rows are put together by grouping instead,
 * each at the place of its first one.
 */
export function settleDistinct(
  node: SelectNode,
  dialect: Pick<QueryDialect, "looseTypes">,
): Pick<SelectNode, "distinct" | "groupBy" | "orderBy"> {
  const shown = new Set(node.columns.map((column) => column.sql));
  if (!node.distinct || dialect.looseTypes || node.orderBy.every((term) => shown.has(term.sql))) return node;
  const orderBy = node.orderBy.map((term) =>
    shown.has(term.sql) ? term : { ...term, sql: `${term.direction === "DESC" ? "MAX" : "MIN"}(${term.sql})` },
  );
  return { distinct: false, groupBy: [...shown], orderBy };
}

const indent = (text: string, by: number): string =>
  text
    .split("\n")
    .map((line) => " ".repeat(by) + line)
    .join("\n");
