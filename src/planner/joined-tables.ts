/** The FROM side of a statement: instances with aliases, joins with types, conditions with their EXISTS blocks. */
import type { FilterDecision, JoinType } from "../protocol/index.ts";
import { renderCondition } from "./conditions.ts";
import { type Condition, conditionColumns, type Frame, type Scalar } from "./frame.ts";
import type { JoinGraph, JoinWishes, Step } from "./joins.ts";
import { relationOf } from "./key-roles.ts";
import { nameWords, ownName } from "./language.ts";
import type { ColumnRef, Schema } from "./schema.ts";
import { createSqlWriter, type Instance, type JoinNode, type SqlWriter } from "./to-sql.ts";

export interface Column {
  sql: string;
  name: string;
}

export class NoPath extends Error {
  readonly table: string;
  constructor(from: string, table: string) {
    super(`There is no way to join ${table} to ${from} over the known relations.`);
    this.table = table;
  }
}

export const snake = (...parts: string[]) => parts.flatMap(nameWords).join("_").replace(/_+/g, "_") || "value";

export const decimal = (value: number) => (Number.isInteger(value) ? `${value}.0` : String(value));

/** A step over columns that hold the same kind of thing, where no key connects the tables. */
const equalStep = (from: string, to: string, pairs: Step["pairs"]): Step => ({
  from,
  to,
  pairs,
  toOne: false,
  relation: {
    from,
    fromColumns: pairs.map((pair) => pair.left),
    to,
    toColumns: pairs.map((pair) => pair.right),
    origin: "inferred",
    why: "the question asks for equal values",
  },
});

export class JoinedTables {
  readonly frame: Frame;

  readonly schema: Schema;

  readonly graph: JoinGraph;

  readonly wishes: JoinWishes;

  readonly write: SqlWriter;

  readonly instances = new Map<string, Instance>();

  readonly aliases = new Set<string>();

  readonly joins: JoinNode[] = [];

  readonly filters: FilterDecision[] = [];

  readonly notes: string[] = [];

  readonly tables: string[] = [];

  base = "";

  /** Columns of the row step: name by expression. */
  readonly rowColumns: Column[] = [];

  constructor(frame: Frame, schema: Schema, graph: JoinGraph, wishes: JoinWishes) {
    this.frame = frame;
    this.schema = schema;
    this.graph = graph;
    this.wishes = wishes;
    this.write = createSqlWriter(schema.catalog);
  }

  instance(table: string, role?: string): Instance {
    const key = `${table}/${role ?? ""}`;
    const known = this.instances.get(key);
    if (known) return known;
    const made = this.newInstance(table, role);
    this.instances.set(key, made);
    return made;
  }

  newInstance(table: string, role?: string): Instance {
    const words = nameWords(role ?? ownName(table));
    let alias = words.map((word) => word[0]).join("") || "t";
    if (this.write.isReserved(alias) || this.aliases.has(alias))
      alias = (words[0] ?? "t").slice(0, 2) + (words.length > 1 ? (words.at(-1)?.[0] ?? "") : "");
    for (let number = 2; this.write.isReserved(alias) || this.aliases.has(alias); number += 1)
      alias = `${(words[0] ?? "t")[0]}${number}`;
    this.aliases.add(alias);
    if (!this.tables.includes(table)) this.tables.push(table);
    return { table, alias, ...(role ? { role } : {}) };
  }

  col(ref: ColumnRef): string {
    return this.write.column(this.instance(ref.table, ref.role).alias, ref.column);
  }

  /** `calculated`: its values are added up, so they must be numbers. */
  scalar(scalar: Scalar, calculated = false): string {
    const number = (ref: ColumnRef) => this.write.number(this.col(ref), this.schema.column(ref).info);
    const plain = calculated || scalar.divide ? number(scalar.column) : this.col(scalar.column);
    const base = scalar.times ? `${number(scalar.column)} * ${number(scalar.times)}` : plain;
    return scalar.divide ? `${base} / ${decimal(scalar.divide.by)}` : base;
  }

  joinType(left: string, right: string, index: number, fallback: JoinType): JoinType {
    for (const wish of this.wishes.types) {
      if (wish.index !== undefined && wish.index === index) return wish.type;
      if (wish.index === undefined && (wish.table === undefined || wish.table === right || wish.table === left))
        return wish.type;
    }
    return fallback;
  }

  connect(base: string, tables: string[], left: boolean): void {
    this.base = base;
    this.instance(base);
    for (const table of tables) if (this.graph.distance(base, table) >= 99) throw new NoPath(base, table);
    const steps = this.graph.connect(base, tables);
    if (!steps) throw new NoPath(base, tables.at(-1) ?? base);
    for (const step of steps) {
      const type = this.joinType(step.from, step.to, this.joins.length + 1, left ? "LEFT" : "INNER");
      this.joins.push({
        left: this.instance(step.from),
        right: this.instance(step.to),
        type,
        pairs: step.pairs,
        reason: this.joinReason(step),
      });
    }
    // A join after a LEFT one on its optional side must stay LEFT, or it would undo it.
    const optional = new Set<string>();
    for (const join of this.joins) {
      if (
        join.type === "INNER" &&
        optional.has(join.left.alias) &&
        this.wishes.types.every((wish) => wish.type !== "INNER")
      )
        join.type = "LEFT";
      if (join.type === "LEFT") optional.add(join.right.alias);
    }
  }

