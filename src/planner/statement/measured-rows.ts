/** What is counted and summed, at which grain, and which rows are the best. */
import type { CteDecision } from "../../protocol/index.ts";
import {
  countsGroups,
  type Frame,
  type Having,
  type Measure,
  measureParts,
  measureTable,
  plainMeasure,
  sameMeasure,
} from "../frame/frame.ts";
import { coversKey } from "../relations/joins.ts";
import type { ColumnRef } from "../schema/schema.ts";
import { ownName } from "../words/language.ts";
import { measureWords } from "../words/lexicon.ts";
import { type Column, decimal, snake } from "./joined-tables.ts";
import { medianOf, type Placed, placeColumns } from "./medians.ts";
import { OrderedSteps } from "./ordered-steps.ts";
import { plainSelect, type SelectNode } from "./to-sql.ts";

export class MeasuredRows extends OrderedSteps {
  ranked(
    steps: CteDecision[],
    last: { name: string; alias: string; table: boolean },
    columns: Column[],
    by: string,
    name: (measure: Measure) => string,
  ): SelectNode {
    const winner = this.frame.winner as NonNullable<Frame["winner"]>;
    const per = winner.per
      .flatMap((key) => this.keyColumns(key))
      .map((column) => this.write.column(last.alias, this.addRow(column)));
    const step = this.uniqueStep(
      `ranked_per_${snake(...winner.per.map((key) => (key.kind === "entity" ? ownName(key.table) : key.kind === "column" ? key.ref.column : key.unit)))}`,
    );
    steps.push({
      kind: "cte",
      name: step,
      purpose: `the same rows, each with its place within its ${winner.per.map((key) => this.keyWords(key)).join(" and ")}; equal ones share a place`,
      sql: this.step(
        step,
        plainSelect(last, [
          ...columns.map((column) => ({ sql: this.write.column(last.alias, column.name), name: column.name })),
          {
            sql: `${winner.place ? "DENSE_RANK" : "RANK"}() OVER (PARTITION BY ${per.join(", ")} ORDER BY ${this.rankOrder(this.write.column(last.alias, by))})`,
            name: "place",
          },
        ]),
      ),
    });
    const alias = this.stepAlias(step);
    const text = winner.place ? `${alias}.place = ${winner.place}` : `${alias}.place <= ${winner.count}`;
    const ref =
      winner.by.kind === "measure"
        ? winner.by.measure.kind === "count"
          ? {
              table: winner.by.measure.table,
              column: this.schema.table(winner.by.measure.table).columns[0]?.column ?? "",
            }
          : winner.by.measure.of.column
        : winner.by.kind === "column"
          ? winner.by.ref
          : winner.by.kind === "scalar"
            ? winner.by.of.column
            : { table: this.frame.entity, column: this.schema.table(this.frame.entity).columns[0]?.column ?? "" };
    this.filters.push({
      kind: "filter",
      words: winner.words,
      table: ref.table,
      column: ref.column,
      operator: "other",
      values: [],
      condition: text,
    });
    const best = this.uniqueStep(`best_per_${step.replace(/^ranked_per_/, "")}`);
    steps.push({
      kind: "cte",
      name: best,
      purpose: winner.place
        ? `only place ${winner.place}, ties included`
        : winner.count === 1
          ? "only the first place, ties included"
          : `only the first ${winner.count} places, ties included`,
      sql: this.step(best, {
        ...plainSelect(
          { name: step, alias, table: false },
          columns.map((column) => ({ sql: this.write.column(alias, column.name), name: column.name })),
        ),
        where: [text],
      }),
    });
    const end = this.stepAlias(best);
    return {
      ...plainSelect({ name: best, alias: end, table: false }, this.finalColumns(end, name)),
      orderBy: winner.per
        .flatMap((key) => this.shownColumns(key))
        .map((column) => this.orderTerm(end, this.addRow(column), "ASC", false)),
    };
  }

