/** Conditions of rows as SQL, with the blocks and subqueries some of them need. */

import { type Condition, conditionColumns } from "../frame/frame.ts";
import type { Step } from "../relations/joins.ts";
import type { ColumnRef } from "../schema/schema.ts";
import { ownName } from "../words/language.ts";
import { renderCondition } from "./conditions.ts";
import { equalStep, JoinedTables, NoPath, snake } from "./joined-tables.ts";
import type { Instance, JoinNode } from "./to-sql.ts";

export class RowConditions extends JoinedTables {
  condition(condition: Condition, collect = true): string {
    if (condition.kind === "exists") return this.exists(condition);
    if (condition.kind === "counted") return this.counted(condition);
    if (condition.kind === "against" && (condition.inner || condition.first))
      return this.againstSome(condition, condition.inner ?? []);
    if (condition.kind === "any" || condition.kind === "every") {
      // What the parts say they filter is said once, by the whole.
      const before = this.filters.length;
      const parts = condition.of.map((part) => this.condition(part, false));
      this.filters.length = before;
      const text = `(${parts.join(condition.kind === "any" ? " OR " : " AND ")})`;
      const first = condition.of.flatMap(conditionColumns)[0] ?? this.keyOf(condition.of);
      if (collect && first)
        this.filters.push({
          kind: "filter",
          words: condition.words,
          table: first.table,
          alias: this.instance(first.table, first.role).alias,
          column: first.column,
          operator: "other",
          values: [],
          condition: text,
        });
      return text;
    }
    const rendered = renderCondition(
      condition,
      this.schema,
      this.write,
      (ref) => this.col(ref),
      (table) => this.newInstance(table).alias,
    );
    if (collect || condition.kind !== "compare") {
      if (collect)
        this.filters.push({
          ...rendered.decision,
          alias: this.instance(rendered.decision.table, conditionColumns(condition)[0]?.role).alias,
        });
    }
    return rendered.text;
  }

  /** A column to name for conditions that only speak of partners. */
  keyOf(conditions: Condition[]): ColumnRef | undefined {
    const part = conditions.find((condition) => condition.kind === "exists" || condition.kind === "counted");
    const table = part && "from" in part ? part.from : undefined;
    const column = table
      ? (this.schema.table(table).table.primaryKey[0] ?? this.schema.table(table).columns[0]?.column)
      : undefined;
    return table && column ? { table, column } : undefined;
  }

  where(conditions: Condition[]): string[] {
    const before = this.joins.length;
    const texts = conditions.map((condition) => this.condition(condition));
    for (const join of this.joins.slice(before)) if (!this.outerJoins.includes(join)) this.innerJoins.add(join);
    return texts;
  }

  exists(condition: Extract<Condition, { kind: "exists" }>): string {
    const outer = this.instance(condition.from);
    const innerTables = condition.inner.flatMap((part) => conditionColumns(part).map((ref) => ref.table));
    if (condition.self) return this.selfExists(condition, outer);
    let path = condition.pairs
      ? [equalStep(condition.from, condition.target, condition.pairs)]
      : this.graph.path(condition.from, condition.target);
    if (!path || path.length === 0) throw new NoPath(condition.from, condition.target);
    // A last step to the one row that is named adds nothing when nothing is asked of that row.
    while (
      path.length > 1 &&
      path.at(-1)?.toOne &&
      !innerTables.includes(path.at(-1)?.to ?? "") &&
      innerTables.length === 0
    )
      path = path.slice(0, -1);
    const wish = this.wishes.types.find(
      (known) =>
        known.type === "LEFT" &&
        (known.table === undefined
          ? known.index === undefined || known.index === this.joins.length + 1
          : path?.some((step) => step.to === known.table)),
    );
    if (wish && condition.negated && condition.inner.length === 0) return this.leftWithout(condition, path);
    const local = new Map<string, Instance>();
    const steps = [...path];
    const reached = new Set([condition.from, ...path.map((step) => step.to)]);
    for (const table of innerTables) {
      if (reached.has(table)) continue;
      const more = this.graph.connect(condition.target, [table]);
      if (!more) throw new NoPath(condition.target, table);
      for (const step of more)
        if (!reached.has(step.to)) {
          steps.push(step);
          reached.add(step.to);
        }
    }
    const nodes = steps.map((step, index): JoinNode => {
      const right = this.newInstance(step.to);
      const left = step.from === condition.from ? outer : (local.get(step.from) ?? outer);
      local.set(step.to, right);
      return {
        left,
        right,
        type: index === 0 ? (condition.negated ? "ANTI" : "SEMI") : "INNER",
        pairs: step.pairs,
        reason:
          index === 0
            ? `Rows of ${step.from} ${condition.negated ? "without" : "with"} a partner in ${step.to}: "${condition.words}".`
            : this.joinReason(step),
      };
    });
    this.joins.push(...nodes);
    const texts = this.inside(local, condition.inner);
    const [first, ...rest] = nodes;
    return this.write.exists(first as JoinNode, rest, texts, condition.negated);
  }

