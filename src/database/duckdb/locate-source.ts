/** What a path holds, by looking at names, sizes and first bytes only; and the state that a fingerprint is made of. */
import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { access, constants, open, readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { ThothError } from "../../protocol/index.ts";
import { toFault, toFileFault } from "./faults.ts";
import { fileFormat } from "./file-format.ts";
import type { Source } from "./wire.ts";

/** More would make every look at the folder slow. */
const maxFiles = 5000;
/** A folder, a table's own folder in it, and its partitions. */
const maxDepth = 6;

const canOpen = "A DuckDB database, a CSV, TSV, JSON or Parquet file, or a folder of such files can be opened.";

export interface Located {
  source: Source;
  /** Of all files that the rows come from. */
  state: string;
}

/** Throws ThothError `database-missing`, `database-empty`, `database-not-duckdb`, `database-permission`. */
export async function locateSource(path: string): Promise<Located> {
  try {
    const found = await stat(path, { bigint: true });
    if (found.isDirectory()) return await locateFolder(path);
    if (!found.isFile()) throw notDuckdb(`${basename(path)} is not a file.`);
    if (found.size === 0n) throw toFault({ code: "empty", message: "zero bytes" }, path);
    await access(path, constants.R_OK);
    if (fileFormat(path)) return toFiles(dirname(path), [[basename(path), found]]);
    await checkMagic(path);
    const wal = await stat(`${path}.wal`, { bigint: true }).catch(() => undefined);
    return {
      source: { kind: "database", file: path },
      state: toState([["", found], ...(wal ? [["wal", wal] as const] : [])]),
    };
  } catch (error) {
    throw toFileFault(error, path);
  }
}

type Seen = readonly [file: string, stats: BigIntStats];

async function locateFolder(root: string): Promise<Located> {
  const seen: Seen[] = [];
  const look = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (/^[._]/.test(entry.name)) continue;
      const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory() && !fileFormat(entry.name)) continue;
      // A folder that somebody handed on must not bring other files of this machine in: a link counts as what it leads
      // to where that lies in the folder as well, and is left out otherwise.
      if (entry.isSymbolicLink() && !(await leadsInside(root, join(root, file)))) continue;
      const stats = await stat(join(root, file), { bigint: true }).catch(() => undefined);
      if (stats?.isDirectory() && entry.isDirectory()) {
        // Below a table's folder only partitions are looked for.
        if (depth === 0 || (depth < maxDepth && entry.name.includes("="))) await look(file, depth + 1);
      } else if (stats?.isFile() && stats.size > 0n) seen.push([file, stats]);
      if (seen.length > maxFiles) {
        throw notDuckdb(`The folder ${basename(root)} holds more than ${maxFiles.toLocaleString("en-US")} files.`);
      }
    }
  };
  await look("", 0);
  if (seen.length === 0) {
    throw new ThothError(
      "database-empty",
      `The folder ${basename(root)} holds no file that can be read as a table.`,
      "Put CSV, TSV, JSON or Parquet files into it, or choose another folder.",
    );
  }
  return toFiles(root, seen);
}

async function leadsInside(root: string, link: string): Promise<boolean> {
  const [folder, target] = await Promise.all([realpath(root), realpath(link).catch(() => "")]); // leads nowhere
  return target.startsWith(folder + sep);
}

function toFiles(root: string, seen: readonly Seen[]): Located {
  const state = toState(seen);
  return { source: { kind: "files", root, state, files: seen.map(([file]) => file) }, state };
}

function toState(seen: readonly Seen[]): string {
  const state = createHash("sha256");
  for (const [file, { size, mtimeNs, ino }] of seen) state.update(`${file}\0${size} ${mtimeNs} ${ino};`);
  return state.digest("hex").slice(0, 32);
}

/** Bytes 8 to 11 of a DuckDB database. */
async function checkMagic(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    const head = buffer.toString("latin1", 0, bytesRead);
    if (head.slice(8, 12) === "DUCK") return;
    if (head.startsWith("SQLite format 3")) {
      throw new ThothError(
        "database-not-duckdb",
        `${basename(file)} is a SQLite database.`,
        "Open it as a SQLite database.",
      );
    }
    throw notDuckdb(`${basename(file)} is not a DuckDB database.`);
  } finally {
    await handle.close();
  }
}

const notDuckdb = (message: string) => new ThothError("database-not-duckdb", message, canOpen);