  /** Written out in both directions: a rank without one reads as if it were forgotten. */
  rankOrder(sql: string): string {
    const { by, direction } = this.frame.winner as NonNullable<Frame["winner"]>;
    const text = this.write.order(sql, direction, this.mayBeNull(by), true);
    return direction === "ASC" ? `${text} ASC` : text;
  }

  measures(): Measure[] {
    const { frame } = this;
    const found: Measure[] = [];
    const add = (measure: Measure) => {
      if (!found.some((known) => sameMeasure(known, measure))) found.push(measure);
    };
    // When the groups themselves are counted, there is nothing to measure in each.
    for (const output of frame.outputs)
      if (output.kind === "measure" && !(countsGroups(frame) && frame.groups[0]?.kind === "column"))
        add(output.measure);
    for (const having of frame.having) {
      add(having.measure);
      if (having.than) add(having.than);
    }
    for (const order of frame.order) if (order.by.kind === "measure") add(order.by.measure);
    if (frame.winner?.by.kind === "measure") add(frame.winner.by.measure);
    if (frame.share?.of) add(frame.share.of);
    return found;
  }

  // — instances and joins —

  /** The measured table all others can be reached from one by one; the deepest when there are several. */
  grain(measures: Measure[], fallback: string): string {
    const tables = [...new Set(measures.flatMap(measureParts).map(measureTable))];
    return (
      tables.find((table) => tables.every((other) => other === table || this.graph.toOne(table, other))) ??
      tables[0] ??
      fallback
    );
  }

  /** A link table's key holds both sides, so its rows pair them without repeating. */
  uniquePairs(grain: string, joined: string[], keyTables: string[]): boolean {
    const all = [this.base, ...joined].filter((table) => table !== grain);
    const many = all.filter((table) => !this.graph.toOne(grain, table));
    if (!many.every((table) => keyTables.includes(table) || this.schema.table(table).bridge)) return false;
    const bridges = many.filter((table) => this.schema.table(table).bridge);
    return (
      bridges.length === 1 &&
      many.length <= 2 &&
      coversKey(
        this.schema,
        bridges[0] as string,
        this.schema.table(bridges[0] as string).columns.map((column) => column.column),
      ) &&
      this.schema.table(bridges[0] as string).table.primaryKey.length > 1
    );
  }

