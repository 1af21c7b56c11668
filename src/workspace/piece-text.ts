/** Texts of files with a piece added, changed or taken away. Pure. */
import { type Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from "yaml";
import {
  EvidenceFront,
  RelationEntry,
  SynonymEntry,
  ThothError,
  type VerifiedPiece,
  VerifiedQuery,
} from "../protocol/index.ts";
import { splitFront } from "./evidence-file.ts";
import { parseRelations, parseSynonyms, relationId, synonymId } from "./list-files.ts";
import { createDocument, setInOrder, toNode, toText } from "./ordered-yaml.ts";
import { VerifiedFile } from "./verified-file.ts";
import type { LineFault } from "./yaml-spots.ts";

/** How the two lists differ. */
const lists = {
  relations: { schema: RelationEntry, parse: parseRelations, idOf: relationId },
  synonyms: { schema: SynonymEntry, parse: parseSynonyms, idOf: synonymId },
} as const;
export type ListKey = keyof typeof lists;

export interface ListChange {
  /** Id of the item to take away, or to put `add` in the place of. */
  remove?: string;
  add?: RelationEntry | SynonymEntry;
}

/**
 * The text with some items changed, one after the other; everything else stays as it is, and a new item goes before
 * the first that sorts after it.
 * Throws ThothError: `knowledge-broken` for a file that can't be changed, `piece-unknown`, `piece-exists`.
 */
export function changeList(text: string, key: ListKey, changes: readonly ListChange[]): string {
  const { parse, idOf, schema } = lists[key];
  const file = `${key}.yaml`;
  const document = parseForChange(text, file);
  if (document.contents === null) document.contents = document.createNode({ version: 1 });
  const top: unknown = document.contents;
  if (!isMap(top) || !isVersion(top) || !isList(top.get(key)))
    throw brokenFile(
      file,
      parse(text).faults[0] ?? { line: 1, message: "it holds no list", fix: `Write \`${key}:\` with a list.` },
    );
  if (!isSeq(top.get(key))) top.set(key, document.createNode([]));
  const list = top.get(key) as YAMLSeq;
  // Beside each item its id; one that doesn't fit has none.
  const ids = list.items.map((item) => (isMap(item) ? tryId(() => idOf(item.toJS(document))) : undefined));
  for (const { remove, add } of changes) {
    const at = remove === undefined ? -1 : ids.indexOf(remove);
    if (remove !== undefined && at < 0) throw unknownPiece(remove);
    const id = add === undefined ? undefined : idOf(add as RelationEntry & SynonymEntry);
    if (id !== undefined && id !== remove && ids.includes(id)) throw existsAlready(id);
    if (add === undefined) {
      list.items.splice(at, 1);
      ids.splice(at, 1);
    } else if (at >= 0) {
      // Name by name, so that comments within the item stay.
      for (const name of Object.keys(schema.properties))
        setInOrder(document, list.items[at] as YAMLMap, schema, name, (add as Record<string, unknown>)[name]);
      ids[at] = id;
    } else {
      const later = ids.findIndex((other) => other !== undefined && other > (id ?? ""));
      const place = later < 0 ? ids.length : later;
      list.flow = false;
      list.items.splice(place, 0, toNode(document, schema, add));
      ids.splice(place, 0, id);
    }
  }
  if (list.items.length === 0) top.delete(key);
  return toText(document, text);
}

const isList = (value: unknown): boolean =>
  value === undefined || value === null || isSeq(value) || (isScalar(value) && value.value === null);

const isVersion = (top: YAMLMap): boolean => top.get("version") === 1;

/** An item that doesn't fit has no id. */
function tryId(work: () => string): string | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function parseForChange(text: string, file: string): Document {
  const document = parseDocument(text.replaceAll("\r\n", "\n"), { uniqueKeys: false });
  const fault = document.errors[0];
  if (fault)
    throw brokenFile(file, {
      line: fault.linePos?.[0].line ?? 1,
      message: `it is not valid YAML (${fault.code})`,
      fix: "Mend that line first.",
    });
  return document as Document;
}

/** With `before`, its comments and habits stay. */
export function toEvidenceText(front: EvidenceFront, text: string, before?: string): string {
  const parts = before === undefined ? null : splitFront(before);
  const end = before?.includes("\r\n") ? "\r\n" : "\n";
  let head: string;
  if (parts) {
    const document = parseForChange(parts.front, "its first part");
    if (!isMap(document.contents)) document.contents = document.createNode({});
    for (const name of Object.keys(EvidenceFront.properties))
      setInOrder(
        document,
        document.contents as unknown as YAMLMap,
        EvidenceFront,
        name,
        front[name as keyof EvidenceFront],
      );
    head = toText(document, parts.front);
  } else head = toText(createDocument(EvidenceFront, front), "");
  const body = text.replace(/\r\n?/g, "\n").trim();
  return `---\n${head}---\n\n${body === "" ? "" : `${body}\n`}`.replaceAll("\n", end);
}

export function toVerifiedText(query: VerifiedQuery): string {
  return toText(createDocument(VerifiedFile, { version: 1, ...query }), "");
}

/** The text with some of its names changed; undefined takes one away. Throws ThothError `knowledge-broken`. */
export function changeVerified(text: string, file: string, change: Partial<VerifiedPiece>): string {
  const document = parseForChange(text, file);
  if (!isMap(document.contents))
    throw brokenFile(file, { line: 1, message: "it holds no verified query", fix: "Mend it first." });
  for (const [name, value] of Object.entries(change))
    setInOrder(document, document.contents, VerifiedQuery, name, value);
  return toText(document, text);
}

export const brokenFile = (file: string, { line, message, fix }: LineFault): ThothError =>
  new ThothError("knowledge-broken", `${file}, line ${line}: ${message}.`, fix);

export const unknownPiece = (id: string): ThothError =>
  new ThothError("piece-unknown", `There is no ${id.slice(0, 200)} any more.`, "Look at what is there now.");

const existsAlready = (id: string): ThothError =>
  new ThothError("piece-exists", `${id.slice(0, 200)} is there already.`, "Change that one instead.");
