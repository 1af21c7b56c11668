/**
 * A statement as the checks look at it: each SELECT with its tables, joins, outputs and comparisons, names resolved to
 * stored columns. Read from the parser's tree; nothing is written back to SQL. Pure.
 */
import type { Catalog } from "../../protocol/index.ts";
import type { Tree } from "../../sql/parser.ts";
import {
  findTable,
  fold,
  mergeOutputs,
  namesOf,
  type Origin,
  type Output,
  outputOf,
  plainColumns,
  resolveColumn,
  type Scope,
  type Source,
  tableOutput,
  throughStep,
} from "../../sql/scope.ts";
import { conjunctsOf, isTree, listOf, nameOf, toNode, unwrap } from "../../sql/tree.ts";
import { type Comparison, readComparisons } from "./comparisons.ts";
import { joinKind, plainSide, toGroups, toOutputs } from "./select-parts.ts";
import { findAggregates, isQuery, walk } from "./walk-tree.ts";

export interface Pair {
  left: Origin;
  right: Origin;
}
export interface JoinView {
  left: Source;
  right: Source;
  kind: "INNER" | "LEFT" | "FULL" | "SEMI" | "ANTI";
  pairs: Pair[];
}
export interface OutputView {
  expression: unknown;
  /** Folded: its alias, or the column it is; empty for an expression without a name. */
  name: string;
  origins: Origin[];
}
export interface SelectView {
  tree: Tree;
  scope: Scope;
  /** `main` for the statement's own SELECTs, `test` behind IN and EXISTS, `value` for one inside an expression. */
  role: "main" | "step" | "derived" | "test" | "value";
  joins: JoinView[];
  outputs: OutputView[];
  comparisons: Comparison[];
  grouped: unknown[];
  aggregated: boolean;
  /** Gives one row at most: aggregated without groups, or LIMIT 1. */
  single: boolean;
  /** Sources that no condition ties to the others, each group apart. */
  groups: Source[][];
}
export interface QueryView {
  root: Tree;
  selects: SelectView[];
  /** Names in FROM that the catalog doesn't know. */
  unknown: string[];
  /** Single-row steps and derived tables, by the source's output. */
  singleRow: Set<Output>;
}

type Steps = Map<string, { output: Output; single: boolean }>;

export function readQuery(tree: Tree, catalog: Catalog): QueryView {
  const root = plainColumns(tree, catalog) as Tree;
  const view: QueryView = { root, selects: [], unknown: [], singleRow: new Set() };
  new QueryReader(catalog, view).query(root, new Map(), "main");
  return view;
}

class QueryReader {
  readonly catalog: Catalog;
  readonly view: QueryView;
  constructor(catalog: Catalog, view: QueryView) {
    this.catalog = catalog;
    this.view = view;
  }

  query(value: unknown, outerSteps: Steps, role: SelectView["role"], outer?: Scope): Output {
    const node = toNode(unwrap(value));
    if (!node) return [];
    const steps = this.steps(node.value.with, outerSteps, outer);
    if (node.kind === "subquery") return this.query(node.value.this, steps, role, outer);
    if (node.kind === "select") return this.select(node.value, steps, role, outer);
    if (!isQuery(node)) return [];
    const left = this.query(node.value.left, steps, role, outer);
    return mergeOutputs(left, this.query(node.value.right, steps, role, outer));
  }

  private steps(value: unknown, before: Steps, outer: Scope | undefined): Steps {
    if (!isTree(value)) return before;
    const steps: Steps = new Map(before);
    for (const cte of listOf(value.ctes)) {
      if (!isTree(cte)) continue;
      const name = fold(nameOf(cte.alias) ?? "");
      const names = namesOf(cte.columns);
      const body = toNode(unwrap(cte.this));
      const own: Steps = new Map(steps);
      if (body?.kind === "union" && value.recursive === true) {
        const aside = new QueryReader(this.catalog, { root: {}, selects: [], unknown: [], singleRow: new Set() });
        own.set(name, {
          output: throughStep(aside.query(body.value.left, steps, "step", outer), names),
          single: false,
        });
      }
      const output = throughStep(this.query(cte.this, own, "step", outer), names);
      const single = body?.kind === "select" && this.view.selects.at(-1)?.single === true;
      steps.set(name, { output, single });
    }
    return steps;
  }

