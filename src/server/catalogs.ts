/**
 * The catalogs of the databases that were asked for, kept open while their rows stay as they are: the index of their
 * values goes on being built here, and the children find it on disk.
 */
import { type OpenedCatalog, openCatalog } from "../catalog/open-catalog.ts";
import type { Connection } from "../database/connection.ts";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import type { Catalog } from "../protocol/index.ts";
import { catalogDir } from "./home.ts";

export interface Catalogs {
  /** Throws ThothError when the database can't be read. */
  read(connection: Connection): Promise<Catalog>;
  /** The open database beside its catalog and values; they are closed here, and must not be by the caller. */
  open(connection: Connection): Promise<{ database: Database; opened: OpenedCatalog }>;
  close(): Promise<void>;
}

interface Kept {
  database: Database;
  fingerprint: string;
  opened: OpenedCatalog;
}

export function createCatalogs(home: string): Catalogs {
  const kept = new Map<string, Promise<Kept>>();

  async function open(connection: Connection): Promise<Kept> {
    const database = await openDatabase(connection);
    try {
      const fingerprint = await database.fingerprint();
      return { database, fingerprint, opened: await openCatalog(database, catalogDir(home)) };
    } catch (error) {
      await database.close();
      throw error;
    }
  }
  async function release(one: Promise<Kept>): Promise<void> {
    const found = await one.catch(() => null);
    found?.opened.close();
    await found?.database.close();
  }
  /** One look at a time per database, so that two who ask at once share one reading. */
  async function look(connection: Connection, before: Promise<Kept> | undefined): Promise<Kept> {
    if (!before) return await open(connection);
    const found = await before.catch(() => null);
    if (found && (await found.database.fingerprint().catch(() => null)) === found.fingerprint) return found;
    await release(before);
    return await open(connection);
  }

  async function find(connection: Connection): Promise<Kept> {
    const key = JSON.stringify(connection);
    const looked = look(connection, kept.get(key));
    kept.set(key, looked);
    looked.catch(() => {
      if (kept.get(key) === looked) kept.delete(key);
    });
    return await looked;
  }

  return {
    async read(connection) {
      return (await find(connection)).opened.catalog;
    },
    async open(connection) {
      const { database, opened } = await find(connection);
      return { database, opened };
    },
    async close() {
      const all = [...kept.values()];
      kept.clear();
      await Promise.all(all.map(release));
    },
  };
}