  measureInput(
    measure: Measure,
    grain: string,
    careful: boolean,
    exact = false,
  ): (read: (name: string) => string) => string {
    if (measure.per) {
      const [own, other] = [plainMeasure(measure), measure.per];
      const over = this.measureInput(own, grain, careful, true);
      const under = this.measureInput(other, grain, careful, true);
      if (measure.growth) return (read) => `100.0 * (${over(read)} - ${under(read)}) / NULLIF(${under(read)}, 0)`;
      if (!measure.minus) return (read) => `1.0 * ${over(read)} / NULLIF(${under(read)}, 0)`;
      // Cents that a sum of inexact numbers would show are no difference.
      const cents = [own, other].some((part) => part.kind === "aggregate" && !this.isWhole(part));
      return (read) => {
        const text = `${orZero(over(read))} - ${orZero(under(read))}`;
        return cents ? this.write.round(text, 2, true) : text;
      };
    }
    if (measure.where && !(measure.kind === "aggregate" && measure.fn === "MEDIAN"))
      return this.someRows(measure, grain, careful);
    if (measure.kind === "count") {
      if (measure.distinct) {
        const name = this.addRow({ sql: this.col(measure.distinct), name: this.columnName(measure.distinct) });
        return (read) => `COUNT(DISTINCT ${read(name)})`;
      }
      // Counted by its key wherever it is joined, so that what is counted stays the same when a join becomes LEFT.
      const joined =
        this.frame.groups.length > 0 &&
        this.joins.some((join) => join.right.table === measure.table && !this.innerJoins.has(join)) &&
        this.schema.table(measure.table).table.primaryKey.length > 0;
      if (measure.table !== grain || joined || (this.optional && careful)) {
        const key = this.rowIdentity(measure.table)[0] as Column;
        const wanted =
          (this.optional || joined) && this.schema.table(measure.table).bridge
            ? (this.schema
                .table(measure.table)
                .columns.find((column) => column.reference && column.reference.to !== this.base) ?? undefined)
            : undefined;
        const name = this.addRow(wanted ? { sql: this.col(wanted), name: this.columnName(wanted) } : key);
        return measure.table !== grain ? (read) => `COUNT(DISTINCT ${read(name)})` : (read) => `COUNT(${read(name)})`;
      }
      return () => "COUNT(*)";
    }
    if (measure.of.column.table !== grain)
      this.notes.push(
        `${measure.of.column.table} stands once per row of ${grain}: its ${measure.fn.toLowerCase()} may repeat values.`,
      );
    const { divide, ...bare } = measure.of;
    const name = this.addRow({
      sql: this.scalar(bare, measure.fn === "SUM" || measure.fn === "AVG" || measure.fn === "MEDIAN"),
      name: this.scalarName(bare),
    });
    if (measure.fn === "MEDIAN") {
      const placed = { value: name, place: `${name}_place`, size: `${name}_size` };
      this.medians.push(placed);
      return (read) => {
        const call = medianOf(read(name), read(placed.place), read(placed.size));
        return divide ? `${call} / ${decimal(divide.by)}` : call;
      };
    }
    const column = this.schema.column(measure.of.column);
    const integer = column.info.kind === "integer";
    const money = measure.fn === "SUM" && !integer && !divide && !exact;
    return (read) => {
      const call = `${measure.fn}(${read(name)})`;
      if (divide) return `${call} / ${decimal(divide.by)}`;
      // Nothing sold is 0 sold, not unknown.
      const none =
        this.frame.groups.length === 0 && measure.fn === "SUM" && measureWords.quantity.has(column.words.at(-1) ?? "");
      const zero = this.optional || none ? `COALESCE(${call}, 0)` : call;
      const parts = [measure.of.column, ...(measure.of.times ? [measure.of.times] : [])];
      return money
        ? this.write.round(
            zero,
            2,
            parts.some((ref) => !this.isExact(ref)),
          )
        : zero;
    };
  }

  /** Numbers of the rows whose median is asked for. */
  readonly medians: Placed[] = [];

  /** Adds a step under a name of its own, and gives it to be read from. */
  pushStep(steps: CteDecision[], name: string, purpose: string, node: SelectNode): SelectNode["from"] {
    const made = this.uniqueStep(name);
    steps.push({ kind: "cte", name: made, purpose, sql: this.step(made, node) });
    return { name: made, alias: this.stepAlias(made), table: false };
  }

  /** A step more, in which each row has its place within its group, for medians. */
  placeRows(
    steps: CteDecision[],
    from: SelectNode["from"],
    keys: readonly string[],
    columns: readonly string[] = this.rowColumns.map((column) => column.name),
  ): SelectNode["from"] {
    const read = (name: string) => this.write.column(from.alias, name);
    const places = this.medians.flatMap((placed) => placeColumns(placed, read(placed.value), keys.map(read), true));
    return this.pushStep(
      steps,
      `${from.name}_in_order`,
      "the same rows, each with its place in the order of the number whose middle is asked for",
      plainSelect(from, [...columns.map((column) => ({ sql: read(column), name: column })), ...places]),
    );
  }

  median({ value, place, size }: Placed, alias: string): string {
    const read = (name: string) => this.write.column(alias, name);
    return medianOf(read(value), read(place), read(size));
  }