  private select(tree: Tree, steps: Steps, role: SelectView["role"], outer: Scope | undefined): Output {
    const scope: Scope = { sources: [], aliases: new Map(), ...(outer ? { outer } : {}) };
    const conditions: { on: unknown; kind: string }[] = [];
    const usings: JoinView[] = [];
    const from = isTree(tree.from) ? listOf(tree.from.expressions) : [];
    for (const item of from) this.source(item, scope, steps, outer, conditions, usings);
    for (const join of listOf(tree.joins)) this.join(join, scope, steps, outer, conditions, usings);
    for (const expression of listOf(tree.expressions)) {
      const node = toNode(unwrap(expression));
      if (node?.kind === "alias") scope.aliases.set(fold(nameOf(node.value.alias) ?? ""), node.value.this);
    }
    const where = isTree(tree.where_clause) ? tree.where_clause.this : undefined;
    if (where !== undefined) conditions.push({ on: where, kind: "where" });
    const grouped = isTree(tree.group_by) ? listOf(tree.group_by.expressions) : [];
    const aggregated = findAggregates([tree.expressions, tree.having]).length > 0;
    const limit = isTree(tree.limit) ? toNode(unwrap(tree.limit.this)) : undefined;
    const select: SelectView = {
      tree,
      scope,
      role,
      joins: [...usings, ...this.joins(scope, conditions)],
      outputs: toOutputs(tree.expressions, scope),
      comparisons: readComparisons(tree, scope),
      grouped,
      aggregated,
      single: (aggregated && grouped.length === 0) || limit?.value.value === "1" || from.length === 0,
      groups: toGroups(scope, conditions, usings),
    };
    this.nested(tree, scope, steps, select);
    this.view.selects.push(select);
    return outputOf(tree.expressions, scope);
  }

  /** Queries in expressions; IN becomes a join of its own. */
  private nested(tree: Tree, scope: Scope, steps: Steps, select: SelectView): void {
    const { from: _from, joins, with: _with, ...clauses } = tree;
    const inside = [clauses, ...listOf(joins).map((join) => (isTree(join) ? join.on : undefined))];
    const negated = new Set<unknown>();
    walk(inside, (node, value) => {
      if (node.kind === "not") negated.add(unwrap(node.value.this));
      if (isQuery(node)) {
        this.query(value, steps, "value", scope);
        return false;
      }
      if (node.kind === "exists") {
        this.query(node.value.this, steps, "test", scope);
        return false;
      }
      if (node.kind === "in" && node.value.query) {
        const output = this.query(node.value.query, steps, "test", scope);
        const left = resolveColumn(node.value.this, scope);
        const [from, to] = [left?.origins[0], output[0]?.origins[0]];
        const anti = negated.has(value) || node.value.not === true;
        if (left && from && to)
          select.joins.push({
            left: left.source,
            right: { alias: to.alias, table: to.table, output, at: -1 },
            kind: anti ? "ANTI" : "SEMI",
            pairs: [{ left: from, right: to }],
          });
        return false;
      }
      return undefined;
    });
  }

