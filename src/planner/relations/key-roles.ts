/**
 * Several keys of one table to the same other one: source and destination, home and billing address. Words of the
 * question say which is meant; a column reached by such a key carries its name as role.
 */
import type { Relation } from "../../protocol/index.ts";
import type { Clause } from "../clauses/clause-types.ts";
import type { ColumnRef, Schema } from "../schema/schema.ts";
import { nameWords, stem } from "../words/language.ts";
import { isOn } from "../words/parts.ts";
import { readingsOf, wordsOf } from "../words/short-words.ts";
import { isDerived } from "../words/word-forms.ts";

export const outward: ReadonlySet<string> = new Set([
  "from",
  "depart",
  "departur",
  "leav",
  "origin",
  "sourc",
  "start",
  "begin",
  "sender",
  "giver",
  "seller",
]);
export const inward: ReadonlySet<string> = new Set([
  "to",
  "into",
  "arriv",
  "dest",
  "destin",
  "land",
  "reach",
  "end",
  "target",
  "receiv",
  "buyer",
]);

/** The keys of `from` to `to`, where there are several. */
function rivals(schema: Schema, from: string, to: string): Relation[] {
  const found = schema.relations.filter(
    (relation) => relation.from === from && relation.to === to && from !== to && relation.fromColumns.length === 1,
  );
  return found.length > 1 ? found : [];
}

export const roleOf = (relation: Relation): string => nameWords(relation.fromColumns[0] ?? "").join("_");

/** The key that a role names. */
export function relationOf(schema: Schema, table: string, role: string): Relation | undefined {
  return schema.relations.find(
    (relation) => relation.to === table && relation.from !== table && roleOf(relation) === role,
  );
}

/** Words of a key's column that its rivals don't have, as stems; short ones with what they may stand for. */
function ownWords(relation: Relation, others: Relation[]): string[] {
  const stems = (known: Relation) =>
    nameWords(known.fromColumns[0] ?? "").flatMap((word) =>
      [word, ...(wordsOf(word) ?? readingsOf(word))].map((read) => stem(read)),
    );
  const common = others.filter((other) => other !== relation).flatMap(stems);
  return stems(relation).filter((word) => !common.includes(word) && word !== "id");
}

function matches(own: string[], said: string[]): boolean {
  return own.some((word) =>
    said.some(
      (hint) =>
        hint === word ||
        isDerived(hint, word) ||
        (hint.length > 3 && (word.startsWith(hint) || hint.startsWith(word)) && word.length > 3) ||
        (outward.has(word) && outward.has(hint)) ||
        (inward.has(word) && inward.has(hint)),
    ),
  );
}

/** The tables that are spoken of, or else the only one that has several keys to this one. */
function subjectsOf(schema: Schema, table: string, spoken: readonly string[]): readonly string[] {
  const told = spoken.filter((from) => rivals(schema, from, table).length > 0);
  if (told.length > 0) return told;
  const all = schema.tables.filter((from) => rivals(schema, from.name, table).length > 0);
  return all.length === 1 && !spoken.includes(table) ? all.map((from) => from.name) : [];
}

/** Role of the table that a column leads to, where it is one of several keys to it: "whose origin is Rome". */
export function roleOfKey(schema: Schema, ref: ColumnRef, table: string): string | undefined {
  const { reference } = schema.column(ref);
  if (!isOn("key roles") || reference?.to !== table || rivals(schema, ref.table, table).length === 0) return undefined;
  return roleOf(reference);
}

/** Role of a value's table in this clause: "arrive in Rome" means the destination. */
export function roleFor(
  schema: Schema,
  table: string,
  subjects: string[],
  clause: Pick<Clause, "link" | "hints">,
): string | undefined {
  if (!isOn("key roles")) return undefined;
  const said = [...clause.hints.slice(-4), stem(clause.link.word)];
  const strong = said.filter((word) => word !== "from" && word !== "to");
  for (const from of subjectsOf(schema, table, subjects)) {
    const keys = rivals(schema, from, table);
    for (const words of [strong, said]) {
      const meant = keys.filter((relation) => matches(ownWords(relation, keys), words));
      if (meant.length === 1 && meant[0]) return roleOf(meant[0]);
    }
  }
  return undefined;
}

/** Stems of short verbs whose noun looks otherwise. */
const nounOf: Record<string, string> = { pai: "payment", bui: "purchas", fly: "flight", fli: "flight" };

/** Whether a verb of the question names the table: "rented" for rental, "enrolled" for enrolments. */
export function isSpoken(schema: Schema, table: string, said: ReadonlySet<string>, verbs = false): boolean {
  const { stems } = schema.table(table);
  const last = stems.at(-1) ?? "";
  const means = (word: string) => (word === last ? verbs : isDerived(word, last));
  return last.length > 3 && [...said].some((word) => (word.length > 3 && means(word)) || nounOf[word] === last);
}

/** Whether the words of a question name this key rather than its rivals. */
export function isSaid(schema: Schema, relation: Relation, said: ReadonlySet<string>): boolean {
  if (!isOn("key roles")) return false;
  const keys = rivals(schema, relation.from, relation.to);
  const words = [...said].filter((word) => word !== "from" && word !== "to" && word.length > 2);
  return keys.length > 1 && matches(ownWords(relation, keys), words);
}

/**
 * A key that names a part somebody plays ("editor_id" of a journalist), where a table of its own links the two as well: it
 * is meant when that part is spoken of, and the link otherwise.
 */
export function isUnsaidPart(schema: Schema, relation: Relation, said: ReadonlySet<string>): boolean {
  const { from, to, fromColumns } = relation;
  if (!isOn("key roles") || from === to || fromColumns.length !== 1) return false;
  const target = schema.table(to).stems;
  const own = nameWords(fromColumns[0] ?? "")
    .map(stem)
    .filter((word) => word !== "id");
  if (own.length === 0 || own.some((word) => target.includes(word))) return false;
  const keyed = (name: string) => {
    const table = schema.table(name).table;
    return (other: string) =>
      schema.relations.some(
        (known) =>
          known.from === name &&
          known.to === other &&
          known.fromColumns.every((column) => table.primaryKey.includes(column)),
      );
  };
  const linked = schema.tables.some(({ name }) => name !== from && name !== to && keyed(name)(from) && keyed(name)(to));
  return linked && !matches(own, [...said]);
}
