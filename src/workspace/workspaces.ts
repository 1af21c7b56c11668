/**
 * Workspaces: a database connection and what belongs to it, as plain files in `<home>/workspaces/<name>/`. The
 * workspace `demo` is always there, needs no folder and points to the database that comes with the program.
 */
import { randomBytes } from "node:crypto";
import { lstat, mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Connection } from "../database/connection.ts";
import type { DatabaseReport } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { type AddWorkspace, type ConnectionWish, type Problem, ThothError } from "../protocol/index.ts";
import { findEngine } from "./find-engine.ts";
import { parseUrl } from "./parse-url.ts";
import { broken, parseWorkspaceText, toWorkspaceText } from "./workspace-file.ts";
import { writeWhole } from "./write-file.ts";

export interface Workspace {
  name: string;
  connection: Connection;
  demo: boolean;
}

/** A workspace whose file is broken is listed with its problem and without a connection. */
export interface ListedWorkspace {
  name: string;
  demo: boolean;
  engine: string;
  connection: Connection | null;
  problem: Problem | null;
}

const demoName = "demo";
const namePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const fileName = "workspace.yaml";
const demo: Workspace = {
  name: demoName,
  demo: true,
  connection: { engine: "sqlite", file: fileURLToPath(new URL("../../demo/chinook.sqlite", import.meta.url)) },
};

/** Where a workspace's files lie. The demo's folder is only there once something was written about it. */
export const workspaceDir = (home: string, name: string): string => join(home, "workspaces", name);

/** `demo` first, the others by name. Says nothing about whether a database can be opened. */
export async function listWorkspaces(home: string): Promise<ListedWorkspace[]> {
  const listed: ListedWorkspace[] = [
    { name: demo.name, demo: true, engine: "sqlite", connection: demo.connection, problem: null },
  ];
  for (const name of await readNames(home)) {
    try {
      const { connection } = await readWorkspace(home, name);
      listed.push({ name, demo: false, engine: connection.engine, connection, problem: null });
    } catch (error) {
      if (!(error instanceof ThothError)) throw error;
      listed.push({ name, demo: false, engine: "unknown", connection: null, problem: error.toProblem() });
    }
  }
  return listed;
}

/** Throws ThothError: `workspace-unknown`, `workspace-broken`. The database itself isn't looked at. */
export async function openWorkspace(home: string, name: string): Promise<Workspace> {
  if (name === demoName) return demo;
  const names = await readNames(home);
  if (!names.includes(name)) {
    throw new ThothError(
      "workspace-unknown",
      `There is no workspace called ${JSON.stringify(name.slice(0, 100))}.`,
      `Choose one of: ${[demoName, ...names].join(", ")}. Or add it with: thoth workspace add NAME --file FILE or --url ADDRESS`,
    );
  }
  return await readWorkspace(home, name);
}

/**
 * Written only after the database could be opened. A relative `file` counts from the working directory; a password goes
 * to a file of its own that only its owner can read.
 * Throws ThothError: `workspace-name`, `workspace-exists`, `url-invalid`, `engine-unsupported`, those of `openDatabase`.
 */
export async function addWorkspace(
  home: string,
  wanted: AddWorkspace,
): Promise<{ workspace: Workspace; opened: TriedConnection }> {
  const { name } = wanted;
  if (!namePattern.test(name)) {
    throw new ThothError(
      "workspace-name",
      "A workspace's name has 1 to 63 lower-case letters, digits, _ or -, and begins with a letter or digit.",
      "Choose another name, for example sales-2026.",
    );
  }
  const folder = join(home, "workspaces");
  // lstat: a link that points nowhere is there as well.
  if (name === demoName || (await exists(join(folder, name)))) throw alreadyThere(name);
  const { connection: wish, password } = await toConnection(wanted);
  const secret = password === undefined ? null : await writeSecret(home, name, password);
  try {
    const connection = withSecret(wish, secret);
    const opened = await tryConnection(connection);
    await writeWorkspace(home, name, toWorkspaceText(connection, home));
    return { workspace: { name, connection, demo: false }, opened };
  } catch (error) {
    if (secret !== null) await rm(secret, { force: true });
    throw error;
  }
}

