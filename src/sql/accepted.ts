/** What the reviewer accepted, in the form the final SQL is held against. */
import type { Catalog, Decision, Engine, FilterDecision, JoinDecision } from "../protocol/index.ts";
import { dialectOf } from "./dialect.ts";
import { parseStatements, type Tree } from "./parser.ts";
import { formOf, type KnownSteps, readSteps } from "./read-statement.ts";
import { findNamed, fold, type Origin, plainColumns, type Scope, tableOutput } from "./scope.ts";
import { conjunctsOf, isTree, listOf, nameOf, toNode } from "./tree.ts";

export type Numbered<D extends Decision = Decision> = { seq: number; decision: D };
export type OfKind<K extends Decision["kind"]> = Numbered<Extract<Decision, { kind: K }>>;

export interface AcceptedFilter {
  seq: number;
  decision: FilterDecision;
  /** Ways to write it: normal forms that must all be there. The condition's own text comes first. */
  ways: string[][];
  /** Outermost signs of the condition's own text. */
  kinds: string[];
}

/** What an interpretation holds the SQL to. */
export interface AcceptedShape {
  seq: number;
  decision: OfKind<"interpretation">["decision"];
  /** Normal forms of its expressions; those of sort keys end in ` desc` where they go down. */
  forms: string[];
}

export interface Accepted {
  shapes: AcceptedShape[];
  /** Limits in words only. */
  limits: OfKind<"interpretation">[];
  /** Accepted steps (folded names) → normal form of what they compute. */
  stepForms: Map<string, string>;
  tables: OfKind<"table">[];
  columns: OfKind<"column">[];
  joins: OfKind<"join">[];
  filters: AcceptedFilter[];
  steps: OfKind<"cte">[];
  /** Texts of deviations that were accepted earlier. */
  deviations: OfKind<"deviation">[];
  /** Tables (folded) that may be read. */
  mayRead: Set<string>;
  /** A table that a decision names, as facts have it: the catalog's name, folded. */
  tableOf(name: string): string;
  /** A table's name, with its alias where it plays two roles in the accepted joins; `#?` when the role is unclear. */
  tableKey(origin: Pick<Origin, "table" | "alias">): string;
}

export function ofKind<K extends Decision["kind"]>(decisions: readonly Numbered[], kind: K): OfKind<K>[] {
  return decisions.filter((numbered): numbered is OfKind<K> => numbered.decision.kind === kind);
}

export function readAccepted(decisions: readonly Numbered[], catalog: Catalog): Accepted {
  const joins = ofKind(decisions, "join");
  const tables = ofKind(decisions, "table");
  const aliases = new Map<string, Set<string>>();
  const tableOf = (name: string) => fold(findNamed(catalog, name)?.name ?? name);
  for (const { decision } of joins) {
    for (const side of [decision.left, decision.right]) {
      const key = tableOf(side.table);
      aliases.set(key, (aliases.get(key) ?? new Set()).add(fold(side.alias)));
    }
  }
  const tableKey = (origin: Pick<Origin, "table" | "alias">) => {
    const key = fold(origin.table);
    const roles = aliases.get(key);
    if (!roles || roles.size < 2) return key;
    return `${key}#${roles.has(fold(origin.alias)) ? fold(origin.alias) : "?"}`;
  };
  const mayRead = new Set<string>(aliases.keys());
  for (const { decision } of tables) if (decision.use === "used") mayRead.add(tableOf(decision.table));
  const steps = ofKind(decisions, "cte");
  const known = knownSteps(steps, catalog, tableKey);
  const joinDecisions = joins.map((join) => join.decision);
  return {
    stepForms: known.forms,
    limits: ofKind(decisions, "interpretation").filter(
      ({ decision }) => decision.aspect === "limit" && !decision.expressions,
    ),
    shapes: ofKind(decisions, "interpretation").flatMap(({ seq, decision }) =>
      decision.expressions && decision.expressions.length > 0
        ? [{ seq, decision, forms: shapeForms(decision, joinDecisions, catalog, tableKey, known.steps) }]
        : [],
    ),
    tables,
    joins,
    mayRead,
    tableOf,
    tableKey,
    columns: ofKind(decisions, "column"),
    steps,
    deviations: ofKind(decisions, "deviation"),
    filters: ofKind(decisions, "filter").map(({ seq, decision }) => ({
      seq,
      decision,
      kinds: parseCondition(decision.condition, catalog.engine).map((part) => toNode(part)?.kind ?? ""),
      ways: waysOf(decision, joinDecisions, catalog, tableKey, known.steps),
    })),
  };
}

/** The accepted steps, read in their order; nothing when they can't be. */
function knownSteps(
  steps: readonly OfKind<"cte">[],
  catalog: Catalog,
  tableKey: Accepted["tableKey"],
): { steps: KnownSteps; forms: Map<string, string> } {
  const none = { steps: new Map(), forms: new Map() };
  if (steps.length === 0) return none;
  const list = steps.map(({ decision }) => `${decision.name} AS (\n${decision.sql}\n)`).join(", ");
  const parsed = parseStatements(`WITH RECURSIVE ${list} SELECT 1`, catalog.engine);
  const root = parsed.ok && parsed.value.length === 1 ? parsed.value[0] : undefined;
  return root ? readSteps(plainColumns(root, catalog) as Tree, catalog, tableKey) : none;
}

