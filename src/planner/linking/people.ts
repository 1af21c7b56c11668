/** Which tables hold people, for "who" and "people": by what they are called, by their names, by what is kept of them. */
import type { JoinGraph } from "../relations/joins.ts";
import type { Schema, TableInfo } from "../schema/schema.ts";
import { stem } from "../words/language.ts";

const called = new Set(
  (
    "person people user customer client employee staff worker student pupil member artist author writer player teacher instructor " +
    "professor owner patient doctor nurse physician vet driver rider passenger guest visitor tenant agent merchant vendor seller " +
    "buyer supplier donor volunteer participant candidate applicant attendee subscriber judge coach referee singer actor director " +
    "producer musician composer reviewer resident citizen friend contact manager foreman leader captain pilot farmer engineer " +
    "developer lawyer officer contestant competitor athlete borrower speaker guide freelancer contractor"
  )
    .split(" ")
    .map(stem),
);
const kept = /^(age|gender|sex|birth|birthday|birthdate|dob|salary|nationality|email|phone|hired|hire|surname)$/;

/** 0 for things; the more, the more surely a row is one person. */
export function isPeople(info: TableInfo): number {
  if (info.bridge) return 0;
  if (info.person) return 1;
  const columns = info.columns.filter((column) => column.words.some((word) => kept.test(word))).length;
  const last = info.stems.at(-1) ?? "";
  const named = info.display.some((column) => column.info.kind === "text" && !column.isKey);
  const known = called.has(last) || info.stems.some((word) => called.has(word) && info.stems.length < 3);
  if (!named || (!known && columns < 2)) return 0;
  return (known ? 0.7 : 0.4) + Math.min(columns, 3) * 0.05;
}

/** The people meant: those that the question speaks of, or those that its things belong to. */
export function peopleTable(
  schema: Schema,
  graph: JoinGraph,
  spoken: ReadonlyMap<string, number>,
  said: readonly string[],
): { label: string; value: string; score: number }[] {
  const things = [...spoken.keys()];
  return schema.tables.flatMap((info) => {
    const people = isPeople(info);
    if (people === 0) return [];
    const near = things.map((table) => graph.distance(info.name, table)).filter((distance) => distance < 99);
    const far = near.length > 0 ? Math.min(...near) : 1;
    const dated = info.columns.some((column) =>
      column.stems.some((word) => said.some((hint) => hint.length > 3 && (word === hint || word.startsWith(hint)))),
    );
    return [
      {
        label: info.name,
        value: info.name,
        score:
          people +
          (spoken.get(info.name) ?? 0) * 2 -
          0.2 * far +
          (dated ? 0.4 : 0) +
          Math.min(info.table.rows, 1000) / 10_000,
      },
    ];
  });
}