  joinReason(step: Step): string {
    const key =
      step.relation.why === "reviewer"
        ? "as the reviewer asked"
        : step.relation.origin === "declared"
          ? "declared foreign key"
          : `inferred: ${step.relation.why ?? "names and values match"}`;
    return step.toOne
      ? `Each row of ${step.from} names at most one row of ${step.to} (${key}).`
      : `A row of ${step.from} can have several rows in ${step.to} (${key}).`;
  }

  connectRole(table: string, role: string): void {
    const key = relationOf(this.schema, table, role);
    if (key) {
      const [left, right] = [this.instance(key.from), this.instance(table, role)];
      if (this.joins.some((join) => join.right.alias === right.alias)) return;
      this.joins.push({
        left,
        right,
        type: this.joinType(key.from, table, this.joins.length + 1, "INNER"),
        pairs: key.fromColumns.map((from, index) => ({ left: from, right: key.toColumns[index] ?? from })),
        reason: `${key.fromColumns.join(", ")} of ${key.from} names the ${role.replaceAll("_", " ")} (${key.origin}).`,
      });
      return;
    }
    const relation = this.graph.selfRelation(table);
    if (!relation) throw new NoPath(table, table);
    const left = this.instance(table);
    const right = this.instance(table, role);
    if (this.joins.some((join) => join.right.alias === right.alias)) return;
    const type = this.joinType(table, table, this.joins.length + 1, this.frame.keepUnreferenced ? "LEFT" : "INNER");
    left.role ??= snake(ownName(table));
    this.joins.push({
      left,
      right,
      type,
      pairs: relation.fromColumns.map((from, index) => ({ left: from, right: relation.toColumns[index] ?? from })),
      reason: `${table} refers to itself: ${relation.fromColumns.join(", ")} names another ${table} (${relation.origin}).`,
    });
  }

  // — what is read —

  neededTables(conditions: Condition[]): { tables: string[]; roles: ColumnRef[] } {
    const tables: string[] = [];
    const roles: ColumnRef[] = [];
    const visit = (ref: ColumnRef) => {
      if (ref.role) roles.push(ref);
      const key = ref.role ? relationOf(this.schema, ref.table, ref.role) : undefined;
      if (key) {
        if (!tables.includes(key.from)) tables.push(key.from);
        return;
      }
      if (!tables.includes(ref.table)) tables.push(ref.table);
    };
    for (const condition of conditions) {
      if (condition.kind === "exists" || condition.kind === "counted") visit({ table: condition.from, column: "" });
      if (condition.kind === "any" || condition.kind === "every") {
        const inner = this.neededTables(condition.of);
        for (const table of inner.tables) if (!tables.includes(table)) tables.push(table);
        roles.push(...inner.roles);
        continue;
      }
      conditionColumns(condition).forEach(visit);
    }
    return { tables, roles };
  }

  /** Joins that stand inside an EXISTS block. */
  innerJoins = new Set<JoinNode>();

  outerJoins: JoinNode[] = [];

  // — shapes —

  /** Some rows of the base have no partner: counts must not count the gap. */
  get optional(): boolean {
    return (
      this.frame.keepEmpty ||
      this.joins.some((join) => join.type === "LEFT" && join.right.role === undefined && !this.innerJoins.has(join))
    );
  }

  condition(condition: Condition, collect = true): string {
    if (condition.kind === "exists") return this.exists(condition);
    if (condition.kind === "counted") return this.counted(condition);
    if (condition.kind === "against" && condition.inner) return this.againstSome(condition, condition.inner);
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
    const count = `(SELECT COUNT(*) FROM ${text} WHERE ${where})`;
    const { operator, value, upper } = condition;
    const full = operator === "BETWEEN" ? `${count} BETWEEN ${value} AND ${upper}` : `${count} ${operator} ${value}`;
    this.filterText(condition.words, { table: condition.from, column: first.pairs[0]?.left ?? "" }, full);
    return full;
  }

  /** A number against an aggregate over those rows that meet conditions of their own. */
  againstSome(condition: Extract<Condition, { kind: "against" }>, inner: Condition[]): string {
    const table = condition.scalar.column.table;
    const outer = this.scalar(condition.scalar, condition.fn === "AVG");
    const needed = [...new Set(inner.flatMap((part) => conditionColumns(part).map((ref) => ref.table)))];
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
    const where = this.inside(local, inner).join(" AND ");
    const full = `${outer} ${condition.operator} (SELECT ${condition.fn}(${measured}) FROM ${text} WHERE ${where})`;
    this.filterText(condition.words, condition.scalar.column, full);
    return full;
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

  // — names and words —
}
