/** Questions back to the reviewer. Ids hang on the words alone, so that the same question keeps its id; options are corrections that can be read. */
import { createHash } from "node:crypto";
import type { ReadEdit } from "../corrections/correct.ts";
import type { AskOption, Correction, Planned } from "../plan.ts";
import type { Schema } from "../schema/schema.ts";
import type { Compiled } from "../statement/relational-tree.ts";
import { plural } from "../words/language.ts";

type Ask = Extract<Planned, { outcome: "ask" }>;
interface Before {
  planned: Planned;
  compiled?: Compiled;
}

const mark = (text: string) => createHash("sha256").update(text.trim().toLowerCase()).digest("hex").slice(0, 8);
const keep: AskOption = { id: "keep", label: "Keep the plan as it was" };

export function askAboutCorrection(
  correction: Correction,
  read: Extract<ReadEdit, { ok: false }>,
  before: Before,
  schema: Schema,
): Ask {
  const offered = read.options ?? readable(correction, before, schema);
  return {
    outcome: "ask",
    phase: correction.phase,
    id: `correction:${correction.phase}:${mark(correction.text)}`,
    question: `I could not work out what "${shorten(correction.text)}" should change. Which of these do you mean?`,
    why:
      read.why ??
      "The words do not name a table, a column, a stored value or a change I know how to make, and I would rather ask than show the same plan again.",
    options: toOptions(offered),
  };
}

export function askUnchanged(correction: Correction, before: Before, schema: Schema): Ask {
  return {
    outcome: "ask",
    phase: correction.phase,
    id: `unchanged:${correction.phase}:${mark(correction.text)}`,
    question: `"${shorten(correction.text)}" would leave the plan exactly as it is. What should be different?`,
    why: "I read the words, but they ask for what the plan already does, or for something that has no place in it.",
    options: toOptions(readable(correction, before, schema)),
  };
}

export function askAboutNeededTable(correction: Correction, table: string, before: Before): Ask {
  const tables = (before.compiled?.tables ?? []).filter((name) => name !== table);
  return {
    outcome: "ask",
    phase: correction.phase,
    id: `needs:${table.toLowerCase()}`,
    question: `Without ${table} the question can't be answered as it stands. Keep it?`,
    why: `${table} holds or connects what the question names, and no other way leads there${tables.length > 0 ? ` from ${tables.join(", ")}` : ""}.`,
    options: [{ id: "keep", label: `Keep ${table}`, detail: "The plan stays as it was.", proposed: true }],
  };
}

function toOptions(labels: string[]): AskOption[] {
  const options = labels.slice(0, 4).map((label, index): AskOption => ({ id: `option-${index + 1}`, label }));
  return [...options, { ...keep, proposed: true }];
}

/** Changes of the phase in question, in words that can be read again. */
function readable(correction: Correction, before: Before, schema: Schema): string[] {
  const { compiled } = before;
  if (!compiled) return [];
  const joins = compiled.joins;
  const side = compiled.tables.filter((table) => table !== compiled.tables[0]);
  switch (correction.phase) {
    case "F3":
      return [
        ...joins
          .slice(0, 2)
          .map((join, index) => `Use ${join.type === "LEFT" ? "INNER" : "LEFT"} JOIN in join ${index + 1}`),
        ...side.slice(-1).map((table) => `Without table ${table}`),
      ];
    case "F2":
      return [
        ...side.slice(0, 2).map((table) => `Without table ${table}`),
        ...schema.tables
          .filter((table) => !compiled.tables.includes(table.name))
          .slice(0, 1)
          .map((table) => `Also table ${table.name}`),
      ];
    case "F4":
      return compiled.filters
        .slice(0, 3)
        .flatMap((filter) =>
          typeof filter.values[0] === "string" && filter.operator === "=" ? [`Leave out '${filter.values[0]}'`] : [],
        );
    default:
      return ["Sort descending", "Top 10", ...(joins.length > 0 ? [`Include ${plural("row")} with none`] : [])];
  }
}

const shorten = (text: string) => (text.length > 120 ? `${text.slice(0, 117)}…` : text);
