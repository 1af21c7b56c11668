/**
 * This folder runs sessions: it starts and stops their children, writes what the reviewer says to the ledger before
 * anybody is told, and streams what happens. Here stands the registry; HTTP knows nothing else of the folder.
 */
import type { Connection } from "../../database/connection.ts";
import { readLedger } from "../../ledger/ledger.ts";
import { unknownSession } from "../../ledger/session-dirs.ts";
import {
  type CreateSession,
  type FindSessions,
  type GateAnswer,
  type GateAnswered,
  type LedgerEntry,
  type LedgerView,
  type Manifest,
  type PatchSession,
  type PhaseId,
  type SessionList,
  type SessionView,
  ThothError,
} from "../../protocol/index.ts";
import { defaultStallMs } from "../../runtime/watchdog.ts";
import { toStartPrompt } from "../../workflow/briefing.ts";
import { toLedgerView } from "../../workflow/ledger-view.ts";
import { openWorkspace } from "../../workspace/workspaces.ts";
import { createCatalogs } from "../catalogs.ts";
import type { SessionFigures } from "../metrics.ts";
import { createModels, type Models } from "../models/model-list.ts";
import { createRedactor } from "../redact.ts";
import { answerGate } from "./answer-gate.ts";
import { childProgram } from "./child-program.ts";
import { onDialog } from "./gate-dialogs.ts";
import type { ChildProgram } from "./launch-child.ts";
import { createListing } from "./list-sessions.ts";
import type { LiveSession } from "./live-session.ts";
import { createSession, openSession } from "./open-session.ts";
import { createOpenSessions } from "./open-sessions.ts";
import { patchSession } from "./patch-session.ts";
import { refuseOwnSql } from "./refuse-own-sql.ts";
import { createReserve, type Prepared } from "./reserve.ts";
import { reopen, say } from "./say.ts";
import { describe, type SessionLog, type SessionParts } from "./session-parts.ts";
import type { StreamSink } from "./session-stream.ts";
import { ResumeRefusedError, startCold, startColdOrFail, toResumeWords } from "./start-cold.ts";
import { createStartQueue } from "./start-queue.ts";
import { stopTurn } from "./stop-turn.ts";
import { toSessionView } from "./to-view.ts";
import { emptyTrash, moveToTrash, takeFromTrash } from "./trash.ts";

export type { SessionLog } from "./session-parts.ts";
export type { StreamSink } from "./session-stream.ts";
export { ResumeRefusedError } from "./start-cold.ts";

export interface Sessions {
  /** Returns as soon as the question is written down; the child starts meanwhile. */
  create(body: CreateSession): Promise<{ id: string }>;
  /** What wants something of the reader first, then the latest. */
  list(wish?: FindSessions): Promise<SessionList>;
  view(id: string): Promise<SessionView>;
  ledger(id: string): Promise<LedgerView>;
  /** All that is on disk, with what the gates showed: for the report, which picks what it names. */
  record(id: string): Promise<{ entries: LedgerEntry[]; manifest: Manifest }>;
  /** Throws ResumeRefusedError with every problem found. */
  resume(id: string): Promise<{ resumed: "kept" | "cold"; epoch: string }>;
  prompt(id: string, text: string): Promise<void>;
  steer(id: string, text: string): Promise<void>;
  abort(id: string): Promise<void>;
  reopen(id: string, phase: PhaseId): Promise<void>;
  patch(id: string, body: PatchSession): Promise<void>;
  /** Moves the session's folder to the home's trash. */
  remove(id: string): Promise<void>;
  /** Brings a removed session back as it was, but for its child. */
  restore(id: string): Promise<void>;
  answer(id: string, gateId: string, body: GateAnswer): Promise<GateAnswered>;
  /** Returns what ends the subscription. */
  stream(id: string, lastEventId: string | undefined, sink: StreamSink): Promise<() => void>;
  readonly models: Models;
  /** Of the sessions that were opened here, and of the one that is kept ready. */
  count(): Promise<SessionFigures>;
  /** The accepted SQL and where it runs; null before there is any. */
  sql(id: string): Promise<{ sql: string; connection: Connection } | null>;
  /** Stops every child and ends every stream; gates and turns stay as they are on disk. */
  close(): Promise<void>;
}

