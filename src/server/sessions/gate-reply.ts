/** What a gate's dialog is answered with. */
import type { GateReply } from "../../protocol/index.ts";
import type { LiveSession } from "./live-session.ts";
import type { Runtime } from "./session-parts.ts";

export function reply(runtime: Runtime, dialogId: string, answer: GateReply): void {
  runtime.child.rpc.post({ type: "extension_ui_response", id: dialogId, value: JSON.stringify(answer) });
}

/** For a gate that the reviewer's own words have overtaken. */
export const toSuperseded = (session: LiveSession, gateId: string, text: string): GateReply => ({
  v: 1,
  gateId,
  answer: "superseded",
  text,
  seqs: [],
  next: session.state.phase,
});

/** For a request that is wrong itself: the text tells the model what to mend. */
export const toRefusal = (session: LiveSession, gateId: string, text: string): GateReply => ({
  v: 1,
  gateId,
  answer: "refused",
  text,
  seqs: [],
  next: session.state.phase,
});
