/** Before each request to a model: a used-up budget is asked about, and the request waits or is never made. */
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { toBudgetQuestion, usedUp } from "../workflow/budget.ts";
import { askGate } from "./ask-gate.ts";
import type { SessionContext } from "./session-context.ts";

export function registerBudgetGate(pi: ExtensionAPI, session: SessionContext): void {
  pi.on("context", async (_event, context) => {
    const goesOn = await askBudget(pi, session, context).catch((error: unknown) => {
      // A hook that throws would let the request through.
      process.stderr.write(`The budget could not be asked about: ${String(error)}\n`);
      return false;
    });
    if (!goesOn) context.abort();
  });
}

/** The ledger alone says whether the model may go on, whatever the answer's words were. */
async function askBudget(pi: ExtensionAPI, session: SessionContext, context: ExtensionContext): Promise<boolean> {
  let misread: string | null = null;
  for (;;) {
    const state = await session.state();
    const limit = usedUp(state);
    if (!limit) return true;
    // Without the run's signal Stop would hang until somebody answers.
    if (!context.signal || context.signal.aborted) return false;
    const payload = toBudgetQuestion(state, limit, misread);
    const ask = { kind: "question", phase: state.phase, tool: "budget", payload } as const;
    const reply = await askGate(pi, context, ask, context.signal).catch((error: unknown) => {
      if (context.signal?.aborted) return null;
      throw error;
    });
    if (reply === null) return false;
    if (reply.answer === "continue" && usedUp(await session.state())) return false;
    misread = reply.answer === "other" ? (reply.text ?? "") : null;
  }
}
