/** Another name, model or thinking level for a session. A level is set in the child at once, a model needs another child. */
import { toThinkingStatus } from "../../bridge/to-events.ts";
import { type PatchSession, ThothError, toBudget } from "../../protocol/index.ts";
import { RpcError } from "../../runtime/rpc-client.ts";
import { modelMissing } from "../models/model-list.ts";
import { parseState } from "./launch-child.ts";
import type { LiveSession } from "./live-session.ts";
import { startCold, toResumeWords } from "./start-cold.ts";

export async function patchSession(session: LiveSession, body: PatchSession): Promise<void> {
  const { manifest } = session;
  const provider = body.provider ?? manifest.provider;
  const model =
    body.model ?? (body.provider === undefined || body.provider === manifest.provider ? manifest.model : "");
  const change = {
    // An empty name takes the name away: the question stands for it again.
    ...(body.name === undefined ? {} : { name: body.name.trim() || undefined }),
    ...(body.thinking === undefined ? {} : { thinking: body.thinking }),
    provider,
    model,
  };
  const otherModel = provider !== manifest.provider || model !== manifest.model;
  if (otherModel && !(await session.parts.models.has(provider, model))) {
    const { code, message, action } = modelMissing(provider, model);
    throw new ThothError(code, message, action);
  }
  if (body.budget !== undefined) {
    const budget = toBudget(body.budget);
    await session.commit(() => ({ entries: [{ type: "budget", budget, by: "reviewer" }], value: null }));
  }
  if (otherModel && session.turn.state === "failed") {
    // The old model's child is of no use; the failure stands until Resume, which starts the new one.
    await session.detach();
    await session.releaseOwner();
  }
  if (otherModel && session.runtime) {
    const works = session.turn.state === "running";
    await startCold(session, { change, toWords: (state) => (works ? toResumeWords(state) : null) });
    return;
  }
  const onlyNamed = !otherModel && body.thinking === undefined && body.budget === undefined;
  // Another name is no work on the question: its age stays.
  await session.saveManifest(onlyNamed ? { ...change, updatedAt: manifest.updatedAt } : change);
  if (body.thinking !== undefined) await setThinking(session);
}

/** The wish is kept whatever the model makes of it; what is in force is read back. */
async function setThinking(session: LiveSession): Promise<void> {
  const { runtime, manifest } = session;
  if (!runtime) return;
  try {
    await runtime.child.rpc.send({ type: "set_thinking_level", level: manifest.thinking });
    const inForce = parseState(await runtime.child.rpc.send({ type: "get_state" })).thinking;
    session.thinkingInForce = inForce;
    // Pi is silent about a wish that it clamps to the level it had.
    if (inForce !== manifest.thinking) session.publish(toThinkingStatus(inForce, manifest.thinking));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    session.log("warn", { detail: error.detail }, "The thinking level could not be set.");
  }
}
