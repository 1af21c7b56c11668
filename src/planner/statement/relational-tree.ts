/**
 * From frame to relational steps: which tables, joined how, at which grain. Knows keys and cardinality, so that no
 * aggregate counts a row twice: rows are made distinct by the measured table's key before they are aggregated.
 */
import type { CteDecision, FilterDecision } from "../../protocol/index.ts";
import type { Frame, Key, Measure } from "../frame/frame.ts";
import { measureConditions, measuredTables, measureParts, measureTable } from "../frame/frame.ts";
import type { JoinGraph, JoinWishes } from "../relations/joins.ts";
import type { ColumnRef, Schema } from "../schema/schema.ts";
import { isOn } from "../words/parts.ts";
import { type FinalShape, toFinalShape } from "./final-shape.ts";
import { type Column, NoPath } from "./joined-tables.ts";
import { MeasuredResult, NoPlace } from "./measured-result.ts";
import { type JoinNode, plainSelect, type SelectNode } from "./to-sql.ts";

export interface Compiled {
  steps: CteDecision[];
  sql: string;
  joins: JoinNode[];
  filters: FilterDecision[];
  /** Base tables in order of appearance. */
  tables: string[];
  columnNames: string[];
  shape: FinalShape;
  notes: string[];
}

export type CompileResult = { ok: true; compiled: Compiled } | { ok: false; problem: string; table?: string };

export function compileFrame(frame: Frame, schema: Schema, graph: JoinGraph, wishes: JoinWishes): CompileResult {
  try {
    return { ok: true, compiled: new Compiler(frame, schema, graph, wishes).compile() };
  } catch (error) {
    if (error instanceof NoPath) return { ok: false, problem: error.message, table: error.table };
    if (error instanceof NoPlace) return { ok: false, problem: error.message };
    throw error;
  }
}

/** The columns that show a key, at the end of a self reference that it stands for. */
const shownRefs = (key: Key, schema: Schema): ColumnRef[] =>
  key.kind !== "entity"
    ? [key.ref]
    : schema
        .table(key.table)
        .display.map(({ table, column }) => ({ table, column, ...(key.role ? { role: key.role } : {}) }));

/** Records each time that two things meet: an enrolment, a booking, a line of an order. */
const isAssociation = (table: string, schema: Schema): boolean =>
  new Set(schema.table(table).columns.flatMap((column) => (column.reference ? [column.reference.to] : []))).size >= 2;

class Compiler extends MeasuredResult {
  compile(): Compiled {
    const { frame } = this;
    const measures = this.measures();
    const measured = measures.length > 0 || frame.share !== undefined || frame.all !== undefined;
    const steps: CteDecision[] = [];
    const final =
      measured && !(frame.winner && measures.length === 0)
        ? this.compileMeasured(measures, steps)
        : this.compileList(steps);
    if (!this.write.fullJoin && this.joins.some((join) => join.type === "FULL"))
      throw new NoPlace("This database has no FULL OUTER JOIN; a LEFT JOIN keeps the rows of one side.");
    const sql = this.write.statement(steps, this.write.select(final));
    this.checkAliases(sql);
    return {
      steps,
      sql,
      joins: this.joins,
      filters: this.filters,
      tables: this.tables,
      columnNames: final.columns.map((column) => column.name),
      shape: toFinalShape(final, this.nodes, this.write, this.joins),
      notes: this.notes,
    };
  }

