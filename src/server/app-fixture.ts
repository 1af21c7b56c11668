/** For tests: the real app on a home of its own; sessions are an object in memory, because no child is needed here. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "../database/connection.ts";
import {
  type LedgerView,
  type Manifest,
  type ModelList,
  maxQuestion,
  type Problem,
  type SessionView,
  ThothError,
} from "../protocol/index.ts";
import { createAccess, openToken } from "./access.ts";
import { type App, createApp } from "./app.ts";
import { createEventStreams } from "./event-streams.ts";
import { createHosts } from "./hosts.ts";
import { createLog } from "./log.ts";
import type { Sessions } from "./sessions/sessions.ts";
import { readStaticFile } from "./static-files.ts";

export const testPort = 4817;
export const testHost = `127.0.0.1:${testPort}`;
export const knownSession = "0known000000";

export interface AppFixture {
  app: App;
  home: string;
  token: string;
  access: ReturnType<typeof createAccess>;
  logged: string[];
  /** With the right Host and token unless `headers` says otherwise; null leaves one out. */
  request(
    path: string,
    init?: { method?: string; body?: unknown; raw?: string; headers?: Record<string, string | null> },
  ): Promise<Response>;
  close(): Promise<void>;
}

export interface FixtureOptions {
  sessions?: Partial<Sessions>;
  now?: () => number;
  allowHosts?: string[];
  readiness?: () => Promise<Problem[]>;
}

export async function openAppFixture(options: FixtureOptions = {}): Promise<AppFixture> {
  const home = await mkdtemp(join(tmpdir(), "thoth-app-"));
  const page = join(home, "page");
  await mkdir(join(page, "assets"), { recursive: true });
  await writeFile(join(page, "index.html"), "<!doctype html><title>the page</title>");
  await writeFile(join(page, "assets", "main-a1b2c3.js"), "export {};");
  await writeFile(join(home, "outside.txt"), "not for the page");
  const token = await openToken(home, false);
  const access = createAccess(token, testPort, options.now);
  const logged: string[] = [];
  const app = createApp({
    home,
    access,
    address: `http://${testHost}`,
    hosts: createHosts(testPort, options.allowHosts),
    streams: createEventStreams(),
    sessions: { ...memorySessions(), ...options.sessions },
    page: (path) => readStaticFile(page, path),
    readiness: options.readiness ?? (async () => []),
    log: createLog({ level: "debug", short: false, secrets: [token], home, write: (line) => void logged.push(line) }),
  });
  return {
    app,
    home,
    token,
    access,
    logged,
    async request(path, { method = "GET", body, raw, headers = {} } = {}) {
      const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const given: Record<string, string | null> = {
        host: testHost,
        authorization: `Bearer ${token}`,
        ...(text === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      };
      const sent = Object.entries(given).flatMap(([name, value]) =>
        value === null ? [] : [[name, value] as [string, string]],
      );
      return app.request(path, { method, headers: sent, ...(text === undefined ? {} : { body: text }) });
    },
    close: () => rm(home, { recursive: true, force: true }),
  };
}

/** One session that is there and idle; nothing happens in it. */
export function memorySessions(connection: Connection | null = null, sql = "SELECT 1"): Sessions {
  const unknown = () => new ThothError("session-unknown", "There is no such session.", "Choose one from the list.");
  const known = async (id: string) => {
    if (id !== knownSession) throw unknown();
  };
  return {
    async create(body) {
      if (body.question.length > maxQuestion)
        throw new ThothError(
          "question-too-long",
          `The question is longer than ${maxQuestion} characters.`,
          "Shorten it.",
        );
      return { id: knownSession };
    },
    list: async () => ({ sessions: [], total: 0 }),
    async view(id) {
      await known(id);
      return { ...aView(), ...(connection ? { outcome: "answered" as const, sql } : {}) };
    },
    async ledger(id): Promise<LedgerView> {
      await known(id);
      return { entries: [] };
    },
    async record(id) {
      await known(id);
      return { entries: [], manifest: aManifest };
    },
    async resume(id) {
      await known(id);
      return { resumed: "kept", epoch: "e1" };
    },
    prompt: known,
    steer: known,
    abort: known,
    reopen: known,
    patch: known,
    remove: known,
    restore: known,
    async answer(id, gateId) {
      await known(id);
      throw new ThothError("gate-unknown", `There is no gate ${gateId}.`, "Load the session again.");
    },
    async stream(id, _lastEventId, sink) {
      await known(id);
      sink.write("event: stream_open\ndata: {}\n\n");
      return () => undefined;
    },
    models: noModels,
    count: async () => ({
      turns: { idle: 1, running: 0, waiting: 0, failed: 0 },
      children: { session: 0, reserved: 0 },
      openGates: 0,
    }),
    async sql(id) {
      await known(id);
      return connection ? { sql, connection } : null;
    },
    close: async () => undefined,
  };
}

const refuse = async (): Promise<never> => {
  throw new ThothError("model-missing", "There is no such model.", "Choose another one.");
};
const usual: ModelList["default"] = { provider: "thoth", model: "offline", thinking: "medium", budget: null };
const noModels: Sessions["models"] = {
  list: async () => ({ models: [], providers: [], default: usual }),
  has: async () => false,
  readDefault: async () => usual,
  setDefault: refuse,
  test: refuse,
  storeKey: refuse,
  removeKey: refuse,
  findEndpoint: refuse,
  addEndpoint: refuse,
  removeEndpoint: refuse,
  findLocal: async () => ({ endpoints: [] }),
};

const aManifest: Manifest = {
  version: 1,
  id: knownSession,
  workspace: "demo",
  question: "How many?",
  provider: "thoth",
  model: "offline",
  thinking: "medium",
  review: "every-phase",
  promptVersion: "prompts-1",
  catalogChecksum: "catalog-1",
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z",
};

function aView(): SessionView {
  return {
    id: knownSession,
    name: null,
    workspace: "demo",
    question: "How many?",
    provider: "thoth",
    model: "offline",
    thinking: "medium",
    thinkingInForce: null,
    review: "every-phase",
    turn: "idle",
    phase: "F1",
    phases: [],
    openGate: null,
    sql: null,
    explanation: null,
    outcome: null,
    cannotAnswer: null,
    failure: null,
    live: false,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  };
}
