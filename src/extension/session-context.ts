/**
 * This folder runs inside the Pi child: the tools a model may call, the gates they open, and the offline planner as a
 * model of its own. What the tools share stands here: the database, its catalog and the session's ledger.
 */
import { type OpenedCatalog, openCatalog } from "../catalog/open-catalog.ts";
import { Connection } from "../database/connection.ts";
import type { Database, Read } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { changeLedger, readLedger } from "../ledger/ledger.ts";
import { ChildEnvironment, check, type Knowledge, type NewEntry, ThothError } from "../protocol/index.ts";
import { foldLedger, type SessionState } from "../workflow/fold-ledger.ts";
import { readDescriptions, toDescribedCatalog } from "../workspace/descriptions.ts";
import { readKnowledge } from "../workspace/read-knowledge.ts";

/** Caps for what a model's own query may return; more would only fill its context. */
export const queryLimits = { maxRows: 50, maxBytes: 20_000, deadlineMs: 20_000 };

const noKnowledge: Knowledge = {
  workspace: {},
  descriptions: [],
  relations: [],
  synonyms: [],
  evidence: [],
  verified: [],
  faults: [],
};

export interface SessionContext {
  database(): Promise<Database>;
  /** Read again whenever the database changed since, with what the workspace says of its tables and columns now. */
  catalog(): Promise<OpenedCatalog>;
  /** What people told of it, as its files say now; the same object while they say the same. */
  knowledge(): Promise<Knowledge>;
  state(): Promise<SessionState>;
  /** The child was started before there was a question. */
  readonly waits: boolean;
  /** Runs one reading statement for the model and notes it in the ledger. */
  runQuery(tool: string, sql: string, signal?: AbortSignal): Promise<Read>;
  noteUsage(usage: Omit<Extract<NewEntry, { type: "usage" }>, "type">): Promise<void>;
}

export function createSessionContext(environment: NodeJS.ProcessEnv): SessionContext {
  const checked = check(ChildEnvironment, pick(environment));
  if (!checked.ok)
    throw new ThothError("child-environment", `The child was started without its settings: ${checked.problem}.`);
  const {
    THOTH_SESSION_DIR: dir,
    THOTH_SESSION_ID: id,
    THOTH_CONNECTION: connection,
    THOTH_CATALOG_DIR: catalogDir,
    THOTH_WORKSPACE_DIR: workspace,
    THOTH_WAITS: waits,
  } = checked.value;
  let database: Promise<Database> | undefined;
  let known = noKnowledge;
  let opened: { fingerprint: string; catalog: Promise<OpenedCatalog> } | undefined;

  const context: SessionContext = {
    waits: waits !== undefined,
    database: () => (database ??= openDatabase(parseConnection(connection))),
    async catalog() {
      const db = await context.database();
      const fingerprint = await db.fingerprint();
      if (opened?.fingerprint !== fingerprint) {
        if (opened) closeLater(opened.catalog);
        const next = { fingerprint, catalog: openCatalog(db, catalogDir) };
        opened = next;
        // A fault that is mended must not be remembered.
        next.catalog.catch(() => {
          if (opened === next) opened = undefined;
        });
      }
      const found = await opened.catalog;
      if (workspace === undefined) return found;
      const { catalog } = toDescribedCatalog(found.catalog, await readDescriptions(workspace), workspace);
      return { ...found, catalog };
    },
    async knowledge() {
      const read = workspace === undefined ? noKnowledge : await readKnowledge(workspace);
      // Plans and indexes are kept by object.
      if (!isSame(read, known)) known = read;
      return known;
    },
    state: async () => foldLedger((await readLedger(dir, id)).entries),
    async noteUsage(usage) {
      await changeLedger(dir, id, () => ({ entries: [{ type: "usage", ...usage }], value: null }));
    },
    async runQuery(tool, sql, signal) {
      const read = await (await context.database()).read(sql, { ...queryLimits, signal });
      await changeLedger(dir, id, () => ({
        entries: [
          {
            type: "query",
            tool,
            sql,
            ok: read.ok,
            rowCount: read.ok ? read.result.rowCount : 0,
            ms: read.ok ? read.ms : 0,
          },
        ],
        value: null,
      }));
      return read;
    },
  };
  return context;
}

/** Files that didn't change give the same pieces again. */
const isSame = (a: Knowledge, b: Knowledge): boolean =>
  JSON.stringify(a.workspace) === JSON.stringify(b.workspace) &&
  (["descriptions", "relations", "synonyms", "evidence", "verified"] as const).every(
    (kind) => a[kind].length === b[kind].length && a[kind].every((piece, at) => piece === b[kind][at]),
  );

/** Another tool call may still look into it. */
function closeLater(catalog: Promise<OpenedCatalog>): void {
  const close = () => void catalog.then((before) => before.close()).catch(() => undefined); // never opened: nothing to close
  setTimeout(close, 30_000).unref();
}

function parseConnection(text: string): Connection {
  const checked = check(Connection, JSON.parse(text));
  if (checked.ok) return checked.value;
  throw new ThothError("child-environment", `The child was started with no connection: ${checked.problem}.`);
}

function pick(environment: NodeJS.ProcessEnv): Record<string, string | undefined> {
  return Object.fromEntries(Object.keys(ChildEnvironment.properties).map((name) => [name, environment[name]]));
}
