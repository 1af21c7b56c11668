/**
 * Our view of a database: tables, columns, keys, relations, samples and the index of stored values. Read from the
 * database once and kept in a file until its rows change; a kept file that is torn, foreign or of another version is
 * not an error but a reason to read again.
 */
import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import type { Database } from "../database/database.ts";
import { Catalog, check } from "../protocol/index.ts";
import { toChecksum } from "./checksum.ts";
import { openValues } from "./open-values.ts";
import { type ReadCatalog, readCatalog } from "./read-catalog.ts";
import { type ValueCaps, valueCaps } from "./read-values.ts";
import { toCacheName } from "./value-files.ts";
import type { ValueIndex } from "./value-index.ts";

export interface OpenedCatalog {
  catalog: Catalog;
  /** Complete for small databases; of others it may still be built, which its coverage tells. */
  values: ValueIndex;
  /** Of the database at the time the catalog was read. */
  fingerprint: string;
  /** Resolves once no values are read any more, be it that all are there or that reading failed. Never rejects. */
  ready: Promise<void>;
  /** Text columns, and those whose values are in the index. */
  progress(): { columns: number; done: number };
  /** Stops reading values; what is there is gone on with another time. Nothing is found afterwards. */
  close(): void;
}

export interface CatalogOptions {
  /** How long to wait for the value index; the rest is built in the background, without keeping the process alive. */
  waitMs?: number;
  caps?: Partial<ValueCaps>;
  signal?: AbortSignal;
}

/** Raise it whenever the catalog's reader finds other things in the same rows. */
const cacheVersion = 3;
const waitMs = 2000;
const believedMs = 3_600_000;

const CacheFile = Type.Object({
  version: Type.Literal(cacheVersion),
  fingerprint: Type.String(),
  /** Epoch milliseconds. */
  readAt: Type.Integer(),
  catalog: Catalog,
  columns: Type.Array(
    Type.Object({ table: Type.String(), column: Type.String(), text: Type.Boolean(), partial: Type.Boolean() }),
  ),
});

type CacheFile = Static<typeof CacheFile>;

/**
 * Throws ThothError when the database can't be read. In `cacheDir`, which is made if needed, each database has a file
 * for its catalog and one for its values.
 */
export async function openCatalog(
  database: Database,
  cacheDir: string,
  options: CatalogOptions = {},
): Promise<OpenedCatalog> {
  const found = await database.fingerprint();
  const file = join(cacheDir, `${toCacheName(found)}.json`);
  const kept = await readCache(file);
  const cache =
    kept && (kept.fingerprint === found || (await stillHolds(database, kept)))
      ? kept
      : await writeCache(cacheDir, file, found, await readCatalog(database));
  const { catalog, columns, fingerprint } = cache;
  const opened = await openValues({ database, catalog, columns, fingerprint }, cacheDir, {
    waitMs: options.waitMs ?? waitMs,
    caps: { ...valueCaps, ...options.caps },
    signal: options.signal,
  });
  return { catalog, fingerprint, ...opened };
}

/**
 * A server's rows may change every second, and reading all its values again each time would load it without end. While
 * its structure is the same, what was counted is believed for an hour; gates measure on the rows as they are now.
 */
async function stillHolds(database: Database, kept: CacheFile): Promise<boolean> {
  if (database.engine !== "postgres" && database.engine !== "mysql") return false;
  const age = Date.now() - kept.readAt;
  return age >= 0 && age < believedMs && toChecksum(await database.introspect()) === kept.catalog.checksum;
}

async function readCache(file: string): Promise<CacheFile | undefined> {
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const checked = check(CacheFile, content);
  return checked.ok ? checked.value : undefined;
}

async function writeCache(cacheDir: string, file: string, fingerprint: string, read: ReadCatalog): Promise<CacheFile> {
  const cache: CacheFile = { version: cacheVersion, fingerprint, readAt: Date.now(), ...read };
  await mkdir(cacheDir, { recursive: true, mode: 0o700 });
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`;
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writeFile(JSON.stringify(cache));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
    return cache;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
