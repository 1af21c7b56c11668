/** Short names of a schema in full: by what short forms stand for anywhere, and by the names of its own tables. */
import { keyWords } from "../words/lexicon.ts";
import { isOn } from "../words/parts.ts";
import { wordsOf, writeOut } from "../words/short-words.ts";
import { isBareSkeleton } from "../words/word-forms.ts";

/** What a column's name may be short for: its own table, the one its key leads to, and all others. Words in full. */
export interface NamesAround {
  own: string[];
  referenced?: string[];
  tables: readonly string[][];
}

export const writtenTable = (words: string[]): string[] => (isOn("short names") ? writeOut(words) : words);

export function writtenColumn(words: string[], around: NamesAround): string[] {
  if (!isOn("short names")) return words;
  const begun = withTableWord(words, around.own) ?? withTableWord(words, around.referenced ?? []) ?? words;
  return writeOut(begun.map((word) => tableWord(word, around) ?? word));
}

/** "pat" in patID of Patient, "wo" in wo_no of work_order: a name that begins with the table's own word, cut short. */
function withTableWord(words: string[], table: string[]): string[] | undefined {
  const [first = "", ...rest] = words;
  if (rest.length === 0 || keyWords.ids.has(first) || wordsOf(first)) return undefined;
  const whole = table.find((word) => first.length >= 3 && word.length > first.length && word.startsWith(first));
  if (whole) return [whole, ...rest];
  const initials = table.length > 1 ? table.map((word) => word[0]).join("") : "";
  return first === initials && !/^(is|on|in|at|to|by|no|of|or|as)$/.test(first) ? [...table, ...rest] : undefined;
}

/** "vsl" where a table is called vessel: its consonants, and no other table's. */
function tableWord(word: string, { tables }: NamesAround): string | undefined {
  if (word.length < 3 || wordsOf(word)) return undefined;
  const found = new Set(tables.flat().filter((whole) => isBareSkeleton(whole, word)));
  return found.size === 1 ? [...found][0] : undefined;
}
