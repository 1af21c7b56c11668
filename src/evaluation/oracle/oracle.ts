/**
 * A reviewer who knows the gold query: Continue where a proposal agrees with it, otherwise one correction in words that
 * a person could type, made of names and values that stand at the gate. No SQL is ever said.
 */
import type { Catalog } from "../../protocol/index.ts";
import type { Reviewer, ReviewerReply, SeenGate } from "../reviewed.ts";
import type { Gold } from "../score-answer.ts";
import { chooseOption } from "./choose-option.ts";
import { findDifferences } from "./differences.ts";
import { readShownWords } from "./shown-words.ts";
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

/** What a gate is about is seen once more after a correction; the same words are never said twice. */
export function createOracle({ question, goldSql, gold, catalog, most }: OracleParts): Reviewer {
  const parts = readParts(goldSql, catalog);
  const spoken = new Set<string>();
  let left = most;
  let corrected = false;
  const spend = (reply: ReviewerReply): ReviewerReply => {
    left -= 1;
    return reply;
  };
  return async (gate) => {
    if (gate.kind === "question" && !gate.cannotAnswer) {
      // A question right after a correction asks what it meant: a reviewer lets go, and that is no correction more.
      const own = corrected;
      corrected = false;
      const choice = left > 0 && parts ? chooseOption(gate, parts, catalog) : null;
      return choice === null
        ? { answer: "continue", blind: !own }
        : spend({ answer: "continue", choice, template: optionTemplate });
    }
    corrected = false;
    if (left === 0 || !parts) return { answer: "continue" };
    // The last gate shows the rows: who has gold's rows before them has nothing to say.
    if (gate.kind === "sql-review" && (await gold.score(gate.sql)).outcome === "right") return { answer: "continue" };
    const shown = readShownWords(question, await gate.shown());
    const difference = toDifferences(gate).find(
      ({ text, names, values }) =>
        !spoken.has(text) &&
        names.every((name) => shown.hasName(name)) &&
        values.every((value) => shown.hasValue(value)),
    );
    if (!difference) return { answer: "continue" };
    spoken.add(difference.text);
    corrected = true;
    return spend({ answer: "other", text: difference.text, template: difference.template });
  };

  function toDifferences(gate: SeenGate) {
    return parts ? findDifferences(gate, { parts, catalog }) : [];
  }
}
