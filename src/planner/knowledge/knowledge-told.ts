/** What the reviewer explains at a gate counts at once, as it would from a file of the workspace. Pure. */

import type { Schema } from "../schema/schema.ts";
import { toKnownWord, withWords } from "./knowledge.ts";
import { readEvidence } from "./knowledge-evidence.ts";

/** Stands where a kept piece would have its file. */
const told = "your words at a gate";

/** The schema in which a word means what `text` says; undefined when it explains none. */
export function withTold(text: string, schema: Schema): Schema | undefined {
  const piece = { id: told, file: told, line: 1, title: told, words: [], text };
  const words = readEvidence(piece, schema).flatMap(({ word, meaning }) => {
    const known = toKnownWord(word, meaning, told, schema);
    return known ? [known] : [];
  });
  return words.length === 0 ? undefined : withWords(schema, words);
}
