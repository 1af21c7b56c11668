/**
 * Everything that people told a workspace, read from its folder. A file, or a piece of one, that can't be used becomes
 * a fault; all the others hold. Files that didn't change since they were read last aren't read again.
 */
import { join } from "node:path";
import type { DescriptionPiece, Fault, Knowledge, WorkspaceNotes } from "../protocol/index.ts";
import { mostDescriptionBytes } from "./descriptions.ts";
import { type Description, readDescriptionsText } from "./descriptions-file.ts";
import { parseEvidence } from "./evidence-file.ts";
import { listFolder, lookAt, readText } from "./folder-files.ts";
import { parseRelations, parseSynonyms, relationsFile, synonymsFile } from "./list-files.ts";
import { findStrays } from "./stray-files.ts";
import { parseVerified } from "./verified-file.ts";
import { parseNotes } from "./workspace-notes.ts";
import type { LineFault } from "./yaml-spots.ts";

const descriptionsFile = "descriptions.yaml";
const workspaceFile = "workspace.yaml";
/** Further ones of a file are counted, not listed. */
const mostFaults = 20;

/** `directory` is the workspace's folder; without it, or without a file, there is nothing of its kind. Never throws. */
export async function readKnowledge(directory: string): Promise<Knowledge> {
  const faults: Fault[] = [];
  const read = async <T>(
    file: string,
    parse: (text: string) => { value: T; faults: LineFault[] },
    mostBytes?: number,
  ) => {
    const found = await readParsed(join(directory, file), parse, mostBytes);
    const inOrder = found.faults.toSorted((a, b) => a.line - b.line);
    faults.push(...inOrder.slice(0, mostFaults).map((fault) => ({ file, ...fault })));
    const more = inOrder[mostFaults];
    if (more)
      faults.push({
        file,
        line: more.line,
        message: `${found.faults.length - mostFaults} more of its lines can't be used`,
        fix: "Mend those above first.",
      });
    return found.value;
  };
  /** Each file of a folder for itself, in order. */
  const readAll = async <P>(
    folder: string,
    ending: string,
    parse: (text: string, file: string) => { piece: P | null; faults: LineFault[] },
  ): Promise<P[]> => {
    const listing = await listFolder(join(directory, folder), ending);
    for (const { name, fault } of listing.faults) faults.push({ file: name ? `${folder}/${name}` : folder, ...fault });
    const pieces: P[] = [];
    for (const name of listing.names) {
      const file = `${folder}/${name}`;
      const piece = await read(file, (text) => {
        const parsed = parse(text, file);
        return { value: parsed.piece, faults: parsed.faults };
      });
      if (piece) pieces.push(piece);
    }
    return pieces;
  };
  const listOf = <P>(parse: (text: string) => { pieces: P[]; faults: LineFault[] }) => {
    return (text: string) => {
      const { pieces: value, faults: found } = parse(text);
      return { value, faults: found };
    };
  };

  const workspace = await read<WorkspaceNotes>(workspaceFile, (text) => {
    const { notes: value, faults: found } = parseNotes(text);
    return { value, faults: found };
  });
  const descriptions = await read(
    descriptionsFile,
    (text) => {
      const { entries, faults: found } = readDescriptionsText(text);
      return { value: entries.map(toDescriptionPiece), faults: found };
    },
    mostDescriptionBytes,
  );
  const relations = await read(relationsFile, listOf(parseRelations));
  const synonyms = await read(synonymsFile, listOf(parseSynonyms));
  const evidence = await readAll("evidence", ".md", parseEvidence);
  const verified = await readAll("verified", ".yaml", parseVerified);
  faults.push(...(await findStrays(directory)));
  return {
    workspace: workspace ?? {},
    descriptions: descriptions ?? [],
    relations: relations ?? [],
    synonyms: synonyms ?? [],
    evidence,
    verified,
    faults,
  };
}

function toDescriptionPiece({ table, column, value, text, line, origin }: Description): DescriptionPiece {
  const about = `${table}${column === null ? "" : `.${column}`}${value === undefined ? "" : ` = ${value}`}`;
  return {
    id: `${descriptionsFile}#${about}`,
    file: descriptionsFile,
    line,
    table,
    column,
    value: value ?? null,
    text,
    ...(origin ? { origin } : {}),
  };
}

interface Parsed {
  identity: string;
  value: unknown;
  faults: LineFault[];
}

/** Read files by path, each valid for exactly the file it was read from. */
const kept = new Map<string, Parsed>();
const mostKept = 10_000;

/** Null without a file, and for one that can't be read at all. */
async function readParsed<T>(
  path: string,
  parse: (text: string) => { value: T; faults: LineFault[] },
  mostBytes?: number,
): Promise<{ value: T | null; faults: LineFault[] }> {
  const looked = await lookAt(path, mostBytes);
  if (looked.kind === "absent") return { value: null, faults: [] };
  if (looked.kind === "fault") return { value: null, faults: [looked.fault] };
  const known = kept.get(path);
  if (known?.identity === looked.identity) return { value: known.value as T, faults: known.faults };
  const read = await readText(path, mostBytes);
  if (read.kind === "absent") return { value: null, faults: [] };
  if (read.kind === "fault") return { value: null, faults: [read.fault] };
  const parsed = parseSafely(read.text, parse);
  kept.delete(path);
  kept.set(path, { identity: read.identity, ...parsed });
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(oldest);
  }
  return parsed;
}

/** A text can be nested so deep that a parser runs out of its stack. */
function parseSafely<T>(
  text: string,
  parse: (text: string) => { value: T; faults: LineFault[] },
): { value: T | null; faults: LineFault[] } {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { value: null, faults: [{ line: 1, message: "it is nested too deep to be read", fix: "Write it flat." }] };
  }
}
