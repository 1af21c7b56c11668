/**
 * A model that gets nowhere is told so and, when that doesn't help, ended with a clear failure: calls that are never
 * right, prose instead of tools, lookups without end. Each gate that opens and each word of the reviewer begins anew.
 */
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import {
  childNotes,
  type FailureCode,
  gateTools,
  type gaveUpCodes,
  offlineProvider,
  phaseTitles,
} from "../protocol/index.ts";
import type { SessionState } from "../workflow/fold-ledger.ts";
import type { SessionContext } from "./session-context.ts";

type GaveUp = (typeof gaveUpCodes)[number] & FailureCode;

/** Bounds of one stretch between two gates; a weak model may need some tries, a strong one many lookups. */
export const runLimits = {
  /** Calls in a row that failed, whichever they were. */
  failures: 8,
  /** Proposals that were refused, with lookups in between. */
  refusals: 10,
  /** Calls of any kind. */
  calls: 80,
  /** Times that it is told to use its tools. */
  nudges: 2,
};

export interface RunCounts {
  failures: number;
  refusals: number;
  calls: number;
  nudges: number;
}
export const noCounts: RunCounts = { failures: 0, refusals: 0, calls: 0, nudges: 0 };

const isGateTool = (name: string): boolean => gateTools.some((tool) => tool === name);

/** Pure: a proposal that reached the reviewer takes everything back. */
export function countCall(counts: RunCounts, tool: string, failed: boolean): RunCounts {
  if (!failed && isGateTool(tool)) return noCounts;
  return {
    calls: counts.calls + 1,
    failures: failed ? counts.failures + 1 : 0,
    refusals: counts.refusals + (failed && isGateTool(tool) ? 1 : 0),
    // Whoever calls tools again isn't answering in prose.
    nudges: failed ? counts.nudges : 0,
  };
}

export function toGaveUp(counts: RunCounts): GaveUp | null {
  if (counts.failures >= runLimits.failures || counts.refusals >= runLimits.refusals) return "malformed-calls";
  return counts.calls >= runLimits.calls ? "no-progress" : null;
}

export function registerRunGuard(pi: ExtensionAPI, session: SessionContext): void {
  let counts = noCounts;
  const giveUp = (code: GaveUp) => {
    counts = noCounts;
    pi.appendEntry(childNotes.gaveUp, { code });
  };
  pi.on("message_end", ({ message }) => {
    if (message.role === "user") counts = noCounts;
  });
  pi.on("tool_execution_end", ({ toolName, isError }) => {
    counts = countCall(counts, toolName, isError);
  });
  pi.on("context", (_event, context) => {
    const code = isOurs(context) ? null : toGaveUp(counts);
    if (code === null) return;
    giveUp(code);
    context.abort();
  });
  pi.on("agent_before_settle", async (event, context) => {
    // The planner knows when it is at an end, and says what to do.
    if (event.outcome !== "completed" || isOurs(context)) return undefined;
    const state = await session.state();
    if (state.outcome !== null || state.openGate !== null) return undefined;
    if (counts.nudges >= runLimits.nudges) {
      giveUp("no-tools");
      return undefined;
    }
    counts = { ...counts, nudges: counts.nudges + 1 };
    pi.appendEntry(childNotes.nudged, {});
    const nudge = {
      type: "custom_message" as const,
      customType: "thoth.nudge",
      content: toNudge(state),
      display: false,
    };
    return { entries: [...event.entries, nudge], continue: true };
  });
}

const isOurs = ({ model }: ExtensionContext): boolean => model?.provider === offlineProvider;

function toNudge({ phase }: SessionState): string {
  const tool = phase === "F6" ? "submit_sql" : "reviewer_decide (or phase_summary when there is nothing to propose)";
  return `Nothing was proposed. The reviewer sees only tool calls, never your text. The session is in ${phase} ${phaseTitles[phase]}: call ${tool} now, as a tool call and not as text. Ask with reviewer_ask if something is unclear; call cannot_answer if the data is not there.`;
}