  /** Conditions of a subquery, whose tables have aliases of their own. */
  inside(local: ReadonlyMap<string, Instance>, conditions: Condition[]): string[] {
    const saved = new Map(this.instances);
    for (const [table, instance] of local) this.instances.set(`${table}/`, instance);
    const texts = conditions.map((part) => this.condition(part));
    this.instances.clear();
    for (const [key, value] of saved) this.instances.set(key, value);
    return texts;
  }

  /** Rows that others of the same table refer to, or don't. */
  selfExists(condition: Extract<Condition, { kind: "exists" }>, outer: Instance): string {
    const relation = this.graph.selfRelation(condition.from);
    if (!relation) throw new NoPath(condition.from, condition.target);
    outer.role ??= snake(ownName(condition.from));
    const node: JoinNode = {
      left: outer,
      right: { ...this.newInstance(condition.target, "report") },
      type: condition.negated ? "ANTI" : "SEMI",
      pairs: relation.fromColumns.map((from, index) => ({ left: relation.toColumns[index] ?? from, right: from })),
      reason: `Another ${condition.from} names it in ${relation.fromColumns.join(", ")} (${relation.origin}).`,
    };
    this.joins.push(node);
    return this.write.exists(node, [], [], condition.negated);
  }

  /** How many partners a row has, as a correlated count. */
  counted(condition: Extract<Condition, { kind: "counted" }>): string {
    const path = this.graph.path(condition.from, condition.target);
    const [first, ...rest] = path ?? [];
    if (!first) throw new NoPath(condition.from, condition.target);
    const outer = this.instance(condition.from);
    const { text, local } = this.subquery(first.to, rest);
    const inner = local.get(first.to) as Instance;
    const pairs = first.pairs.map((pair) => ({ left: pair.right, right: pair.left }));
    const on = this.write.on({ left: inner, right: outer, pairs });
    const where = [on, ...this.inside(local, condition.inner)].join(" AND ");
    const figure = `(SELECT ${this.figureInside(condition, local)} FROM ${text} WHERE ${where})`;
    // Without a partner the sum is nothing, not unknown.
    const count = condition.figure?.fn === "SUM" ? `COALESCE(${figure}, 0)` : figure;
    const { operator, value, upper } = condition;
    const full = operator === "BETWEEN" ? `${count} BETWEEN ${value} AND ${upper}` : `${count} ${operator} ${value}`;
    this.filterText(condition.words, { table: condition.from, column: first.pairs[0]?.left ?? "" }, full);
    return full;
  }

  figureInside({ figure }: Extract<Condition, { kind: "counted" }>, local: ReadonlyMap<string, Instance>): string {
    if (!figure) return "COUNT(*)";
    const { table } = figure.of.column;
    const saved = this.instances.get(`${table}/`);
    this.instances.set(`${table}/`, local.get(table) as Instance);
    const text = `${figure.fn}(${this.scalar(figure.of, true)})`;
    if (saved) this.instances.set(`${table}/`, saved);
    else this.instances.delete(`${table}/`);
    return text;
  }

