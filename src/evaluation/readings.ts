/** Whether a gate named both readings of an ambiguous question: told by the tables that only one of them reads. */
import type { Catalog } from "../protocol/index.ts";
import { readParts } from "./oracle/statement-parts.ts";
import type { Question } from "./questions.ts";
import type { EvaluatedQuestion } from "./report.ts";
import type { Reviewer, SeenGate } from "./reviewed.ts";

type Found = NonNullable<EvaluatedQuestion["readings"]>;

export interface Readings {
  /** The same reviewer; what stands at the gates is noted on the way. */
  watch(review: Reviewer): Reviewer;
  found(): Found;
}

export function createReadings(question: Question, catalog: Catalog): Readings {
  const tablesOf = (sql: string) => readParts(sql, catalog)?.tables ?? [];
  const first = tablesOf(question.gold_sql ?? "");
  const second = (question.gold_sql_alternatives ?? []).flatMap(tablesOf);
  // The second reading is told by what the first one doesn't read; the first one by any of its tables.
  const other = second.filter((table) => !first.includes(table));
  const names = (text: string, tables: readonly string[]) => tables.some((table) => holds(text, table));
  const both = (text: string) => names(text, first) && names(text, other);
  const found: Found = { asked: false, open_question: false, left_out: false };
  const look = (gate: SeenGate) => {
    if (gate.kind === "question") {
      const options = gate.options.map(({ label, detail = "" }) => `${label} ${detail}`);
      found.asked ||=
        options.some((text) => names(text, other)) && options.some((text) => names(text, first) && !names(text, other));
    }
    found.open_question ||= gate.openQuestions.some(both);
    if (gate.kind === "decision-review") {
      const tables = (use: string) =>
        gate.decisions.flatMap((decision) =>
          decision.kind === "table" && decision.use === use ? [decision.table] : [],
        );
      const [used, left] = [tables("used"), tables("left-out")].map((list) => list.join("\n"));
      found.left_out ||=
        (names(used ?? "", first) && names(left ?? "", other)) ||
        (names(used ?? "", other) && names(left ?? "", first));
    }
  };
  return {
    watch: (review) => (gate) => {
      look(gate);
      return review(gate);
    },
    found: () => found,
  };
}

const holds = (text: string, name: string): boolean =>
  new RegExp(`(?<!\\w)${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?!\\w)`, "i").test(text);
