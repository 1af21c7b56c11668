/**
 * A reviewer who knows the gold query: Continue where a proposal agrees with it, otherwise one correction in words that
 * a person could type, made of names and values that stand at the gate. No SQL is ever said.
 */
import type { Catalog } from "../../protocol/index.ts";
import type { Reviewer, ReviewerReply, SeenGate } from "../reviewed.ts";
import type { Gold } from "../score-answer.ts";
import { chooseOption } from "./choose-option.ts";
import type { Difference, GoldView } from "./difference.ts";
import { toDifference } from "./difference.ts";
import { findDifferences } from "./differences.ts";
import { explainWord } from "./explain-word.ts";
import { restate } from "./restatement.ts";
import { readRowEvidence } from "./row-evidence.ts";
import { readShownWords, type ShownWords } from "./shown-words.ts";
import { readParts } from "./statement-parts.ts";
import { optionTemplate } from "./templates.ts";

export interface OracleParts {
  question: string;
  goldSql: string;
  gold: Gold;
  catalog: Catalog;
  /** Corrections after which everything is accepted. */
  most: number;
}

/** Sentences that a person says in one go. */
const mostSentences = 3;

/** What a gate is about is seen once more after a correction; the same words are never said twice. */
export function createOracle({ question, goldSql, gold, catalog, most }: OracleParts): Reviewer {
  const parts = readParts(goldSql, catalog);
  const view: GoldView | null = parts && { parts, catalog };
  const spoken = new Set<string>();
  /** What was accepted stays in sight below the open gate. */
  const accepted: string[] = [];
  /** Phases that were corrected. */
  const held = new Set<string>();
  let left = most;
  let corrected = false;
  let lastSaid = false;
  const spend = (reply: ReviewerReply): ReviewerReply => {
    left -= 1;
    return reply;
  };
  const accept = (gate: SeenGate): ReviewerReply => {
    if (gate.summary !== undefined) accepted.push(gate.summary);
    if ("decisions" in gate) accepted.push(JSON.stringify(gate.decisions));
    return { answer: "continue" };
  };
  const correct = (differences: readonly Difference[]): ReviewerReply => {
    for (const { text } of differences) spoken.add(text);
    corrected = true;
    return spend({
      answer: "other",
      text: differences.map(({ text }) => text).join(" "),
      template: differences.map(({ template }) => template).join(" + "),
    });
  };
  const isSayable = (shown: ShownWords) => (difference: Difference) =>
    !spoken.has(difference.text) &&
    difference.names.every((name) => shown.hasName(name)) &&
    difference.values.every((value) => shown.hasValue(value));
  return async (gate) => {
    const shown = readShownWords(question, await gate.shown(), ...accepted);
    const anew = () => {
      const said = view && restate(view, hasTwins(gold));
      return said && isSayable(shown)(said) ? [said] : [];
    };
    if (gate.kind === "question" && !gate.cannotAnswer) {
      // A question right after a correction asks what it meant: a reviewer lets go, and that is no correction more.
      const own = corrected;
      corrected = false;
      // Where the words are asked for, they are given; that is what the option to say them later is there for.
      const asksForWords = gate.options.some(({ label }) => /\bI will say\b/.test(label));
      const choice = left > 0 && parts ? chooseOption(gate, parts, catalog) : null;
      const [said] = left > 0 && !own && (asksForWords || choice === null) ? anew() : [];
      if (said) return correct([said]);
      return choice === null
        ? { answer: "continue", blind: !own }
        : spend({ answer: "continue", choice, template: optionTemplate });
    }
    corrected = false;
    if (left === 0 || !view) return accept(gate);
    if (gate.kind === "question") {
      const word = explainWord(gate.question, question, view).filter(isSayable(shown));
      const said = [...word, ...anew()][0];
      return said ? correct([said]) : accept(gate);
    }
    if (gate.kind !== "sql-review") {
      // Once for each phase: whether what is left matters is told by the rows.
      if (held.has(gate.phase)) return accept(gate);
      const found = findDifferences(gate, view).filter(isSayable(shown));
      const said = gate.phase === "F4" ? toMessage(found) : found.slice(0, 1);
      if (said.length === 0) return accept(gate);
      held.add(gate.phase);
      return correct(said);
    }
    // The last gate shows the rows: who has gold's rows before them has nothing to say.
    const answer = await gold.score(gate.sql);
    if (answer.outcome === "right") return accept(gate);
    const evidence = readRowEvidence(gold.result?.rows ?? [], "result" in answer ? answer.result.rows : []);
    const found = [
      ...findDifferences(gate, view).filter(({ part }) => evidence.parts.has(part)),
      ...(evidence.duplicates === "too-few" ? [toDifference("repeat", {})] : []),
      ...(evidence.duplicates === "too-many" ? [toDifference("distinct", {})] : []),
    ].filter(isSayable(shown));
    // Words that were said here in vain are put otherwise.
    const first = lastSaid ? anew() : [];
    const said = [first, toMessage(found), found.slice(0, 1), anew()].find((differences) => differences.length > 0);
    if (!said) return accept(gate);
    lastSaid = true;
    return correct(said);
  };
}

/** One sentence for each part, as many as are said in one go; tables alone, since other words bring their own. */
function toMessage(differences: readonly Difference[]): Difference[] {
  const chosen: Difference[] = [];
  for (const difference of differences) {
    const { part, template, text, values } = difference;
    if (part === "tables" || chosen.some((other) => other.text === text)) continue;
    if (part !== "filters" && chosen.some((other) => other.part === part)) continue;
    // What is shown says what is counted; a comparison with a value says that only the value is meant.
    if (part === "measure" && chosen.some((other) => other.template === "show-only")) continue;
    if (template === "only-value" && chosen.some((other) => other.values.some((value) => values.includes(value))))
      continue;
    chosen.push(difference);
  }
  return chosen.slice(0, mostSentences);
}

function hasTwins(gold: Gold): boolean {
  const rows = gold.result?.rows ?? [];
  return new Set(rows.map((row) => JSON.stringify(row.map(String)))).size < rows.length;
}
