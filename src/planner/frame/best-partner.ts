/**
 * "The dates of all orders of the customer with the most orders": the rows listed are many for one best row of another
 * table, so that row is a condition, and neither an order nor a limit of what is listed.
 */
import { sameColumn } from "../schema/schema.ts";
import type { Building } from "./building.ts";
import { type Condition, conditionColumns, keyTable, measureTable, type Output } from "./frame.ts";

/** The condition that a ranking of another table's rows stands for, where several rows of that row's partners are asked for. */
export function bestPartner(build: Building, by: Output): Condition | undefined {
  const { frame, graph, ranking, schema } = build;
  if (ranking?.count !== 1 || frame.groups.length > 0 || frame.having.length > 0 || frame.limit) return undefined;
  const target = by.kind === "column" ? by.ref.table : ranking.of;
  if (!target || target === frame.entity || frame.winner || frame.share) return undefined;
  if (graph.distance(frame.entity, target) >= 99 || graph.toOne(target, frame.entity)) return undefined;
  if (!frame.outputs.some((output) => isOwn(output, frame.entity)) || !saysMany(build)) return undefined;
  const inner = frame.conditions.filter((condition) => {
    const tables = conditionColumns(condition).map((ref) => ref.table);
    return tables.length > 0 && tables.every((table) => table === target || graph.toOne(target, table));
  });
  const { direction, words } = ranking;
  const limits = inner.length > 0 ? { inner } : {};
  const fn = direction === "DESC" ? "MAX" : "MIN";
  const ofRow = (condition: Condition): Condition =>
    graph.toOne(frame.entity, target)
      ? condition
      : { kind: "exists", negated: false, from: frame.entity, target, inner: [condition], words };
  if (by.kind === "column")
    return ofRow({ kind: "against", scalar: { column: by.ref }, operator: "=", fn, ...limits, words });
  const { primaryKey } = schema.table(target).table;
  const [key] = primaryKey;
  if (by.kind !== "measure" || !key || primaryKey.length > 1) return undefined;
  const { measure } = by;
  if (measure.per || measure.where || (measure.kind === "count" && measure.distinct)) return undefined;
  if (measure.kind === "aggregate" && (measure.fn === "MEDIAN" || measure.of.times)) return undefined;
  const counted = measureTable(measure);
  const own = schema.table(counted).table.primaryKey[0] ?? schema.table(counted).columns[0]?.column ?? "";
  const first =
    measure.kind === "count"
      ? { by: { table: counted, column: own }, direction, fn: "COUNT" as const }
      : { by: measure.of.column, direction, fn: measure.fn as "SUM" | "AVG" | "MIN" | "MAX" };
  if (graph.toOne(target, counted)) return undefined;
  const scalar = { column: { table: target, column: key } };
  return ofRow({ kind: "against", scalar, operator: "=", fn, first, ...limits, words });
}

const isOwn = (output: Output, table: string): boolean =>
  (output.kind === "column" && output.ref.table === table) || (output.kind === "key" && keyTable(output.key) === table);

/** The rows listed, or what is shown of them, are spoken of in the plural. */
function saysMany({ frame, linked, main }: Building): boolean {
  const isPlural = (end: number) => {
    const token = linked.tokens[end - 1];
    return token !== undefined && /s$/.test(token.lower) && token.lemma !== token.lower;
  };
  const [asked] = main.outputs;
  const table = asked?.head.kind === "table" ? asked : asked?.of;
  if (table?.head.kind === "table" && table.head.table === frame.entity) return isPlural(table.end);
  const items = linked.items.filter((item) => item.start >= (asked?.start ?? 0) && item.end <= (asked?.end ?? 0));
  return items.some((item) => {
    if (item.kind === "table") return item.table === frame.entity && isPlural(item.end);
    const shown = frame.outputs[0];
    return (
      item.kind === "column" &&
      shown?.kind === "column" &&
      item.options.some((option) => sameColumn(option, shown.ref)) &&
      isPlural(item.end)
    );
  });
}
