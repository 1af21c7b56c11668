/**
 * The program of the reader process: it opens the file for each request, reads, closes it again and waits for the
 * next one. A process of its own, because SQLite in Node can't be interrupted: only killing it ends a query.
 */
import { DatabaseSync } from "node:sqlite";
import { type SendReply, serveRequests } from "../reader/serve-requests.ts";
import { installGuard } from "./authorize.ts";
import { classifyError } from "./classify-error.ts";
import { introspect } from "./introspect.ts";
import { readStatement } from "./read-statement.ts";
import type { Reply, Request } from "./wire.ts";

/** Bytes of one value or row inside SQLite, and of all its memory. */
const maxLength = 128 * 1024 * 1024;
const maxMemory = 768 * 1024 * 1024;
const maxSql = 1_000_000;
/** How long to wait for another process's lock. */
const lockWaitMs = 1000;

function open(location: string): DatabaseSync {
  const database = new DatabaseSync(location, {
    readOnly: true,
    allowExtension: false,
    enableDoubleQuotedStringLiterals: false,
    defensive: true,
    timeout: lockWaitMs,
    limits: { attach: 0, length: maxLength, sqlLength: maxSql },
  });
  database.exec(`PRAGMA hard_heap_limit = ${maxMemory}`);
  return database;
}

/** R-tree tables compile writing statements of their own when they are first touched: before the guard stands. */
function touchVirtualTables(database: DatabaseSync): void {
  const found = database.prepare("SELECT name FROM sqlite_schema WHERE sql LIKE 'CREATE VIRTUAL%'").all();
  for (const { name } of found) {
    try {
      database.prepare(`SELECT 1 FROM "${String(name).replaceAll('"', '""')}"`);
    } catch (error) {
      // A module that isn't there fails again, with its message, when a query names the table.
      if ((error as { errcode?: number }).errcode !== 1) throw error;
    }
  }
}

function answer(request: Request, reply: SendReply<Reply>): void {
  let database: DatabaseSync | undefined;
  try {
    database = open(request.location);
    if (request.kind === "introspect") {
      reply({ kind: "tables", tables: introspect(database) });
      return;
    }
    touchVirtualTables(database);
  } catch (error) {
    database?.close();
    reply({ kind: "failed", error: classifyError(error, "run") });
    return;
  }
  const guard = installGuard(database);
  for (const sql of request.statements) reply({ kind: "read", ...readStatement(database, guard, sql, request, reply) });
  database.close();
}

serveRequests<Request, Reply>({ answer });
