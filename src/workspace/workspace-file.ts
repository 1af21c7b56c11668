/** What `workspace.yaml` holds, and how a connection is read from it and written to it. */
import { isAbsolute, join, relative } from "node:path";
import { Type } from "typebox";
import { stringify } from "yaml";
import {
  type Connection,
  DuckdbConnection,
  MysqlConnection,
  PostgresConnection,
  SqliteConnection,
} from "../database/connection.ts";
import { check, ThothError } from "../protocol/index.ts";
import { isNoteKey } from "./workspace-notes.ts";
import { readYaml, type Spot } from "./yaml-spots.ts";

const version = { version: Type.Literal(1) };
const closed = { additionalProperties: false } as const;
/** One schema per engine, so that a fault names the line it is in and not all that would have been possible. */
const schemas = {
  sqlite: Type.Object({ ...version, ...SqliteConnection.properties }, closed),
  duckdb: Type.Object({ ...version, ...DuckdbConnection.properties }, closed),
  postgres: Type.Object({ ...version, ...PostgresConnection.properties }, closed),
  mysql: Type.Object({ ...version, ...MysqlConnection.properties }, closed),
};

const fixes = {
  file: "It holds three lines: `version: 1`, `engine:` (sqlite or duckdb) and `file:` with an absolute path.",
  server:
    "It holds `version: 1`, `engine:` (postgres or mysql), `host`, `port`, `database`, `user`, `tls` (off, require or verify) and, where one is needed, `password` with `env:` or `file:`.",
};

/** A password's file stands relative to the home, so that the folder can be moved and shown. */
export function toWorkspaceText(connection: Connection, home: string): string {
  const { engine, ...rest } = connection;
  const password =
    "password" in connection && connection.password && "file" in connection.password
      ? { password: { file: relative(home, connection.password.file) } }
      : {};
  return stringify({ version: 1, engine, ...rest, ...password }, { lineWidth: 0 });
}

/**
 * `shown` is the file's name in messages, relative to the home.
 * Throws ThothError `workspace-broken` with file, line and what to write.
 */
export function parseWorkspaceText(text: string, shown: string, home: string): Connection {
  const read = readYaml(text);
  if (!read.ok) {
    const fault = read.faults[0];
    throw broken(at(shown, fault?.line), fault?.message ?? "it is not valid YAML", fixes.file);
  }
  const { below } = read.spot;
  const value = withoutNotes(read.spot.value);
  const engine = (value as { engine?: unknown } | null)?.engine;
  const schema =
    typeof engine === "string" && Object.hasOwn(schemas, engine) ? schemas[engine as keyof typeof schemas] : null;
  if (!schema) {
    throw broken(at(shown, findLine(below, "engine")), "engine: must be sqlite, duckdb, postgres or mysql", fixes.file);
  }
  const fix = engine === "sqlite" || engine === "duckdb" ? fixes.file : fixes.server;
  const checked = check<typeof schema>(schema, value);
  if (!checked.ok) throw broken(at(shown, findLine(below, checked.problem)), checked.problem, fix);
  const { version: _, ...connection } = checked.value;
  if ("file" in connection && !isAbsolute(connection.file)) {
    throw broken(at(shown, findLine(below, "file")), "file: must be an absolute path", fix);
  }
  if ("password" in connection && connection.password && "file" in connection.password)
    return { ...connection, password: { file: join(home, connection.password.file) } };
  return connection;
}

const at = (shown: string, line: number | undefined): string => (line ? `${shown}, line ${line}` : shown);

/** What the workspace tells about its data has a reader of its own, and no fault in it may cost the connection. */
function withoutNotes(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !isNoteKey(name)));
}

/** The line of the key that the problem begins with, when the file has it. */
const findLine = (below: Spot["below"], problem: string): number | undefined =>
  below.get(problem.split(/[:.]/)[0] ?? "")?.line;

export function broken(where: string, what: string, fix: string, cause?: unknown): ThothError {
  return new ThothError("workspace-broken", `${where}: ${what}.`, fix, cause);
}
