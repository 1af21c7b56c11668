/** What follows once figures stand in one row per group: groups beyond the average, shares, figures over groups, the best. */
import type { CteDecision } from "../../protocol/index.ts";
import { countsGroups, type Measure, sameMeasure } from "../frame/frame.ts";
import { figureWords } from "../wording/describe.ts";
import { ownName } from "../words/language.ts";
import { AnalyticSteps, seriesNames } from "./analytic-steps.ts";
import { type Column, snake } from "./joined-tables.ts";
import { plainSelect, type SelectNode } from "./to-sql.ts";

/** An order or output that the rows of the result can't give. */
export class NoPlace extends Error {}

export class MeasuredResult extends AnalyticSteps {
  finishMeasured(
    steps: CteDecision[],
    aggregateName: string,
    columns: Column[],
    names: Map<Measure, string>,
    measures: Measure[],
  ): SelectNode {
    const { frame } = this;
    const shareName = frame.share?.percent ? "share_percent" : "share";
    let last = { name: aggregateName, alias: this.stepAlias(aggregateName), table: false };
    const name = (measure: Measure) =>
      names.get(measures.find((known) => sameMeasure(known, measure)) as Measure) ?? "";
    const average = frame.having.filter((condition) => condition.value === "average");
    if (average.length > 0) {
      const where = average.map((condition) => {
        const column = name(condition.measure);
        const text = `${this.write.column(last.alias, column)} ${condition.operator} (SELECT AVG(${this.write.column("overall", column)}) FROM ${this.write.name(last.name)} AS overall)`;
        this.filterFor(condition, text);
        return text;
      });
      const step = `${aggregateName}_beyond_average`.slice(0, 60);
      steps.push({
        kind: "cte",
        name: step,
        purpose: "those groups that differ from the average over all groups as asked",
        sql: this.step(step, {
          ...plainSelect(
            last,
            columns.map((column) => ({ sql: this.write.column(last.alias, column.name), name: column.name })),
          ),
          where,
        }),
      });
      last = { name: step, alias: this.stepAlias(step), table: false };
    }
    const outer = frame.over?.outer ?? [];
    let held = columns;
    let named = name;
    if (frame.over && outer.length > 0) {
      const folded = this.foldGroups(steps, last, frame.over, name(measures[0] as Measure));
      last = folded.last;
      held = folded.columns;
      named = () => held.at(-1)?.name ?? "";
    }
    if (frame.series) {
      const made = this.addSeries(steps, last, columns, name(measures[0] as Measure));
      last = made.last;
      held = made.columns;
    }
    const shown = this.finalColumns(last.alias, named);
    if (frame.series) {
      const column = seriesNames[frame.series.kind];
      shown.push({ sql: this.write.column(last.alias, column), name: column });
    }
    const node = plainSelect(last, shown);
    if (frame.share && frame.share.part.length > 0) {
      node.columns = [
        ...shown.filter((column) => column.name !== shareName && frame.groups.length > 0),
        { sql: this.write.column(last.alias, shareName), name: shareName },
      ];
      return node;
    }
    if (frame.share && frame.share.part.length === 0 && (!measures[0] || frame.groups.length === 0))
      throw new NoPlace(
        "I can give the percentage of rows that meet a condition, or each group's part of a whole; this asks for another ratio.",
      );
    if (frame.share && frame.share.part.length === 0 && measures[0]) {
      const column = this.write.column(last.alias, name(measures[0]));
      node.columns = [
        ...frame.groups
          .flatMap((key) => this.shownColumns(key))
          .map((shownColumn) => ({
            sql: this.write.column(last.alias, this.addRow(shownColumn)),
            name: this.addRow(shownColumn),
          })),
        { sql: `${frame.share.percent ? "100.0" : "1.0"} * ${column} / SUM(${column}) OVER ()`, name: shareName },
      ];
    }
    if (frame.over && outer.length === 0) {
      const measured = name(measures[0] as Measure);
      if (frame.over.fn === "MEDIAN") {
        const placed = { value: measured, place: `${measured}_place`, size: `${measured}_size` };
        this.medians.push(placed);
        const from = this.placeRows(steps, last, [], [measured]);
        return { ...node, from, columns: [{ sql: this.median(placed, from.alias), name: `median_${measured}` }] };
      }
      node.columns = [
        {
          sql: `${frame.over.fn}(${this.write.column(last.alias, measured)})`,
          name: `${figureWords[frame.over.fn]}_${measured}`,
        },
      ];
      return node;
    }
    if (countsGroups(frame)) {
      const group = frame.groups[0];
      const counted = group?.kind === "column" ? group.ref.column : ownName(frame.entity);
      node.columns = [{ sql: "COUNT(*)", name: `${snake(counted)}_count` }];
      return node;
    }
    if (frame.winner)
      return this.ranked(
        steps,
        last,
        columns,
        frame.winner.by.kind === "measure" ? name(frame.winner.by.measure) : "",
        name,
      );
    node.orderBy = frame.series?.best
      ? [this.orderTerm(last.alias, seriesNames[frame.series.kind], frame.series.best, true)]
      : this.orderBy(last.alias, named);
    const known = new Set(held.map((column) => column.name));
    for (const wanted of [...node.orderBy.map((term) => term.column), ...shown.map((column) => column.name)]) {
      if (!known.has(wanted))
        throw new NoPlace(
          `The result has one row per ${this.groupWords() || "whole"}, so ${wanted.replaceAll("_", " ")} has no place in it.`,
        );
    }
    if (frame.limit) {
      node.limit = frame.limit.count;
      if (frame.limit.skip) node.skip = frame.limit.skip;
      for (const key of outer.length > 0 ? outer : frame.groups)
        this.breakTies(
          node.orderBy,
          last.alias,
          (frame.limit.count === 1 ? this.keyColumns(key) : this.shownColumns(key)).map((column) =>
            this.addRow(column),
          ),
          frame.limit.count === 1 ? node.orderBy[0]?.direction : "ASC",
        );
    }
    if (frame.distinct && !frame.outputs.some((output) => output.kind === "measure")) node.distinct = true;
    return node;
  }
}