/** Where names of an accepted expression are looked up: joined tables by alias, all tables by name, and steps. */
function createScope(
  own: Pick<FilterDecision, "table" | "alias"> | undefined,
  joins: readonly JoinDecision[],
  catalog: Catalog,
  steps: KnownSteps,
): { scope: Scope; add(table: string, alias: string): void } {
  const scope: Scope = { sources: [], aliases: new Map() };
  const tableNamed = (name: string) => fold(findNamed(catalog, name)?.name ?? name);
  const add = (name: string, alias: string) => {
    const table = findNamed(catalog, name);
    if (!table || scope.sources.some((source) => source.alias === fold(alias))) return;
    scope.sources.push({ alias: fold(alias), table: table.name, output: tableOutput(table, alias), at: -1 });
  };
  if (own?.alias !== undefined) add(own.table, own.alias);
  const sides = joins.flatMap((join) => [join.left, join.right]);
  if (own) {
    for (const side of sides) if (tableNamed(side.table) === tableNamed(own.table)) add(side.table, side.alias);
    add(own.table, own.table);
  }
  for (const side of sides) add(side.table, side.alias);
  for (const table of catalog.tables) add(table.name, table.name);
  for (const [name, step] of steps)
    if (!scope.sources.some((source) => source.alias === name))
      scope.sources.push({ alias: name, output: step.output, at: -1 });
  return { scope, add };
}

function waysOf(
  filter: FilterDecision,
  joins: readonly JoinDecision[],
  catalog: Catalog,
  tableKey: Accepted["tableKey"],
  steps: KnownSteps,
): string[][] {
  const { scope, add } = createScope(filter, joins, catalog, steps);
  const ways: string[][] = [];
  for (const text of [filter.condition, toCondition(filter, catalog.engine)]) {
    if (text === undefined) continue;
    const parts = parseCondition(text, catalog.engine).map((part) => plainColumns(part, catalog));
    // An alias nobody declared can only be the filter's own table.
    for (const qualifier of qualifiersOf(parts)) add(filter.table, qualifier);
    if (parts.length > 0) ways.push(parts.map((part) => formOf(part, scope, catalog, tableKey, steps)));
  }
  return ways;
}

/** Normal forms of an interpretation's expressions; one that can't be read stands for itself and is found nowhere. */
function shapeForms(
  decision: OfKind<"interpretation">["decision"],
  joins: readonly JoinDecision[],
  catalog: Catalog,
  tableKey: Accepted["tableKey"],
  steps: KnownSteps,
): string[] {
  const { scope } = createScope(undefined, joins, catalog, steps);
  return (decision.expressions ?? []).map((text) => {
    if (decision.aspect === "restatement") return fold(text).trim().replaceAll(/\s+/g, " ");
    const parsed = parseStatements(
      decision.aspect === "order" ? `SELECT 1 ORDER BY ${text}` : `SELECT ${text}`,
      catalog.engine,
    );
    const select = parsed.ok && parsed.value.length === 1 ? toNode(parsed.value[0])?.value : undefined;
    const order = isTree(select?.order_by) ? listOf(select.order_by.expressions)[0] : undefined;
    const value = isTree(order) ? order.this : listOf(select?.expressions)[0];
    if (value === undefined) return `unread ${text}`;
    const form = formOf(plainColumns(value, catalog), scope, catalog, tableKey, steps);
    return isTree(order) && order.desc === true ? `${form} desc` : form;
  });
}

/** Names before the dot of the columns in a condition, subqueries aside: those have aliases of their own. */
function qualifiersOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(qualifiersOf);
  if (!isTree(value)) return [];
  const node = toNode(value);
  if (node?.kind === "select" || node?.kind === "subquery") return [];
  if (node?.kind === "column") {
    const qualifier = nameOf(node.value.table);
    return qualifier === undefined ? [] : [qualifier];
  }
  return Object.values(value).flatMap((child) => (typeof child === "object" ? qualifiersOf(child) : []));
}

/** The parts of a condition that stands alone; none when it can't be parsed. */
export function parseCondition(text: string, engine: Engine): unknown[] {
  const parsed = parseStatements(`SELECT 1 WHERE ${text}`, engine);
  const select = parsed.ok && parsed.value.length === 1 ? toNode(parsed.value[0]) : undefined;
  const condition = (select?.value.where_clause as Tree | null | undefined)?.this;
  return condition === undefined || condition === null ? [] : conjunctsOf(condition);
}

/** The condition that column, operator and values say; undefined for `other`. */
export function toCondition(filter: FilterDecision, engine: Engine = "sqlite"): string | undefined {
  const { quote, text } = dialectOf(engine);
  const column = `${quote(filter.alias ?? filter.table)}.${quote(filter.column)}`;
  const values = filter.values.map((value) => (typeof value === "number" ? String(value) : text(value)));
  const [first, second] = values;
  switch (filter.operator) {
    case "other":
      return undefined;
    case "IS NULL":
    case "IS NOT NULL":
      return `${column} ${filter.operator}`;
    case "BETWEEN":
      return first === undefined || second === undefined ? undefined : `${column} BETWEEN ${first} AND ${second}`;
    case "IN":
    case "NOT IN":
      return values.length === 0 ? undefined : `${column} ${filter.operator} (${values.join(", ")})`;
    default:
      return first === undefined || values.length > 1 ? undefined : `${column} ${filter.operator} ${first}`;
  }
}
