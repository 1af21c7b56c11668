/** Names: of columns in steps, of steps, and the plain words about them. */

import { type Condition, type Key, type Measure, plainMeasure, type Scalar } from "../frame/frame.ts";
import { type ColumnRef, isYearColumn } from "../schema/schema.ts";
import { figureWords } from "../wording/describe.ts";
import { conditionWords } from "../wording/restate.ts";
import { ownName, plural } from "../words/language.ts";
import type { DateUnit } from "../words/lexicon.ts";
import { isoText } from "./conditions.ts";
import { type Column, snake } from "./joined-tables.ts";
import { RowConditions } from "./row-conditions.ts";
import type { SelectNode } from "./to-sql.ts";

export class NamedSteps extends RowConditions {
  keyColumns(key: Key): Column[] {
    if (key.kind === "entity") {
      const info = this.schema.table(key.table);
      const shown = this.shownColumns(key);
      const primary = info.table.primaryKey.map((column) =>
        this.column({ table: key.table, column, ...(key.role ? { role: key.role } : {}) }),
      );
      return [...primary, ...shown.filter((column) => !primary.some((known) => known.name === column.name))];
    }
    if (key.kind === "column") return [{ sql: this.col(key.ref), name: this.columnName(key.ref) }];
    return [{ sql: this.bucket(key.ref, key.unit), name: key.unit }];
  }

  shownColumns(key: Key): Column[] {
    if (key.kind !== "entity") return this.keyColumns(key);
    return this.schema
      .table(key.table)
      .display.map(({ table, column }) => this.column({ table, column, ...(key.role ? { role: key.role } : {}) }));
  }

  column(ref: ColumnRef): Column {
    return { sql: this.col(ref), name: this.columnName(ref) };
  }

  bucket(ref: ColumnRef, unit: DateUnit): string {
    const column = this.schema.column(ref);
    const sql = this.col(ref);
    if (isYearColumn(column)) return sql;
    return column.info.kind === "date" || this.write.looseTypes
      ? this.write.dateUnit(unit, sql)
      : this.write.textUnit(unit, isoText(sql, column.info.dateFormat, this.write));
  }

  columnName(ref: ColumnRef): string {
    const column = this.schema.column(ref);
    const own = snake(ref.column);
    const table = this.schema.table(ref.table);
    const generic =
      column.words.length === 1 &&
      !own.startsWith(snake(ownName(table.name))) &&
      ["name", "title", "id", "type", "code", "description", "date", "total"].includes(own);
    const name = generic ? snake(ownName(table.name), ref.column) : own;
    return ref.role ? `${ref.role}_${own}` : name;
  }

  measureName(measure: Measure): string {
    if (measure.per) {
      if (measure.growth) return "growth_percent";
      const joiner = measure.minus ? "minus" : "per";
      return `${this.measureName(plainMeasure(measure))}_${joiner}_${this.measureName(measure.per)}`.slice(0, 60);
    }
    if (measure.kind === "count")
      return measure.distinct ? `${snake(measure.distinct.column)}_count` : `${snake(ownName(measure.table))}_count`;
    const prefix = figureWords[measure.fn];
    if (measure.of.since) return `${prefix}_days`;
    const column = snake(measure.of.column.column).replace(/^total_/, "");
    const unit = measure.of.divide
      ? measure.of.divide.unit
      : measure.of.times
        ? "amount"
        : column === "total"
          ? snake(ownName(measure.of.column.table), "total")
          : column;
    return unit.startsWith(prefix) ? unit : `${prefix}_${unit}`;
  }

  scalarName(scalar: Scalar): string {
    if (scalar.since) return `days_to_${this.columnName(scalar.column)}`;
    if (scalar.per)
      return `${this.columnName(scalar.column)}_${scalar.minus ? "minus" : "per"}_${this.columnName(scalar.per)}`.slice(
        0,
        60,
      );
    if (scalar.divide) return scalar.divide.unit;
    return scalar.times ? "amount" : this.columnName(scalar.column);
  }

  addRow(column: Column): string {
    const known = this.rowColumns.find((other) => other.sql === column.sql);
    if (known) return known.name;
    let name = column.name;
    for (let number = 2; this.rowColumns.some((other) => other.name === name); number += 1)
      name = `${column.name}_${number}`;
    this.rowColumns.push({ sql: column.sql, name });
    return name;
  }

  // — conditions —

  stepNames = new Set<string>();

  /** What each step selects, by its name. */
  readonly nodes = new Map<string, SelectNode>();

