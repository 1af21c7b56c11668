/**
 * Steps between the groups and the answer: figures over groups' figures, and a figure beside each stretch of time. Only
 * window functions that SQLite, DuckDB, PostgreSQL and MySQL share.
 */
import type { CteDecision } from "../../protocol/index.ts";
import type { Frame, Key, Series } from "../frame/frame.ts";
import { figureWords } from "../wording/describe.ts";
import type { Column } from "./joined-tables.ts";
import { MeasuredRows } from "./measured-rows.ts";
import { plainSelect, type SelectNode } from "./to-sql.ts";

type Source = SelectNode["from"];
type Over = NonNullable<Frame["over"]>;

export const seriesNames: Record<Series["kind"], string> = {
  change: "change",
  growth: "growth_percent",
  running: "running_total",
};
const seriesWords: Record<Series["kind"], string> = {
  change: "the change from the one before",
  growth: "the growth since the one before, in percent",
  running: "the sum up to it",
};

export class AnalyticSteps extends MeasuredRows {
  /** One figure over the groups' figures for each of `outer`: the average spending per customer, by country. */
  foldGroups(
    steps: CteDecision[],
    last: Source,
    { fn, outer = [] }: Over,
    name: string,
  ): { last: Source; columns: Column[] } {
    const keys = outer.flatMap((key) => this.keyColumns(key)).map((column) => this.addRow(column));
    const placed = { value: name, place: `${name}_place`, size: `${name}_size` };
    if (fn === "MEDIAN") this.medians.push(placed);
    const from = fn === "MEDIAN" ? this.placeRows(steps, last, keys, [...keys, name]) : last;
    const read = (part: string) => this.write.column(from.alias, part);
    const figure = `${figureWords[fn]}_${name}`.slice(0, 60);
    const columns: Column[] = [
      ...keys.map((key) => ({ sql: read(key), name: key })),
      { sql: fn === "MEDIAN" ? this.median(placed, from.alias) : `${fn}(${read(name)})`, name: figure },
    ];
    const of = outer.map((key) => this.keyWords(key)).join(" and ");
    const made = this.pushStep(
      steps,
      `${figure}_by_${of.replaceAll(" ", "_")}`,
      `one row per ${of} with ${figure.replaceAll("_", " ")}`,
      { ...plainSelect(from, columns), groupBy: keys.map(read) },
    );
    return { last: made, columns };
  }

  /** The same rows with the figure of each stretch of time beside that of the one before, or the sum up to it. */
  addSeries(
    steps: CteDecision[],
    last: Source,
    columns: Column[],
    measure: string,
  ): { last: Source; columns: Column[] } {
    const { groups, series } = this.frame;
    const time = groups.find((key) => key.kind === "bucket");
    if (!series || !time) return { last, columns };
    const read = (name: string) => this.write.column(last.alias, name);
    const names = (key: Key) => this.keyColumns(key).map((column) => this.addRow(column));
    const others = groups.filter((key) => key !== time).flatMap((key) => names(key).slice(0, 1));
    const within = others.length > 0 ? `PARTITION BY ${others.map(read).join(", ")} ` : "";
    const over = `OVER (${within}ORDER BY ${names(time).map(read).join(", ")})`;
    const [value, before] = [read(measure), `LAG(${read(measure)}) ${over}`];
    const cents = (sql: string) => (this.isWholeFigure() ? sql : this.write.round(sql, 2, true));
    const sql = {
      change: cents(`${value} - ${before}`),
      growth: `100.0 * (${value} - ${before}) / NULLIF(${before}, 0)`,
      running: cents(`SUM(${value}) ${over}`),
    }[series.kind];
    const made: Column[] = [
      ...columns.map(({ name }) => ({ sql: read(name), name })),
      { sql, name: seriesNames[series.kind] },
    ];
    const purpose = `the same rows, each with ${seriesWords[series.kind]}`;
    return {
      last: this.pushStep(steps, `${measure}_over_time`, purpose, plainSelect(last, made)),
      columns: made,
    };
  }

  /** Counts and sums of whole numbers, which have no cents. */
  isWholeFigure(): boolean {
    return this.measures().every(
      (measure) =>
        measure.kind === "count" ||
        (measure.fn !== "AVG" && !measure.of.divide && this.schema.column(measure.of.column).info.kind === "integer"),
    );
  }
}
