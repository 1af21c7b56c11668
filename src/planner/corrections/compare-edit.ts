/** "Only those with milliseconds greater than 300000", "… above the average", "… at least 3 albums": read and applied. */
import type { Building } from "../frame/building.ts";
import type { Condition } from "../frame/frame.ts";
import { type ItemOf, linkQuestion } from "../linking/linking.ts";
import { sameColumn } from "../schema/schema.ts";
import type { Operator } from "../words/lexicon.ts";
import type { CorrectionContext } from "./correct.ts";

export type CompareEdit = {
  kind: "compare";
  words: string;
} & (
  | {
      column: ItemOf<"column">;
      operator: Operator | "LIKE" | "NOT LIKE";
      value: number | string | "average";
    }
  | { table: string; operator: Operator; value: number }
);

/** Longer words first. */
const operators: [RegExp, Operator | "LIKE" | "NOT LIKE"][] = [
  [/^(?:not like|not containing)$/i, "NOT LIKE"],
  [/^(?:like|containing)$/i, "LIKE"],
  [/^(?:at least|no less than)$/i, ">="],
  [/^(?:at most|no more than)$/i, "<="],
  [/^(?:greater than|more than|larger than|over|above|after)$/i, ">"],
  [/^(?:less than|fewer than|smaller than|under|below|before)$/i, "<"],
  [/^(?:other than|different from|not equal to)$/i, "<>"],
  [/^(?:equal to|exactly)$/i, "="],
];
const signs =
  "not like|not containing|like|containing|at least|no less than|at most|no more than|greater than|more than|larger than|over|above|after|less than|fewer than|smaller than|under|below|before|other than|different from|not equal to|equal to|exactly";
const operatorOf = (text: string) => operators.find(([words]) => words.test(text.trim()))?.[1];

export function readCompareEdit(text: string, context: CorrectionContext): CompareEdit | undefined {
  const link = (part: string) => linkQuestion(part, context.schema, context.values, context.today).items;
  const start = "^(?:only|just|keep)\\s+(?:those|the ones|rows)\\s+(?:with|that have|whose)\\s+(?:an?\\s+|the\\s+)?";
  const counted = new RegExp(`${start}(${signs})\\s+(\\d+)\\s+(.+)$`, "i").exec(text);
  if (counted) {
    const table = link(counted[3] ?? "").find((item): item is ItemOf<"table"> => item.kind === "table")?.table;
    const operator = operatorOf(counted[1] ?? "");
    if (!table || !operator || operator === "LIKE" || operator === "NOT LIKE") return undefined;
    return {
      kind: "compare",
      table,
      operator,
      value: Number(counted[2]),
      words: `${counted[1]} ${counted[2]} ${counted[3]}`,
    };
  }
  const compared = new RegExp(`${start}(.+?)\\s+(?:is\\s+|of\\s+)?(${signs})\\s+(.+)$`, "i").exec(text);
  if (!compared) return undefined;
  const [, name = "", sign = "", written = ""] = compared;
  const operator = operatorOf(sign);
  const column = link(name).find((item): item is ItemOf<"column"> => item.kind === "column");
  if (!column || !operator) return undefined;
  const words = `${name} ${sign} ${written}`;
  if (/^(?:the\s+)?average$/i.test(written)) return { kind: "compare", column, operator, value: "average", words };
  const bare = written.replace(/^["'‘“]|["'’”]$/g, "");
  const number = Number(bare.replaceAll(",", ""));
  return { kind: "compare", column, operator, value: Number.isNaN(number) ? bare : number, words };
}

/** False when nothing in the frame can be compared that way. */
export function applyCompareEdit(edit: CompareEdit, build: Building): boolean {
  const { frame, resolver, schema } = build;
  const { words } = edit;
  if ("table" in edit) {
    if (edit.table === frame.entity && frame.groups.length === 0) return false;
    if (frame.groups.length > 0)
      frame.having.push({
        measure: { kind: "count", table: edit.table, words },
        operator: edit.operator,
        value: edit.value,
        words,
      });
    else
      frame.conditions.push({
        kind: "counted",
        from: frame.entity,
        target: edit.table,
        inner: [],
        operator: edit.operator,
        value: edit.value,
        words,
      });
    return true;
  }
  const near = [frame.entity, ...frame.groups.map((key) => (key.kind === "entity" ? key.table : key.ref.table))];
  const ref = resolver.column(edit.column, near, near);
  const { operator, value } = edit;
  if (value === "average") {
    if (operator === "LIKE" || operator === "NOT LIKE") return false;
    frame.conditions.push({ kind: "against", scalar: { column: ref }, operator, fn: "AVG", words });
    return true;
  }
  const isPattern = operator === "LIKE" || operator === "NOT LIKE";
  // Numbers that are stored as text are compared as the column has them.
  const stored = typeof value === "number" && schema.column(ref).info.kind === "text" ? String(value) : value;
  const made: Condition = {
    kind: "compare",
    ref,
    operator,
    values: [isPattern ? `%${value}%` : stored],
    words,
  };
  // What said something else about the same column is what is being corrected.
  frame.conditions = frame.conditions.filter(
    (condition) =>
      condition.kind !== "compare" || !sameColumn(condition.ref, ref) || isOtherEnd(condition.operator, operator),
  );
  frame.conditions.push(made);
  return true;
}

/** The two ends of a range stand beside each other. */
const isOtherEnd = (before: string, now: string): boolean =>
  (/^>/.test(before) && /^<=?$/.test(now)) || (/^<=?$/.test(before) && /^>/.test(now));
