/**
 * What a reviewer keeps of a session, written into the workspace's folder with the ledger entry that it comes from; the
 * ledger notes it, and what was dropped, so that nobody is asked twice.
 */
import { changeLedger } from "../../ledger/ledger.ts";
import { findSessionDir } from "../../ledger/session-dirs.ts";
import {
  type KeepPiece,
  type KeptPiece,
  type LedgerEntry,
  type Manifest,
  type SaveVerified,
  type Suggestion,
  type Suggestions,
  type Table,
  ThothError,
  type VerifiedPiece,
} from "../../protocol/index.ts";
import { foldLedger } from "../../workflow/fold-ledger.ts";
import { addPiece, replacePiece } from "../../workspace/change-knowledge.ts";
import { describeMany } from "../../workspace/descriptions.ts";
import { relationId } from "../../workspace/list-files.ts";
import { readKnowledge } from "../../workspace/read-knowledge.ts";
import { verifyLimits } from "../../workspace/verify-query.ts";
import { openWorkspace, workspaceDir } from "../../workspace/workspaces.ts";
import { readResult } from "../read-result.ts";
import type { RouteParts } from "../routes/route.ts";
import { toSuggestions } from "./suggestions.ts";
import { findAccepted, toVerifiedQuery } from "./verified-query.ts";

/** Throws ThothError: `session-unknown`, `workspace-unknown`. */
export async function readSuggestions(parts: RouteParts, id: string): Promise<Suggestions> {
  const record = await openRecord(parts, id);
  return { suggestions: toSuggestions(record), verified: describeVerified(record) };
}

/** Throws ThothError: `suggestion-unknown`, `table-unknown`, `piece-exists`, `piece-invalid`, `knowledge-broken`. */
export async function keepPiece(parts: RouteParts, id: string, seq: number, piece: KeepPiece): Promise<KeptPiece> {
  const record = await openRecord(parts, id);
  requireSuggestion(toSuggestions(record), seq);
  requireNames(piece, record.tables);
  const kept = await writePiece(record.folder, piece, { session: id, seq });
  await note(parts.home, id, seq, kept.id);
  return kept;
}

/** Throws ThothError `suggestion-unknown`. Twice is once. */
export async function dropSuggestion(parts: RouteParts, id: string, seq: number): Promise<void> {
  const { state } = requireSuggestion(toSuggestions(await openRecord(parts, id)), seq);
  if (state !== "dropped") await note(parts.home, id, seq, null);
}

/**
 * Saved once, however often it is asked for; a query of the same question is replaced in its file.
 * Throws ThothError: `no-result-yet`, `catalog-changed`, `piece-invalid`, `knowledge-broken`, those of a result.
 */
export async function saveVerified(parts: RouteParts, id: string, { question }: SaveVerified): Promise<KeptPiece> {
  const record = await openRecord(parts, id);
  const { entries, manifest, folder } = record;
  const accepted = findAccepted(entries);
  const saved = findSaved(record);
  if (saved && (question === undefined || sameWords(question, saved.question))) return toKept(saved);
  const { connection } = await openWorkspace(parts.home, manifest.workspace);
  const [catalog, result] = await Promise.all([
    parts.catalogs.read(connection),
    readResult(parts.sessions, id, { maxRows: verifyLimits.maxRows, log: parts.log }),
  ]);
  const query = toVerifiedQuery({ entries, manifest, catalog, result, question });
  const same = saved ?? findSameQuestion(record.knowledge.verified, query.question);
  const piece = { kind: "verified", query } as const;
  const kept = same ? await replacePiece(folder, same.id, piece) : await addPiece(folder, piece);
  await note(parts.home, id, accepted.seq, kept.id);
  return kept;
}

interface Record {
  id: string;
  folder: string;
  entries: LedgerEntry[];
  manifest: Manifest;
  knowledge: Awaited<ReturnType<typeof readKnowledge>>;
  tables: Table[];
}

async function openRecord(parts: RouteParts, id: string): Promise<Record> {
  const { entries, manifest } = await parts.sessions.record(id);
  const folder = workspaceDir(parts.home, manifest.workspace);
  // Most sessions hold no such words, and for an answer that is only looked at no database need be opened.
  const hasWords = entries.some((entry) => entry.type === "gate-answered" && entry.answer === "other");
  const [knowledge, tables] = await Promise.all([
    readKnowledge(folder),
    hasWords ? readTables(parts, manifest.workspace) : [],
  ]);
  return { id, folder, entries, manifest, knowledge, tables };
}

