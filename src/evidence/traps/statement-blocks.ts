/**
 * A statement as a list of its SELECTs, each with its tables, column pairs, conditions, aggregates and groups, and
 * with the stored columns that stand in each role. Steps and derived tables are looked through. Pure.
 */
import type { Catalog } from "../../protocol/index.ts";
import type { Tree } from "../../sql/parser.ts";
import {
  findTable,
  fold,
  mergeOutputs,
  namesOf,
  type Output,
  outputOf,
  resolveColumn,
  type Scope,
  type Source,
  tableOutput,
  throughStep,
} from "../../sql/scope.ts";
import { withoutTextCast } from "../../sql/statement-facts.ts";
import { conjunctsOf, isTree, listOf, nameOf, spansOf, toNode, unwrap } from "../../sql/tree.ts";
import type { Block, Side, Statement } from "./block.ts";
import { collectUses } from "./collect-uses.ts";

export interface Visit {
  steps: Map<string, Output>;
  place: Block["place"];
  name?: string;
  outer?: Block;
}

export function readBlocks(root: Tree, catalog: Catalog): Statement {
  const statement: Statement = {
    blocks: [],
    references: [],
    uses: new Map(),
    blockOf: new Map(),
    steps: new Map(),
  };
  new BlockReader(catalog, statement).query(root, { steps: new Map(), place: "top" });
  return statement;
}

export class BlockReader {
  readonly catalog: Catalog;
  readonly statement: Statement;
  constructor(catalog: Catalog, statement: Statement) {
    this.catalog = catalog;
    this.statement = statement;
  }

  query(value: unknown, visit: Visit): Output {
    const node = toNode(unwrap(value));
    if (!node) return [];
    const inner = isTree(node.value.with) ? this.steps(node.value.with, visit) : visit;
    if (node.kind === "subquery") return this.query(node.value.this, inner);
    if (node.kind === "union" || node.kind === "intersect" || node.kind === "except")
      return mergeOutputs(this.query(node.value.left, inner), this.query(node.value.right, inner));
    return node.kind === "select" ? this.select(node.value, inner) : [];
  }

  private steps(value: Tree, visit: Visit): Visit {
    const steps = new Map(visit.steps);
    for (const cte of listOf(value.ctes).filter(isTree)) {
      const name = fold(nameOf(cte.alias) ?? "");
      const self = new Map(steps).set(name, []);
      const output = this.query(cte.this, { ...visit, steps: self, place: "step", name });
      steps.set(name, throughStep(output, namesOf(cte.columns)));
    }
    return { ...visit, steps };
  }

  private select(select: Tree, visit: Visit): Output {
    const { place, name, outer } = visit;
    const scope: Scope = { sources: [], aliases: new Map(), ...(outer ? { outer: outer.scope } : {}) };
    const block: Block = {
      place,
      select,
      scope,
      tables: [],
      stepOf: new Map(),
      pairs: [],
      conditions: [],
      aggregates: [],
      groups: [],
      orders: [],
      ...(name === undefined ? {} : { name }),
      ...(outer ? { outer } : {}),
    };
    this.statement.blocks.push(block);
    this.statement.blockOf.set(select, block);
    if (name !== undefined && !this.statement.steps.has(name)) this.statement.steps.set(name, block);
    for (const item of isTree(select.from) ? listOf(select.from.expressions) : []) this.source(item, block, visit, "");
    for (const join of listOf(select.joins)) this.join(join, block, visit);
    for (const expression of listOf(select.expressions)) {
      const node = toNode(unwrap(expression));
      const alias = node?.kind === "alias" ? nameOf(node.value.alias) : undefined;
      if (alias !== undefined) scope.aliases.set(fold(alias), node?.value.this);
    }
    for (const clause of ["where_clause", "having", "qualify"])
      if (isTree(select[clause])) this.conditions(select[clause].this, block, "Where");
    const limit = isTree(select.limit) ? select.limit.this : isTree(select.fetch) ? select.fetch.count : undefined;
    const count = toNode(unwrap(limit));
    if (count?.kind === "literal") block.limit = Number(count.value.value);
    collectUses(block, this, visit);
    return outputOf(select.expressions, scope);
  }

