/** The texts of `relations.yaml` and `synonyms.yaml`: a version, and a list. Pure. */
import type { TSchema } from "typebox";
import { type Meaning, RelationEntry, type RelationPiece, SynonymEntry, type SynonymPiece } from "../protocol/index.ts";
import { fitSchema } from "./fit-schema.ts";
import { type LineFault, readYaml, type Spot } from "./yaml-spots.ts";

export interface ReadPieces<P> {
  pieces: P[];
  faults: LineFault[];
}

export const relationsFile = "relations.yaml";
export const synonymsFile = "synonyms.yaml";

export function parseRelations(text: string): ReadPieces<RelationPiece> {
  return parseList(text, "relations", RelationEntry, "a relation", (entry, line) => {
    const faults: LineFault[] = [];
    if (entry.from.columns.length !== entry.to.columns.length)
      faults.push({
        line,
        message: `\`from\` has ${entry.from.columns.length} columns and \`to\` has ${entry.to.columns.length}`,
        fix: "Write the columns in pairs: as many on both sides.",
      });
    else if (toEnd(entry.from) === toEnd(entry.to))
      faults.push({
        line,
        message: "it joins columns with themselves",
        fix: "Name the columns of the other side under `to`.",
      });
    return faults.length > 0 ? faults : { id: relationId(entry), file: relationsFile, line, ...entry };
  });
}

export function parseSynonyms(text: string): ReadPieces<SynonymPiece> {
  return parseList(text, "synonyms", SynonymEntry, "a synonym", (entry, line) =>
    entry.means.value !== undefined && entry.means.column === undefined
      ? [{ line, message: "`means` has a `value` and no `column`", fix: "Add the `column:` that holds the value." }]
      : { id: synonymId(entry), file: synonymsFile, line, ...entry },
  );
}

const toEnd = ({ table, columns }: RelationEntry["from"]): string => `${table}(${columns.join(",")})`;

export const relationId = ({ from, to, role }: Pick<RelationEntry, "from" | "to" | "role">): string =>
  `${relationsFile}#${toEnd(from)}->${toEnd(to)}${role === undefined ? "" : ` as ${role}`}`;

export const synonymId = ({ word, means }: Pick<SynonymEntry, "word" | "means">): string =>
  `${synonymsFile}#${word}->${meaningWords(means)}`;

/** `Customer`, `Customer.Country`, `Customer.Country = Germany`. */
export const meaningWords = ({ table, column, value }: Meaning): string =>
  `${table}${column === undefined ? "" : `.${column}`}${value === undefined ? "" : ` = ${value}`}`;

/** Each item for itself: one that doesn't fit takes no other with it. */
function parseList<S extends TSchema, P extends { id: string; line: number }>(
  text: string,
  key: string,
  schema: S,
  what: string,
  toPiece: (entry: import("typebox").Static<S>, line: number) => P | LineFault[],
): ReadPieces<P> {
  const found: ReadPieces<P> = { pieces: [], faults: [] };
  const list = findList(text, key, found.faults);
  const lines = new Map<string, number>();
  for (const spot of list) {
    const fitted = fitSchema(schema, spot, what);
    if (!fitted.ok) {
      found.faults.push(...fitted.faults);
      continue;
    }
    const piece = toPiece(fitted.value, spot.line);
    if (Array.isArray(piece)) {
      found.faults.push(...piece);
      continue;
    }
    const before = lines.get(piece.id);
    lines.set(piece.id, before ?? piece.line);
    if (before === undefined) found.pieces.push(piece);
    else
      found.faults.push({
        line: piece.line,
        message: `it says what line ${before} says already`,
        fix: "Keep one of the two.",
      });
  }
  return found;
}

function findList(text: string, key: string, faults: LineFault[]): Spot[] {
  const read = readYaml(text);
  if (!read.ok) {
    faults.push(...read.faults);
    return [];
  }
  const top = read.spot;
  if (top.value === null) return [];
  if (typeof top.value !== "object" || Array.isArray(top.value)) {
    faults.push({
      line: top.line,
      message: "the file must have names at its left edge",
      fix: `Begin with \`version: 1\`, then \`${key}:\` with the list below it.`,
    });
    return [];
  }
  for (const [name, spot] of top.below)
    if (name !== "version" && name !== key)
      faults.push({
        line: spot.line,
        message: `the file knows no \`${name.slice(0, 60)}\``,
        fix: `Only \`version:\` and \`${key}:\` stand at the left edge.`,
      });
  faults.push(...versionFaults(top));
  const list = top.below.get(key);
  if (!list || list.value === null) return [];
  if (!Array.isArray(list.value)) {
    faults.push({ line: list.line, message: `\`${key}\` must be a list`, fix: "Begin each item with -." });
    return [];
  }
  return [...list.below.values()];
}

/** A file of a version to come may mean something else by the same words. */
export function versionFaults(top: Spot): LineFault[] {
  const version = top.below.get("version");
  if (version?.value === 1) return [];
  return [
    {
      line: version?.line ?? top.line,
      message: version ? "`version` must be 1" : "there is no `version`",
      fix: "Write `version: 1` in the first line.",
    },
  ];
}
