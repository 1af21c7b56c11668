/** What a result shows and how it is ordered. */
import type { Measure, Output } from "../frame/frame.ts";
import type { ColumnRef, Schema } from "../schema/schema.ts";
import { type Column, decimal } from "./joined-tables.ts";
import { NamedSteps } from "./named-steps.ts";
import type { OrderTerm } from "./to-sql.ts";

export class OrderedSteps extends NamedSteps {
  finalColumns(alias: string, name: (measure: Measure) => string): Column[] {
    return this.frame.outputs.flatMap((output): Column[] => {
      if (output.kind === "measure") {
        const column = name(output.measure);
        return [{ sql: this.write.column(alias, column), name: column }];
      }
      if (output.kind === "key")
        return this.shownColumns(output.key).map((column) => {
          const row = this.addRow(column);
          return { sql: this.write.column(alias, row), name: row };
        });
      const column =
        output.kind === "column"
          ? { sql: this.outputSql(output), name: output.divide ? output.divide.unit : this.columnName(output.ref) }
          : { sql: this.scalar(output.of), name: this.scalarName(output.of) };
      const row = this.addRow(column);
      return [{ sql: this.write.column(alias, row), name: row }];
    });
  }

  outputSql(output: Extract<Output, { kind: "column" }>): string {
    return output.divide ? `${this.col(output.ref)} / ${decimal(output.divide.by)}` : this.col(output.ref);
  }

  orderBy(alias: string, name: (measure: Measure) => string): OrderTerm[] {
    return this.frame.order.flatMap(({ by, direction }) => {
      const term = (column: string) => this.orderTerm(alias, column, direction, this.mayBeNull(by));
      if (by.kind === "measure") return [term(name(by.measure))];
      if (by.kind === "key") return this.shownColumns(by.key).map((column) => term(this.addRow(column)));
      const column =
        by.kind === "column"
          ? { sql: this.col(by.ref), name: this.columnName(by.ref) }
          : { sql: this.scalar(by.of), name: this.scalarName(by.of) };
      return [term(this.addRow(column))];
    });
  }

  orderTerm(alias: string, column: string, direction: OrderTerm["direction"], mayBeNull: boolean): OrderTerm {
    return { column, sql: this.write.column(alias, column), direction, mayBeNull };
  }

  /** Adds what is shown to an order that doesn't hold it yet, so that a LIMIT cuts ties the same way each time. */
  breakTies(
    orderBy: OrderTerm[],
    alias: string,
    columns: readonly string[],
    direction: OrderTerm["direction"] = "ASC",
  ): void {
    for (const column of columns) {
      const term = this.orderTerm(alias, column, direction, false);
      if (!orderBy.some((known) => known.sql.startsWith(term.sql))) orderBy.push(term);
    }
  }

  /** Counts never are; what is added up or read is where the column may be empty or its table may have no partner. */
  mayBeNull(output: Output): boolean {
    if (output.kind === "measure" && output.measure.kind === "count") return false;
    const refs = outputColumns(output, this.schema);
    return this.optional || refs.some((ref) => this.schema.column(ref).info.nullable);
  }

  listColumns(output: Output): Column[] {
    if (output.kind === "key") return this.shownColumns(output.key);
    if (output.kind === "column")
      return [{ sql: this.outputSql(output), name: output.divide ? output.divide.unit : this.columnName(output.ref) }];
    if (output.kind === "scalar") return [{ sql: this.scalar(output.of), name: this.scalarName(output.of) }];
    return [];
  }

  /** SELECT DISTINCT may only order by what it shows. */
  orderShown(names: string[]): boolean {
    return this.frame.order.every((order) =>
      this.listColumns(order.by).every((column) => names.includes(this.addRow(column))),
    );
  }
}

function outputColumns(output: Output, schema: Schema): ColumnRef[] {
  if (output.kind === "key")
    return output.key.kind === "entity" ? schema.table(output.key.table).display : [output.key.ref];
  if (output.kind === "column") return [output.ref];
  const scalar = output.kind === "scalar" ? output.of : output.measure.kind === "count" ? undefined : output.measure.of;
  return scalar ? [scalar.column, ...(scalar.times ? [scalar.times] : []), ...(scalar.per ? [scalar.per] : [])] : [];
}
