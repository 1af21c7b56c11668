/** Ends what a connection runs, at its deadline or when its reader stops it. */
import type { DatabaseProblem } from "../database.ts";
import type { Session } from "./session.ts";

export type Ending = "timeout" | "stopped";

export interface Watch {
  /** Set once the query was ended; its connection must not be used again, for the cancel may still arrive. */
  ended(): Ending | undefined;
  release(): void;
}

/** The server's own time limit comes first and spares the connection. */
const graceMs = 400;
/** Then the connection is closed, whether the server has followed or not. */
const followMs = 1000;

export function watchQuery(session: Session, ms: number, signal: AbortSignal | undefined): Watch {
  let ending: Ending | undefined;
  let closing: NodeJS.Timeout | undefined;
  const end = (how: Ending): void => {
    if (ending) return;
    ending = how;
    session.cancel();
    closing = setTimeout(() => session.destroy(), followMs);
  };
  const stop = (): void => end("stopped");
  const timer = setTimeout(() => end("timeout"), Math.max(0, ms) + graceMs);
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  return {
    ended: () => ending,
    release() {
      clearTimeout(timer);
      clearTimeout(closing);
      signal?.removeEventListener("abort", stop);
    },
  };
}

export function toEndProblem(ending: Ending, deadlineMs: number): DatabaseProblem {
  return ending === "stopped"
    ? { code: "stopped", message: "The query was stopped." }
    : { code: "timeout", message: `The query was ended after ${deadlineMs.toLocaleString("en-US")} ms.` };
}
