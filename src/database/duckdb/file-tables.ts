/** Which tables a set of files is, and the SELECT behind each. Runs in the reader process before it is locked. */
import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path/posix";
import type { DuckDBConnection } from "@duckdb/node-api";
import { classifyError } from "./classify-error.ts";
import { fileFormat } from "./file-format.ts";
import { quoteText } from "./quote.ts";
import type { FileTable, FileTables } from "./wire.ts";

/** Partitioned data may be thousands of files; whether their columns agree is looked at in this many. */
const maxCompared = 50;

interface Readable {
  file: string;
  sql: string;
  /** Names and, where the format keeps them, types. */
  shape: string;
}

/** `files` are relative paths; a file in a folder of its own kind belongs to the folder's table. */
export async function findFileTables(connection: DuckDBConnection, files: readonly string[]): Promise<FileTables> {
  const skipped: FileTables["skipped"][number][] = [];
  const found: FileTable[] = [];
  const read = async (file: string): Promise<Readable | undefined> => {
    try {
      return await readOne(connection, file);
    } catch (error) {
      skipped.push({ file: basename(file), problem: classifyError(error) });
      return undefined;
    }
  };
  const addEach = (readable: readonly Readable[]): void => {
    for (const { file, sql } of readable) found.push({ name: toName(file), sql });
  };
  for (const [folder, inside] of groupByFolder(files)) {
    const looked: Readable[] = [];
    const many = folder !== "" && inside.length > 1;
    for (const file of many ? inside.slice(0, maxCompared) : inside) {
      const one = await read(file);
      if (one) looked.push(one);
    }
    const first = looked[0];
    const agree = many && first && looked.length > 1 && looked.every((one) => one.shape === first.shape);
    if (!agree || !first) {
      for (const file of many ? inside.slice(maxCompared) : []) {
        const one = await read(file);
        if (one) looked.push(one);
      }
      addEach(looked);
      continue;
    }
    const damaged = new Set(inside.slice(0, maxCompared).filter((file) => !looked.some((one) => one.file === file)));
    const good = inside.filter((file) => !damaged.has(file));
    found.push({ name: folder, sql: await readTogether(connection, good, first) });
  }
  return { tables: withOwnNames(found), skipped };
}

function groupByFolder(files: readonly string[]): Map<string, string[]> {
  // The folder's own files come first: they keep their plain names.
  const groups = new Map<string, string[]>([["", []]]);
  for (const file of files) {
    const folder = dirname(file) === "." ? "" : (file.split("/")[0] ?? "");
    groups.set(folder, [...(groups.get(folder) ?? []), file]);
  }
  return groups;
}

/** The SELECT that reads one file, tried. Throws the engine's error. */
async function readOne(connection: DuckDBConnection, file: string): Promise<Readable> {
  const format = fileFormat(file);
  const path = quoteText(file);
  const read = async (sql: string) => {
    const rows = (await connection.runAndReadAll(`DESCRIBE ${sql}`)).getRows();
    const shape = rows.map((row) => (format === "parquet" ? `${row[0]} ${row[1]}` : String(row[0])));
    return { file, sql, shape: `${format}\n${shape.join("\n")}` };
  };
  if (format === "parquet") return await read(`SELECT * FROM read_parquet(${path})`);
  if (format === "json") return await read(`SELECT * FROM read_json(${path})`);
  try {
    return await read(await sniffCsv(connection, path, ""));
  } catch (error) {
    // Spreadsheets still write Latin-1. NUL bytes belong to no text.
    if (!/utf-?8/i.test(String(error)) || readFileSync(file).includes(0)) throw error;
    return await read(await sniffCsv(connection, path, ", encoding = 'latin-1'"));
  }
}

/** Looking into a CSV file takes 100 ms and more, and a plain view would do it in every query: the answer is kept. */
async function sniffCsv(connection: DuckDBConnection, path: string, more: string): Promise<string> {
  const sniffed = await connection.runAndReadAll(`SELECT Prompt FROM sniff_csv(${path}${more})`);
  const prompt = String(sniffed.getRows()[0]?.[0] ?? "")
    .trim()
    .replace(/;$/, "");
  const explicit = prompt.replace(/\)$/, `${more})`);
  try {
    await connection.run(`SELECT * FROM (${explicit}) LIMIT 0`);
    return `SELECT * FROM (${explicit})`;
  } catch {
    // What it prints isn't always what it reads back; then it looks again in each query.
    return `SELECT * FROM read_csv(${path}${more})`;
  }
}

async function readTogether(connection: DuckDBConnection, files: readonly string[], first: Readable): Promise<string> {
  const list = `[${files.map(quoteText).join(", ")}]`;
  const hive = files.every((file) => /\/[^/=]+=[^/]*\//.test(`/${file}`)) ? ", hive_partitioning = true" : "";
  const format = fileFormat(files[0] ?? "");
  const reader = format === "parquet" ? "read_parquet" : format === "json" ? "read_json" : "read_csv";
  const latin = first.sql.includes("encoding = 'latin-1'") ? ", encoding = 'latin-1'" : "";
  const sql = `SELECT * FROM ${reader}(${list}${hive}${latin})`;
  await connection.run(`SELECT * FROM (${sql}) LIMIT 0`);
  return sql;
}

const toName = (file: string): string =>
  basename(file)
    .replace(/\.gz$/i, "")
    .replace(/\.[^.]+$/, "") || basename(file);

/** DuckDB's names don't tell case apart. */
function withOwnNames(tables: readonly FileTable[]): FileTable[] {
  const taken = new Set<string>();
  return tables.map(({ name, sql }) => {
    let own = name;
    for (let n = 2; taken.has(own.toLowerCase()); n += 1) own = `${name}_${n}`;
    taken.add(own.toLowerCase());
    return { name: own, sql };
  });
}
