/** Where a database's stored values are kept: one file for each of its states, and a lock for the one that builds. */
import { createHash } from "node:crypto";
import { closeSync, existsSync, openSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { readFact, storeVersion } from "./value-store.ts";

const hash = (text: string, length: number): string => createHash("sha256").update(text).digest("hex").slice(0, length);

/** The part of the fingerprint before the colon names the database: its next state replaces this one. */
export function toCacheName(fingerprint: string): string {
  const [database = fingerprint] = fingerprint.split(":");
  return hash(database, 32);
}

export function toValueFile(cacheDir: string, fingerprint: string): string {
  return join(cacheDir, `${toCacheName(fingerprint)}.${hash(fingerprint, 16)}.values`);
}

/** Stored values are for the owner's eyes; SQLite gives the files it makes beside one the same mode. */
function makePrivate(file: string): void {
  closeSync(openSync(file, "a", 0o600));
}

/** Pages that several blocks fit into. A reader sees whole segments only, also while the next one is written. */
export function openWritable(file: string): DatabaseSync {
  makePrivate(file);
  const database = new DatabaseSync(file, { timeout: 5000 });
  database.exec(
    "PRAGMA page_size = 32768; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -32000",
  );
  return database;
}

/** Undefined when there is no such file, or none of this version for this state. */
export function openReadable(file: string, fingerprint?: string): DatabaseSync | undefined {
  if (!existsSync(file)) return undefined;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    database.exec("PRAGMA cache_size = -16000; PRAGMA mmap_size = 1073741824");
    const fits =
      readFact(database, "version") === storeVersion &&
      (fingerprint === undefined || readFact(database, "fingerprint") === fingerprint);
    if (fits) return database;
    database.close();
  } catch (error) {
    // Torn, foreign or just being made: as good as none.
    if (database?.isOpen) database.close();
    if (!isSqliteError(error)) throw error;
  }
  return undefined;
}

export function isComplete(database: DatabaseSync): boolean {
  return readFact(database, "complete") === 1;
}

/** The file of an earlier state that was finished, the youngest first. */
export function openEarlier(cacheDir: string, fingerprint: string): DatabaseSync | undefined {
  const files = listOthers(cacheDir, fingerprint).filter((file) => file.endsWith(".values"));
  const dated = files.map((file) => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  for (const { file } of dated.sort((a, b) => b.at - a.at)) {
    const database = openReadable(file);
    if (database && isComplete(database)) return database;
    database?.close();
  }
  return undefined;
}

export function removeEarlier(cacheDir: string, fingerprint: string): void {
  for (const file of listOthers(cacheDir, fingerprint)) removeFile(file);
}

export function removeFile(file: string): void {
  try {
    for (const part of [file, `${file}-wal`, `${file}-shm`]) rmSync(part, { force: true });
  } catch (error) {
    // On Windows a file that another process reads can't be removed: the next build will.
    if (!["EBUSY", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}

function listOthers(cacheDir: string, fingerprint: string): string[] {
  const current = toValueFile(cacheDir, fingerprint);
  return readdirSync(cacheDir)
    .filter((name) => name.startsWith(`${toCacheName(fingerprint)}.`) && name.includes(".values"))
    .map((name) => join(cacheDir, name))
    .filter((file) => !file.startsWith(current));
}

/**
 * Only one process at a time builds. The lock is SQLite's own, so that it ends with the process that holds it;
 * undefined when another one does.
 */
export function lockBuild(cacheDir: string, fingerprint: string): { release(): void } | undefined {
  const file = join(cacheDir, `${toCacheName(fingerprint)}.lock`);
  makePrivate(file);
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
    return { release: () => database.close() };
  } catch (error) {
    database.close();
    if (!isSqliteError(error)) throw error;
    return undefined;
  }
}

function isSqliteError(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === "ERR_SQLITE_ERROR";
}
