/**
 * Adds, changes and removes pieces of knowledge in a workspace's folder. A file is replaced as a whole or stays as it
 * is; nothing is written through a link or into a file with faults.
 */
import { lstat, mkdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import {
  type EvidenceFront,
  type RelationEntry,
  type SynonymEntry,
  ThothError,
  VerifiedQuery,
} from "../protocol/index.ts";
import { parseEvidence, type ReadFile } from "./evidence-file.ts";
import { readText, toPiecePath } from "./folder-files.ts";
import { parseRelations, relationId, relationsFile, synonymId, synonymsFile } from "./list-files.ts";
import { oneAfterTheOther } from "./one-after-the-other.ts";
import { toPieceName } from "./piece-name.ts";
import {
  brokenFile,
  changeList,
  changeVerified,
  type ListKey,
  toEvidenceText,
  toVerifiedText,
  unknownPiece,
} from "./piece-text.ts";
import { parseVerified } from "./verified-file.ts";
import { replaceWhole } from "./write-file.ts";

/** Descriptions have a door of their own: `describe`. */
export type NewPiece =
  | { kind: "relation"; entry: RelationEntry }
  | { kind: "synonym"; entry: SynonymEntry }
  | { kind: "evidence"; front: EvidenceFront; text: string }
  | { kind: "verified"; query: VerifiedQuery };

export interface KeptPiece {
  id: string;
  /** Relative to the workspace's folder. */
  file: string;
}

/** Throws ThothError: `piece-exists`, `piece-invalid`, `knowledge-broken`, `knowledge-changed`. */
export function addPiece(folder: string, piece: NewPiece): Promise<KeptPiece> {
  return oneAfterTheOther(folder, async () => {
    switch (piece.kind) {
      case "relation":
        await editList(folder, "relations", (text) => changeList(text, "relations", [{ add: piece.entry }]));
        return { id: relationId(piece.entry), file: relationsFile };
      case "synonym":
        await editList(folder, "synonyms", (text) => changeList(text, "synonyms", [{ add: piece.entry }]));
        return { id: synonymId(piece.entry), file: synonymsFile };
      case "evidence":
        return await addFile(folder, "evidence", ".md", piece.front.title, toEvidenceText(piece.front, piece.text));
      case "verified":
        return await addFile(folder, "verified", ".yaml", piece.query.question, toVerifiedText(piece.query));
    }
  });
}

/**
 * Relations in one change of their file; with `replace`, those that are there already say what the new ones say, else
 * they stay. Gives the ids of those written and of those that stayed. Throws like `addPiece`.
 */
export function addRelations(
  folder: string,
  entries: readonly RelationEntry[],
  options: { replace: boolean },
): Promise<{ written: string[]; stayed: string[] }> {
  return oneAfterTheOther(folder, async () => {
    let outcome: { written: string[]; stayed: string[] } = { written: [], stayed: [] };
    const wanted = new Map(entries.map((entry) => [relationId(entry), entry]));
    await editList(folder, "relations", (text) => {
      const known = new Map(parseRelations(text).pieces.map((piece) => [piece.id, piece]));
      const ids = [...wanted.keys()];
      const isSame = (id: string) => JSON.stringify(sayOf(known.get(id))) === JSON.stringify(sayOf(wanted.get(id)));
      const stayed = ids.filter((id) => known.has(id) && !isSame(id) && !options.replace);
      const written = ids.filter((id) => !known.has(id) || (options.replace && !isSame(id)));
      outcome = { written, stayed };
      const changes = written.map((id) => ({
        ...(known.has(id) ? { remove: id } : {}),
        add: wanted.get(id) as RelationEntry,
      }));
      return changes.length === 0 ? text : changeList(text, "relations", changes);
    });
    return outcome;
  });
}

/** What a relation says, whoever said it and when. */
const sayOf = (entry: RelationEntry | undefined) => entry && [entry.cardinality, entry.when ?? null];

/** The piece with that id says something else from now on; comments in its file stay. Throws like `addPiece`. */
export function replacePiece(folder: string, id: string, piece: NewPiece): Promise<KeptPiece> {
  return oneAfterTheOther(folder, async () => {
    switch (piece.kind) {
      case "relation":
        await editList(folder, "relations", (text) =>
          changeList(text, "relations", [{ remove: id, add: piece.entry }]),
        );
        return { id: relationId(piece.entry), file: relationsFile };
      case "synonym":
        await editList(folder, "synonyms", (text) => changeList(text, "synonyms", [{ remove: id, add: piece.entry }]));
        return { id: synonymId(piece.entry), file: synonymsFile };
      case "evidence":
        return await editFile(folder, id, (text) => toEvidenceText(piece.front, piece.text, text));
      case "verified":
        return await editFile(folder, id, (text) => changeVerified(text, id, { ...noQuery, ...piece.query }));
    }
  });
}

/** A query that replaces another leaves nothing of it, be it a mark that it is stale. */
const noQuery: Partial<VerifiedQuery> = Object.fromEntries(
  Object.keys(VerifiedQuery.properties).map((name) => [name, undefined]),
);

/** Some names of a verified query; undefined takes one away. Throws like `addPiece`. */
export function amendVerified(folder: string, file: string, change: Partial<VerifiedQuery>): Promise<KeptPiece> {
  return oneAfterTheOther(folder, () => editFile(folder, file, (text) => changeVerified(text, file, change)));
}

/** Throws ThothError: `piece-unknown`, `knowledge-broken`, `knowledge-changed`. */
export function removePiece(folder: string, id: string): Promise<void> {
  return oneAfterTheOther(folder, async () => {
    const list = (["relations", "synonyms"] as const).find((key) => id.startsWith(`${key}.yaml#`));
    if (list) return await editList(folder, list, (text) => changeList(text, list, [{ remove: id }]));
    const path = id.includes("/") ? toPiecePath(folder, id) : null;
    if (path === null) throw unknownPiece(id);
    await refuseLinks(folder, id.split("/")[0] ?? "");
    const read = await readText(path);
    if (read.kind === "absent") throw unknownPiece(id);
    await unlink(path);
  });
}

/** Somebody may save the file in an editor at this very moment: then theirs is read first. */
async function edit(path: string, file: string, change: (text: string | null) => string | null): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const text = await readOrThrow(path, file);
    const next = change(text);
    if (next === text || next === null) return;
    if (await replaceWhole(path, next, async () => (await readOrThrow(path, file)) === text)) return;
  }
  throw new ThothError(
    "knowledge-changed",
    `${file} is being changed by somebody else.`,
    "Look at what stands there now, then try again.",
  );
}