  /** A measure of those rows of each group that meet conditions of its own. */
  someRows(measure: Measure, grain: string, careful: boolean): (read: (name: string) => string) => string {
    const texts = this.where((measure.where ?? []).map((condition) => this.asExists(condition, grain)));
    const when = texts.map((text) => text.split("\n").join("\n  ")).join(" AND ");
    const chosen = (value: string, name: string, none = "") =>
      this.addRow({ sql: `CASE WHEN ${when} THEN ${value}${none} END`, name });
    if (measure.kind === "aggregate") {
      const name = chosen(this.scalar(measure.of, true), `counted_${this.scalarName(measure.of)}`);
      return (read) => `${measure.fn}(${read(name)})`;
    }
    if (!measure.distinct && measure.table === grain && !careful) {
      const name = chosen("1", "is_counted", " ELSE 0");
      return (read) => `SUM(${read(name)})`;
    }
    const key = measure.distinct ? this.column(measure.distinct) : (this.rowIdentity(measure.table)[0] as Column);
    const name = chosen(key.sql, `counted_${key.name}`);
    return (read) => `COUNT(DISTINCT ${read(name)})`;
  }

  /** Averages and medians have as many digits as there are. */
  isWhole({ fn, of }: Extract<Measure, { kind: "aggregate" }>): boolean {
    const parts = [of.column, ...(of.times ? [of.times] : [])];
    const whole = parts.every((ref) => this.schema.column(ref).info.kind === "integer");
    return fn === "AVG" || fn === "MEDIAN" || of.divide !== undefined || whole;
  }

  isExact(ref: ColumnRef): boolean {
    const { kind, type } = this.schema.column(ref).info;
    return kind === "integer" || /^(numeric|decimal)/i.test(type);
  }

  having(condition: Having, sql: Map<Measure, string>, measures: Measure[]): string {
    const measure = measures.find((known) => sameMeasure(known, condition.measure)) as Measure;
    const call = sql.get(measure) ?? "COUNT(*)";
    const { than } = condition;
    const other = than && sql.get(measures.find((known) => sameMeasure(known, than)) as Measure);
    const text = other
      ? `${orZero(call)} ${condition.operator} ${orZero(other)}`
      : condition.operator === "BETWEEN"
        ? `${call} BETWEEN ${condition.value} AND ${condition.upper}`
        : `${call} ${condition.operator} ${condition.value}`;
    this.filterFor(condition, text);
    return text;
  }

  filterFor(condition: Having, text: string): void {
    const measure = condition.measure;
    const ref =
      measure.kind === "count"
        ? (measure.distinct ?? {
            table: measure.table,
            column:
              this.schema.table(measure.table).table.primaryKey[0] ??
              this.schema.table(measure.table).columns[0]?.column ??
              "",
          })
        : measure.of.column;
    this.filters.push({
      kind: "filter",
      words: condition.words,
      table: ref.table,
      column: ref.column,
      operator: "other",
      values: [],
      condition: text,
    });
  }

  allHaving(read: (name: string) => string): string {
    const all = this.frame.all as NonNullable<Frame["all"]>;
    const text = `COUNT(DISTINCT ${read(this.addRow({ sql: this.col(all.ref), name: this.columnName(all.ref) }))}) = ${all.values.length}`;
    this.filters.push({
      kind: "filter",
      words: all.words,
      table: all.ref.table,
      column: all.ref.column,
      operator: "other",
      values: [],
      condition: text,
    });
    return text;
  }

  // — grain —

  rowNode(distinct: boolean, where: string[]): SelectNode {
    const base = this.instance(this.base);
    return {
      ...plainSelect({ name: base.table, alias: base.alias, table: true }, this.rowColumns),
      distinct,
      joins: this.joins.filter((join) => !this.innerJoins.has(join)),
      where,
    };
  }
}

/** A sum over no rows is nothing to take from; counts are never empty. */
const orZero = (sql: string): string => (/^COUNT\(/.test(sql) ? sql : `COALESCE(${sql}, 0)`);
