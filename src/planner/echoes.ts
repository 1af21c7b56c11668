/** Words that take up something said before: "per support agent, with the agent's last name". */
import type { Item } from "./linking.ts";

/** A noun that links to nothing itself but ends an earlier name means what that name meant. */
export function linkEchoes(items: Item[]): Item[] {
  return items.map((item, index) => {
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

const lastWord = (text: string): string => (text.toLowerCase().split(/\s+/).at(-1) ?? "").replace(/s$/, "");
