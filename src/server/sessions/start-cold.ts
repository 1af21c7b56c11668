/**
 * The one way in which a child is started for a session that is there already: Resume, words or an answer with no
 * child, another model. Everything is checked first and all faults are told together; only then is anything cleared.
 */
import type { Connection } from "../../database/connection.ts";
import { readLedger } from "../../ledger/ledger.ts";
import { readManifest } from "../../ledger/manifest.ts";
import { type EventData, type Failure, type Manifest, type Problem, ThothError } from "../../protocol/index.ts";
import { classifyFailure, toFailure } from "../../runtime/classify-failure.ts";
import { type PiRecord, RpcError, type RpcFault } from "../../runtime/rpc-client.ts";
import { toResumePrompt } from "../../workflow/briefing.ts";
import { phaseLabel, type SessionState } from "../../workflow/fold-ledger.ts";
import { modelMissing } from "../models/model-list.ts";
import { readProviderKeys } from "../models/provider-keys.ts";
import { toSystemFault } from "../system-fault.ts";
import { type ChildWish, type Launched, launchChild, proveChild } from "./launch-child.ts";
import type { LiveSession } from "./live-session.ts";
import { acquireOwner } from "./owner-lock.ts";
import type { Prepared } from "./reserve.ts";
import { describe, type Runtime } from "./session-parts.ts";

/** A start was refused: nothing was cleared and nothing started. */
export class ResumeRefusedError extends ThothError {
  readonly problems: Problem[];
  constructor(problems: Problem[]) {
    super("resume-refused", "This session can't go on yet.", "Mend what is listed, then press Resume.");
    this.name = "ResumeRefusedError";
    this.problems = problems;
  }
}

/** Words for the child, and what the page is shown of them. */
export interface Words {
  text: string;
  shown: EventData<"prompt">;
}

export interface ColdStart {
  /** A session that was just made: it has no old child, epoch or readers that could mix with the new ones. */
  fresh?: boolean;
  /** A child that was started for it in advance. */
  prepared?: Prepared | null;
  /** What the manifest shall say from now on, if the check lets it. */
  change?: Partial<Manifest>;
  /** Runs after the check and before anything is cleared. */
  commit?: () => Promise<void>;
  /** From the ledger as it stands then; null when the child shall wait. */
  toWords: (state: SessionState) => Words | null;
}

const promptTimeoutMs = 60_000;

/** Resume's own words: on from where the ledger says, unless a gate is open or the question is closed. */
export function toResumeWords(state: SessionState): Words | null {
  if (state.openGate || state.outcome !== null) return null;
  return { text: toResumePrompt(state), shown: { text: `Go on with ${phaseLabel(state.phase)}.`, kind: "resume" } };
}

/**
 * Runs inside the session's queue. Throws ResumeRefusedError when the check fails, and ThothError when the start itself
 * does: the turn is then `failed`, in a new epoch. Resolves when the child has the words.
 */
export async function startCold(session: LiveSession, start: ColdStart): Promise<void> {
  const manifest = { ...session.manifest, ...start.change };
  const ready = await checkReady(session, manifest);
  // The checksum stays the one that the first decisions rest on: a changed catalog is to be seen, not smoothed over.
  const checksum = manifest.catalogChecksum === "" ? { catalogChecksum: ready.checksum } : {};
  if (start.change || manifest.catalogChecksum === "") await session.saveManifest({ ...start.change, ...checksum });
  await start.commit?.();
  await session.detach();
  if (!start.fresh) session.stream.renew();
  session.thinkingInForce = null;
  const words = start.toWords(session.state);
  if (words) session.take({ type: "work-started" });
  else session.rest();

  const starting = new AbortController();
  session.starting = starting;
  try {
    await launch(session, ready, starting.signal, start.prepared ?? null);
  } catch (error) {
    await session.detach();
    await session.releaseOwner();
    if (starting.signal.aborted) {
      session.take({ type: "child-exited", intended: true });
      return;
    }
    session.log("error", { detail: describe(error) }, "The model's process could not be started.");
    const failure = toStartFailure(error);
    session.take({ type: "failed", failure });
    throw error;
  } finally {
    session.starting = null;
  }
  if (words) await sendWords(session, words);
  const { undelivered } = session.state;
  if (undelivered && session.turn.state !== "failed") await session.noteDelivered(undelivered.opened.gateId);
}

