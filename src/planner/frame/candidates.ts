/** Ambiguous choices with their scored options: the base plan takes the best one, a deviation forces another. */

import type { LearnedPicks } from "../reuse/knowledge-learned.ts";

export interface Option<T> {
  label: string;
  score: number;
  value: T;
}
export interface Choice {
  key: string;
  words: string;
  options: { label: string; score: number }[];
  chosen: string;
}
export interface Picker {
  /** The best option, or the one forced for this key; options must not be empty. */
  pick<T>(key: string, words: string, options: Option<T>[]): T;
  choices: Choice[];
}

/** `learned`: by key, what is meant where another option usually wins. */
export function createPicker(forced: ReadonlyMap<string, string>, learned?: LearnedPicks): Picker {
  const choices: Choice[] = [];
  return {
    choices,
    pick(key, words, options) {
      const sorted = [...options].sort((a, b) => b.score - a.score || a.label.localeCompare(b.label));
      const wanted = forced.get(key) ?? learned?.get(key)?.get(sorted[0]?.label ?? "");
      const chosen = sorted.find((option) => option.label === wanted) ?? sorted[0];
      if (!chosen) throw new Error(`nothing to pick for ${key}`);
      if (!choices.some((choice) => choice.key === key)) {
        choices.push({
          key,
          words,
          options: sorted.map(({ label, score }) => ({ label, score })),
          chosen: chosen.label,
        });
      }
      return chosen.value;
    },
  };
}

/** Choices whose second option comes near the first, nearest first. */
export function nearTies(choices: Choice[], margin: number): { choice: Choice; margin: number }[] {
  return choices
    .filter((choice) => choice.options.length > 1)
    .map((choice) => ({ choice, margin: (choice.options[0]?.score ?? 0) - (choice.options[1]?.score ?? 0) }))
    .filter((tie) => tie.margin < margin)
    .sort((a, b) => a.margin - b.margin || a.choice.key.localeCompare(b.choice.key));
}
