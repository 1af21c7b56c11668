/** A session from what stands on disk, or from a question that has just been asked. */
import { access } from "node:fs/promises";
import { join } from "node:path";
import { changeLedger } from "../../ledger/ledger.ts";
import { readManifest, writeManifest } from "../../ledger/manifest.ts";
import { createSessionId, findSessionDir, toSessionDir } from "../../ledger/session-dirs.ts";
import { type CreateSession, type Manifest, maxQuestion, ThothError, toBudget } from "../../protocol/index.ts";
import { restartedFailure } from "../../runtime/classify-failure.ts";
import { idleTurn, toFailedTurn, waitingTurn } from "../../runtime/turn.ts";
import { promptVersion } from "../../workflow/phase-prompts.ts";
import { modelMissing } from "../models/model-list.ts";
import { LiveSession, workingFile } from "./live-session.ts";
import type { SessionParts } from "./session-parts.ts";
import { damagedFailure } from "./to-view.ts";

/** No child is started: what the ledger says is enough to look at. Throws `session-unknown`, `manifest-damaged`. */
export async function openSession(parts: SessionParts, id: string): Promise<LiveSession> {
  const dir = await findSessionDir(parts.program.home, id);
  const session = new LiveSession(parts, id, dir, await readManifest(dir));
  await session.refresh();
  await settleTurn(session);
  return session;
}

/** Manifest and question are on disk when this resolves. Throws `question-empty`, `question-too-long`, `model-missing`, what the workspace says. */
export async function createSession(
  parts: SessionParts,
  body: CreateSession,
  /** The id of a session that is ready for such a question, or null. */
  claim: (manifest: Manifest) => string | null = () => null,
): Promise<LiveSession> {
  const wanted = await toManifest(parts, body);
  const manifest = { ...wanted, id: claim(wanted) ?? wanted.id };
  const budget = body.budget === undefined ? (await parts.models.readDefault()).budget : toBudget(body.budget);
  const { id, question } = manifest;
  const dir = toSessionDir(parts.program.home, id);
  await writeManifest(dir, manifest);
  const session = new LiveSession(parts, id, dir, manifest);
  await changeLedger(
    dir,
    id,
    () => ({
      entries: [
        { type: "prompt", text: question, kind: "question", promptVersion },
        ...(budget ? [{ type: "budget" as const, budget, by: "reviewer" as const }] : []),
      ],
      value: null,
    }),
    () => new Date(parts.now()),
  );
  await session.refresh();
  session.take({ type: "work-started" });
  return session;
}

/** The turn of a session that was just read from disk, with no child. */
async function settleTurn(session: LiveSession): Promise<void> {
  const { state, damage } = session;
  const wasWorking = await access(join(session.dir, workingFile)).then(
    () => true,
    () => false,
  );
  if (damage) session.turn = toFailedTurn(damagedFailure);
  else if (state.openGate) session.turn = waitingTurn;
  else if (state.outcome !== null) session.turn = idleTurn;
  else if (wasWorking || state.undelivered) session.turn = toFailedTurn(restartedFailure);
}

async function toManifest(parts: SessionParts, body: CreateSession): Promise<Manifest> {
  const question = body.question.trim();
  if (question === "")
    throw new ThothError("question-empty", "The question is empty.", "Write the question in plain words.");
  if (question.length > maxQuestion)
    throw new ThothError(
      "question-too-long",
      `The question is longer than ${maxQuestion} characters.`,
      "Ask it in fewer words.",
    );
  await parts.openWorkspace(body.workspace);
  const usual = await parts.models.readDefault();
  const provider = body.provider ?? usual.provider;
  const model = body.model ?? (body.provider === undefined ? usual.model : "");
  if (!(await parts.models.has(provider, model))) {
    const { code, message, action } = modelMissing(provider, model);
    throw new ThothError(code, message, action);
  }
  const at = new Date(parts.now()).toISOString();
  return {
    version: 1,
    id: createSessionId(parts.now()),
    workspace: body.workspace,
    question,
    provider,
    model,
    thinking: body.thinking ?? usual.thinking,
    review: body.review ?? "every-phase",
    // Filled in when the catalog has been read, which for a large database takes longer than an answer to the page may.
    promptVersion,
    catalogChecksum: "",
    createdAt: at,
    updatedAt: at,
  };
}
