/** The Database interface on DuckDB: every query runs in a reader process that is killed when it doesn't stop. */
import { createHash } from "node:crypto";
import type { Database, DatabaseProblem, IntrospectedTable, Read, ReadOptions } from "../database.ts";
import { readAll, toEndProblem } from "../reader/read-all.ts";
import { createReaders } from "../reader/reader.ts";
import { toFault, toReason, toUnreadable } from "./faults.ts";
import { type Located, locateSource } from "./locate-source.ts";
import { quoteName } from "./quote.ts";
import type { FileTables, Reply, Request } from "./wire.ts";

/** Looking into many text files takes its time. */
const lookMs = 120_000;
/** A query that can be interrupted stops within some milliseconds. */
const graceMs = 500;

/** `path` is absolute; nothing is looked at before the first call. */
export function createDuckdbDatabase(path: string): Database {
  const readers = createReaders<Request, Reply>({
    program: new URL("./reader-process.ts", import.meta.url),
    graceMs,
    environment: ["TMPDIR"],
  });
  let known: { state: string; tables: FileTables } | undefined;
  const hear = (reply: Reply): void => {
    if (reply.kind === "files") known = { state: reply.state, tables: reply.tables };
  };

  async function locate(): Promise<Located> {
    const located = await locateSource(path);
    if (located.source.kind === "files" && known?.state === located.state)
      return { ...located, source: { ...located.source, tables: known.tables } };
    return located;
  }

  /** One request that is no query. Throws ThothError. */
  async function look<Kind extends "introspect" | "inspect">(
    kind: Kind,
  ): Promise<{ located: Located; replies: Reply[] }> {
    const located = await locate();
    const replies: Reply[] = [];
    const { ending } = await readers.ask(
      { kind, source: located.source, deadlineMs: lookMs },
      { deadlineMs: lookMs },
      (reply) => {
        hear(reply);
        replies.push(reply);
      },
    );
    const failed = replies.find((reply) => reply.kind === "failed");
    if (failed) throw toFault(failed.error, path);
    if (ending !== "done") throw toFault(toEndProblem(ending, lookMs), path);
    const skipped = located.source.kind === "files" ? known?.tables.skipped[0] : undefined;
    if (skipped && known?.tables.tables.length === 0) throw toUnreadable(skipped.file, skipped.problem);
    return { located, replies };
  }

  const readStatements = (statements: readonly string[], options: ReadOptions): Promise<Read[]> =>
    readAll<Request, Reply>(
      readers,
      async (rest, deadlineMs) => {
        try {
          const { source } = await locate();
          const { maxRows, maxBytes } = options;
          return { kind: "read", source, statements: rest, maxRows, maxBytes, deadlineMs };
        } catch (error) {
          return { problem: toProblem(error) };
        }
      },
      statements,
      options,
      hear,
    );

  return {
    engine: "duckdb",
    readAll: readStatements,
    async read(sql, options) {
      const [read] = await readStatements([sql], options);
      return read ?? { ok: false, error: { code: "other", message: "no answer" } };
    },
    async introspect(): Promise<IntrospectedTable[]> {
      const { replies } = await look("introspect");
      return replies.find((reply) => reply.kind === "tables")?.tables ?? [];
    },
    async fingerprint() {
      const { state } = await locateSource(path);
      return `duckdb-${createHash("sha256").update(path).digest("hex").slice(0, 16)}:${state}`;
    },
    async inspect() {
      const { located, replies } = await look("inspect");
      const version = replies.find((reply) => reply.kind === "report")?.version ?? "";
      const skipped = located.source.kind === "files" ? (known?.tables.skipped ?? []) : [];
      const files = located.source.kind === "files" ? located.source.files.length - skipped.length : undefined;
      const where =
        files === undefined ? "" : files === 1 ? " on 1 file" : ` on ${files.toLocaleString("en-US")} files`;
      return {
        product: `DuckDB ${version}${where}`,
        warnings: skipped.map(({ file, problem }) => ({
          message: `${file} was left out: ${toReason(file, problem)}.`,
          remedy: "Write the file again, or take it out of the folder.",
        })),
      };
    },
    close: () => readers.close(),
    quote: quoteName,
  };
}

/** Faults of `locateSource`, as a read returns them. */
function toProblem(error: unknown): DatabaseProblem {
  const { code, message } = error as { code?: string; message: string };
  switch (code) {
    case "database-missing":
      return { code: "missing", message };
    case "database-empty":
      return { code: "empty", message };
    case "database-not-duckdb":
      return { code: "not-a-database", message };
    case "database-permission":
      return { code: "permission", message };
    default:
      return { code: "connection", message };
  }
}