export interface SessionsOptions {
  home: string;
  log: SessionLog;
  /** Absolute path of the extension that each child loads; by default ours. */
  extensionFile?: string;
  openWorkspace?: SessionParts["openWorkspace"];
  ensureCatalog?: SessionParts["ensureCatalog"];
  /** By default the node that runs this and the Pi that is installed beside it. */
  nodePath?: string;
  piCli?: string;
  /** Epoch milliseconds. */
  clock?: () => number;
  /** Silence of a working child after which it is ended; by default `THOTH_STALL_MS` or two minutes. */
  watchdogMs?: number;
  /** Milliseconds at one gate after which the child is stopped and the turn goes on waiting; by default half an hour. */
  gateWaitMs?: number;
  /** How often that is looked at. Milliseconds. */
  lookAtGatesMs?: number;
  /** Children that may start at the same time; by default two, or one per processor. */
  mostStarting?: number;
  /** Milliseconds without a start after which a child is started for the next session; none is when it is absent. */
  prestartMs?: number;
  retry?: { maxRetries: number; baseDelayMs: number };
  environment?: NodeJS.ProcessEnv;
}

const defaultGateWaitMs = 30 * 60_000;

export function createSessions(options: SessionsOptions): Sessions {
  const { home, environment = process.env, clock = Date.now } = options;
  const { log, learnSecrets } = withoutSecrets(options.log, home);
  const usual = childProgram(home, environment);
  const program: ChildProgram = {
    ...usual,
    extensionFile: options.extensionFile ?? usual.extensionFile,
    nodePath: options.nodePath ?? usual.nodePath,
    piCli: options.piCli ?? usual.piCli,
    retry: options.retry ?? usual.retry,
  };
  const catalogs = createCatalogs(home);
  const parts: SessionParts = {
    program,
    log,
    learnSecrets,
    onDialog,
    now: clock,
    openWorkspace: options.openWorkspace ?? ((name) => openWorkspace(home, name)),
    ensureCatalog: options.ensureCatalog ?? catalogs.read,
    models: createModels(program, {
      problem: (detail) => log.warn({ detail }, "The models could not be listed."),
      secrets: learnSecrets,
    }),
    starts: createStartQueue(options.mostStarting),
    watchdogMs: options.watchdogMs ?? (Number(environment.THOTH_STALL_MS) || defaultStallMs),
  };
  const loaded = createOpenSessions(clock);
  const starting = new Map<string, Promise<void>>();
  const reserve = createReserve(parts, { delayMs: options.prestartMs, isBusy: () => starting.size > 0 });
  reserve.prepareLater();
  const listing = createListing(parts, loaded.all, reserve.holds);
  const gateWaitMs = options.gateWaitMs ?? (Number(environment.THOTH_GATE_WAIT_MS) || defaultGateWaitMs);
  const gateWatch = setInterval(
    () => {
      for (const loading of loaded.all.values())
        loading.then((session) => session.restLongWait(gateWaitMs)).catch(() => undefined); // told to the one who asked for it
    },
    options.lookAtGatesMs ?? Math.min(15_000, gateWaitMs / 2),
  ).unref();
  let closed = false;
  void emptyTrash(home, clock()).catch((error: unknown) =>
    log.warn({ detail: describe(error) }, "The trash could not be emptied."),
  );

  const find = (id: string): Promise<LiveSession> => {
    if (closed) return Promise.reject(new ThothError("server-closing", "ThothII is shutting down.", "Start it again."));
    const known = loaded.get(id);
    if (known) return known;
    if (reserve.holds(id)) return Promise.reject(unknownSession());
    const loading = openSession(parts, id);
    loaded.put(id, loading);
    return loading;
  };
  /** What nobody of ours wrote since (a command, another tool) shows too. */
  const findFresh = async (id: string): Promise<LiveSession> => {
    const session = await find(id);
    await session.refresh();
    return session;
  };

  return {
    async create(body) {
      const ready: { prepared: Prepared | null } = { prepared: null };
      const session = await createSession(parts, body, (manifest) => {
        ready.prepared = reserve.claim(manifest);
        return ready.prepared?.id ?? null;
      }).catch(async (error: unknown) => {
        await ready.prepared?.discard();
        throw error;
      });
      const { id, manifest } = session;
      const { prepared } = ready;
      loaded.put(id, Promise.resolve(session));
      session.owner = prepared?.owner ?? null;
      await prepared?.adopted();
      const words = {
        text: toStartPrompt(manifest.question),
        shown: { text: manifest.question, kind: "question" as const },
      };
      const started = session
        .exclusive(() => startColdOrFail(session, { fresh: true, prepared, toWords: () => words }))
        .catch((error: unknown) => {
          if (!closed) session.log("error", { detail: describe(error) }, "A session could not be started.");
        })
        .finally(async () => {
          if (prepared && session.runtime?.child !== prepared.child) await prepared.child.stop();
          starting.delete(id);
          reserve.prepareLater(manifest);
        });
      starting.set(id, started);
      return { id };
    },
    list: (wish = {}) => listing.find(wish),
    view: async (id) => toSessionView(await findFresh(id)),
    async ledger(id) {
      const session = await find(id);
      return toLedgerView((await readLedger(session.dir, id)).entries);
    },
    async record(id) {
      const session = await find(id);
      return { entries: (await readLedger(session.dir, id)).entries, manifest: session.manifest };
    },
    async resume(id) {
      const session = await find(id).catch((error: unknown) => {
        if (error instanceof ThothError && error.code === "manifest-damaged")
          throw new ResumeRefusedError([error.toProblem()]);
        throw error;
      });
      return session.exclusive(async () => {
        const works = session.turn.state === "running" || session.turn.state === "waiting";
        if (session.runtime && works) return { resumed: "kept" as const, epoch: session.stream.epoch };
        await session.refresh();
        await startCold(session, { toWords: toResumeWords });
        return { resumed: "cold" as const, epoch: session.stream.epoch };
      });
    },
    async prompt(id, text) {
      const session = await find(id);
      await session.exclusive(() => say(session, text));
    },
    async steer(id, text) {
      const session = await find(id);
      await session.exclusive(() => say(session, text));
    },
    async abort(id) {
      await stopTurn(await find(id));
    },
    async reopen(id, phase) {
      const session = await find(id);
      await session.exclusive(() => reopen(session, phase));
    },
    async patch(id, body) {
      const session = await find(id);
      await session.exclusive(() => patchSession(session, body));
    },
    async remove(id) {
      const session = await find(id).catch((error: unknown) => {
        // What can't be read can still be removed.
        if (error instanceof ThothError && error.code === "manifest-damaged") return null;
        throw error;
      });
      await session?.close();
      loaded.delete(id);
      await moveToTrash(home, id, clock());
      await listing.lookAgain(id);
    },
    async restore(id) {
      await takeFromTrash(home, id);
      await listing.lookAgain(id);
    },
    async answer(id, gateId, body) {
      const session = await find(id);
      if (body.sql !== undefined && session.state.openGate?.gateId === gateId) {
        const { connection } = await parts.openWorkspace(session.manifest.workspace);
        await refuseOwnSql(connection, body.sql);
      }
      return session.exclusive(() => answerGate(session, gateId, body, "reviewer"));
    },
    async stream(id, lastEventId, sink) {
      const session = await find(id);
      return session.stream.subscribe(lastEventId, session.snapshot(), sink);
    },
    models: parts.models,
    async count() {
      const turns = { idle: 0, running: 0, waiting: 0, failed: 0 };
      let children = 0;
      let openGates = 0;
      for (const found of await Promise.allSettled(loaded.all.values())) {
        if (found.status === "rejected") continue;
        const { turn, runtime, state } = found.value;
        turns[turn.state] += 1;
        if (runtime) children += 1;
        if (state.openGate) openGates += 1;
      }
      return { turns, children: { session: children, reserved: reserve.size }, openGates };
    },
    async sql(id) {
      const { state, manifest } = await findFresh(id);
      return state.sql === null
        ? null
        : { sql: state.sql, connection: (await parts.openWorkspace(manifest.workspace)).connection };
    },
    async close() {
      closed = true;
      clearInterval(gateWatch);
      const reserveClosed = reserve.close();
      const sessions = await Promise.allSettled(loaded.all.values());
      await Promise.all(sessions.map((found) => (found.status === "fulfilled" ? found.value.close() : undefined)));
      await Promise.all([...starting.values(), reserveClosed]);
      await listing.close();
      loaded.clear();
      await catalogs.close();
    },
  };
}

/** Detail in the log may quote a provider's answer or a child's last words: known keys go, and what looks like one. */
function withoutSecrets(
  log: SessionLog,
  home: string,
): { log: SessionLog; learnSecrets: (secrets: readonly string[]) => void } {
  const secrets = new Set<string>();
  const clean = (detail: object): object => {
    const redact = createRedactor([...secrets], home);
    const cleaned = (value: unknown): unknown => {
      if (typeof value === "string") return redact(value);
      if (Array.isArray(value)) return value.map(cleaned);
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cleaned(inner)]));
    };
    return Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, cleaned(value)]));
  };
  return {
    log: {
      info: (detail, message) => log.info(clean(detail), message),
      warn: (detail, message) => log.warn(clean(detail), message),
      error: (detail, message) => log.error(clean(detail), message),
    },
    learnSecrets: (more) => {
      for (const secret of more) secrets.add(secret);
    },
  };
}
