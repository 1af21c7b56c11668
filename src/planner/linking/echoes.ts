/** Words that take up something said before: "per support agent, with the agent's last name". */
import { isCue } from "../clauses/clause-types.ts";
import type { Item } from "./linking.ts";

/** A noun that links to nothing itself but ends an earlier name means what that name meant. */
export function linkEchoes(items: Item[]): Item[] {
  return items.map((item, index) => {
    const before = items.slice(0, index);
    const short = shortTable(item, before) ?? shortColumn(item, before) ?? countedColumn(item, before);
    if (short) return short;
    if (item.kind !== "word" || !["NOUN", "PROPN"].includes(item.token.pos) || item.token.quoted) return item;
    const named = items
      .slice(0, index)
      .findLast(
        (before) =>
          ["table", "column", "value"].includes(before.kind) &&
          before.end - before.start > 1 &&
          lastWord(before.text) === lastWord(item.text),
      );
    const place = { start: item.start, end: item.end, text: item.text };
    if (named?.kind === "table" || named?.kind === "column") return { ...named, ...place };
    const table = named?.kind === "value" ? named.options[0]?.table : undefined;
    return table ? { kind: "table", table, score: 0.8, ...place } : item;
  });
}

/** "TV channels … how many channels": the short form of a table's name, though a column is called that. */
function shortTable(item: Item, before: Item[]): Item | undefined {
  if (item.kind !== "column" || /\s/.test(item.text) || !/s$/i.test(item.text)) return undefined;
  const named = before.findLast(
    (known) => known.kind === "table" && /\s/.test(known.text) && lastWord(known.text) === lastWord(item.text),
  );
  return named?.kind === "table" ? { ...named, start: item.start, end: item.end, text: item.text } : undefined;
}

/** "What are the easiness scores …? Show courses and scores.": the scores that were asked for. */
function shortColumn(item: Item, before: Item[]): Item | undefined {
  if (item.kind !== "column" || /\s/.test(item.text) || /^(names?|ids?|dates?|numbers?|codes?)$/i.test(item.text))
    return undefined;
  const sentence = before.findLastIndex((known) => isCue(known, "stop"));
  // "for each job title, show the title": where no column is called just that, the same sentence may have named it.
  const weak = item.options.every((option) => option.score < 0.85);
  const named = before
    .slice(0, weak ? before.length : Math.max(sentence, 0))
    .findLast(
      (known) => known.kind === "column" && /\s/.test(known.text) && lastWord(known.text) === lastWord(item.text),
    );
  return named?.kind === "column" ? { ...named, start: item.start, end: item.end, text: item.text } : undefined;
}

/** "by tickets sold, with the number of tickets": the number just spoken of. */
function countedColumn(item: Item, before: Item[]): Item | undefined {
  if (item.kind !== "column" || !isCue(before.at(-1), "how-many")) return undefined;
  const word = item.text.toLowerCase();
  const named = before.findLast(
    (known) => known.kind === "column" && known.text.toLowerCase().split(/\s+/)[0] === word && known.text !== item.text,
  );
  return named?.kind === "column" ? { ...named, start: item.start, end: item.end, text: item.text } : undefined;
}

const lastWord = (text: string): string => (text.toLowerCase().split(/\s+/).at(-1) ?? "").replace(/s$/, "");
