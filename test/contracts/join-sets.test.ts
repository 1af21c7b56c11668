/** Joins are one set: alone in their proposal, whole or not at all, from the first proposal to the one that holds. */
import { describe, expect, it } from "vitest";
import { toGateResult } from "../../src/extension/ask-gate.ts";
import type { GateRequest, JoinDecision, LedgerEntry, NewEntry, ProposedDecision } from "../../src/protocol/index.ts";
import { foldLedger, type SessionState } from "../../src/workflow/fold-ledger.ts";
import { checkGateRequest, toAnswerEntries } from "../../src/workflow/gate-rules.ts";
import { gateKindOf, refuseProposal } from "../../src/workflow/proposals.ts";

const join = (left: string, right: string, type: JoinDecision["type"] = "INNER"): JoinDecision => ({
  kind: "join",
  left: { table: left, alias: left.toLowerCase() },
  type,
  right: { table: right, alias: right.toLowerCase() },
  pairs: [{ left: "Id", right: `${left}Id` }],
});
const table: ProposedDecision = { kind: "table", table: "Track", use: "used", reason: "r" };
const interpretation: ProposedDecision = { kind: "interpretation", aspect: "grain", text: "one artist" };
const frame = (closes: boolean) => ({
  title: "Right?",
  intro: "",
  findings: [],
  writes: [],
  consequence: "",
  otherConsequence: "",
  chips: [],
  restsOn: [],
  gatesLeft: 0,
  ...(closes ? { summary: { version: 2, phase: "F3", title: "t", summary: "s" } } : {}),
});

function entered(news: NewEntry[]): LedgerEntry[] {
  return news.map((entry, index) => ({ ...entry, seq: index + 1, at: "2026-01-01T00:00:00.000Z" }) as LedgerEntry);
}

/** A session in F3, with what was appended to it in order. */
class Session {
  news: NewEntry[] = [
    { type: "prompt", text: "q", kind: "question" },
    ...(["F1", "F2"] as const).flatMap((phase): NewEntry[] => [
      {
        type: "gate-opened",
        gateId: phase,
        kind: "decision-review",
        phase,
        tool: "t",
        payload: {},
        hash: "h",
        proposalHash: phase,
      },
      {
        type: "gate-answered",
        gateId: phase,
        phase,
        answerId: phase,
        answer: "continue",
        closes: true,
        by: "reviewer",
      },
    ]),
  ];
  state = (): SessionState => foldLedger(entered(this.news));
  open(gateId: string, joins: JoinDecision[], closes = true) {
    const payload = {
      frame: frame(closes),
      decisions: joins,
      evidence: { tables: [], joins: [], checks: [], exact: true, ms: 1 },
    };
    const request: GateRequest = { v: 1, gateId, kind: "join-review", phase: "F3", tool: "reviewer_decide", payload };
    const checked = checkGateRequest(this.state(), request);
    if (checked.ok && "entry" in checked) this.news.push(checked.entry);
    return checked;
  }
  answer(gateId: string, answer: "continue" | "other", text?: string) {
    const { hash = "" } = this.state().gates.get(gateId)?.opened ?? {};
    const done = toAnswerEntries(
      this.state(),
      this.news.length,
      gateId,
      { answerId: `a-${gateId}`, hash, answer, ...(text ? { text } : {}) },
      "reviewer",
    );
    if (!done.ok || !("entries" in done)) throw new Error(JSON.stringify(done));
    this.news.push(...done.entries);
    return done;
  }
  held = (): string[] =>
    this.state().decisions.flatMap(({ decision }) =>
      decision.kind === "join" ? [`${decision.type} ${decision.right.table}`] : [],
    );
}

