/** Taking a session through its gates over HTTP, whoever the reviewer is. */
import { type GateAnswer, GateAnswered, SessionView, ThothError } from "../protocol/index.ts";
import type { Client } from "./client.ts";
import type { ShownGate } from "./gate-text.ts";
import { watchSession } from "./session-watch.ts";

/** A turn that is idle without an outcome for this long won't go on by itself. Milliseconds. */
const idleGrace = 2000;
/** The stream tells at once; this is for the case that it broke. Milliseconds. */
const pollMs = 1000;

export interface FollowOptions {
  review(gate: ShownGate): Promise<GateAnswer>;
  onPhase?(phase: SessionView["phase"]): void;
  signal: AbortSignal;
}

/** Answers each gate until the session has an outcome, failed, or stands still. */
export async function followSession(
  client: Client,
  id: string,
  { review, onPhase, signal }: FollowOptions,
): Promise<SessionView> {
  const watch = watchSession(client, id);
  const path = `/api/sessions/${id}`;
  const answered = new Set<string>();
  let phase = "";
  let idleSince: number | null = null;
  try {
    for (;;) {
      signal.throwIfAborted();
      const view = await client.get(path, SessionView);
      if (view.phase !== phase) {
        phase = view.phase;
        onPhase?.(view.phase);
      }
      if (view.openGate && !answered.has(view.openGate.gateId)) {
        const gate = view.openGate;
        const answer = await review(gate);
        answered.add(gate.gateId);
        await client
          .send("POST", `${path}/gates/${encodeURIComponent(gate.gateId)}`, answer, GateAnswered)
          .catch((error: unknown) => {
            // Somebody else was quicker, on the page for example: what holds is read again.
            if (!(error instanceof ThothError) || !["gate-conflict", "gate-gone", "gate-hash"].includes(error.code))
              throw error;
          });
        continue;
      }
      if (view.turn === "failed" || (view.outcome !== null && view.turn !== "running")) return view;
      if (view.turn !== "idle") idleSince = null;
      else idleSince ??= performance.now();
      if (idleSince !== null && performance.now() - idleSince > idleGrace) return view;
      await watch.change(idleSince === null ? pollMs : idleGrace / 4);
    }
  } finally {
    await watch.close();
  }
}
