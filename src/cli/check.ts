/** `thoth check`: the evidence for any SQL, without a session and without the server. */
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { type Static, Type } from "typebox";
import { type OpenedCatalog, openCatalog } from "../catalog/open-catalog.ts";
import type { Connection } from "../database/connection.ts";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { checkStatement } from "../evidence/check/check-statement.ts";
import { type CheckedStatement, check as fits, maxCheckedSql, ThothError } from "../protocol/index.ts";
import { catalogDir, homePath, openHome } from "../server/home.ts";
import { findEngine } from "../workspace/find-engine.ts";
import { parseUrl } from "../workspace/parse-url.ts";
import { exitCodes, UsageError } from "./fault.ts";
import { toPlainText } from "./terminal-text.ts";

export interface CheckOptions {
  database?: string;
  databases?: string;
  sql?: string;
  jsonl?: string;
  question?: string;
  passwordEnv?: string;
  json: boolean;
}

/** One line of `--jsonl`; other properties are passed over. */
const Line = Type.Object({
  id: Type.Union([Type.String(), Type.Number()]),
  db: Type.Optional(Type.String({ minLength: 1 })),
  sql: Type.String({ minLength: 1 }),
  question: Type.Optional(Type.String()),
});
type Line = Static<typeof Line>;

interface Opened {
  database: Database;
  opened: OpenedCatalog;
}

export async function check(options: CheckOptions): Promise<number> {
  const { database, databases, sql, jsonl } = options;
  if ((sql === undefined) === (jsonl === undefined))
    throw new UsageError(
      "Say what is to be checked.",
      "Give --sql FILE or --jsonl FILE, one of the two; - reads from standard input.",
    );
  if (sql !== undefined && database === undefined)
    throw new UsageError(
      "Say where the database is.",
      "Give --database FILE or --database postgres://user@host/database.",
    );
  if (jsonl !== undefined && database === undefined && databases === undefined)
    throw new UsageError(
      "Say where the databases are.",
      "Give --databases DIR with a file <db>.sqlite for each db, or --database.",
    );
  if (jsonl !== undefined && options.question !== undefined)
    throw new UsageError("With --jsonl each line has its own question.", "Leave --question out.");
  const home = homePath();
  await openHome(home);
  const known = new Map<string, Promise<Opened>>();
  const openFor = (place: string) => {
    const made = known.get(place) ?? openPlace(place, options.passwordEnv, home);
    known.set(place, made);
    return made;
  };
  try {
    if (jsonl !== undefined) return await checkLines(await readInput(jsonl), options, openFor);
    const statement = await readInput(sql ?? "-");
    if (statement.trim() === "")
      throw new UsageError("There is no SQL in it.", "Give a file that holds one statement.");
    const { database: at, opened } = await openFor(database ?? "");
    const checked = await checkOne(at, opened, statement, options.question);
    process.stdout.write(options.json ? `${JSON.stringify(checked, null, 2)}\n` : toReport(checked));
    return checked.ok ? exitCodes.done : exitCodes.fault;
  } finally {
    await Promise.all([...known.values()].map(release));
  }
}

async function checkOne(
  database: Database,
  opened: OpenedCatalog,
  sql: string,
  question?: string,
): Promise<CheckedStatement> {
  if (sql.length > maxCheckedSql)
    throw new ThothError(
      "sql-long",
      `The statement has more than ${maxCheckedSql} characters.`,
      "Check its parts one by one.",
    );
  return await checkStatement(database, opened.catalog, opened.values, sql, question);
}

/** One line of JSON per statement, in their order; one that can't be checked says so and doesn't stop the rest. */
async function checkLines(
  input: string,
  options: CheckOptions,
  openFor: (place: string) => Promise<Opened>,
): Promise<number> {
  let clean = true;
  for (const [index, content] of input.split("\n").entries()) {
    if (content.trim() === "") continue;
    const line = parseLine(content, index + 1);
    const answer = await checkLine(line, options, openFor);
    if (!answer.ok) clean = false;
    process.stdout.write(`${JSON.stringify({ id: line.id, ...answer })}\n`);
  }
  return clean ? exitCodes.done : exitCodes.fault;
}

async function checkLine(
  line: Line,
  options: CheckOptions,
  openFor: (place: string) => Promise<Opened>,
): Promise<CheckedStatement> {
  try {
    const { database, opened } = await openFor(toPlace(line, options));
    return await checkOne(database, opened, line.sql, line.question);
  } catch (error) {
    if (!(error instanceof ThothError) || error instanceof UsageError) throw error;
    return { ok: false, warnings: [{ code: error.code, severity: "problem", message: error.message, where: "" }] };
  }
}

function parseLine(content: string, number: number): Line {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw new UsageError(`Line ${number} is no JSON.`, "Write one object {id, db, sql, question} per line.");
  }
  const checked = fits(Line, value);
  if (!checked.ok)
    throw new UsageError(
      `Line ${number} doesn't fit: ${checked.problem}.`,
      "Write one object {id, db, sql, question} per line.",
    );
  return checked.value;
}

function toPlace({ db }: Line, { database, databases }: CheckOptions): string {
  if (databases === undefined || db === undefined) {
    if (database !== undefined) return database;
    throw new UsageError("A line names no db.", "Write the name of its database as db, or give --database.");
  }
  if (/[/\\]|^\.\.?$/.test(db)) throw new UsageError(`${db} is no name of a database in that folder.`);
  return join(databases, `${db}.sqlite`);
}

const readInput = async (path: string): Promise<string> => {
  if (path === "-") return await text(process.stdin);
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new UsageError(
      `${path} can't be read${cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : ""}.`,
      "Give the path of a file, or - for standard input.",
    );
  }
};

async function openPlace(place: string, passwordEnv: string | undefined, home: string): Promise<Opened> {
  const database = await openDatabase(await toConnection(place, passwordEnv));
  try {
    return { database, opened: await openCatalog(database, catalogDir(home)) };
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function toConnection(place: string, passwordEnv: string | undefined): Promise<Connection> {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(place)) return await findEngine(resolve(place));
  const { connection, password } = parseUrl(place);
  if (passwordEnv !== undefined) return { ...connection, password: { env: passwordEnv } };
  if (password === undefined) return connection;
  // Connections name the place of a password; this process's own environment is one that ends with it.
  process.env.THOTH_CHECK_PASSWORD = password;
  return { ...connection, password: { env: "THOTH_CHECK_PASSWORD" } };
}

async function release(one: Promise<Opened>): Promise<void> {
  const found = await one.catch(() => null);
  found?.opened.close();
  await found?.database.close();
}

function toReport({ ok, warnings }: CheckedStatement): string {
  const lines = warnings.map(
    ({ severity, code, message, where }) =>
      `${severity.padEnd(7)}  ${code}${where ? ` (${where})` : ""}\n         ${message}\n`,
  );
  const alarms = warnings.filter(({ severity }) => severity === "warning" || severity === "problem").length;
  const end = ok ? "No alarm." : `${alarms} ${alarms === 1 ? "alarm" : "alarms"}.`;
  return toPlainText(`${lines.join("")}${warnings.length > 0 ? "\n" : ""}${end}\n`);
}
