/** Questions of an evaluation through the real workflow: a server of its own on a temporary home, a Pi child for each. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Type } from "typebox";
import { childStart, type ReviewerReply, toSeenGate, type Walk, type Walked } from "../evaluation/reviewed.ts";
import {
  type AddWorkspace,
  CreatedSession,
  type GateAnswer,
  ModelList,
  offlineModel,
  offlineProvider,
  type SessionView,
  ThothError,
  WorkspaceItem,
} from "../protocol/index.ts";
import { catalogDir, homePath } from "../server/home.ts";
import { type Client, createClient } from "./client.ts";
import { UsageError } from "./fault.ts";
import { followSession } from "./follow-session.ts";
import { parseGate, type ShownGate } from "./gate-text.ts";
import { acceptGate } from "./review-gate.ts";

export interface EvaluationServer {
  /** Catalogs that the children read; whoever scores may read the same. */
  catalogs: string;
  walk: Walk;
  close(): Promise<void>;
}

/** More gates than this in one session lead nowhere. */
const mostGates = 60;

/** Throws UsageError when the model can't be used. The user's own sessions and workspaces are not touched. */
export async function startEvaluationServer(model: { provider: string; model: string }): Promise<EvaluationServer> {
  const home = await mkdtemp(join(tmpdir(), "thoth-eval-home-"));
  const remove = () => rm(home, { recursive: true, force: true, maxRetries: 3 });
  try {
    // Links, so that no key is ever written a second time.
    for (const name of ["keys.json", "models.json"]) await symlink(join(homePath(), name), join(home, name));
    const { startServer } = await import("../server/serve.ts");
    const server = await startServer({ home, port: 0, logLevel: process.env.THOTH_LOG ?? "error" });
    const close = async () => {
      await server.close();
      await remove();
    };
    try {
      const client = createClient(server.address, server.token);
      await requireModel(client, model);
      return { catalogs: catalogDir(home), walk: createWalk(client, model), close };
    } catch (error) {
      await server.close();
      throw error;
    }
  } catch (error) {
    await remove();
    throw error;
  }
}

async function requireModel(client: Client, { provider, model }: { provider: string; model: string }): Promise<void> {
  if (provider === offlineProvider && model === offlineModel) return;
  const { models } = await client.get("/api/models", ModelList);
  if (models.some((item) => item.provider === provider && item.id === model)) return;
  const known = models.filter((item) => item.provider === provider).map((item) => item.id);
  throw new UsageError(
    `The model ${provider}/${model} can't be used: ${known.length > 0 ? `${provider} has no model of that name` : `there is no key for ${provider}, or no such provider`}.`,
    known.length > 0
      ? `Choose one of: ${known.slice(0, 10).join(", ")}.`
      : "Set the provider's key in the environment or in keys.json, or use thoth/offline.",
  );
}

function createWalk(client: Client, model: { provider: string; model: string }): Walk {
  const workspaces = new Map<string, Promise<string>>();
  const workspaceOf = (file: string): Promise<string> => {
    const known = workspaces.get(file);
    if (known) return known;
    const wish: AddWorkspace = { name: `set-${workspaces.size + 1}`, file };
    const added = client.send("POST", "/api/workspaces", wish, WorkspaceItem).then((item) => item.name);
    workspaces.set(file, added);
    return added;
  };
  return async ({ question }, place, review, signal) => {
    const workspace = await workspaceOf(place.file);
    const { id } = await client.send(
      "POST",
      "/api/sessions",
      { workspace, question, ...model, budget: null },
      CreatedSession,
    );
    let gates = 0;
    const stuck = new AbortController();
    try {
      const view = await followSession(client, id, {
        signal: AbortSignal.any([signal, stuck.signal]),
        async review(gate) {
          gates += 1;
          if (gates > mostGates) stuck.abort();
          const parsed = parseGate(gate);
          return parsed ? toAnswer(gate, await review(toSeenGate(parsed))) : acceptGate(gate);
        },
      });
      return toWalked(view);
    } catch (error) {
      if (!stuck.signal.aborted || signal.aborted) throw error;
      return { end: "failed", sql: null, note: `More than ${mostGates} gates.`, tokens: 0 };
    } finally {
      // Its child would stay for a while, and the next question needs the machine.
      await client.send("DELETE", `/api/sessions/${id}`, {}, Type.Unknown()).catch(() => undefined); // the home goes as a whole in the end
    }
  };
}

function toAnswer(gate: ShownGate, reply: ReviewerReply): GateAnswer {
  if (reply.answer === "other") return { answerId: randomUUID(), hash: gate.hash, answer: "other", text: reply.text };
  const accepted = acceptGate(gate);
  return reply.choice === undefined ? accepted : { ...accepted, choice: reply.choice };
}

function toWalked(view: SessionView): Walked {
  const used = view.usage?.session;
  const tokens = used ? used.input + used.output + used.cacheRead + used.cacheWrite : 0;
  if (view.outcome === "answered" && view.sql !== null) return { end: "answered", sql: view.sql, tokens };
  if (view.outcome === "cannot-answer") {
    const { missing = "", reason = "" } = view.cannotAnswer ?? {};
    return { end: "cannot-answer", sql: null, note: `Missing: ${missing}. ${reason}`, tokens };
  }
  // No word about the question: the machine was too busy, and it is asked again.
  if (view.failure?.code === "child-start") throw new ThothError(childStart, view.failure.message, view.failure.action);
  const note = view.failure?.message ?? "The model stopped before there was an answer.";
  return { end: "failed", sql: null, note, tokens };
}