  /** A number against an aggregate over those rows that meet conditions of their own. */
  againstSome(condition: Extract<Condition, { kind: "against" }>, inner: Condition[]): string {
    const table = condition.scalar.column.table;
    const outer = this.scalar(condition.scalar, condition.fn === "AVG");
    const { first } = condition;
    const refs = [...inner.flatMap(conditionColumns), ...(first ? [first.by] : [])];
    const needed = [...new Set(refs.map((ref) => ref.table))];
    const steps = this.graph.connect(
      table,
      needed.filter((other) => other !== table),
    );
    if (!steps) throw new NoPath(table, needed[0] ?? table);
    const { text, local } = this.subquery(table, steps);
    const saved = this.instances.get(`${table}/`);
    this.instances.set(`${table}/`, local.get(table) as Instance);
    const measured = this.scalar(condition.scalar, condition.fn === "AVG");
    if (saved) this.instances.set(`${table}/`, saved);
    const texts = this.inside(local, inner);
    const where = texts.length > 0 ? ` WHERE ${texts.join(" AND ")}` : "";
    const group = first?.fn ? ` GROUP BY ${measured}` : "";
    const order = first ? `${group} ORDER BY ${this.orderInside(first, local)} LIMIT 1` : "";
    const value = first ? measured : `${condition.fn}(${measured})`;
    const full = `${outer} ${condition.operator} (SELECT ${value} FROM ${text}${where}${order})`;
    this.filterText(condition.words, condition.scalar.column, full);
    return full;
  }

  orderInside(
    { by, direction, fn }: NonNullable<Extract<Condition, { kind: "against" }>["first"]>,
    local: ReadonlyMap<string, Instance>,
  ): string {
    const column = this.write.column((local.get(by.table) as Instance).alias, by.column);
    if (fn) return this.write.order(`${fn}(${column})`, direction, fn !== "COUNT", true);
    return this.write.order(column, direction, this.schema.column(by).info.nullable, true);
  }

  /** FROM of a subquery: its tables under new aliases. */
  subquery(table: string, steps: Step[]): { text: string; local: Map<string, Instance> } {
    const local = new Map<string, Instance>([[table, this.newInstance(table)]]);
    const joined = steps.map((step) => {
      const right = this.newInstance(step.to);
      local.set(step.to, right);
      const node: JoinNode = {
        left: local.get(step.from) as Instance,
        right,
        type: "INNER",
        pairs: step.pairs,
        reason: this.joinReason(step),
      };
      this.joins.push(node);
      return this.write.join(node);
    });
    const first = local.get(table) as Instance;
    return { text: [`${this.write.table(first.table)} AS ${first.alias}`, ...joined].join(" "), local };
  }

  filterText(words: string, ref: ColumnRef, condition: string): void {
    this.filters.push({
      kind: "filter",
      words,
      table: ref.table,
      alias: this.instance(ref.table).alias,
      column: ref.column,
      operator: "other",
      values: [],
      condition,
    });
  }

  /** The reviewer prefers LEFT JOIN and IS NULL to NOT EXISTS. */
  leftWithout(condition: Extract<Condition, { kind: "exists" }>, path: Step[]): string {
    for (const step of path)
      this.joins.push({
        left: this.instance(step.from),
        right: this.instance(step.to),
        type: "LEFT",
        pairs: step.pairs,
        reason: this.joinReason(step),
      });
    const target = path.at(-1)?.to ?? condition.target;
    const column = this.schema.table(target).table.primaryKey[0] ?? path.at(-1)?.pairs[0]?.right ?? "";
    const text = `${this.col({ table: target, column })} IS NULL`;
    this.outerJoins.push(...this.joins.slice(-path.length));
    this.filters.push({
      kind: "filter",
      words: condition.words,
      table: target,
      alias: this.instance(target).alias,
      column,
      operator: "IS NULL",
      values: [],
      condition: text,
    });
    return text;
  }

  /** In a share, a condition on several partners asks whether there is one. */
  asExists(condition: Condition, from: string): Condition {
    if (condition.kind === "exists" || condition.kind === "any" || condition.kind === "every") return condition;
    const table = conditionColumns(condition)[0]?.table ?? from;
    if (table === from || this.graph.toOne(from, table)) return condition;
    return { kind: "exists", negated: false, from, target: table, inner: [condition], words: condition.words };
  }
}
