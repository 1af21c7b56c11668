/**
 * A key from a table to itself and what it is called: the mentor of a climber, the supervisor of a lawyer. Whoever stands
 * above is read as one word, whatever the title; who does it ("supervises nobody") as being that for others.
 */
import { isCue } from "../clauses/clause-types.ts";
import type { ColumnInfo, Schema } from "../schema/schema.ts";
import type { Token } from "../words/language.ts";
import { isDerived } from "../words/word-forms.ts";
import type { Item, ItemOf } from "./linking.ts";

const selfKeys = (schema: Schema): ColumnInfo[] =>
  schema.tables.flatMap((table) => table.columns.filter((column) => column.reference?.to === table.name));

export function nameBosses(items: Item[], schema: Schema, tokens: Token[]): Item[] {
  const keys = selfKeys(schema);
  if (keys.length === 0) return items;
  const titled = items.map((item): Item => {
    if (item.kind !== "column" || /\bids?\b/i.test(item.text)) return item;
    const best = item.options[0];
    const own = keys.some((key) => key.table === best?.table && key.column === best.column);
    return own ? toBoss(item, tokens) : item;
  });
  return dropOthers(readMost(readActs(titled, keys, tokens), keys, tokens), keys);
}

/** One word for all of them, so that the clauses need no list of titles. */
function toBoss({ start, end, text }: Item, tokens: Token[]): ItemOf<"word"> {
  const token: Token = { ...(tokens[start] as Token), pos: "NOUN", lower: "manager" };
  return { kind: "word", token, start, end, text };
}

const isBoss = (item: Item | undefined): boolean => item?.kind === "word" && item.token.lower === "manager";

const isAct = (item: Item | undefined, keys: ColumnInfo[]): boolean =>
  item?.kind === "word" &&
  item.token.pos === "VERB" &&
  keys.some((key) => key.stems.some((word) => item.token.keys.some((said) => said === word || isDerived(said, word))));

/** "which climber mentors the most climbers": the mentor that has the most of them. */
function readMost(items: Item[], keys: ColumnInfo[], tokens: Token[]): Item[] {
  const at = items.findIndex((item, index) => index > 0 && (isBoss(item) || isAct(item, keys)));
  const [who, verb, most, whom] = items.slice(at - 1, at + 3);
  if (at < 1 || who?.kind !== "table" || whom?.kind !== "table" || who.table !== whom.table || !verb) return items;
  if (!isCue(most, "superlative") || !keys.some((key) => key.table === who.table)) return items;
  return [...items.slice(0, at - 1), toBoss(verb, tokens), cue(verb, "have", "has"), ...items.slice(at + 1)];
}

/** "who supervise nobody", "who do not mentor anyone", "who supervise somebody". */
function readActs(items: Item[], keys: ColumnInfo[], tokens: Token[]): Item[] {
  const at = items.findIndex((item) => isAct(item, keys));
  const verb = items[at];
  const object = items[at + 1];
  if (!verb || !isCue(items[at - 1], "who", "relative", "do", "not") || items.slice(0, at).some(isBoss)) return items;
  const nobody = isCue(object, "not") && /^(nobody|no one)$/i.test(object.text);
  const somebody = /^(any|some)(one|body)( else)?$/i.test(object?.text ?? "");
  if (!nobody && !somebody) return items;
  const be = cue(verb, "be", "are");
  let lead = at;
  while (isCue(items[lead - 1], "do", "not")) lead -= 1;
  const denied = nobody || items.slice(lead, at).some((item) => isCue(item, "not"));
  let rest = at + 2;
  if (/^else$/i.test(items[rest]?.text ?? "")) rest += 1;
  return [
    ...items.slice(0, lead),
    be,
    ...(denied ? [cue(verb, "not", "not")] : []),
    toBoss(verb, tokens),
    ...items.slice(rest),
  ];
}

const cue = ({ start }: Item, name: "be" | "not" | "have", text: string): Item => ({
  kind: "cue",
  cue: name,
  start,
  end: start,
  text,
});

/** "the supervisor of any other lawyer": of whom, the title says already. */
function dropOthers(items: Item[], keys: ColumnInfo[]): Item[] {
  const at = items.findIndex(isBoss);
  const of = items[at + 1];
  if (at < 0 || !isCue(of, "preposition") || !/^of( an?y?)?$/i.test(of.text)) return items;
  let next = at + 2;
  while (isCue(items[next], "filler", "all")) next += 1;
  const noun = items[next];
  const whom = noun?.text ?? "";
  const open =
    /any|an?$/i.test(of.text) ||
    /^any(one|body)$/i.test(whom) ||
    items.slice(at + 2, next).some((item) => /^(any|an?|other|another)\b/i.test(item.text));
  const same =
    /^any(one|body)$/i.test(whom) || (noun?.kind === "table" && keys.some((key) => key.table === noun.table));
  const denied = items.slice(0, at).some((item) => isCue(item, "not"));
  return open && same && denied ? [...items.slice(0, at + 1), ...items.slice(next + 1)] : items;
}
