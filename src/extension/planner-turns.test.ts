import { describe, expect, it } from "vitest";
import type { Plan, Planned } from "../planner/plan.ts";
import { phaseIds } from "../protocol/index.ts";
import { sentBackWords } from "../workflow/gate-rules.ts";
import { toTurn } from "./planner-turns.ts";
import { type Progress, proposalKey } from "./read-progress.ts";

const perPhase = <T>(make: (phase: string) => T) =>
  Object.fromEntries(phaseIds.map((id) => [id, make(id)])) as Record<(typeof phaseIds)[number], T>;
const plan: Plan = {
  interpretation: [{ kind: "interpretation", aspect: "grain", text: "one track" }],
  tables: [{ kind: "table", table: "Track", use: "used", reason: "r" }],
  columns: [],
  joins: [],
  filters: [],
  steps: [{ kind: "cte", name: "counted", purpose: "p", sql: "SELECT 1" }],
  sql: "WITH counted AS (SELECT 1) SELECT * FROM counted",
  explanation: "Counts.",
  summaries: perPhase((phase) => ({ title: phase, summary: `about ${phase}` })),
  reasoning: perPhase((phase) => `thinking about ${phase}`),
  lookups: { catalog: ["tracks"], values: [], tables: ["Track"] },
};
const planned: Planned = { outcome: "plan", plan };
const at = (phase: Progress["phase"], more: Partial<Progress> = {}): Progress => ({
  question: "How many?",
  phase,
  corrections: [],
  choices: {},
  lookups: 0,
  last: null,
  failed: null,
  failures: 0,
  sentBack: null,
  closed: false,
  ...more,
});

describe("turns of the offline planner", () => {
  it("looks things up first, with its reasoning, and proposes then without repeating it", () => {
    const first = toTurn(planned, at("F1"));
    expect(first).toMatchObject({ reasoning: "thinking about F1", calls: [{ name: "catalog_search" }] });
    const second = toTurn(planned, at("F1", { lookups: 1 }));
    expect(second).toMatchObject({
      reasoning: "",
      calls: [{ name: "reviewer_decide", arguments: { phase: "F1", decisions: plan.interpretation } }],
    });
  });

  it("closes a phase with nothing to propose by its summary", () => {
    expect(toTurn(planned, at("F3")).calls).toEqual([
      { name: "phase_summary", arguments: { phase: "F3", title: "F3", summary: "about F3" } },
    ]);
    expect(toTurn(planned, at("F6")).calls[0]).toMatchObject({ name: "submit_sql", arguments: { sql: plan.sql } });
  });

  it("proposes at once after the reviewer's words and repeats them in its reasoning", () => {
    const turn = toTurn(planned, at("F2", { last: { answer: "other", text: "without Album" } }));
    expect(turn.reasoning).toContain("without Album");
    expect(turn.calls.map((call) => call.name)).toEqual(["reviewer_decide"]);
  });

  it("asks instead of proposing again what the reviewer sent back, also when only a refusal tells", () => {
    const proposal = toTurn(planned, at("F1", { lookups: 1 })).calls[0];
    const sentBack = proposal ? proposalKey(proposal) : null;
    const last = { answer: "other" as const, text: "use LEFT JOIN" };
    const corrections = [{ phase: "F1" as const, text: "use LEFT JOIN" }];
    const asked = toTurn(planned, at("F1", { lookups: 1, last, corrections, sentBack }));
    expect(asked.calls[0]).toMatchObject({ name: "reviewer_ask", arguments: { topic: "no change: use LEFT JOIN" } });
    const refused = at("F1", { lookups: 1, corrections, failures: 1, failed: `${sentBackWords}. Change it.` });
    expect(toTurn(planned, refused).calls[0]?.name).toBe("reviewer_ask");
    expect(toTurn(planned, at("F1", { lookups: 1, last, corrections })).calls[0]?.name).toBe("reviewer_decide");
  });

  it("submits the reviewer's own SQL exactly as it is, and goes back to its own when that fails", () => {
    const sql = "SELECT 1 -- mine\n";
    const own = toTurn(planned, at("F6", { sql }));
    expect(own.calls).toMatchObject([{ name: "submit_sql", arguments: { sql } }]);
    const failed = toTurn(planned, at("F6", { sql, lookups: 1, failures: 1, failed: "no such table" }));
    expect(failed.calls).toMatchObject([{ name: "submit_sql", arguments: { sql: plan.sql } }]);
  });

  it("asks, says cannot answer, and gives up in words after repeated failures", () => {
    const ask: Planned = {
      outcome: "ask",
      phase: "F1",
      id: "year",
      question: "Which year?",
      why: "two dates",
      options: [{ id: "a", label: "Invoice", proposed: true }],
    };
    expect(toTurn(ask, at("F3")).calls[0]).toMatchObject({
      name: "reviewer_ask",
      arguments: { phase: "F3", topic: "year" },
    });
    const missing: Planned = { outcome: "cannot-answer", missing: "a cost", reason: "none stored", why: "looked" };
    expect(toTurn(missing, at("F1")).calls[0]).toMatchObject({
      name: "cannot_answer",
      arguments: { missing: "a cost" },
    });
    expect(toTurn(planned, at("F5", { failures: 3 })).calls).toEqual([]);
    expect(toTurn(planned, at("F6", { closed: true }))).toEqual({ reasoning: "", text: "Counts.", calls: [] });
  });
});
