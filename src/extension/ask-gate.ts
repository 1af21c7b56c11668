/** A gate from the child's side: one dialog that carries JSON both ways, with the run's signal so that Stop can end it. */
import { randomUUID } from "node:crypto";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import {
  check,
  type GateKind,
  type GatePayload,
  GateReply,
  gateDialogPrefix,
  type PhaseId,
  phaseTitles,
  type ToolName,
} from "../protocol/index.ts";

export interface GateAsk<K extends GateKind = GateKind> {
  kind: K;
  phase: PhaseId;
  /** `budget` is no tool: it asks before a request. */
  tool: ToolName | "budget";
  payload: GatePayload<K>;
}

/** Largest payload in bytes; evidence is cut before it comes to this. */
const maxPayload = 256 * 1024;

/** Throws with words for the model when the request is refused, too large, or the run was stopped. */
export async function askGate<K extends GateKind>(
  pi: ExtensionAPI,
  context: ExtensionContext,
  ask: GateAsk<K>,
  signal: AbortSignal | undefined,
): Promise<GateReply> {
  const gateId = randomUUID();
  const request = JSON.stringify({
    v: 1,
    gateId,
    kind: ask.kind,
    phase: ask.phase,
    tool: ask.tool,
    payload: ask.payload,
  });
  if (Buffer.byteLength(request) > maxPayload)
    throw new Error("The proposal with its evidence is larger than a gate can show: propose less at once.");
  pi.appendEntry("gate.opened", { gateId, kind: ask.kind, phase: ask.phase });
  let outcome = "stopped";
  try {
    const raw = await context.ui.input(`${gateDialogPrefix}${gateId}`, request, signal ? { signal } : {});
    if (raw === undefined)
      throw new Error(signal?.aborted ? "Stopped by the reviewer." : "The gate was closed without an answer.");
    const checked = check(GateReply, parse(raw));
    if (!checked.ok || checked.value.gateId !== gateId) throw new Error("The gate's answer could not be read.");
    outcome = checked.value.answer;
    if (checked.value.answer === "refused") throw new Error(checked.value.text ?? "The request was refused.");
    return checked.value;
  } finally {
    pi.appendEntry("gate.closed", { gateId, outcome });
  }
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return null; // not ours: the check that follows refuses it
  }
}

/** The tool's result: the reply as one line of JSON, which a planner reads, and the same in words. */
export function toGateResult(reply: GateReply, phase: PhaseId, note = "") {
  const line = JSON.stringify({
    gate: { answer: reply.answer, phase, next: reply.next, seqs: reply.seqs, text: reply.text, choice: reply.choice },
  });
  return {
    content: [{ type: "text" as const, text: `${line}\n${toWords(reply)}${note}` }],
    details: { gateId: reply.gateId, answer: reply.answer },
  };
}

function toWords(reply: GateReply): string {
  switch (reply.answer) {
    case "continue":
      if (reply.next === null)
        return "Accepted. The question is closed: say in one or two sentences what the answer shows.";
      return `Accepted${reply.choice ? `: ${reply.choice}` : ""}${reply.seqs.length > 0 ? ` as #${reply.seqs.join(", #")}` : ""}. Go on with ${reply.next} ${phaseTitles[reply.next]}.`;
    case "other":
      return `Not accepted, nothing was written. The reviewer says: ${reply.text ?? ""}\nPropose the complete corrected set again.`;
    default:
      return "The reviewer did not answer this and steers instead: read the words that follow.";
  }
}
