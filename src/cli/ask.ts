/** `thoth ask`: one question from start to end at the terminal. */
import { createInterface } from "node:readline/promises";
import {
  CreatedSession,
  isUsedUp,
  phaseTitles,
  QueryResult,
  ThothError,
  toBudgetWords,
  type SessionView as View,
} from "../protocol/index.ts";
import type { Client } from "./client.ts";
import { exitCodes, printFault, UsageError } from "./fault.ts";
import { followSession } from "./follow-session.ts";
import { type ShownGate, toRows } from "./gate-text.ts";
import { toBudgetOption, toThinking } from "./model-options.ts";
import { acceptGate, reviewGate } from "./review-gate.ts";
import { toPlainText } from "./terminal-text.ts";
import { withServer } from "./with-server.ts";

export interface AskOptions {
  workspace: string;
  model?: string;
  thinking?: string;
  budget?: string;
  yes: boolean;
  json: boolean;
}

/** Rows that are printed; JSON has as many as the server gives. */
const printedRows = 100;

type Review = (gate: ShownGate) => ReturnType<typeof reviewGate>;

export async function ask(question: string, options: AskOptions): Promise<number> {
  const model = options.model === undefined ? {} : toModel(options.model);
  const thinking = toThinking(options.thinking);
  const limits = {
    ...(thinking ? { thinking } : {}),
    ...(options.budget === undefined ? {} : { budget: toBudgetOption(options.budget) }),
  };
  if (!options.yes && process.stdin.isTTY !== true) {
    throw new UsageError(
      "Each step needs your answer, and this isn't a terminal.",
      "Run it in a terminal, or add --yes to accept every proposal.",
    );
  }
  // Questions and progress go to stderr, so that stdout holds the answer alone.
  const note = (text: string) => void process.stderr.write(text);
  const stop = new AbortController();
  const interrupt = () =>
    stop.abort(
      new ThothError(
        "interrupted",
        "Stopped.",
        "The session is kept: `thoth sessions` lists it, and the page can resume it.",
      ),
    );
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  const terminal = options.yes ? null : createInterface({ input: process.stdin, output: process.stderr });
  terminal?.on("SIGINT", interrupt);
  terminal?.on("close", interrupt);
  try {
    return await withServer(async (client) => {
      const { id } = await client.send(
        "POST",
        "/api/sessions",
        { workspace: options.workspace, question, ...model, ...limits },
        CreatedSession,
      );
      const review: Review = async (gate) =>
        terminal ? reviewGate(gate, terminal, note, stop.signal) : acceptGate(gate);
      const onPhase = (phase: View["phase"]) => note(`${phase} ${phaseTitles[phase]} …\n`);
      const view = await followSession(client, id, {
        review,
        signal: stop.signal,
        ...(options.json ? {} : { onPhase }),
      });
      return printAnswer(client, view, options.json);
    });
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
    terminal?.off("close", interrupt);
    terminal?.close();
  }
}

async function printAnswer(client: Client, view: View, json: boolean): Promise<number> {
  const result =
    view.outcome === "answered" ? await client.get(`/api/sessions/${view.id}/result?format=json`, QueryResult) : null;
  if (json) {
    const { id, sql, outcome, cannotAnswer, failure } = view;
    const why = { ...(cannotAnswer ? { cannotAnswer } : {}), ...(failure ? { failure } : {}) };
    process.stdout.write(`${JSON.stringify({ session: id, sql, outcome, result, ...why }, null, 2)}\n`);
  }
  if (view.outcome === "answered") {
    if (!json && result) process.stdout.write(`\n${toRows(result, printedRows)}\n\n${toPlainText(view.sql ?? "")}\n`);
    return exitCodes.done;
  }
  if (view.outcome === "cannot-answer") {
    const { missing = "", reason = "" } = view.cannotAnswer ?? {};
    printFault({
      code: "cannot-answer",
      message: toPlainText(`This can't be answered from the data. Missing: ${missing}. ${reason}`.trim()),
      action: "Ask for something that the tables hold; the page shows them under the workspace.",
    });
    return exitCodes.cannotAnswer;
  }
  if (!view.failure && view.budget && view.usage && isUsedUp(view.usage.session, view.budget)) {
    printFault({
      code: "budget-used",
      message: `The budget of ${toBudgetWords(view.budget)} is used up. Your decisions are kept.`,
      action: `Resume session ${view.id} on the page to raise it, or ask again with a larger --budget.`,
    });
    return exitCodes.failed;
  }
  printFault(
    view.failure ?? {
      code: "no-answer",
      message: "The model stopped before there was an answer.",
      action: `Look at session ${view.id} on the page, or ask again in other words.`,
    },
  );
  return exitCodes.failed;
}

export function toModel(text: string): { provider: string; model: string } {
  const [, provider, model] = /^([^/]+)\/(.+)$/.exec(text) ?? [];
  if (!provider || !model)
    throw new UsageError(
      `--model ${text} doesn't name a provider and a model.`,
      "Write it as provider/model, e.g. --model thoth/offline.",
    );
  return { provider, model };
}