/** Words can be kept, too, while the database can't be reached. */
async function readTables(parts: RouteParts, workspace: string): Promise<Table[]> {
  try {
    return (await parts.catalogs.read((await openWorkspace(parts.home, workspace)).connection)).tables;
  } catch (error) {
    if (!(error instanceof ThothError)) throw error;
    return [];
  }
}

const toKept = ({ id, file }: KeptPiece): KeptPiece => ({ id, file });

function requireSuggestion(suggestions: readonly Suggestion[], seq: number): Suggestion {
  const found = suggestions.find((one) => one.seq === seq);
  if (found) return found;
  throw new ThothError(
    "suggestion-unknown",
    `Entry ${seq} of this session holds no words that could be kept.`,
    "Load the session again.",
  );
}

/** A name that the database doesn't have would be a fault in the file at once. */
function requireNames(piece: KeepPiece, tables: readonly Table[]): void {
  if (tables.length === 0) return;
  const named: [table: string, columns: string[]][] =
    piece.kind === "evidence"
      ? (piece.tables ?? []).map((table) => [table, []])
      : piece.kind === "relation"
        ? [piece.from, piece.to].map(({ table, columns }) => [table, columns])
        : [toNamed(piece.kind === "synonym" ? piece.means : piece)];
  for (const [name, columns] of named) {
    const table = tables.find((one) => one.name === name);
    const missing = columns.find((column) => !table?.columns.some((one) => one.name === column));
    if (table && missing === undefined) continue;
    throw new ThothError(
      "table-unknown",
      `The database has no ${table ? `column ${missing} in ${name}` : `table ${name || "without a name"}`}.`,
      "Write the name as the catalog shows it.",
    );
  }
}

const toNamed = ({ table, column }: { table: string; column?: string }): [string, string[]] => [
  table,
  column === undefined ? [] : [column],
];

async function writePiece(
  folder: string,
  piece: KeepPiece,
  origin: { session: string; seq: number },
): Promise<KeptPiece> {
  switch (piece.kind) {
    case "evidence": {
      const { kind, text, ...front } = piece;
      return await addPiece(folder, { kind, front: { ...front, origin }, text });
    }
    case "synonym": {
      const { kind, ...entry } = piece;
      return await addPiece(folder, { kind, entry: { ...entry, origin } });
    }
    case "relation": {
      const { kind, ...entry } = piece;
      const at = new Date().toISOString();
      const confirmed = { kind, entry: { ...entry, source: "confirmed" as const, by: "reviewer", at, origin } };
      // One that a program found or proposed is confirmed in its place.
      const id = relationId(entry);
      const known = (await readKnowledge(folder)).relations.find((one) => one.id === id);
      return known && known.source !== "confirmed"
        ? await replacePiece(folder, id, confirmed)
        : await addPiece(folder, confirmed);
    }
    case "description": {
      const { table, text } = piece;
      const column = piece.column ?? null;
      const { stayed } = await describeMany(folder, [{ table, column, text, origin }], { replace: false });
      const about = `${table}${column === null ? "" : `.${column}`}`;
      if (stayed.length > 0)
        throw new ThothError(
          "piece-exists",
          `${about} has a description already.`,
          "Change that one in the catalog, or keep the words as a rule.",
        );
      return { id: `descriptions.yaml#${about}`, file: "descriptions.yaml" };
    }
  }
}

/** Beside whoever else writes to the ledger just now. */
async function note(home: string, id: string, of: number, piece: string | null): Promise<void> {
  const entry = { type: "knowledge" as const, of, piece, by: "reviewer" as const };
  await changeLedger(await findSessionDir(home, id), id, () => ({ entries: [entry], value: null }));
}

function describeVerified(record: Record): Suggestions["verified"] {
  const { outcome, sql, question } = foldLedger(record.entries);
  if (outcome !== "answered" || sql === null) return null;
  const saved = findSaved(record);
  return {
    question: saved?.question ?? question,
    saved: saved?.file ?? null,
    replaces: saved ? null : (findSameQuestion(record.knowledge.verified, question)?.file ?? null),
  };
}

function findSaved({ id, entries, knowledge }: Record): VerifiedPiece | undefined {
  const { seq } = findAccepted(entries);
  return knowledge.verified.find(({ origin, stale }) => origin.session === id && origin.seq === seq && !stale);
}

const findSameQuestion = (verified: readonly VerifiedPiece[], question: string): VerifiedPiece | undefined =>
  verified.find((piece) => sameWords(piece.question, question));

const sameWords = (a: string, b: string): boolean => fold(a) === fold(b);
const fold = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/[?.!]+$/, "");