  private join(
    value: unknown,
    scope: Scope,
    steps: Steps,
    outer: Scope | undefined,
    conditions: { on: unknown; kind: string }[],
    usings: JoinView[],
  ): void {
    if (!isTree(value)) return;
    const before = scope.sources.slice();
    this.source(value.this, scope, steps, outer, conditions, usings);
    const kind = String(value.kind ?? "Inner");
    if (value.on) conditions.push({ on: value.on, kind });
    const right = scope.sources.slice(before.length);
    const names = namesOf(value.using).map(fold);
    if (/natural/i.test(kind))
      for (const source of right)
        for (const { name } of source.output)
          if (before.some((other) => other.output.some((column) => column.name === name))) names.push(name);
    for (const name of names) {
      const find = (sources: Source[]) =>
        sources.find((source) => source.output.some((column) => column.name === name));
      const [a, b] = [find(before), find(right)];
      const origin = (source: Source | undefined) => source?.output.find((column) => column.name === name)?.origins[0];
      const [left, far] = [origin(a), origin(b)];
      if (a && b)
        usings.push({ left: a, right: b, kind: joinKind(kind), pairs: left && far ? [{ left, right: far }] : [] });
    }
  }

  private source(
    value: unknown,
    scope: Scope,
    steps: Steps,
    outer: Scope | undefined,
    conditions: { on: unknown; kind: string }[],
    usings: JoinView[],
  ): void {
    const item = toNode(unwrap(value));
    const alias = item ? nameOf(item.value.alias) : undefined;
    const node = item?.kind === "alias" ? toNode(unwrap(item.value.this)) : item;
    if (node?.kind === "table") {
      const name = nameOf(node.value.name) ?? "";
      const schema = nameOf(node.value.schema);
      const seen = fold(alias ?? name);
      const step = schema === undefined ? steps.get(fold(name)) : undefined;
      if (step) {
        const output = step.output.slice();
        if (step.single) this.view.singleRow.add(output);
        scope.sources.push({ alias: seen, output, at: -1 });
        return;
      }
      const table = findTable(this.catalog, name, schema === "main" ? undefined : schema);
      if (!table) this.view.unknown.push(schema === undefined ? name : `${schema}.${name}`);
      scope.sources.push({
        alias: seen,
        output: table ? tableOutput(table, seen) : [],
        at: -1,
        ...(table ? { table: table.name } : {}),
      });
    } else if (node?.kind === "joined_table") {
      this.source(node.value.left, scope, steps, outer, conditions, usings);
      for (const join of listOf(node.value.joins)) this.join(join, scope, steps, outer, conditions, usings);
    } else if (node && (node.kind === "subquery" || isQuery(node))) {
      const output = throughStep(this.query({ [node.kind]: node.value }, steps, "derived", outer));
      if (this.view.selects.at(-1)?.single) this.view.singleRow.add(output);
      scope.sources.push({ alias: fold(alias ?? nameOf(node.value.alias) ?? ""), output, at: -1 });
    } else if (node) {
      const output: Output = [];
      this.view.singleRow.add(output);
      scope.sources.push({ alias: fold(alias ?? ""), output, at: -1 });
    }
  }

  /** Column pairs of ON and WHERE between two sources of this FROM. */
  private joins(scope: Scope, conditions: readonly { on: unknown; kind: string }[]): JoinView[] {
    const made: JoinView[] = [];
    for (const { on, kind } of conditions) {
      for (const conjunct of conjunctsOf(on)) {
        const node = toNode(conjunct);
        if (node?.kind !== "eq") continue;
        const sides = [node.value.left, node.value.right].map((side) => resolveColumn(plainSide(side), scope));
        const [a, b] = sides;
        if (!a || !b || !a.inner || !b.inner || a.source === b.source) continue;
        const forward = scope.sources.indexOf(a.source) <= scope.sources.indexOf(b.source);
        const turned = /right/i.test(kind) ? forward : !forward;
        const [left, right] = turned ? [b, a] : [a, b];
        let join = made.find((known) => known.left === left.source && known.right === right.source);
        if (!join) {
          join = { left: left.source, right: right.source, kind: joinKind(kind), pairs: [] };
          made.push(join);
        }
        const [from, to] = [left.origins[0], right.origins[0]];
        if (from && to) join.pairs.push({ left: from, right: to });
      }
    }
    return made;
  }
}
