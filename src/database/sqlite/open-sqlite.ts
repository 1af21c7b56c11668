/** Looks at the file itself, then reads from it once, before anyone gets an adapter. */
import { open, stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { ThothError } from "../../protocol/index.ts";
import type { Database } from "../database.ts";
import { createSqliteDatabase } from "./adapter.ts";
import { toFault, toFileFault } from "./faults.ts";

const magic = "SQLite format 3\0";
const probeMs = 10_000;

export async function openSqlite(path: string): Promise<Database> {
  const file = resolve(path);
  await checkFile(file);
  const database = createSqliteDatabase(file);
  const probe = await database.read("SELECT count(*) FROM sqlite_schema", {
    maxRows: 1,
    maxBytes: 100,
    deadlineMs: probeMs,
  });
  if (!probe.ok) throw toFault(probe.error, file);
  return database;
}

async function checkFile(file: string): Promise<void> {
  const name = basename(file);
  try {
    const found = await stat(file);
    if (!found.isFile()) {
      throw new ThothError(
        "database-not-sqlite",
        `${name} is ${found.isDirectory() ? "a folder" : "not a file"}.`,
        "Give the path of a SQLite database file.",
      );
    }
    if (found.size === 0) throw toFault({ code: "empty", message: "zero bytes" }, file);
    const handle = await open(file, "r");
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(magic.length), 0, magic.length, 0);
      if (buffer.toString("latin1", 0, bytesRead) !== magic)
        throw toFault({ code: "not-a-database", message: "no SQLite header" }, file);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw toFileFault(error, file);
  }
}
