/**
 * A language model without a protocol: what it is told, what it says, and how a scripted one reads where it stands.
 * The four protocols beside this only put it on the wire; nothing here knows of them.
 */
import { type PhaseId, phaseIds } from "../../src/protocol/index.ts";

export interface Call {
  name: string;
  arguments: Record<string, unknown>;
}

export type Turn =
  | { role: "user"; text: string }
  | { role: "model"; reasoning: string; text: string; calls: Call[] }
  | { role: "result"; text: string };

export interface Conversation {
  system: string;
  /** Names of the tools that may be called. */
  tools: string[];
  turns: Turn[];
}

/** One answer of a model. `piece` is how many characters go into one fragment; by default each part is cut in three. */
export interface Reply {
  reasoning?: string;
  text?: string;
  calls?: Call[];
  piece?: number;
}

export type Behaviour = (conversation: Conversation) => Reply;

export interface Stand {
  /** Null once the question is closed. */
  phase: PhaseId | null;
  /** Answers given since the phase began. */
  tries: number;
}

/** From the gates' answers alone, as any model has to read it. */
export function toStand({ turns }: Conversation): Stand {
  let stand: Stand = { phase: "F1", tries: 0 };
  for (const turn of turns) {
    if (turn.role === "model") stand = { ...stand, tries: stand.tries + 1 };
    const next = turn.role === "result" ? toNext(turn.text) : undefined;
    if (next !== undefined && next !== stand.phase) stand = { phase: next, tries: 0 };
  }
  return stand;
}

/** The phase that a gate's answer names; undefined for any other result. */
function toNext(text: string): PhaseId | null | undefined {
  const found = /^\{"gate":\{"answer":"continue".*?"next":(?:"(F\d)"|null)/.exec(text);
  return found ? (phaseIds.find((phase) => phase === found[1]) ?? null) : undefined;
}
