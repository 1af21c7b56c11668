/**
 * A child that waits for its question uses the time: the catalog is opened and, for the offline planner, its language
 * model loaded and one made-up question planned, so that the real one finds all of it in memory. Nothing is asked of the
 * database but its catalog, nothing is written to the ledger, and nothing of it is ever shown.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { planQuestion } from "../planner/plan-question.ts";
import { nameWords } from "../planner/words/language.ts";
import { offlineProvider } from "../protocol/index.ts";
import type { SessionContext } from "./session-context.ts";

/** A larger catalog is opened, but no question is planned over it: that could take seconds when the real one comes. */
const mostTables = 500;

export function registerWarmUp(pi: ExtensionAPI, session: SessionContext): void {
  if (!session.waits) return;
  pi.on("session_start", (_event, context) => {
    // Behind Pi's own start, which somebody waits for.
    setTimeout(() => void warmUp(session, context.model?.provider === offlineProvider), 50).unref();
  });
}

async function warmUp(session: SessionContext, plans: boolean): Promise<void> {
  try {
    const { catalog, values } = await session.catalog();
    const table = catalog.tables[0];
    if (!plans || !table || catalog.tables.length > mostTables) return;
    const question = `How many ${nameWords(table.name).join(" ")} rows are there?`;
    await planQuestion({ question, catalog, values, corrections: [], choices: {}, run: async () => [] });
  } catch {
    // The question that comes meets the same fault, and tells it to somebody.
  }
}
