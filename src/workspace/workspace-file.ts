/** What `workspace.yaml` holds, and how a connection is read from it and written to it. */
import { isAbsolute, join, relative } from "node:path";
import { Type } from "typebox";
import { isMap, LineCounter, parseDocument, stringify } from "yaml";
import {
  type Connection,
  DuckdbConnection,
  MysqlConnection,
  PostgresConnection,
  SqliteConnection,
} from "../database/connection.ts";
import { check, ThothError } from "../protocol/index.ts";

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
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const fault = document.errors[0];
  if (fault) {
    const line = fault.linePos?.[0].line;
    throw broken(at(shown, line), `it is not valid YAML (${fault.code})`, fixes.file, fault);
  }
  const value: unknown = document.toJS();
  const engine = (value as { engine?: unknown } | null)?.engine;
  const schema =
    typeof engine === "string" && Object.hasOwn(schemas, engine) ? schemas[engine as keyof typeof schemas] : null;
  if (!schema) {
    throw broken(
      at(shown, findLine(document.contents, "engine", lines)),
      "engine: must be sqlite, duckdb, postgres or mysql",
      fixes.file,
    );
  }
  const fix = engine === "sqlite" || engine === "duckdb" ? fixes.file : fixes.server;
  const checked = check<typeof schema>(schema, value);
  if (!checked.ok) throw broken(at(shown, findLine(document.contents, checked.problem, lines)), checked.problem, fix);
  const { version: _, ...connection } = checked.value;
  if ("file" in connection && !isAbsolute(connection.file)) {
    throw broken(at(shown, findLine(document.contents, "file", lines)), "file: must be an absolute path", fix);
  }
  if ("password" in connection && connection.password && "file" in connection.password)
    return { ...connection, password: { file: join(home, connection.password.file) } };
  return connection;
}

const at = (shown: string, line: number | undefined): string => (line ? `${shown}, line ${line}` : shown);

/** The line of the key that the problem begins with, when the file has it. */
function findLine(contents: unknown, problem: string, lines: LineCounter): number | undefined {
  if (!isMap(contents)) return undefined;
  const key = problem.split(/[:.]/)[0];
  const pair = contents.items.find((item) => String(item.key) === key);
  const range = (pair?.key as { range?: [number, number, number] } | undefined)?.range;
  return range ? lines.linePos(range[0]).line : undefined;
}

export function broken(where: string, what: string, fix: string, cause?: unknown): ThothError {
  return new ThothError("workspace-broken", `${where}: ${what}.`, fix, cause);
}
