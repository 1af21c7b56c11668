/** The FROM side of a statement: instances with aliases, joins with types, conditions with their EXISTS blocks. */
import type { FilterDecision, JoinType } from "../../protocol/index.ts";
import { type Condition, conditionColumns, type Frame, type Scalar } from "../frame/frame.ts";
import { daysBetween } from "../linking/day-counts.ts";
import type { JoinGraph, JoinWishes, Step } from "../relations/joins.ts";
import { relationOf } from "../relations/key-roles.ts";
import type { ColumnRef, Schema } from "../schema/schema.ts";
import { nameWords, ownName } from "../words/language.ts";
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
export const equalStep = (from: string, to: string, pairs: Step["pairs"]): Step => ({
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
    if (scalar.since) return daysBetween(this.col(scalar.since), this.col(scalar.column), this.schema.catalog.engine);
    if (scalar.per && scalar.minus) return `${number(scalar.column)} - ${number(scalar.per)}`;
    if (scalar.per) return `1.0 * ${number(scalar.column)} / NULLIF(${number(scalar.per)}, 0)`;
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
}
