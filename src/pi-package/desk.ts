/** Where a person asks and reviews at the terminal: what is typed goes to our session, once there is one. */
import type { ExtensionAPI, ExtensionCommandContext, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { toPlainText } from "../cli/terminal-text.ts";
import { registerBudgetGate } from "../extension/budget-gate.ts";
import { registerUsageCount } from "../extension/count-usage.ts";
import { registerOfflinePlanner } from "../extension/offline-planner.ts";
import { registerPhaseOpening } from "../extension/phase-note.ts";
import { registerRunGuard } from "../extension/run-guard.ts";
import { registerReadTools } from "../extension/tools/read-tools.ts";
import { registerReviewerDecide } from "../extension/tools/reviewer-decide.ts";
import { registerSubmitSql } from "../extension/tools/submit-sql.ts";
import { registerSummaryTools } from "../extension/tools/summary-tools.ts";
import { offlineModel, offlineProvider, stateClose, stateOpen, ThothError, toolNames } from "../protocol/index.ts";
import { createLateSession, openSitting, reopenSitting, type Sitting } from "./sitting.ts";
import { systemPrompt } from "./system-prompt.ts";
import { askAgain } from "./terminal-gate.ts";
import { collectTools } from "./terminal-pi.ts";
import { goOn, say, toDelivered } from "./words.ts";

export interface Desk {
  /** Starts with a question; goes on with words, or with none at the gate that is open. Tells faults to the person. */
  ask(words: string, context: ExtensionCommandContext): Promise<void>;
  /** Goes on with a session of an earlier run of Pi. */
  takeUp(id: string, context: ExtensionContext): Promise<void>;
  close(): Promise<void>;
}

const help = "Write a question after it: /thoth How many customers are from Germany?";

/** `remember` notes in Pi's session which of ours it holds. */
export function createDesk(pi: ExtensionAPI, remember: (id: string) => void): Desk {
  let sitting: Sitting | null = null;
  let told: string | null = null;
  const session = createLateSession(() => sitting);
  const { collecting, register } = collectTools(pi, () => sitting);

  registerOfflinePlanner(pi, session);
  registerPhaseOpening(collecting, session);
  registerUsageCount(collecting, session);
  registerRunGuard(collecting, session);
  registerBudgetGate(collecting, session);
  registerReadTools(collecting, session);
  registerReviewerDecide(collecting, session);
  registerSummaryTools(collecting, session);
  registerSubmitSql(collecting, session);

  const begin = (next: Sitting, context: ExtensionContext) => {
    sitting = next;
    told = null;
    register();
    // Only ours: a model that could run a shell beside them would need no reviewer.
    pi.setActiveTools([...toolNames]);
    context.ui.setStatus("thoth", `ThothII ${next.manifest.workspace}`);
  };
  pi.on("input", async (event, context) => {
    if (!sitting || event.source === "extension") return undefined;
    const active = sitting;
    const text = await orNotify(context, () => say(active, event.text, event.streamingBehavior !== undefined));
    return text === undefined ? { action: "handled" as const } : { action: "transform" as const, text };
  });
  pi.on("before_agent_start", () => (sitting ? { systemPrompt } : undefined));
  pi.on("tool_execution_end", async () => {
    if (sitting) await toDelivered(sitting);
  });
  pi.on("agent_settled", async (_event, context) => {
    if (!sitting) return;
    const { outcome, sql } = await sitting.session.state();
    const mark = `${outcome}${sql}`;
    if (outcome === null || mark === told) return;
    told = mark;
    if (sql !== null) context.ui.notify(`${toPlainText(sql)}\n\nThe whole record: thoth report ${sitting.id}`, "info");
  });
  // The state that each prompt carries for the planner is nothing to read.
  pi.registerMarkdownTransformer((text, { messageType }) => (messageType === "user" ? withoutState(text) : text));

  async function ask(question: string, context: ExtensionCommandContext): Promise<void> {
    if (!context.hasUI)
      throw new ThothError(
        "no-terminal",
        "Each step needs your answer, and here nobody can be asked.",
        "Start Pi without -p.",
      );
    await context.waitForIdle();
    if (sitting) {
      const words = question === "" ? await resume(sitting, context) : await say(sitting, question, false);
      if (words !== null) pi.sendUserMessage(words);
      return;
    }
    if (question === "") throw new ThothError("question-empty", "There is no question.", help);
    // Without any key Pi names a model that nobody can ask.
    if (!context.model || !context.modelRegistry.hasConfiguredAuth(context.model)) await useOffline(context);
    const { provider, id } = context.model ?? { provider: offlineProvider, id: offlineModel };
    const choose = (names: string[]) => context.ui.select("Which database?", names);
    const opened = await openSitting({ question, provider, model: id, thinking: pi.getThinkingLevel(), choose });
    if (!opened) return;
    begin(opened.sitting, context);
    remember(opened.sitting.id);
    pi.sendUserMessage(opened.words);
  }

  async function useOffline(context: ExtensionContext): Promise<void> {
    const offline = context.modelRegistry.find(offlineProvider, offlineModel);
    if (offline) await pi.setModel(offline);
  }

  async function resume(active: Sitting, context: ExtensionCommandContext): Promise<string | null> {
    if (!(await askAgain(active, context.ui))) return null;
    return await goOn(active);
  }

  return {
    ask: async (words, context) => {
      await orNotify(context, () => ask(words, context));
    },
    async takeUp(id, context) {
      await orNotify(context, async () => {
        const kept = await reopenSitting(id);
        // A model that our own provider gives was unknown to Pi until now.
        if (kept.manifest.provider === offlineProvider) await useOffline(context);
        begin(kept, context);
        context.ui.notify("This is a ThothII session. /thoth goes on with it; words of yours steer it.", "info");
      });
    },
    async close() {
      const last = sitting;
      sitting = null;
      await last?.close();
    },
  };
}

function withoutState(text: string): string {
  const [start, close] = [text.lastIndexOf(stateOpen), text.lastIndexOf(stateClose)];
  return start < 0 || close < start ? text : (text.slice(0, start) + text.slice(close + stateClose.length)).trim();
}

/** Words for the person at the terminal, never a stack. */
async function orNotify<T>(context: ExtensionContext, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ThothError)) throw error;
    context.ui.notify(error.action ? `${error.message}\nWhat to do: ${error.action}` : error.message, "error");
    return undefined;
  }
}
