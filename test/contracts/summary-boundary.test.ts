/** Where a model's summary comes in: raw, before anything coerces it, with words that say what to mend. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import type { SessionContext } from "../../src/extension/session-context.ts";
import { registerReviewerDecide } from "../../src/extension/tools/reviewer-decide.ts";
import { registerSummaryTools } from "../../src/extension/tools/summary-tools.ts";

interface Tool {
  name: string;
  prepareArguments?: (raw: unknown) => unknown;
}

/** The tools as Pi is given them; nothing of a session is needed to prepare arguments. */
function registered(): Map<string, Tool> {
  const tools: Tool[] = [];
  const pi = { registerTool: (tool: Tool) => void tools.push(tool) } as unknown as ExtensionAPI;
  registerSummaryTools(pi, {} as SessionContext);
  registerReviewerDecide(pi, {} as SessionContext);
  return new Map(tools.map((tool) => [tool.name, tool]));
}

const malformed: unknown[] = [[null], "x", [7], [["a"]], [{ question: "a" }], null, {}, [""], true, ["a", null]];
const fields = { title: "T", summary: "S" };

describe("a summary on its way in", () => {
  const tools = registered();
  const prepare = {
    phase_summary: (summary: unknown) =>
      tools.get("phase_summary")?.prepareArguments?.({ phase: "F1", ...(summary as object) }),
    reviewer_decide: (summary: unknown) =>
      tools.get("reviewer_decide")?.prepareArguments?.({ phase: "F1", decisions: [], summary }),
  };

  it.each(["phase_summary", "reviewer_decide"] as const)(
    "C5.1 %s refuses what coercion would have made good, and says how to write it",
    (tool) => {
      for (const open_questions of malformed)
        expect(() => prepare[tool]({ ...fields, open_questions }), JSON.stringify(open_questions)).toThrow(
          /malformed \(open_questions.*open_questions\?: string\[\]/s,
        );
      for (const bad of [{ title: "T" }, { ...fields, title: 3 }, { ...fields, summary: null }, { ...fields, more: 1 }])
        expect(() => prepare[tool](bad), JSON.stringify(bad)).toThrow(/malformed.*title: string, summary: string/s);
    },
  );

  it.each(["phase_summary", "reviewer_decide"] as const)(
    "C5.1 %s takes a summary with and without questions",
    (tool) => {
      for (const open_questions of [[], ["Which year?"], ["Which year?", "Which country?"]])
        expect(() => prepare[tool]({ ...fields, open_questions })).not.toThrow();
      expect(() => prepare[tool]({ ...fields, version: 2 })).not.toThrow();
    },
  );
});
