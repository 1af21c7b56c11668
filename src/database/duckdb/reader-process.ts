/**
 * The program of the reader process. A database file is opened for each request and closed after it: an open one keeps
 * writers out and wouldn't see what they wrote. Files of other kinds stay as tables until one of them changes.
 */
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { version } from "@duckdb/node-api";
import { type SendReply, serveRequests } from "../reader/serve-requests.ts";
import { classifyError } from "./classify-error.ts";
import { introspect } from "./introspect.ts";
import { openGuard, openSource, type Session } from "./open-source.ts";
import { readStatement } from "./read-statement.ts";
import type { Reply, Request } from "./wire.ts";

// The driver gives a result back when it is collected, and until then the result keeps its file open and locked.
setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

const guard = await openGuard();
let kept: { key: string; session: Session } | undefined;
let current: Session | undefined;
let stopped = false;

async function open(source: Request["source"], reply: (message: Reply) => void): Promise<Session> {
  if (source.kind === "database") return await openSource(source, () => {});
  const key = `${source.root}\n${source.state}`;
  if (kept?.key === key) return kept.session;
  kept?.session.close();
  kept = undefined;
  const session = await openSource(source, (tables) => reply({ kind: "files", state: source.state, tables }));
  kept = { key, session };
  return session;
}

async function answer(request: Request, reply: SendReply<Reply>): Promise<void> {
  stopped = false;
  try {
    current = await open(request.source, reply);
  } catch (error) {
    reply({ kind: "failed", error: classifyError(error) });
    return;
  }
  const session = current;
  try {
    if (request.kind === "introspect") reply({ kind: "tables", tables: await introspect(session) });
    else if (request.kind === "inspect") reply({ kind: "report", version: version().replace(/^v/, "") });
    else {
      for (const sql of request.statements) {
        const read = await readStatement(session, guard, sql, request, reply);
        // The adapter ends what is still owed with its own words.
        if (stopped) break;
        reply({ kind: "read", ...read });
      }
    }
  } catch (error) {
    reply({ kind: "failed", error: classifyError(error) });
  } finally {
    current = undefined;
    if (request.source.kind === "database") session.close();
    collectGarbage();
    await setImmediate();
  }
}

serveRequests<Request, Reply>({
  answer,
  stop() {
    stopped = true;
    current?.connection.interrupt();
    guard.interrupt();
  },
});
