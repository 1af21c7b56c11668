/**
 * What one row of the answer is, its columns, its order and its limit, held against the interpretations that say them
 * as expressions. Where none does, nothing is compared.
 */
import type { Catalog } from "../protocol/index.ts";
import type { AcceptedShape } from "./accepted.ts";
import { atLine, type Report } from "./conformance-report.ts";
import { orderForms } from "./facts-form.ts";
import { sameForm } from "./match-filters.ts";
import type { BlockFact } from "./statement-facts.ts";

type Aspect = "restatement" | "grain" | "output" | "order" | "limit";
const aspects: readonly Aspect[] = ["restatement", "grain", "output", "order", "limit"];

const labels: Record<Aspect, string> = {
  restatement: "Combined by",
  grain: "One row per",
  output: "Output",
  order: "Order by",
  limit: "Limit",
};
const lacks: Record<Aspect, string> = {
  restatement: "The SQL doesn't combine its queries as you accepted",
  grain: "The SQL doesn't give one row per what you accepted",
  output: "The SQL puts out other columns than you accepted",
  order: "The SQL doesn't sort as you accepted",
  limit: "The SQL doesn't cut at the limit you accepted",
};
const adds: Record<Aspect, string> = {
  restatement: "combines two queries in a way you did not accept",
  grain: "folds rows in a way you did not accept",
  output: "puts out columns you did not accept",
  order: "sorts in a way you did not accept",
  limit: "cuts rows in a way you did not accept",
};

/** The lists of a SELECT that say an aspect; an answer's own must be accepted, others only unless their step was. */
function formsOf(block: BlockFact, aspect: Aspect): string[][] {
  switch (aspect) {
    case "restatement":
      return block.set === undefined ? [] : [[block.set]];
    case "grain":
      return [...(block.group ? [block.group] : []), ...(block.distinct ? [toSet(block.outputs)] : [])];
    case "output":
      return block.outputs.length > 0 ? [block.outputs] : [];
    case "order":
      return block.order.length > 0 ? [orderForms(block)] : [];
    case "limit":
      return block.limit.length > 0 ? [block.limit] : [];
  }
}

const toSet = (forms: readonly string[]): string[] => [...new Set(forms)].sort();
const separator = "\u0001";

function isSame(inSql: readonly string[], shape: AcceptedShape, catalog: Catalog): boolean {
  if (sameForm(inSql.join(separator), shape.forms.join(separator))) return true;
  if (shape.decision.aspect !== "grain") return false;
  return (
    isSameGrain(toSet(inSql), toSet(shape.forms)) || isSameGrain(toKeys(inSql, catalog), toKeys(shape.forms, catalog))
  );
}

/** Without columns that a whole primary key beside them settles: a customer's name changes nothing about its id. */
function toKeys(forms: readonly string[], catalog: Catalog): string[] {
  const parts = forms.map((form) => /^([^(),]+)\.([^.(),]+)$/.exec(form));
  return toSet(
    forms.filter((_, at) => {
      const [, prefix = "", column = ""] = parts[at] ?? [];
      const table = catalog.tables.find(({ name }) => name.toLowerCase() === prefix.replace(/#.*$/, "").toLowerCase());
      const key = table?.primaryKey.map((name) => name.toLowerCase()) ?? [];
      if (key.length === 0 || key.includes(column.toLowerCase())) return true;
      return !key.every((name) => parts.some((part) => part?.[1] === prefix && part[2]?.toLowerCase() === name));
    }),
  );
}

function isSameGrain(inSql: readonly string[], wanted: readonly string[]): boolean {
  if (inSql.length !== wanted.length) return false;
  // Roles left open change how the list is sorted.
  const open = [...wanted];
  return inSql.every((form) => {
    const at = open.findIndex((other) => sameForm(form, other));
    return at >= 0 && open.splice(at, 1).length > 0;
  });
}

/** A limit accepted in words holds by its number, unless that number stands in a condition, such as one on a rank. */
function reportLimitWords({ facts, accepted, snippets, rows, drafts }: Report): void {
  for (const { seq, decision } of accepted.limits) {
    const numbers = decision.text.match(/\d+/g) ?? [];
    const [number] = numbers;
    if (number === undefined || numbers.length > 1) continue;
    const cuts = facts.blocks.filter((block) => block.limit.length > 0);
    const found = cuts.filter((block) => block.limit[0] === `#${number}`);
    const ranked = facts.conditions.some((condition) => condition.form.includes(`#${number}`));
    const ok = found.length > 0 || ranked;
    const lines = snippets.lines((ok ? found : cuts).map((block) => block.at));
    rows.push({ seq, text: `Limit ${number}`, status: ok ? "found" : cuts.length > 0 ? "deviates" : "missing", lines });
    if (ok) continue;
    drafts.push({
      kind: "limit-changed",
      seq,
      title: `The SQL doesn't cut at ${number} rows, as you accepted`,
      body: `You accepted: ${decision.text}`.slice(0, 500),
      accepted: number,
      lines,
    });
  }
}

export function reportShape(report: Report): void {
  reportLimitWords(report);
  const { facts, accepted, snippets, rows, drafts } = report;
  if (accepted.shapes.length === 0) return;
  for (const aspect of aspects) {
    const shapes = accepted.shapes.filter((shape) => shape.decision.aspect === aspect);
    const said = facts.blocks.flatMap((block) => formsOf(block, aspect).map((forms) => ({ block, forms })));
    const lineOf = ({ block }: { block: BlockFact }) => snippets.lines([block.at]);
    const extra = said.filter(
      ({ block, forms }) =>
        !block.covered &&
        (aspect !== "output" || block.final || block.branch) &&
        !shapes.some((shape) => isSame(forms, shape, report.catalog)),
    );
    for (const shape of shapes) {
      const text = (shape.decision.expressions ?? []).join(", ");
      const found = said.filter(({ forms }) => isSame(forms, shape, report.catalog));
      const other = found.length > 0 ? undefined : extra.shift();
      const lines = other ? lineOf(other) : [...new Set(found.flatMap(lineOf))];
      const status = found.length > 0 ? "found" : other ? "deviates" : "missing";
      rows.push({ seq: shape.seq, text: `${labels[aspect]} ${text}`.slice(0, 300), status, lines });
      if (found.length > 0) continue;
      drafts.push({
        kind: `${aspect}-changed`,
        seq: shape.seq,
        title: lacks[aspect],
        body: `You accepted: ${shape.decision.text}`.slice(0, 500),
        accepted: text.slice(0, 2000),
        lines,
      });
    }
    if (aspect === "output" && shapes.length === 0) continue;
    for (const place of extra)
      drafts.push({
        kind: `${aspect}-extra`,
        title: `${atLine(lineOf(place)[0])} ${adds[aspect]}`,
        body: "No accepted decision says so.",
        lines: lineOf(place),
      });
  }
}
