/** Which stored column a name in a query stands for, through aliases, steps and derived tables. */
import type { Catalog, Table } from "../protocol/index.ts";
import { isTree, listOf, nameOf, toNode, unwrap } from "./tree.ts";

/** A stored column as some query sees it. */
export interface Origin {
  /** As the catalog names it. */
  table: string;
  /** Alias of the table where it stands in a FROM, folded. */
  alias: string;
  /** Folded. */
  column: string;
  /** True when it came out of a step or derived table. */
  through: boolean;
}

/** Columns a query puts out; several origins after a UNION, none for an expression. */
export type Output = OutputColumn[];
export interface OutputColumn {
  name: string;
  origins: Origin[];
  /** Normal form of the expression it is, when it is none of the stored columns; after a UNION the first one's. */
  form?: () => string;
}

export interface Source {
  /** Folded. */
  alias: string;
  /** Catalog name for a stored table; undefined for steps, derived tables and table functions. */
  table?: string;
  output: Output;
  /** Code point offset of its name; -1 when unknown. */
  at: number;
  /** A query that gives one row, whatever is stored. */
  single?: boolean;
}

export interface Scope {
  sources: Source[];
  outer?: Scope;
  /** Output names of the SELECT list, for HAVING and ORDER BY. */
  aliases: Map<string, unknown>;
}

export const fold = (name: string): string => name.toLowerCase();

/** The table a decision names, or a query: there the schema stands apart, and may name the default one. */
export function findTable(catalog: Catalog, name: string, schema?: string): Table | undefined {
  const find = (wanted: string) => catalog.tables.find((table) => fold(table.name) === fold(wanted));
  if (schema === undefined) return find(name);
  return find(`${schema}.${name}`) ?? catalog.tables.find((table) => !table.schema && fold(table.name) === fold(name));
}

/** The table a decision names: as the catalog does, or with the default schema before it. */
export function findNamed(catalog: Catalog, name: string): Table | undefined {
  const dot = name.lastIndexOf(".");
  return (
    findTable(catalog, name) ?? (dot < 0 ? undefined : findTable(catalog, name.slice(dot + 1), name.slice(0, dot)))
  );
}

/**
 * The same tree with `schema.table.column` as a column of the table: the parser takes the last part for a field of
 * `schema.table`, which it is where a table called `schema` has a column of that name.
 */
export function plainColumns(node: unknown, catalog: Catalog): unknown {
  if (Array.isArray(node)) return node.map((item) => plainColumns(item, catalog));
  if (!isTree(node)) return node;
  const dot = toNode(node);
  const inner = dot?.kind === "dot" ? toNode(dot.value.this) : undefined;
  if (dot && inner?.kind === "column") {
    const [schema, table] = [nameOf(inner.value.table), nameOf(inner.value.name)];
    if (schema !== undefined && table !== undefined && findTable(catalog, `${schema}.${table}`))
      return { column: { ...inner.value, table: inner.value.name, name: dot.value.field } };
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, plainColumns(value, catalog)]));
}

/** Origins of a stored table's columns. */
export function tableOutput(table: Table, alias: string): Output {
  return table.columns.map((column) => ({
    name: fold(column.name),
    origins: [{ table: table.name, alias: fold(alias), column: fold(column.name), through: false }],
  }));
}

/** Source and origins of a column reference; `inner` is false when an outer query's source was meant. */
export function resolveColumn(
  column: unknown,
  scope: Scope,
): { source: Source; origins: Origin[]; inner: boolean; form?: () => string } | undefined {
  const node = toNode(unwrap(column));
  if (node?.kind !== "column") return undefined;
  const name = nameOf(node.value.name);
  if (name === undefined) return undefined;
  const qualifier = nameOf(node.value.table);
  for (let at: Scope | undefined = scope; at; at = at.outer) {
    for (const source of at.sources) {
      if (qualifier !== undefined && source.alias !== fold(qualifier)) continue;
      const found = source.output.find((output) => output.name === fold(name));
      if (found)
        return { source, origins: found.origins, inner: at === scope, ...(found.form ? { form: found.form } : {}) };
      if (qualifier !== undefined) return { source, origins: [], inner: at === scope };
    }
  }
  return undefined;
}

/** What a SELECT list puts out; `formOf` gives an expression's normal form. */
export function outputOf(expressions: unknown, scope: Scope, formOf?: (expression: unknown) => string): Output {
  const output: Output = [];
  for (const expression of listOf(expressions)) {
    const item = unwrap(expression);
    const node = toNode(item);
    if (node?.kind === "star") {
      const qualifier = nameOf(node.value.table);
      for (const source of scope.sources) {
        if (qualifier !== undefined && source.alias !== fold(qualifier)) continue;
        for (const column of source.output)
          if (!output.some((known) => known.name === column.name)) output.push(column);
      }
      continue;
    }
    const inner = node?.kind === "alias" ? node.value.this : item;
    const alias = node?.kind === "alias" ? nameOf(node.value.alias) : undefined;
    const column = toNode(unwrap(inner));
    const name = alias ?? (column?.kind === "column" ? nameOf(column.value.name) : undefined) ?? "";
    const origins = resolveColumn(inner, scope)?.origins ?? [];
    output.push({
      name: fold(name),
      origins,
      ...(formOf && origins.length === 0 ? { form: () => formOf(inner) } : {}),
    });
  }
  return output;
}

/** The same columns, seen from outside a step; `names` are the step's own column names, when it gives some. */
export function throughStep(output: Output, names: readonly string[] = []): Output {
  return output.map((column, index) => ({
    ...column,
    name: fold(names[index] ?? column.name),
    origins: column.origins.map((origin) => ({ ...origin, through: true })),
  }));
}

/** Both sides of a set operation, by position. */
export function mergeOutputs(left: Output, right: Output): Output {
  return left.map((column, index) => ({
    name: column.name,
    origins: [...column.origins, ...(right[index]?.origins ?? [])],
    ...(column.form ? { form: column.form } : {}),
  }));
}

/** Names of a list of identifiers. */
export const namesOf = (value: unknown): string[] =>
  listOf(value).map((item) => (isTree(item) || typeof item === "string" ? (nameOf(item) ?? "") : ""));