async function launch(
  session: LiveSession,
  ready: Ready,
  signal: AbortSignal,
  prepared: Prepared | null,
): Promise<void> {
  const { manifest, parts } = session;
  const wish: ChildWish = {
    sessionId: session.id,
    sessionDir: session.dir,
    workspace: manifest.workspace,
    connection: ready.connection,
    provider: manifest.provider,
    model: manifest.model,
    thinking: manifest.thinking,
    keys: ready.keys,
  };
  let runtime: Runtime | undefined;
  const hearing = {
    record: (record: PiRecord) => runtime && session.onRecord(runtime, record),
    fault: (fault: RpcFault, detail: string) =>
      session.log("error", { fault, detail }, "The model's process can't be spoken to."),
  };
  const takeOver = async ({ child, model, hear }: Prepared): Promise<Launched> => {
    const stop = () => void child.kill();
    signal.addEventListener("abort", stop, { once: true });
    try {
      signal.throwIfAborted();
      runtime = session.attach(child);
      hear(hearing);
      if (model !== manifest.model)
        await child.rpc.send({ type: "set_model", provider: manifest.provider, modelId: manifest.model });
      return { child, thinkingInForce: await proveChild(child, wish) };
    } finally {
      signal.removeEventListener("abort", stop);
    }
  };
  const startAnew = (): Promise<Launched> => {
    const start = () =>
      launchChild(
        parts.program,
        wish,
        {
          ...hearing,
          async spawned(child) {
            runtime = session.attach(child);
            await session.owner?.nameChild(child.pid);
          },
        },
        signal,
      );
    return parts.starts.run(start, signal, (place) => session.waitForStart(place)).finally(() => session.waitNoMore());
  };

  let launched: Launched | null = null;
  if (prepared && (await prepared.fits(wish)))
    launched = await takeOver(prepared).catch((error: unknown) => {
      signal.throwIfAborted();
      session.log("warn", { detail: describe(error) }, "The child that was ready could not be used.");
      return null;
    });
  if (!launched && prepared) {
    await session.detach();
    await prepared.child.stop();
  }
  const { thinkingInForce } = launched ?? (await startAnew());
  if (runtime) session.started(runtime, thinkingInForce);
}

/** Gives the live child words, as a prompt or, while it works, as steering. What it refuses makes the turn fail. */
export async function sendWords(session: LiveSession, words: Words): Promise<void> {
  const runtime = session.runtime;
  if (!runtime) return;
  session.publish({ event: "prompt", data: words.shown });
  session.take({ type: "work-started" });
  try {
    await runtime.child.rpc.send({ type: "prompt", message: words.text, streamingBehavior: "steer" }, promptTimeoutMs);
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    if (session.runtime !== runtime || error.fault === "closed") return; // its end is told by itself
    session.log("warn", { detail: error.detail }, "The model's process refused the words.");
    session.take({ type: "failed", failure: toFailure(classifyFailure(error.detail)) });
  }
}

interface Ready {
  connection: Connection;
  checksum: string;
  keys: Record<string, string>;
}

/** Everything a child needs, or ResumeRefusedError with all that is missing. The owner's lock is held afterwards. */
async function checkReady(session: LiveSession, manifest: Manifest): Promise<Ready> {
  const problems: Problem[] = [];
  const attempt = async <T>(work: () => Promise<T>, code: string, message: string): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ThothError)) session.log("error", { detail: describe(error) }, message);
      problems.push(
        error instanceof ThothError ? error.toProblem() : { code, message, action: "The server's log says more." },
      );
      return undefined;
    }
  };
  const { parts, dir, id } = session;
  await attempt(() => readManifest(dir), "manifest-damaged", "The session's manifest can't be read.");
  await attempt(() => readLedger(dir, id), "ledger-damaged", "The session's ledger can't be read.");
  const workspace = await attempt(
    () => parts.openWorkspace(manifest.workspace),
    "workspace-damaged",
    "The session's workspace can't be opened.",
  );
  const catalog =
    workspace &&
    (await attempt(
      () => parts.ensureCatalog(workspace.connection),
      "database-unreadable",
      "The workspace's database can't be read.",
    ));
  const keys = await attempt(
    () => readProviderKeys(parts.program.home, parts.program.environment),
    "keys-damaged",
    "The keys can't be read.",
  );
  if (keys) parts.learnSecrets(keys.secrets);
  const known = await attempt(
    () => parts.models.has(manifest.provider, manifest.model),
    "models-unknown",
    "The models can't be listed.",
  );
  if (known === false) problems.push(modelMissing(manifest.provider, manifest.model));
  if (!session.owner)
    await attempt(
      async () => {
        session.owner = await acquireOwner(dir);
      },
      "session-owned",
      "The session's lock can't be taken.",
    );
  if (problems.length === 0 && workspace && catalog && keys) {
    return { connection: workspace.connection, checksum: catalog.checksum, keys: keys.forProvider(manifest.provider) };
  }
  if (!session.runtime) await session.releaseOwner();
  throw new ResumeRefusedError(problems);
}

/** For a start that nobody waits for: the turn tells what an error would have told. */
export async function startColdOrFail(session: LiveSession, start: ColdStart): Promise<void> {
  try {
    await startCold(session, start);
  } catch (error) {
    if (!(error instanceof ThothError)) session.log("error", { detail: describe(error) }, "A start failed.");
    if (error instanceof ResumeRefusedError)
      session.log("warn", { problems: error.problems }, "A session can't go on.");
    if (session.turn.state !== "failed" || error instanceof ResumeRefusedError)
      session.take({ type: "failed", failure: toStartFailure(error) });
  }
}

function toStartFailure(error: unknown): Failure {
  if (toSystemFault(error)) return toFailure("storage");
  const code = error instanceof ResumeRefusedError ? (error.problems[0]?.code ?? "") : "";
  if (code.startsWith("database") || code.startsWith("workspace")) return toFailure("database");
  return toFailure(code === "model-missing" ? "model-missing" : "child-start");
}
