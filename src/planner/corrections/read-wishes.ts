/**
 * Several wishes in one sentence: "Also show the revenue, top 5 only", "sort descending; leave out Rock". Each is read for
 * itself, and one that can't be read is told apart from those that can: none may vanish.
 */

import { type Item, linkQuestion } from "../linking/linking.ts";
import type { CorrectionContext, Edit, ReadEdit } from "./correct.ts";
import { readAnew, readClauseEdit } from "./read-clause-edit.ts";

/** What a wish begins with. */
const starts = [
  "(?:sort|order|rank|group)(?:ed)?\\s+(?:by|it|them|descending|ascending|alphabetically)\\b",
  "(?:one row |a row )?(?:for each|for every|per)\\s",
  "not (?:for each|per|by)\\s",
  "only\\b",
  "just\\b",
  "(?:the )?(?:top|first|limit(?: to)?) \\d",
  "no limit\\b",
  "(?:with|without|no|keep|keeping)\\s+(?:the\\s+)?duplicates",
  "(?:only )?(?:those )?(?:with )?both\\s+[\"'‘“]",
  "also\\s",
  "(?:show|use|leave|add|join|include|exclude|hide|remove|drop|ignore|omit|make|put|turn|round|rename)\\b",
  "(?:don'?t|do not)\\s",
  "without\\s",
  "count (?:distinct|different|unique)\\b",
];
const quoted = "\"[^\"]*\"|“[^”]*”|'(?:[^']|'(?=\\p{L}))*'(?!\\p{L})";
const cut = new RegExp(
  `${quoted}|\\s*;\\s*|,\\s*(?:and\\s+|then\\s+|but\\s+)?(?=(?:${starts.join("|")}))|\\s+and\\s+(?:then\\s+)?(?=(?:${starts
    // "For each A and per B" is one wish, and so is "only those with A and without B".
    .filter((start) => !/per\)|^without|^only|^just/.test(start))
    .join("|")}))`,
  "giu",
);

/** A sentence's wishes; one when it has no other. */
export function splitWishes(text: string): string[] {
  return splitAt(text, cut);
}

function splitAt(text: string, pattern: RegExp): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const found of text.matchAll(pattern)) {
    if (/^["'“]/.test(found[0])) continue;
    parts.push(text.slice(from, found.index));
    from = found.index + found[0].length;
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter(Boolean);
}

export function readWishes(text: string, context: CorrectionContext, readOne: (wish: string) => ReadEdit): ReadEdit {
  const anew = readAnew(text, context.schema);
  if (anew) return readAll(splitWishes(anew.rest), anew.tables, text, readOne);
  const wishes = splitWishes(text);
  if (wishes.length < 2 || readClauseEdit(text, context.schema)) return readWhole(text, context, readOne);
  const read = wishes.map((wish) => readWhole(wish, context, readOne));
  // Words that are no wish by themselves belong to what stands before them.
  if (!read.some((one) => one.ok && one.edits.length > 0)) return readWhole(text, context, readOne);
  const edits = inOrder(read.flatMap((one) => (one.ok ? one.edits : (one.understood ?? []))));
  const at = read.findIndex((one) => !one.ok);
  const failed = read[at];
  if (!failed || failed.ok) return { ok: true, edits };
  return { ...failed, part: failed.part ?? wishes[at] ?? text, understood: edits };
}

/** What a wish doesn't reach is told: "sort descending, as my boss likes it". */
function readWhole(text: string, context: CorrectionContext, readOne: (wish: string) => ReadEdit): ReadEdit {
  const read = readOne(text);
  if (!read.ok || read.edits.some(({ kind }) => kind === "question" || kind === "ignore")) return read;
  if (readClauseEdit(text, context.schema)) return read;
  const [, ...rest] = splitAt(text, new RegExp(`${quoted}|\\s*[,;]\\s+`, "giu"));
  const linked = (part: string) => linkQuestion(part, context.schema, context.values, context.today).items;
  const lost = rest.find((part) => !linked(part).some(says));
  return lost === undefined ? read : { ok: false, part: lost, understood: read.edits };
}

const says = (item: Item): boolean =>
  ["table", "column", "value", "number", "period", "concept"].includes(item.kind) ||
  (item.kind === "cue" && !["filler", "stop", "comma"].includes(item.cue));

function readAll(
  wishes: readonly string[],
  tables: string[],
  words: string,
  readOne: (wish: string) => ReadEdit,
): ReadEdit {
  const edits: Edit[] = [{ kind: "frame", edit: { kind: "anew", tables, words } }];
  for (const [index, wish] of wishes.entries()) {
    const said = index === 0 ? wish.replace(/^(?:show|list|give|return)\s+(?!only\b)/i, "show only ") : wish;
    const read = readOne(said);
    // An answer from a part of the new words would be no answer to them.
    if (!read.ok || read.edits.some(({ kind }) => kind === "question"))
      return { ok: false, why: `I could not read "${wish}".` };
    edits.push(...read.edits);
  }
  return { ok: true, edits: inOrder(edits) };
}

/** What rows are per must be known before it is said what is shown of them. */
function inOrder(edits: readonly Edit[]): Edit[] {
  const rank = (edit: Edit): number => {
    if (edit.kind !== "frame") return 2;
    return edit.edit.kind === "anew" ? 0 : edit.edit.kind === "group-by" ? 1 : 2;
  };
  return [...edits].sort((a, b) => rank(a) - rank(b));
}
