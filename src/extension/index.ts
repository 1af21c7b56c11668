/** The extension's entry: what Pi loads into each session's child. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { registerBudgetGate } from "./budget-gate.ts";
import { registerUsageCount } from "./count-usage.ts";
import { registerOfflinePlanner } from "./offline-planner.ts";
import { registerPhaseOpening } from "./phase-note.ts";
import { registerRunGuard } from "./run-guard.ts";
import { createSessionContext } from "./session-context.ts";
import { registerReadTools } from "./tools/read-tools.ts";
import { registerReviewerDecide } from "./tools/reviewer-decide.ts";
import { registerSubmitSql } from "./tools/submit-sql.ts";
import { registerSummaryTools } from "./tools/summary-tools.ts";
import { registerWarmUp } from "./warm-up.ts";

export default function extension(pi: ExtensionAPI): void {
  const session = createSessionContext(process.env);
  registerPhaseOpening(pi, session);
  registerUsageCount(pi, session);
  registerRunGuard(pi, session);
  registerBudgetGate(pi, session);
  registerReadTools(pi, session);
  registerReviewerDecide(pi, session);
  registerSummaryTools(pi, session);
  registerSubmitSql(pi, session);
  registerOfflinePlanner(pi, session);
  registerWarmUp(pi, session);
}
