/** A child's dialogs: a gate is checked again, written to the ledger and only then shown; any other dialog is ended. */
import { Clean } from "typebox/value";
import {
  check,
  type GateReply,
  GateRequest,
  gateDialogPrefix,
  gates,
  type NewEntry,
  type GateRequest as Request,
} from "../../protocol/index.ts";
import type { PiRecord } from "../../runtime/rpc-client.ts";
import { checkGateRequest, policyAnswers, verifiedAnswers } from "../../workflow/gate-rules.ts";
import { toOpenGate } from "../../workflow/ledger-view.ts";
import { toSystemFault } from "../system-fault.ts";
import { answerGate } from "./answer-gate.ts";
import { reply, toRefusal, toSuperseded } from "./gate-reply.ts";
import type { LiveSession } from "./live-session.ts";
import { describe, type Runtime } from "./session-parts.ts";

/** Bytes of a payload as JSON. */
const maxPayload = 256 * 1024;
/** Dialogs that want no answer. */
const silent = new Set(["notify", "setStatus", "setWidget", "setTitle", "set_editor_text"]);

export function onDialog(session: LiveSession, runtime: Runtime, record: PiRecord): void {
  const { id, method, title, placeholder } = record;
  if (typeof id !== "string" || (typeof method === "string" && silent.has(method))) return;
  if (method !== "input" || typeof title !== "string" || !title.startsWith(gateDialogPrefix)) {
    runtime.child.rpc.post({ type: "extension_ui_response", id, cancelled: true });
    return;
  }
  const gateId = title.slice(gateDialogPrefix.length);
  runtime.asked.set(gateId, null);
  session.inBackground("A gate could not be opened.", async () => {
    try {
      await openGate(session, runtime, {
        dialogId: id,
        gateId,
        text: typeof placeholder === "string" ? placeholder : "",
      });
    } catch (error) {
      session.log("error", { detail: describe(error) }, "A gate could not be opened.");
      if (toSystemFault(error)) return session.stopForStorage(runtime);
      reply(runtime, id, toRefusal(session, gateId, "The gate can't be opened now. Try again once, then stop."));
    }
  });
}

async function openGate(
  session: LiveSession,
  runtime: Runtime,
  dialog: { dialogId: string; gateId: string; text: string },
): Promise<void> {
  const { dialogId, gateId, text } = dialog;
  // A run that was stopped meanwhile has taken its dialog back.
  const said = runtime.asked.get(gateId);
  if (session.runtime !== runtime || !runtime.asked.delete(gateId)) return;
  if (said) {
    reply(runtime, dialogId, toSuperseded(session, gateId, said));
    return;
  }
  const parsed = parseRequest(text, gateId);
  if (!parsed.ok) {
    reply(runtime, dialogId, toRefusal(session, gateId, parsed.reason));
    return;
  }
  type Outcome = { entries: NewEntry[]; value: { reply: GateReply } | null };
  const answered = await session.commit(
    (state): Outcome => {
      if (state.gates.has(gateId))
        return { entries: [], value: { reply: toRefusal(session, gateId, "This gate was asked before.") } };
      const checked = checkGateRequest(state, parsed.request);
      if (!checked.ok) return { entries: [], value: { reply: toRefusal(session, gateId, checked.reason) } };
      if ("reply" in checked) return { entries: [], value: { reply: checked.reply } };
      return { entries: [checked.entry], value: null };
    },
    () => (session.state.openGate ? [{ event: "gate_opened", data: toOpenGate(session.state.openGate) }] : []),
  );
  if (answered) {
    reply(runtime, dialogId, answered.reply);
    return;
  }
  const opened = session.state.openGate;
  if (!opened) return;
  // The child may have gone while the gate was written: it is then answered without one.
  if (session.runtime === runtime) {
    runtime.dialogs.set(gateId, dialogId);
    session.take({ type: "gate-opened" });
  }
  const gate = toOpenGate(opened);
  const by = verifiedAnswers(gate, session.state)
    ? "verified"
    : policyAnswers(gate, session.manifest.review)
      ? "policy"
      : null;
  if (by !== null)
    await answerGate(session, gateId, { answerId: `${by}:${gateId}`, hash: opened.hash, answer: "continue" }, by);
}

function parseRequest(text: string, gateId: string): { ok: true; request: Request } | { ok: false; reason: string } {
  if (Buffer.byteLength(text) > maxPayload + 1024)
    return {
      ok: false,
      reason: "The proposal with its evidence is larger than a gate can show: propose less at once.",
    };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, reason: "The gate's request isn't valid JSON." };
  }
  const checked = check(GateRequest, value);
  if (!checked.ok) return { ok: false, reason: `The gate's request is malformed: ${checked.problem}.` };
  if (checked.value.gateId !== gateId) return { ok: false, reason: "The gate's request names another gate." };
  return { ok: true, request: { ...checked.value, payload: toListed(checked.value) } };
}

/**
 * What the gate's schema lists by name, and nothing that came along with it: the payload is shown. A malformed one
 * stays as it is, because the rules refuse it and must not find it mended.
 */
function toListed({ kind, payload }: Request): unknown {
  return check(gates[kind], payload).ok ? Clean(gates[kind], payload) : payload;
}