/** What a database says of itself when it is opened. */
export interface TriedConnection {
  connection: Connection;
  report: DatabaseReport;
  tables: number;
}

/** Opens what a person means to add, and keeps nothing. Throws like `addWorkspace`. */
export async function testConnection(home: string, wanted: ConnectionWish): Promise<TriedConnection> {
  const { connection, password } = await toConnection(wanted);
  const secret = password === undefined ? null : await writeSecret(home, "test", password);
  try {
    return await tryConnection(withSecret(connection, secret));
  } finally {
    if (secret !== null) await rm(secret, { force: true });
  }
}

/** Throws ThothError, see `openDatabase`. */
export async function tryConnection(connection: Connection): Promise<TriedConnection> {
  const database = await openDatabase(connection);
  try {
    const report = await database.inspect();
    return { connection, report, tables: (await database.introspect()).length };
  } finally {
    await database.close();
  }
}

async function toConnection(wanted: ConnectionWish): Promise<{ connection: Connection; password?: string }> {
  const { file, url, password, passwordEnv } = wanted;
  if ((url === undefined) === (file === undefined) || file === "") {
    throw new ThothError(
      "engine-unsupported",
      "Say where the database is: a file or folder, or the address of a server.",
      "For example --file /data/sales.parquet, or --url postgres://user@host/database",
    );
  }
  if (file !== undefined) {
    if (password !== undefined || passwordEnv !== undefined)
      throw new ThothError("engine-unsupported", "A file needs no password.", "Leave the password out.");
    return { connection: await findEngine(resolve(file)) };
  }
  const parsed = parseUrl(url ?? "");
  if (passwordEnv === undefined) return password ? { ...parsed, password } : parsed;
  return { connection: { ...parsed.connection, password: { env: passwordEnv } } };
}

const withSecret = (connection: Connection, file: string | null): Connection =>
  file === null || !("host" in connection) ? connection : { ...connection, password: { file } };

/** A file of its own per password, so that two that are added at once can't take each other's. */
async function writeSecret(home: string, name: string, password: string): Promise<string> {
  const folder = join(home, "secrets");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${name}-${randomBytes(6).toString("hex")}`);
  await writeWhole(file, password);
  return file;
}

/** Made aside and moved into place as a whole, so that a workspace is there with its file or not at all. */
async function writeWorkspace(home: string, name: string, content: string): Promise<void> {
  const folder = join(home, "workspaces");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const aside = join(folder, `.${name}-${randomBytes(6).toString("hex")}`);
  try {
    await mkdir(aside, { mode: 0o700 });
    await writeWhole(join(aside, fileName), content);
    await rename(aside, join(folder, name));
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    if (["ENOTEMPTY", "EEXIST", "ENOTDIR", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? ""))
      throw alreadyThere(name);
    throw error;
  }
}

/** Real folders with a valid name; links and files are no workspaces. */
async function readNames(home: string): Promise<string[]> {
  try {
    const entries = await readdir(join(home, "workspaces"), { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory() && namePattern.test(entry.name) && entry.name !== demoName)
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

async function readWorkspace(home: string, name: string): Promise<Workspace> {
  const shown = `workspaces/${name}/${fileName}`;
  const path = join(home, "workspaces", name, fileName);
  try {
    const stats = await lstat(path);
    if (!stats.isFile()) throw broken(shown, "it is not a plain file", "Replace it with a plain file.");
    if (stats.size > 1024 * 1024) throw broken(shown, "it is larger than 1 MB", "Take out what isn't needed.");
    return { name, connection: parseWorkspaceText(await readFile(path, "utf8"), shown, home), demo: false };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof ThothError) throw error;
    if (code === "ENOENT")
      throw broken(
        shown,
        "it is missing",
        `Write it, or remove the folder workspaces/${name} and add the workspace again.`,
        error,
      );
    if (code === "EACCES")
      throw broken(shown, "it can't be read with this account's rights", "Give yourself the right to read it.", error);
    throw error;
  }
}

function alreadyThere(name: string): ThothError {
  return new ThothError("workspace-exists", `There is already a workspace called ${name}.`, "Choose another name.");
}

async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return false;
      throw error;
    },
  );
}