async function editList(folder: string, key: ListKey, change: (text: string) => string): Promise<void> {
  await refuseLinks(folder);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Without a file there is nothing to take away, and nothing is made that would be empty.
  await edit(join(folder, `${key}.yaml`), `${key}.yaml`, (text) => {
    const next = change(text ?? "");
    return text === null && next === "" ? null : next;
  });
}

async function editFile(folder: string, file: string, change: (text: string) => string): Promise<KeptPiece> {
  const path = file.includes("/") ? toPiecePath(folder, file) : null;
  if (path === null) throw unknownPiece(file);
  await refuseLinks(folder, file.split("/")[0] ?? "");
  await edit(path, file, (text) => {
    if (text === null) throw unknownPiece(file);
    const next = change(text);
    return next === text ? text : proven(next, file);
  });
  return { id: file, file };
}

/** Under a name that nothing has yet, made of the title. */
async function addFile(
  folder: string,
  part: "evidence" | "verified",
  ending: string,
  title: string,
  text: string,
): Promise<KeptPiece> {
  await refuseLinks(folder, part);
  proven(text, `${part}/new${ending}`);
  await mkdir(join(folder, part), { recursive: true, mode: 0o700 });
  for (let number = 1; number < 1000; number++) {
    const file = `${part}/${toPieceName(title, number)}${ending}`;
    const path = join(folder, file);
    if (await replaceWhole(path, text, async () => !(await exists(path)))) return { id: file, file };
  }
  throw new ThothError("piece-exists", "A thousand files have that name already.", "Give it another title.");
}

/** What is written must be read as it was meant; else it isn't written at all. */
function proven(text: string, file: string): string {
  const read: ReadFile<unknown> = file.endsWith(".md") ? parseEvidence(text, file) : parseVerified(text, file);
  const fault = read.faults[0];
  if (fault) throw new ThothError("piece-invalid", `This can't be kept: ${fault.message}.`, fault.fix);
  return text;
}

async function readOrThrow(path: string, file: string): Promise<string | null> {
  const read = await readText(path);
  if (read.kind === "fault") throw brokenFile(file, read.fault);
  return read.kind === "text" ? read.text : null;
}

/** A folder that is a link leads out of the workspace. */
async function refuseLinks(folder: string, part?: string): Promise<void> {
  for (const path of part === undefined ? [folder] : [folder, join(folder, part)]) {
    const stats = await lstat(path).catch(() => null); // made by the caller
    if (stats && !stats.isDirectory())
      throw new ThothError(
        "knowledge-broken",
        `${path === folder ? "The workspace's folder" : part} is no plain folder.`,
        "Put a folder there.",
      );
  }
}

const exists = async (path: string): Promise<boolean> =>
  await lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