  /** No statement may name a table that it doesn't join. */
  checkAliases(sql: string): void {
    for (const alias of this.aliases) {
      if (!sql.includes(`${alias}.`) || new RegExp(`\\bAS ${alias}\\b`).test(sql)) continue;
      if (new RegExp(`(?<![\\w.])${alias}\\.`).test(sql.replaceAll(/'(?:[^']|'')*'/g, "''")))
        throw new NoPlace("What I read takes columns of a table that nothing in it leads to.");
    }
  }

  compileMeasured(measures: Measure[], steps: CteDecision[]): SelectNode {
    const { frame, schema, graph } = this;
    const share = frame.share;
    const shareName = share?.percent ? "share_percent" : "share";
    let counted = measures;
    const conditions = frame.conditions.map((condition) => condition);
    const part =
      share?.part.map((condition) => this.asExists(condition, share.of ? measureTable(share.of) : frame.entity)) ?? [];
    const own = measures.flatMap(measureConditions);
    const condTables = this.neededTables([
      ...conditions,
      ...part,
      ...own.map((condition) => this.asExists(condition, measures[0] ? measureTable(measures[0]) : frame.entity)),
    ]);
    const keyTables = frame.groups.map((key) => (key.kind === "entity" ? key.table : key.ref.table));
    const outTables = frame.outputs.flatMap((output) =>
      output.kind === "column" ? [output.ref] : output.kind === "scalar" ? [output.of.column] : [],
    );
    const plain = [
      ...new Set([
        ...keyTables,
        ...outTables.map((ref) => ref.table),
        ...condTables.tables,
        ...frame.required,
        ...(frame.all ? [frame.all.ref.table] : []),
      ]),
    ];
    const grain = this.grain(counted, share ? frame.entity : counted[0] ? measureTable(counted[0]) : frame.entity);
    // Rows of a link table stand for the linked things when nothing else is asked of them.
    let grainTable = grain;
    const target = keyTables[0];
    if (
      counted.length === 1 &&
      counted[0]?.kind === "count" &&
      !counted[0].distinct &&
      !counted[0].per &&
      !counted[0].where &&
      !plain.includes(grain) &&
      target
    ) {
      const path = graph.path(target, grain);
      const last = path?.at(-1);
      if (
        path &&
        path.length > 1 &&
        last?.toOne &&
        (schema.table(last.from).bridge || (path.length === 2 && isAssociation(last.from, schema))) &&
        plain.every((table) => table === target || graph.toOne(last.from, table))
      ) {
        grainTable = last.from;
        counted = [{ ...counted[0], table: grainTable }];
      }
    }
    const replaced = measures.map((measure, index) => counted[index] ?? measure);
    const measureTables = [
      ...new Set(counted.flatMap(measureParts).flatMap(measuredTables)),
      ...(share && counted.length === 0 ? [grainTable] : []),
    ];
    const base = keyTables[0] ?? (counted.length > 0 ? grainTable : frame.entity);
    this.connect(
      base,
      [...new Set([...plain, ...measureTables.flatMap((table) => [table])])],
      frame.keepEmpty && keyTables.length > 0,
    );
    const keyRoles = frame.groups.flatMap((key) =>
      key.kind === "entity" && key.role ? [{ table: key.table, column: "", role: key.role }] : [],
    );
    for (const ref of [...condTables.roles, ...outTables.filter((column) => column.role), ...keyRoles])
      this.connectRole(ref.table, ref.role ?? "");
    const joined = this.joins.map((join) => join.right.table);
    const where = this.where(conditions);
    const groupColumns = frame.groups.flatMap((key) => this.keyColumns(key));
    for (const column of groupColumns) this.addRow(column);
    // Columns of the group's own row may be shown beside the measure.
    const extra = outTables
      .map((ref) => ({ sql: this.col(ref), name: this.columnName(ref) }))
      .filter((column) => !groupColumns.some((group) => group.sql === column.sql));
    for (const column of extra) this.addRow(column);
    const keyNames = [...new Set([...groupColumns, ...extra].map((column) => this.addRow(column)))];
    const fanOut =
      !frame.repeat &&
      isOn("rows counted once") &&
      [base, ...joined].some((table) => table !== grainTable && !graph.toOne(grainTable, table)) &&
      !this.uniquePairs(grainTable, joined, keyTables);
    const inputs = counted.map((measure) => this.measureInput(measure, grainTable, fanOut || this.optional));
    let partColumn: string | undefined;
    if (share && part.length > 0) {
      const texts = this.where(part);
      const amount = share.of && share.of.kind === "aggregate" ? this.scalar(share.of.of) : "1";
      partColumn = this.addRow({
        sql: `CASE WHEN ${texts.map((text) => text.split("\n").join("\n  ")).join(" AND ")} THEN ${amount} ELSE 0 END`,
        name: share.of?.kind === "aggregate" ? "counted_amount" : "is_counted",
      });
    }
    if (frame.all) this.addRow({ sql: this.col(frame.all.ref), name: this.columnName(frame.all.ref) });
    if (fanOut) for (const column of this.rowIdentity(grainTable)) this.addRow(column);
    if (this.rowColumns.length === 0) for (const column of this.rowIdentity(grainTable)) this.addRow(column);
    const needRows =
      this.joins.length > 0 || where.length > 0 || fanOut || partColumn !== undefined || this.medians.length > 0;
    let source: { name: string; alias: string; table: boolean };
    let read: (name: string) => string;
    if (needRows) {
      const name = this.rowStepName(grainTable);
      steps.push({
        kind: "cte",
        name,
        purpose: this.rowPurpose(grainTable, fanOut),
        sql: this.step(name, this.rowNode(fanOut, where)),
      });
      source = { name, alias: this.stepAlias(name), table: false };
      if (this.medians.length > 0) source = this.placeRows(steps, source, keyNames);
      read = (column) => this.write.column(source.alias, column);
    } else {
      const instance = this.instance(base);
      source = { name: instance.table, alias: instance.alias, table: true };
      read = (column) => this.rowColumns.find((known) => known.name === column)?.sql ?? column;
    }
    // the aggregate step
    const columns: Column[] = keyNames.map((name) => ({ sql: read(name), name }));
    const names = new Map<Measure, string>();
    const measureSql = new Map<Measure, string>();
    replaced.forEach((measure, index) => {
      const sql = inputs[index]?.(read) ?? "COUNT(*)";
      const original = measures[index] as Measure;
      let name = this.measureName(original);
      for (let number = 2; columns.some((column) => column.name === name); number += 1)
        name = `${this.measureName(measure)}_${number}`;
      names.set(original, name);
      measureSql.set(original, sql);
      if (!(share && part.length > 0)) columns.push({ sql, name });
    });
    if (share && part.length > 0) {
      const whole = share.of?.kind === "aggregate" ? (inputs[0]?.(read) ?? "COUNT(*)") : "COUNT(*)";
      columns.push({
        sql: `${share.percent ? "100.0" : "1.0"} * SUM(${read(partColumn as string)}) / ${whole}`,
        name: shareName,
      });
    }
    const having = frame.having
      .filter((condition) => condition.value !== "average")
      .map((condition) => this.having(condition, measureSql, measures));
    if (frame.all) having.push(this.allHaving(read));
    const aggregateName = this.aggregateStepName(measures, share !== undefined);
    steps.push({
      kind: "cte",
      name: aggregateName,
      purpose:
        frame.groups.length > 0
          ? `one row per ${this.groupWords()} with ${[...names.values()].map((name) => name.replaceAll("_", " ")).join(", ") || "what remains of it"}`
          : "one row with the result over all rows",
      sql: this.step(aggregateName, {
        columns,
        distinct: false,
        from: source,
        joins: [],
        where: [],
        groupBy: keyNames.map(read),
        having,
        orderBy: [],
      }),
    });
    return this.finishMeasured(steps, aggregateName, columns, names, measures);
  }

  compileList(steps: CteDecision[]): SelectNode {
    const { frame, schema, graph } = this;
    const needed = this.neededTables(frame.conditions);
    const refs: ColumnRef[] = [];
    for (const output of [
      ...frame.outputs,
      ...frame.order.map((order) => order.by),
      ...(frame.winner ? [frame.winner.by] : []),
    ]) {
      if (output.kind === "key") refs.push(...shownRefs(output.key, schema));
      if (output.kind === "column") refs.push(output.ref);
      if (output.kind === "scalar")
        refs.push(
          output.of.column,
          ...(output.of.times ? [output.of.times] : []),
          ...(output.of.per ? [output.of.per] : []),
        );
    }
    for (const key of frame.winner?.per ?? []) refs.push(...shownRefs(key, schema));
    const shownTables = [...new Set(refs.map((ref) => ref.table))];
    // The rows listed are those of the entity, or of what is shown when nothing of the entity is.
    const base =
      shownTables.includes(frame.entity) || shownTables.length === 0
        ? frame.entity
        : (shownTables.find((table) => shownTables.every((other) => graph.toOne(table, other))) ??
          shownTables[0] ??
          frame.entity);
    const tables = [
      ...new Set([
        ...shownTables,
        ...needed.tables,
        ...frame.required,
        ...(shownTables.includes(frame.entity) || frame.conditions.length > 0 ? [frame.entity] : []),
      ]),
    ].filter((table) => table !== base);
    const useless = tables.filter(
      (table) => table === frame.entity && !shownTables.includes(table) && !needed.tables.includes(table),
    );
    this.connect(
      base,
      tables.filter((table) => !useless.includes(table)),
      false,
    );
    for (const ref of [...needed.roles, ...refs.filter((column) => column.role)])
      this.connectRole(ref.table, ref.role ?? "");
    const joined = this.joins.map((join) => join.right);
    const shownGrain = shownTables.filter((table) => !graph.toOne(base, table) && table !== base);
    const fanOut =
      !frame.repeat &&
      isOn("rows counted once") &&
      joined.some((instance) => instance.role === undefined && !graph.toOne(base, instance.table)) &&
      shownGrain.length === 0;
    const where = this.where(frame.conditions);
    const shown = frame.outputs.flatMap((output) => this.listColumns(output));
    const names = shown.map((column) => this.addRow(column));
    const columnKey = frame.outputs.some((output) => output.kind === "key" && output.key.kind !== "entity");
    const distinctValues = !frame.repeat && (frame.distinct || columnKey);
    if (frame.order.length > 0 || frame.winner)
      for (const order of [...frame.order.map((known) => known.by), ...(frame.winner ? [frame.winner.by] : [])])
        for (const column of this.listColumns(order)) this.addRow(column);
    for (const key of frame.winner?.per ?? []) for (const column of this.keyColumns(key)) this.addRow(column);
    const identity = fanOut || frame.limit || frame.winner ? this.rowIdentity(base) : [];
    if (!(distinctValues && !frame.winner)) for (const column of identity) this.addRow(column);
    const name = this.rowStepName(base);
    const plainDistinct = distinctValues && frame.order.length === 0;
    steps.push({
      kind: "cte",
      name,
      purpose: this.rowPurpose(base, fanOut || plainDistinct),
      sql: this.step(name, this.rowNode(fanOut || plainDistinct, where)),
    });
    const source = { name, alias: this.stepAlias(name), table: false };
    if (frame.winner) {
      const by = this.listColumns(frame.winner.by)[0];
      return this.ranked(
        steps,
        source,
        this.rowColumns.map((column) => ({ sql: column.name, name: column.name })),
        by ? this.addRow(by) : "",
        () => "",
      );
    }
    const node: SelectNode = {
      ...plainSelect(
        source,
        names.map((column) => ({ sql: this.write.column(source.alias, column), name: column })),
      ),
      distinct: distinctValues && frame.order.length > 0 && this.orderShown(names),
      orderBy: this.orderBy(source.alias, () => ""),
    };
    if (frame.limit) {
      node.limit = frame.limit.count;
      if (frame.limit.skip) node.skip = frame.limit.skip;
      this.breakTies(
        node.orderBy,
        source.alias,
        frame.limit.count === 1 && identity.length > 0 && !distinctValues
          ? identity.map((column) => this.addRow(column))
          : names,
      );
    }
    return node;
  }
}
