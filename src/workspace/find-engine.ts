/** Which engine reads a file: by its first bytes where it is a database, by its name where it holds plain data. */
import { open, stat } from "node:fs/promises";
import { extname } from "node:path";
import type { Connection } from "../database/connection.ts";

const dataFiles = new Set([".csv", ".tsv", ".parquet", ".json", ".jsonl", ".ndjson"]);

/** `file` is an absolute path. What is there, and whether it can be read, the engine's adapter says. */
export async function findEngine(file: string): Promise<Extract<Connection, { file: string }>> {
  const sqlite = { engine: "sqlite", file } as const;
  const duckdb = { engine: "duckdb", file } as const;
  const found = await stat(file).catch(() => null);
  if (!found) return sqlite;
  if (found.isDirectory()) return duckdb;
  if (dataFiles.has(extname(file.replace(/\.(gz|zst)$/i, "")).toLowerCase())) return duckdb;
  const handle = await open(file, "r").catch(() => null);
  if (!handle) return sqlite;
  try {
    // A DuckDB file has a checksum of eight bytes before its mark.
    const { buffer } = await handle.read(Buffer.alloc(12), 0, 12, 0);
    return buffer.toString("latin1", 8, 12) === "DUCK" ? duckdb : sqlite;
  } finally {
    await handle.close();
  }
}
