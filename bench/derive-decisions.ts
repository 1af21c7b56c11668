/**
 * The decisions that a reviewer would have accepted for a statement, read out of its tokens. Ledger entries only: the
 * joins as pairs, conditions as the protocol has them, steps, and what one row, the output, the order and the limit
 * are. It shares nothing with the check that later holds the statement against them.
 */
import type { Catalog, ColumnDecision, Decision, FilterDecision, JoinDecision } from "../src/protocol/index.ts";
import { type Column, NameReader, type Outputs, renamed, type Scope, type Source } from "./name-reader.ts";
import { allBlocks, type BlockText, type QueryText, type SourceText, type Span, type SqlText } from "./sql-blocks.ts";

const fold = (name: string) => name.toLowerCase();
const aggregate = /\b(count|sum|avg|min|max|total|group_concat|string_agg|array_agg)\s*\(/i;
const words = "as the question says";

export function deriveDecisions(text: SqlText, catalog: Catalog): { seq: number; decision: Decision }[] {
  const derivation = new Derivation(text, catalog);
  derivation.query(text.query, undefined, new Map(), true);
  const seen = new Set<string>();
  return derivation.made
    .filter((decision) => {
      const key = JSON.stringify(decision);
      return seen.size !== seen.add(key).size;
    })
    .map((decision, index) => ({ seq: index + 1, decision }));
}

class Derivation extends NameReader {
  readonly made: Decision[] = [];
  private readonly taken = new Map<string, string>();
  /** Aliases that joins declare → table. */
  private readonly joined = new Map<string, string>();
  constructor(text: SqlText, catalog: Catalog) {
    super(text, catalog);
    for (const { block } of allBlocks(text.query))
      if (block.sources.length > 1)
        for (const source of block.sources)
          this.joined.set(fold(source.alias), this.table(source.table ?? "")?.name ?? "");
  }

  query(query: QueryText, outer: Scope | undefined, known: ReadonlyMap<string, Outputs>, top: boolean): Outputs {
    const steps = new Map(known);
    for (const step of query.steps) {
      const self = new Map(steps);
      const anchor = step.query.blocks[0];
      if (anchor && step.query.blocks.length > 1)
        self.set(fold(step.name), renamed(this.outputs(anchor, this.scope(anchor, outer, steps, false)), step.columns));
      const outputs = renamed(this.query(step.query, outer, self, false), step.columns);
      steps.set(fold(step.name), outputs);
      const sql = this.text.text({ from: step.query.from, to: step.query.to });
      if (top) this.made.push({ kind: "cte", name: step.name, purpose: "one step", sql });
    }
    const scopes = query.blocks.map((block) => this.scope(block, outer, steps, true));
    query.blocks.forEach((block, index) => {
      this.block(block, scopes[index] as Scope, top || query.blocks.length > 1);
    });
    const [first, scope] = [query.blocks[0], scopes[0]];
    if (!first || !scope) return new Map();
    this.ending(query, first, scope);
    return this.outputs(first, scope);
  }

  private scope(block: BlockText, outer: Scope | undefined, steps: ReadonlyMap<string, Outputs>, say: boolean): Scope {
    const scope: Scope = { sources: [], ...(outer ? { outer } : {}) };
    for (const source of block.sources) {
      scope.sources.push(this.source(source, outer, steps, say, block.sources.length === 1));
    }
    return scope;
  }

  private source(
    source: SourceText,
    outer: Scope | undefined,
    steps: ReadonlyMap<string, Outputs>,
    say: boolean,
    alone: boolean,
  ): Source {
    const alias = fold(source.alias);
    if (source.query) return { alias, columns: this.query(source.query, outer, steps, false) };
    const step = steps.get(fold(source.table ?? ""));
    if (step) return { alias, columns: step };
    const table = this.table(source.table ?? "");
    if (!table) throw new Error(`no table ${source.table}`);
    // Alone in its SELECT it needs no alias, and no join would say which table it stands for.
    let unique = alone && this.joined.get(alias) !== table.name ? fold(table.name) : alias;
    for (let next = 2; (this.taken.get(unique) ?? table.name) !== table.name; next++) unique = `${alias}_${next}`;
    this.taken.set(unique, table.name);
    if (say) this.made.push({ kind: "table", table: table.name, use: "used", reason: words });
    const columns = new Map<string, Column>(
      table.columns.map((column) => [fold(column.name), { table: table.name, alias: unique, column: column.name }]),
    );
    return { alias, columns, table: table.name, unique };
  }

  private block(block: BlockText, scope: Scope, top: boolean): void {
    const clause = (span: Span | undefined) => (span ? this.text.conjuncts({ from: span.from + 1, to: span.to }) : []);
    const joins = new Map<string, JoinDecision>();
    const joined = new Set<Source>();
    const filters: Span[] = [...clause(block.where), ...clause(block.having)];
    const pairs: [Span, SourceText | undefined][] = filters.map((span) => [span, undefined]);
    block.sources.forEach((source, index) => {
      if (source.on) for (const span of this.text.conjuncts(source.on)) pairs.push([span, source]);
      const right = scope.sources[index];
      const names = source.natural ? [...(right?.columns.keys() ?? [])] : source.using.map(fold);
      for (const name of names) {
        const left = scope.sources.slice(0, index).find((other) => other.columns.has(name));
        if (left && right) this.join(joins, joined, left, right, name, name, source, scope);
      }
    });
    // Conditions in ON say what kind of join it is; those in WHERE only add to it.
    pairs.sort((a, b) => Number(b[1] !== undefined) - Number(a[1] !== undefined));
    for (const [span, source] of pairs) {
      const pair = this.pair(span, scope);
      const isLeft = block.sources.some((other) => /LEFT|RIGHT|FULL/.test(other.join));
      if (pair && (source || !isLeft)) {
        if (this.join(joins, joined, pair[0].source, pair[1].source, pair[0].name, pair[1].name, source, scope))
          continue;
      }
      this.filter(span, scope, this.names(block, scope));
    }
    scope.sources.forEach((right, index) => {
      const left = scope.sources[index - 1];
      if (index === 0 || joined.has(right) || !left) return;
      const [a, b] = [sideOf(left), sideOf(right)];
      if (a && b && !scope.sources.slice(0, index).some((other) => joined.has(other) && other === right))
        this.made.push({ kind: "join", left: a, type: "CROSS", right: b, pairs: [] });
    });
    this.made.push(...joins.values());
    const items = this.items(block, scope);
    if (block.groups.length > 0)
      this.say(
        "grain",
        block.groups.map((span) => this.named(span, block, scope, "columns-first")),
      );
    else if (items.some((item) => aggregate.test(item)) && !items.some((item) => /\bover\s*\(/i.test(item)))
      this.say("grain", []);
    if (block.distinctAt !== undefined) this.say("grain", items);
    if (top) this.say("output", items);
    this.columns(block, scope);
  }

  private say(aspect: "grain" | "output" | "order" | "limit" | "restatement", expressions: string[]): void {
    this.made.push({ kind: "interpretation", aspect, text: `${aspect} ${words}`, expressions });
  }

  private columns(block: BlockText, scope: Scope): void {
    const add = (span: Span, role: ColumnDecision["role"]) => {
      const column = this.plain(span, scope)?.column;
      if (column && "table" in column)
        this.made.push({ kind: "column", table: column.table, column: column.column, role, reason: words });
    };
    for (const item of block.items) add(item.expression, "output");
    for (const item of block.items) {
      const { from, to } = item.expression;
      if (this.text.word(from + 1) === "(" && aggregate.test(this.text.text(item.expression)))
        add({ from: from + (this.text.word(from + 2) === "DISTINCT" ? 3 : 2), to: to - 1 }, "measure");
    }
    for (const group of block.groups) add(group, "group");
  }

  /** Adds the pair to its join; false when a side is no stored column. */
  private join(
    joins: Map<string, JoinDecision>,
    joined: Set<Source>,
    a: Source,
    b: Source,
    aName: string,
    bName: string,
    source: SourceText | undefined,
    scope: Scope,
  ): boolean {
    const swap = scope.sources.indexOf(a) > scope.sources.indexOf(b) !== (source?.join === "RIGHT");
    const [left, right, leftName, rightName] = swap ? [b, a, bName, aName] : [a, b, aName, bName];
    const [from, to] = [left.columns.get(leftName), right.columns.get(rightName)];
    if (!from || !to || !("table" in from) || !("table" in to)) return false;
    joined.add(a).add(b);
    const type =
      source?.join === "LEFT" || source?.join === "RIGHT" ? "LEFT" : source?.join === "FULL" ? "FULL" : "INNER";
    const key = `${from.alias}|${to.alias}`;
    const join: JoinDecision = joins.get(key) ?? {
      kind: "join",
      left: { table: from.table, alias: from.alias },
      type,
      right: { table: to.table, alias: to.alias },
      pairs: [],
    };
    join.pairs.push({ left: from.column, right: to.column });
    joins.set(key, join);
    return true;
  }

  private pair(span: Span, scope: Scope) {
    for (let at = span.from; at < span.to; at++) {
      if (this.text.word(at) === "(") return undefined;
      if (this.text.word(at) !== "=") continue;
      const a = this.plain({ from: span.from, to: at }, scope);
      const b = this.plain({ from: at + 1, to: span.to }, scope);
      return a && b && a.source !== b.source && scope.sources.includes(a.source) && scope.sources.includes(b.source)
        ? ([a, b] as const)
        : undefined;
    }
    return undefined;
  }

  private filter(span: Span, scope: Scope, names: Source): void {
    const condition = this.rewrite(span, { ...scope, sources: [...scope.sources, names] });
    const first = this.columnsIn(span, scope)[0] ?? this.anyColumn(scope);
    if (!first) return;
    const { table, alias, column } = first;
    const shared = { kind: "filter", words, table, alias, column, condition } as const;
    const { text } = this;
    const [subject, operator] = [this.plain({ from: span.from, to: span.to - 2 }, scope), text.word(span.to - 2)];
    const value = text.tokens[span.to - 1];
    const simple =
      subject?.column === first && /^(=|<>|<|<=|>|>=)$/.test(operator) && /^(STRING|NUMBER)$/.test(value?.type ?? "");
    this.made.push(
      simple && value
        ? {
            ...shared,
            operator: operator as FilterDecision["operator"],
            values: [value.type === "NUMBER" ? Number(value.text) : value.text],
          }
        : { ...shared, operator: "other", values: [] },
    );
  }

  private anyColumn(scope: Scope) {
    for (const source of scope.sources)
      for (const column of source.columns.values()) if ("table" in column) return column;
    return undefined;
  }

  private items(block: BlockText, scope: Scope): string[] {
    return block.items.flatMap((item) => {
      const star =
        this.text.word(item.to - 1) === "*" && (item.to - item.from === 1 || this.text.word(item.to - 2) === ".");
      if (!star) return [this.rewrite(item.expression, scope)];
      const qualifier = item.to - item.from > 1 ? fold(this.text.tokens[item.from]?.text ?? "") : undefined;
      return scope.sources
        .filter((source) => qualifier === undefined || source.alias === qualifier)
        .flatMap((source) => [...source.columns.values()].map((column) => this.write(column)));
    });
  }

  private outputs(block: BlockText, scope: Scope): Outputs {
    const outputs: Outputs = new Map();
    for (const item of block.items) {
      if (this.text.word(item.to - 1) === "*" && this.text.word(item.to) !== ")") {
        for (const source of scope.sources)
          for (const [name, column] of source.columns) if (!outputs.has(name)) outputs.set(name, column);
        continue;
      }
      const plain = this.plain(item.expression, scope);
      const name = item.alias ?? this.text.tokens[item.expression.to - 1]?.text ?? "";
      outputs.set(fold(name), plain ? plain.column : { text: this.rewrite(item.expression, scope) });
    }
    return outputs;
  }

  /** A key of GROUP BY or ORDER BY: a place in the list, a name of the list, or an expression. */
  private named(span: Span, block: BlockText, scope: Scope, first: "columns-first" | "names-first"): string {
    const token = this.text.tokens[span.from];
    if (span.to - span.from === 1 && token) {
      const item =
        token.type === "NUMBER"
          ? block.items[Number(token.text) - 1]
          : block.items.find((candidate) => fold(candidate.alias ?? "") === fold(token.text));
      const column = this.plain(span, scope);
      if (item && !(first === "columns-first" && column)) return this.rewrite(item.expression, scope);
    }
    return this.rewrite(span, { ...scope, sources: [...scope.sources, this.names(block, scope)] });
  }

  /** Names of the list, which come after the columns. */
  private names(block: BlockText, scope: Scope): Source {
    const columns = new Map<string, Column>();
    for (const item of block.items)
      if (item.alias !== undefined) columns.set(fold(item.alias), { text: this.rewrite(item.expression, scope) });
    return { alias: "", columns };
  }

  private ending(query: QueryText, block: BlockText, scope: Scope): void {
    for (const operator of query.operators) this.say("restatement", [operator]);
    if (query.order.length > 0)
      this.say(
        "order",
        query.order.map(
          (part) => `${this.named(part.expression, block, scope, "names-first")} ${part.descending ? "DESC" : "ASC"}`,
        ),
      );
    if (query.limit)
      this.say(
        "limit",
        [query.limit, query.offset].flatMap((span) => (span ? [this.text.text(span)] : [])),
      );
  }
}

const sideOf = (source: Source) =>
  source.table !== undefined && source.unique !== undefined ? { table: source.table, alias: source.unique } : undefined;
