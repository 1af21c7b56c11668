/** How a session went: what was asked, what each gate was answered with, what no longer holds, what was run. */
import { type LedgerEntry, phaseTitles } from "../../protocol/index.ts";
import type { SessionState } from "../../workflow/fold-ledger.ts";
import { type Block, counted, heading, list, table, text, toMoment } from "./blocks.ts";
import { toDecisionWords } from "./decision-words.ts";

const asked = { question: "Question", "follow-up": "Follow-up", steer: "Words to the model" };

/** Everything that was asked and said, when it is more than the one question on top. */
export function toAsked(entries: readonly LedgerEntry[]): Block[] {
  const prompts = entries.filter((entry) => entry.type === "prompt");
  if (prompts.length < 2) return [];
  return [
    heading(2, "What was asked"),
    ...table(
      ["When", "What", "Words"],
      prompts.map((prompt) => [toMoment(prompt.at), asked[prompt.kind] ?? prompt.kind, prompt.text]),
    ),
  ];
}

/** Every gate with its answer, also those that were sent back. */
export function toGates(state: SessionState): Block[] {
  const rows: string[][] = [];
  const own: Block[] = [];
  for (const { opened, answered, closed } of state.gates.values()) {
    const said = answered
      ? answered.answer === "continue"
        ? `Continue${answered.choice ? `: ${answered.choice}` : ""}`
        : answered.sql === undefined
          ? `Sent back: ${answered.text ?? ""}`
          : "Sent back with SQL of their own"
      : closed
        ? `Closed: ${closed.reason}`
        : "Open";
    rows.push([
      toMoment((answered ?? closed ?? opened).at),
      `${opened.phase} ${phaseTitles[opened.phase] ?? ""}`,
      opened.kind,
      said,
      answered ? toWho(answered.by) : "",
    ]);
    if (answered?.sql !== undefined)
      own.push(text(`SQL that the reviewer sent, ${toMoment(answered.at)}:`), { kind: "code", text: answered.sql });
  }
  const blocks = table(["When", "Phase", "Gate", "Answer", "Who"], rows);
  return blocks.length > 0 ? [heading(2, "Gates and answers"), ...blocks, ...own] : [];
}

export const toWho = (by: string): string =>
  by === "policy" ? "passed by policy" : by === "verified" ? "passed by a verified query" : by;

export function toSuperseded(state: SessionState, entries: readonly LedgerEntry[]): Block[] {
  const rows = entries.flatMap((entry) =>
    entry.type === "decision" && state.superseded.has(entry.seq)
      ? [[`#${entry.seq}`, entry.phase, toDecisionWords(entry.decision), toMoment(entry.at)]]
      : [],
  );
  return rows.length > 0
    ? [heading(2, "No longer holds"), ...table(["Number", "Phase", "Decision", "When"], rows)]
    : [];
}

export function toQueries(entries: readonly LedgerEntry[]): Block[] {
  const queries = entries.filter((entry) => entry.type === "query");
  if (queries.length === 0) return [];
  const failed = queries.filter((entry) => !entry.ok).length;
  return list([
    `The model ran ${counted(queries.length, "query", "queries")} on the database on the way${failed > 0 ? `, ${failed} of them without success` : ""}.`,
  ]);
}