  step(name: string, node: SelectNode): string {
    this.nodes.set(name, node);
    return this.write.select(node);
  }

  uniqueStep(name: string): string {
    let made = name.slice(0, 48).replace(/_+$/, "");
    const taken = (text: string) =>
      this.stepNames.has(text) || this.schema.tables.some((table) => table.name.toLowerCase() === text.toLowerCase());
    for (let number = 2; taken(made); number += 1) made = `${name.slice(0, 44)}_${number}`;
    this.stepNames.add(made);
    return made;
  }

  stepAlias(name: string): string {
    const alias = name
      .split("_")
      .map((word) => word[0])
      .join("")
      .slice(0, 3);
    let made = this.write.isReserved(alias) || this.aliases.has(alias) ? `${alias}s` : alias;
    for (let number = 2; this.write.isReserved(made) || this.aliases.has(made) || /^\d/.test(made); number += 1)
      made = `s${number}`;
    this.aliases.add(made);
    return made;
  }

  rowStepName(table: string): string {
    const value = this.frame.conditions
      .concat(this.frame.share ? [] : [])
      .map((condition) => this.conditionWord(condition))
      .find((word) => word !== "");
    const noun = snake(ownName(table)).split("_");
    noun[noun.length - 1] = plural(noun.at(-1) ?? "row");
    const exists = this.frame.conditions.find((condition) => condition.kind === "exists");
    if (exists?.kind === "exists")
      return this.uniqueStep(
        `${noun.join("_")}_${exists.negated ? "without" : "with"}_${snake(ownName(exists.target))}`,
      );
    if (value)
      return this.uniqueStep(/^\d/.test(value) ? `${noun.join("_")}_of_${value}` : `${value}_${noun.join("_")}`);
    if (this.frame.conditions.length > 0) return this.uniqueStep(`matching_${noun.join("_")}`);
    const other = this.joins
      .map((join) => join.right.table)
      .concat(this.base)
      .find((name) => name !== table && !this.schema.table(name).bridge);
    return this.uniqueStep(other ? `${noun.join("_")}_with_${snake(ownName(other))}` : `listed_${noun.join("_")}`);
  }

  conditionWord(condition: Condition): string {
    if (condition.kind === "compare" && condition.operator === "=" && typeof condition.values[0] === "string") {
      const word = snake(condition.values[0])
        .replaceAll(/[^a-z0-9_]/g, "")
        .slice(0, 24)
        .replace(/_$/, "");
      return /^[a-z]/.test(word) ? word : "";
    }
    if (
      condition.kind === "period" &&
      condition.period.years?.[0] !== undefined &&
      condition.period.years[0] === condition.period.years[1]
    )
      return String(condition.period.years[0]);
    return "";
  }

  rowPurpose(table: string, distinct: boolean): string {
    return `one row per ${snake(ownName(table)).replaceAll("_", " ")}${conditionWords(this.frame.conditions, table, this.schema)}${distinct ? ", each once" : ""}`;
  }

  aggregateStepName(measures: Measure[], share: boolean): string {
    const what = share
      ? "share"
      : measures.length === 1
        ? this.measureName(measures[0] as Measure)
        : measures.length > 1
          ? "figures"
          : "groups";
    const by = this.frame.groups
      .map((key) =>
        snake(key.kind === "entity" ? ownName(key.table) : key.kind === "column" ? key.ref.column : key.unit),
      )
      .join("_and_");
    return this.uniqueStep(by ? `${what}_by_${by}` : what);
  }

  keyWords(key: Key): string {
    return key.kind === "entity"
      ? snake(ownName(key.table)).replaceAll("_", " ")
      : key.kind === "column"
        ? snake(key.ref.column).replaceAll("_", " ")
        : key.unit;
  }

  groupWords(): string {
    return this.frame.groups.map((key) => this.keyWords(key)).join(" and ");
  }

  /** Without a declared key a row is known by what others refer to it by. */
  referredColumns(table: string): string[] | undefined {
    return this.schema.relations.find((relation) => relation.to === table && relation.from !== table)?.toColumns;
  }

  rowIdentity(table: string): Column[] {
    const info = this.schema.table(table);
    const key =
      info.table.primaryKey.length > 0
        ? info.table.primaryKey
        : (info.table.unique[0] ?? this.referredColumns(table) ?? [info.columns[0]?.column ?? ""]);
    return key.map((column) => ({ sql: this.col({ table, column }), name: this.columnName({ table, column }) }));
  }
}
