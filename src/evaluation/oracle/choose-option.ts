/** The option of a question that agrees with gold. */
import type { Catalog } from "../../protocol/index.ts";
import type { SeenGate } from "../reviewed.ts";
import { columnKey, type StatementParts } from "./statement-parts.ts";

type QuestionGate = Extract<SeenGate, { kind: "question" }>;

/** Its id; null when the names and values in the options don't tell them apart. */
export function chooseOption(gate: QuestionGate, gold: StatementParts, catalog: Catalog): string | null {
  const rated = gate.options.map((option) => ({
    id: option.id,
    worth: rate(option.label, gate.question, gold, catalog),
  }));
  const best = Math.max(...rated.map(({ worth }) => worth));
  const first = rated.filter(({ worth }) => worth === best);
  return first.length === 1 && rated.some(({ worth }) => worth !== best) ? (first[0]?.id ?? null) : null;
}

const leavesOut = /^(leave\b.*\bout of it|go on without|without)\b/i;

/** Positive for what gold has, negative for what it hasn't. */
function rate(label: string, question: string, gold: StatementParts, catalog: Catalog): number {
  const quoted = [...label.matchAll(/["“'‘]([^"”'’]+)["”'’]/g)].map((match) => match[1] ?? "");
  if (leavesOut.test(label)) {
    const words = quoted.length > 0 ? quoted : [...question.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? "");
    return words.some((word) => hasValue(gold, word)) ? -1 : 1;
  }
  if (/^keep\b/i.test(label)) return 0;
  if (/^leave out\b/i.test(label)) return quoted.some((word) => leavesOutValue(gold, word)) ? 2 : -1;
  const columns = goldColumns(gold);
  let worth = 0;
  for (const table of catalog.tables) {
    const name = table.name.toLowerCase();
    for (const column of table.columns)
      if (holds(label, `${table.name}.${column.name}`))
        worth += columns.has(`${name}.${column.name.toLowerCase()}`) ? 2 : -2;
    if (holds(label, table.name)) worth += gold.tables.includes(name) ? 1 : -1;
  }
  for (const value of quoted) if (hasValue(gold, value)) worth += 1;
  return worth;
}

const holds = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w.])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?!\\w)`, "i").test(text);

function goldColumns(gold: StatementParts): Set<string> {
  const values = [
    ...gold.outputs,
    ...gold.order.map(({ by }) => by),
    ...gold.conditions.flatMap(({ simple }) => (simple ? [simple.left] : [])),
  ];
  return new Set([
    ...values.flatMap((value) => (value.kind !== "other" && value.of ? [columnKey(value.of)] : [])),
    ...gold.groups.map(columnKey),
  ]);
}

const leavesOutValue = (gold: StatementParts, word: string): boolean =>
  gold.conditions.some(
    ({ simple }) =>
      (simple?.comparison === "<>" || simple?.comparison === "NOT IN") &&
      simple.values.some((value) => String(value).toLowerCase() === word.toLowerCase()),
  );

/** As a value of a condition or as the number of rows. */
function hasValue(gold: StatementParts, word: string): boolean {
  const folded = word.toLowerCase();
  if (gold.limit !== null && String(gold.limit) === folded) return true;
  return gold.conditions.some(
    ({ form, simple }) =>
      simple?.values.some((value) => String(value).toLowerCase().replaceAll("%", "") === folded) ||
      (!simple && form.toLowerCase().includes(folded)),
  );
}