describe("join sets", () => {
  it("C3.1 a proposal of joins alone, one or many, is shown in the join review, and nothing else is", () => {
    expect(gateKindOf([join("Artist", "Album")])).toBe("join-review");
    expect(gateKindOf([join("Artist", "Album"), join("Album", "Track")])).toBe("join-review");
    expect([gateKindOf([table]), gateKindOf([interpretation])]).toEqual(["decision-review", "decision-review"]);
    const session = new Session();
    session.open("g", [join("Artist", "Album"), join("Album", "Track")]);
    const payload = session.state().openGate?.payload as { decisions: unknown[] };
    expect(payload.decisions).toHaveLength(2);
    expect(session.held()).toEqual([]);
  });

  it("C3.1 a set that doesn't hang together is no complete set", () => {
    const state = new Session().state();
    expect(refuseProposal(state, "F3", [join("Artist", "Album"), join("Genre", "Track")])).toContain(
      "not joined before",
    );
    expect(refuseProposal(state, "F3", [join("Artist", "Album"), join("Artist", "Album")])).toContain("used twice");
    expect(refuseProposal(state, "F3", [{ ...join("Artist", "Album"), pairs: [] }])).toContain("pair of columns");
  });

  it("C3.3 the model hears the reviewer's words and that the whole set is owed", () => {
    const session = new Session();
    session.open("g", [join("Artist", "Album")]);
    const { reply } = session.answer("g", "other", "Use LEFT JOIN in 1");
    const said = toGateResult(reply, "F3").content[0]?.text ?? "";
    expect(said).toContain("The reviewer says: Use LEFT JOIN in 1");
    expect(said).toMatch(/complete corrected set/);
    expect(JSON.parse(said.split("\n")[0] ?? "")).toMatchObject({
      gate: { answer: "other", seqs: [], text: "Use LEFT JOIN in 1" },
    });
    expect(session.held()).toEqual([]);
  });

  it("C3.3 until a join set is accepted, every later proposal and the summary's gate are refused at the backend too", () => {
    const session = new Session();
    session.open("g", [join("Artist", "Album")]);
    session.answer("g", "other", "no");
    const filter: ProposedDecision = {
      kind: "filter",
      words: "w",
      table: "Track",
      column: "Name",
      operator: "=",
      values: ["x"],
      condition: "t.Name = 'x'",
    };
    const attempt = (kind: GateRequest["kind"], phase: GateRequest["phase"], payload: unknown) =>
      checkGateRequest(session.state(), { v: 1, gateId: "n", kind, phase, tool: "t", payload });
    const summary = { version: 2, phase: "F3", title: "t", summary: "s" };
    expect(attempt("phase-summary", "F3", { frame: frame(false), summary })).toMatchObject({ ok: false });
    expect(attempt("decision-review", "F4", { frame: frame(false), decisions: [filter] })).toMatchObject({ ok: false });
    session.open("g2", [join("Artist", "Album", "LEFT")], false);
    session.answer("g2", "continue");
    expect(attempt("phase-summary", "F3", { frame: frame(false), summary })).toMatchObject({ ok: true });
  });

  it("C3.4 the later set holds alone, in one change with the end of the earlier one, and both can be read", () => {
    const session = new Session();
    session.open("g", [join("Artist", "Album"), join("Album", "Track")], false);
    const first = session.answer("g", "continue").answered.seqs;
    session.open("g2", [join("Artist", "Album", "LEFT")]);
    const { entries } = session.answer("g2", "continue");
    expect(entries.map((entry) => entry.type)).toEqual(["gate-answered", "superseded", "decision", "summary"]);
    expect(entries[1]).toMatchObject({ seqs: first });
    expect(session.held()).toEqual(["LEFT Album"]);
    expect(session.news.filter((entry) => entry.type === "decision")).toHaveLength(3);
  });

  it("C3.5 joins with anything beside them are refused in every order, whatever the phase", () => {
    for (const phase of ["F2", "F3", "F4"] as const)
      for (const mixed of [
        [join("Artist", "Album"), table],
        [table, join("Artist", "Album")],
        [join("Artist", "Album"), join("Album", "Track"), interpretation],
      ])
        expect(refuseProposal({ phase, outcome: null }, phase, mixed)?.toLowerCase()).toContain(
          "propose the joins alone, as one complete set",
        );
  });
});