  private join(value: unknown, block: Block, visit: Visit): void {
    if (!isTree(value)) return;
    const kind = String(value.kind ?? "Inner");
    const before = [...block.scope.sources];
    this.source(value.this, block, visit, kind);
    const added = block.scope.sources.filter((source) => !before.includes(source));
    const using = namesOf(value.using).map(fold);
    if (/natural/i.test(kind))
      for (const column of added.flatMap((source) => source.output))
        if (before.some((source) => source.output.some((other) => other.name === column.name))) using.push(column.name);
    for (const name of using) {
      const has = (source: Source) => source.output.some((column) => column.name === name);
      const [left, right] = [before.find(has), added.find(has)];
      if (!left || !right) continue;
      const side = (source: Source) => this.side(source, source.output.find((column) => column.name === name)?.origins);
      block.pairs.push({ left: side(left), right: side(right), kind, nodes: [], correlated: false });
    }
    this.conditions(value.on, block, kind);
  }

  private source(value: unknown, block: Block, visit: Visit, kind: string): void {
    const outer = toNode(unwrap(value));
    const alias = outer ? nameOf(outer.value.alias) : undefined;
    const inner = outer?.kind === "alias" ? unwrap(outer.value.this) : unwrap(value);
    const node = toNode(inner);
    const { sources } = block.scope;
    if (node?.kind === "joined_table") {
      this.source(node.value.left, block, visit, kind);
      for (const join of listOf(node.value.joins)) this.join(join, block, visit);
    } else if (node?.kind === "table") {
      const name = nameOf(node.value.name) ?? "";
      const schema = nameOf(node.value.schema);
      const step = schema === undefined ? visit.steps.get(fold(name)) : undefined;
      const seen = fold(alias ?? name);
      const table = step ? undefined : findTable(this.catalog, name, schema === "main" ? undefined : schema);
      const output = step ?? (table ? tableOutput(table, seen) : []);
      sources.push({ alias: seen, output, at: -1, ...(table ? { table: table.name } : {}) });
      if (step) block.stepOf.set(seen, fold(name));
      if (!table) return;
      block.tables.push({ table, alias: seen, kind });
      const spans = spansOf([node.value.name, node.value.schema]);
      const [start, end] = [spans[0]?.start, spans.at(-1)?.end];
      if (start !== undefined && end !== undefined)
        this.statement.references.push({ table, start, end, aliased: alias !== undefined });
    } else if (node) {
      const seen = fold(alias ?? "");
      const { outer: _, ...rest } = visit;
      const lateral = { ...rest, ...(block.outer ? { outer: block.outer } : {}) };
      const output = this.query(inner, { ...lateral, place: "derived", name: seen });
      block.stepOf.set(seen, seen);
      sources.push({ alias: seen, output: throughStep(output, namesOf(outer?.value.column_aliases)), at: -1 });
    }
  }

  private conditions(condition: unknown, block: Block, kind: string): void {
    for (const conjunct of conjunctsOf(condition)) {
      const node = toNode(conjunct);
      const [left, right] = node?.kind === "eq" ? [node.value.left, node.value.right] : [];
      const [one, other] = [left, right].map((part) => resolveColumn(withoutTextCast(part), block.scope));
      if (one && other && one.source !== other.source && (one.inner || other.inner))
        block.pairs.push({
          left: this.side(one.source, one.origins),
          right: this.side(other.source, other.origins),
          kind,
          nodes: [left, right].map(withoutTextCast),
          correlated: !one.inner || !other.inner,
        });
      else block.conditions.push(conjunct);
    }
  }

  side(source: Source, origins: readonly { table: string; column: string; through: boolean }[] = []): Side {
    const origin = origins[0];
    const table = origin ? findTable(this.catalog, origin.table) : undefined;
    const column = table?.columns.find((candidate) => fold(candidate.name) === origin?.column);
    return {
      source,
      alias: source.alias,
      through: origin?.through ?? true,
      ...(table && column ? { table, column } : {}),
    };
  }
}
