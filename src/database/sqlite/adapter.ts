/** The Database interface on a SQLite file: every query runs in a reader process that is killed at its deadline. */
import { createHash } from "node:crypto";
import { access, open, stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Database, DatabaseProblem, IntrospectedTable, Read, ReadOptions } from "../database.ts";
import { readAll, toEndProblem } from "../reader/read-all.ts";
import { createReaders } from "../reader/reader.ts";
import { toFault, toFileFault, toFileProblem } from "./faults.ts";
import type { Reply, Request } from "./wire.ts";

const introspectMs = 60_000;

/** `file` is an absolute path; nothing is looked at before the first call. */
export function createSqliteDatabase(file: string): Database {
  const readers = createReaders<Request, Reply>({
    program: new URL("./reader-process.ts", import.meta.url),
    graceMs: 0,
    environment: ["TMPDIR", "SQLITE_TMPDIR", "TMP", "TEMP", "SystemRoot"],
  });

  const readStatements = (statements: readonly string[], options: ReadOptions): Promise<Read[]> =>
    readAll<Request, Reply>(
      readers,
      async (rest, deadlineMs) => {
        const found = await locate(file);
        if ("problem" in found) return found;
        const { maxRows, maxBytes } = options;
        return { kind: "read", location: found.location, statements: rest, maxRows, maxBytes, deadlineMs };
      },
      statements,
      options,
    );

  return {
    engine: "sqlite",
    readAll: readStatements,
    async read(sql, options) {
      const [read] = await readStatements([sql], options);
      return read ?? { ok: false, error: { code: "other", message: "no answer" } };
    },
    async introspect() {
      const found = await locate(file);
      if ("problem" in found) throw toFault(found.problem, file);
      let tables: IntrospectedTable[] | undefined;
      let problem: DatabaseProblem | undefined;
      const { ending } = await readers.ask(
        { kind: "introspect", location: found.location, deadlineMs: introspectMs },
        { deadlineMs: introspectMs },
        (reply) => {
          if (reply.kind === "tables") tables = reply.tables;
          else if (reply.kind === "failed") problem = reply.error;
        },
      );
      if (!tables) throw toFault(problem ?? toEndProblem(ending, introspectMs), file);
      return tables;
    },
    fingerprint: () => readFingerprint(file),
    async inspect() {
      const [read] = await readStatements(["SELECT sqlite_version()"], {
        maxRows: 1,
        maxBytes: 100,
        deadlineMs: introspectMs,
      });
      if (!read?.ok) throw toFault(read?.error ?? { code: "other", message: "no answer" }, file);
      return { product: `SQLite ${String(read.result.rows[0]?.[0])}`, warnings: [] };
    },
    close: () => readers.close(),
    quote: (identifier) => `"${identifier.replaceAll('"', '""')}"`,
  };
}

/**
 * A database in WAL mode gets `-wal` and `-shm` files beside it even from a reader. With none there is no writer
 * either, so it is opened as immutable and nothing is left behind. Byte 18 of the header is 2 in WAL mode.
 * Other databases are opened plainly: an immutable one would not see locks.
 */
async function locate(file: string): Promise<{ location: string } | { problem: DatabaseProblem }> {
  try {
    const header = await readBytes(file, 18, 1);
    const immutable = header[0] === 2 && !(await exists(`${file}-wal`));
    return { location: immutable ? `${pathToFileURL(file).href}?immutable=1` : file };
  } catch (error) {
    return { problem: toFileProblem(error) };
  }
}

/** `<database>:<state>`: the first part names the file, the second changes with its bytes. */
async function readFingerprint(file: string): Promise<string> {
  try {
    const main = await stat(file, { bigint: true });
    const wal = (await exists(`${file}-wal`)) ? await stat(`${file}-wal`, { bigint: true }) : undefined;
    const state = createHash("sha256");
    for (const part of [main, wal]) state.update(part ? `${part.size} ${part.mtimeNs} ${part.ino};` : "none;");
    // The change counter tells two writes apart that fall into one tick of the clock.
    state.update(await readBytes(file, 24, 4));
    return `sqlite-${createHash("sha256").update(file).digest("hex").slice(0, 16)}:${state.digest("hex").slice(0, 32)}`;
  } catch (error) {
    throw toFileFault(error, file);
  }
}

async function readBytes(file: string, position: number, length: number): Promise<Buffer> {
  const handle = await open(file, "r");
  try {
    return (await handle.read(Buffer.alloc(length), 0, length, position)).buffer;
  } finally {
    await handle.close();
  }
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
