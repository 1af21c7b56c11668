/** One session of ours in one session of Pi: its folder in the home, its database and the lock that it is ours. */

import { createSessionContext, type SessionContext } from "../extension/session-context.ts";
import { changeLedger } from "../ledger/ledger.ts";
import { readManifest, writeManifest } from "../ledger/manifest.ts";
import { createSessionId, findSessionDir, toSessionDir } from "../ledger/session-dirs.ts";
import { type Manifest, maxQuestion, type ThinkingLevel, ThothError } from "../protocol/index.ts";
import { catalogDir, homePath, openHome } from "../server/home.ts";
import { readConfigFile } from "../server/models/home-files.ts";
import { acquireOwner } from "../server/sessions/owner-lock.ts";
import { toStartPrompt } from "../workflow/briefing.ts";
import { promptVersion } from "../workflow/phase-prompts.ts";
import { listWorkspaces, openWorkspace, workspaceDir } from "../workspace/workspaces.ts";

export interface Sitting {
  readonly id: string;
  readonly dir: string;
  readonly manifest: Manifest;
  readonly session: SessionContext;
  close(): Promise<void>;
}

export interface Wish {
  question: string;
  provider: string;
  model: string;
  thinking: ThinkingLevel;
  /** Undefined when nobody chooses. */
  choose(names: string[]): Promise<string | undefined>;
}

/** Null when no workspace was chosen. Throws ThothError. */
export async function openSitting(wish: Wish): Promise<{ sitting: Sitting; words: string } | null> {
  const question = wish.question.trim();
  if (question.length > maxQuestion)
    throw new ThothError(
      "question-too-long",
      `The question is longer than ${maxQuestion} characters.`,
      "Ask it in fewer words.",
    );
  const home = homePath();
  await openHome(home);
  const workspace = await chooseWorkspace(home, wish.choose);
  if (workspace === undefined) return null;
  const id = createSessionId();
  const dir = toSessionDir(home, id);
  const at = new Date().toISOString();
  const { provider, model, thinking } = wish;
  const session = await toSession(home, id, workspace);
  const manifest: Manifest = {
    version: 1,
    id,
    workspace,
    question,
    provider,
    model,
    thinking,
    review: "every-phase",
    promptVersion,
    catalogChecksum: (await session.catalog()).catalog.checksum,
    createdAt: at,
    updatedAt: at,
  };
  await writeManifest(dir, manifest);
  const budget = (await readConfigFile(home))?.budget ?? null;
  await changeLedger(dir, id, () => ({
    entries: [
      { type: "prompt", text: question, kind: "question", promptVersion },
      ...(budget ? [{ type: "budget" as const, budget, by: "reviewer" as const }] : []),
    ],
    value: null,
  }));
  return { sitting: await take(dir, manifest, session), words: toStartPrompt(question) };
}

/** Of a session that stands on disk. Throws ThothError `session-unknown`, `session-owned`, what the workspace says. */
export async function reopenSitting(id: string): Promise<Sitting> {
  const home = homePath();
  const dir = await findSessionDir(home, id);
  const manifest = await readManifest(dir);
  return await take(dir, manifest, await toSession(home, id, manifest.workspace));
}

/** A server that shows the session meanwhile can't start a child of its own for it. */
async function take(dir: string, manifest: Manifest, session: SessionContext): Promise<Sitting> {
  const owner = await acquireOwner(dir);
  await owner.nameChild(undefined);
  return {
    id: manifest.id,
    dir,
    manifest,
    session,
    async close() {
      await owner.release();
      await (await session.database()).close();
    },
  };
}

async function toSession(home: string, id: string, workspace: string): Promise<SessionContext> {
  const { connection } = await openWorkspace(home, workspace);
  return createSessionContext({
    THOTH_SESSION_ID: id,
    THOTH_SESSION_DIR: toSessionDir(home, id),
    THOTH_CONNECTION: JSON.stringify(connection),
    THOTH_CATALOG_DIR: catalogDir(home),
    THOTH_WORKSPACE_DIR: workspaceDir(home, workspace),
  });
}

/** The one that `THOTH_WORKSPACE` names, or the only one beside the demo; of several the person chooses. */
async function chooseWorkspace(home: string, choose: Wish["choose"]): Promise<string | undefined> {
  const named = process.env.THOTH_WORKSPACE;
  if (named) return named;
  const names = (await listWorkspaces(home)).map(({ name }) => name);
  const own = names.filter((name) => name !== "demo");
  return own.length > 1 ? await choose(names) : (own[0] ?? "demo");
}

/** For what has to be registered before there is a session: each use goes to the one that is there by then. */
export function createLateSession(active: () => Sitting | null): SessionContext {
  const now = (): SessionContext => {
    const sitting = active();
    if (sitting) return sitting.session;
    throw new ThothError("no-session", "No question was asked yet.", "Ask with /thoth QUESTION.");
  };
  return new Proxy({} as SessionContext, {
    get: (_nothing, name) =>
      name === "waits" ? false : async (...given: unknown[]) => await Reflect.get(now(), name).apply(now(), given),
  });
}
