import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeLedger, readLedger } from "../../ledger/ledger.ts";
import {
  check,
  type Decision,
  type JoinDecision,
  type KeepPiece,
  type NewEntry,
  type Suggestion,
  Suggestions,
} from "../../protocol/index.ts";
import { readKnowledge } from "../../workspace/read-knowledge.ts";
import { openWorkspace } from "../../workspace/workspaces.ts";
import { type AppFixture, knownSession, openAppFixture } from "../app-fixture.ts";

const sql = `SELECT i.BillingCountry AS country, SUM(l.UnitPrice * l.Quantity) AS revenue
FROM Invoice AS i
JOIN InvoiceLine AS l ON l.InvoiceId = i.InvoiceId
WHERE i.BillingCountry = 'Germany' AND i.InvoiceDate >= '2010-01-01'
GROUP BY i.BillingCountry
LIMIT 5`;
const question = "What revenue came from Germany since 2010? Top 5";

let fixture: AppFixture;
let folder: string;
let dir: string;
let catalogChecksum: string;
beforeEach(async () => {
  fixture = await openAppFixture({
    sessions: {
      record: async () => ({
        entries: (await readLedger(dir, knownSession)).entries,
        manifest: {
          version: 1,
          id: knownSession,
          workspace: "demo",
          question,
          provider: "thoth",
          model: "offline",
          thinking: "medium",
          review: "every-phase",
          promptVersion: "prompts-1",
          catalogChecksum,
          createdAt: "2026-01-01T00:00:00.000Z",
          updatedAt: "2026-01-01T00:00:00.000Z",
        },
      }),
      sql: async () => ({ sql, connection: (await openWorkspace(fixture.home, "demo")).connection }),
    },
  });
  catalogChecksum = "";
  dir = join(fixture.home, "sessions", knownSession);
  folder = join(fixture.home, "workspaces", "demo");
  mkdirSync(dir, { recursive: true });
});
afterEach(() => fixture.close());

const join1: JoinDecision = {
  kind: "join",
  left: { table: "InvoiceLine", alias: "l" },
  type: "INNER",
  right: { table: "Invoice", alias: "i" },
  pairs: [{ left: "InvoiceId", right: "InvoiceId" }],
};
const decide = (phase: "F2" | "F3" | "F4" | "F6", gateId: string, decision: Decision): NewEntry => ({
  type: "decision",
  phase,
  gateId,
  decision,
  by: "reviewer",
});
type Kind = (NewEntry & { type: "gate-opened" })["kind"];
const open = (phase: "F2" | "F3" | "F4" | "F6", gateId: string, kind: Kind, payload: unknown = {}): NewEntry => ({
  type: "gate-opened",
  gateId,
  kind,
  phase,
  tool: "t",
  payload,
  hash: gateId,
  proposalHash: gateId,
});
const answer = (phase: "F2" | "F3" | "F4" | "F6", gateId: string, text?: string): NewEntry => ({
  type: "gate-answered",
  gateId,
  phase,
  answerId: gateId,
  answer: text === undefined ? "continue" : "other",
  ...(text === undefined ? {} : { text }),
  closes: text === undefined,
  by: "reviewer",
});
const append = (...entries: NewEntry[]) => changeLedger(dir, knownSession, () => ({ entries, value: null }));

/** Words at 3, 6 and 10; the accepted SQL at 15. */
async function answered(): Promise<void> {
  await append(
    { type: "prompt", text: question, kind: "question", promptVersion: "prompts-2" },
    open("F2", "g1", "decision-review"),
    answer("F2", "g1", "Remember: revenue means UnitPrice × Quantity"),
    decide("F2", "g1b", { kind: "table", table: "InvoiceLine", use: "used", reason: "what was sold" }),
    open("F3", "g2", "join-review"),
    answer("F3", "g2", "Join on the invoice, not on the customer"),
    open("F3", "g3", "join-review", { decisions: [join1], evidence: { joins: [{ n: 1, cardinality: "N:1" }] } }),
    decide("F3", "g3", join1),
    open("F4", "g4", "decision-review"),
    answer("F4", "g4", "country is BillingCountry"),
    decide("F4", "g5", {
      kind: "filter",
      words: "Germany",
      table: "Invoice",
      column: "BillingCountry",
      operator: "=",
      values: ["Germany"],
      condition: "i.BillingCountry = 'Germany'",
    }),
    decide("F4", "g5", {
      kind: "filter",
      words: "since 2010",
      table: "Invoice",
      column: "InvoiceDate",
      operator: ">=",
      values: ["2010-01-01"],
      condition: "i.InvoiceDate >= '2010-01-01'",
    }),
    decide("F2", "g1b", { kind: "interpretation", aspect: "limit", text: "five rows" }),
    { type: "usage", provider: "acme", model: "large", input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: 0 },
    decide("F6", "g6", { kind: "sql", sql, explanation: "Revenue from Germany" }),
    { type: "outcome", outcome: "answered" },
  );
}

const address = (tail: string) => `/api/sessions/${knownSession}/${tail}`;
async function suggestions(): Promise<Suggestions> {
  const body: unknown = await (await fixture.request(address("suggestions"))).json();
  expect(check(Suggestions, body)).toMatchObject({ ok: true });
  return body as Suggestions;
}
const send = async (tail: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }> => {
  const response = await fixture.request(address(tail), { method: "POST", body });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const draftOf = ({ drafts }: Suggestion, kind: KeepPiece["kind"]) => drafts.find((draft) => draft.kind === kind);

describe("words that could be remembered", () => {
  it("are those with which a proposal was sent back, with what they could become", async () => {
    await answered();
    const { suggestions: found } = await suggestions();
    expect(found.map(({ seq, phase, state, drafts }) => [seq, phase, state, drafts[0]?.kind])).toEqual([
      [3, "F2", "open", "evidence"],
      [6, "F3", "open", "relation"],
      [10, "F4", "open", "synonym"],
    ]);
    const [first, second, third] = found as [Suggestion, Suggestion, Suggestion];
    expect(draftOf(first, "evidence")).toEqual({
      kind: "evidence",
      title: "revenue",
      words: ["revenue"],
      tables: ["InvoiceLine"],
      measure: { name: "revenue", expression: "InvoiceLine.UnitPrice * InvoiceLine.Quantity" },
      text: "revenue means UnitPrice × Quantity",
    });
    expect(draftOf(second, "relation")).toEqual({
      kind: "relation",
      from: { table: "InvoiceLine", columns: ["InvoiceId"] },
      to: { table: "Invoice", columns: ["InvoiceId"] },
      cardinality: "N:1",
    });
    expect(draftOf(third, "synonym")).toEqual({
      kind: "synonym",
      word: "country",
      means: { table: "Invoice", column: "BillingCountry" },
    });
  });

  it("are kept with the entry they come from, each kind in its file, and the ledger says so", async () => {
    await answered();
    const [first, second, third] = (await suggestions()).suggestions as [Suggestion, Suggestion, Suggestion];
    expect(await send("suggestions/3", draftOf(first, "evidence"))).toEqual({
      status: 201,
      body: { id: "evidence/revenue.md", file: "evidence/revenue.md" },
    });
    await send("suggestions/6", draftOf(second, "relation"));
    await send("suggestions/10", draftOf(third, "synonym"));
    await send("suggestions/10", {
      kind: "description",
      table: "Invoice",
      column: "BillingCountry",
      text: "Of the bill",
    });
    const { evidence, relations, synonyms, descriptions, faults } = await readKnowledge(folder);
    expect(faults).toEqual([]);
    const origins = [evidence, relations, synonyms, descriptions].map(([piece]) => piece?.origin);
    expect(origins).toEqual([3, 6, 10, 10].map((seq) => ({ session: knownSession, seq })));
    expect(relations[0]).toMatchObject({ source: "confirmed", by: "reviewer" });
    const after = (await suggestions()).suggestions;
    expect(after.map(({ state, kept }) => [state, kept.map(({ file }) => file)])).toEqual([
      ["kept", ["evidence/revenue.md"]],
      ["kept", ["relations.yaml"]],
      ["kept", ["descriptions.yaml", "synonyms.yaml"]],
    ]);
    const noted = (await readLedger(dir, knownSession)).entries.slice(16);
    expect(noted).toMatchObject([
      { type: "knowledge", of: 3, piece: "evidence/revenue.md", by: "reviewer" },
      { of: 6, piece: "relations.yaml#InvoiceLine(InvoiceId)->Invoice(InvoiceId)" },
      { of: 10, piece: "synonyms.yaml#country->Invoice.BillingCountry" },
      { of: 10, piece: "descriptions.yaml#Invoice.BillingCountry" },
    ]);
  });

  it("confirm a relation that was only proposed, in its place", async () => {
    await answered();
    mkdirSync(folder, { recursive: true });
    const proposed = `version: 1
relations:
  # found by a program
  - from: { table: InvoiceLine, columns: [ InvoiceId ] }
    to: { table: Invoice, columns: [ InvoiceId ] }
    cardinality: N:M
    source: proposed
`;
    writeFileSync(join(folder, "relations.yaml"), proposed);
    const relation = draftOf((await suggestions()).suggestions[1] as Suggestion, "relation");
    expect((await send("suggestions/6", relation)).status).toBe(201);
    const { relations } = await readKnowledge(folder);
    expect(relations).toMatchObject([{ cardinality: "N:1", source: "confirmed", origin: { seq: 6 } }]);
    expect(readFileSync(join(folder, "relations.yaml"), "utf8")).toContain("# found by a program");
    expect((await send("suggestions/6", relation)).status).toBe(409);
  });

  it("come back when the file was reverted, and never once they were dropped", async () => {
    await answered();
    const [first] = (await suggestions()).suggestions as [Suggestion];
    await send("suggestions/3", draftOf(first, "evidence"));
    rmSync(join(folder, "evidence", "revenue.md"));
    expect((await suggestions()).suggestions[0]).toMatchObject({ state: "open", kept: [] });
    const dropped = await send("suggestions/3/drop", {});
    expect(dropped.body.suggestions).toMatchObject([{ seq: 3, state: "dropped" }, {}, {}]);
    await send("suggestions/3/drop", {});
    const { entries } = await readLedger(dir, knownSession);
    expect(entries.filter(({ type }) => type === "knowledge")).toHaveLength(2);
  });

  it("nothing is kept that doesn't fit: other entries, unknown names, half a piece, the same twice", async () => {
    await answered();
    const synonym = { kind: "synonym", word: "country", means: { table: "Invoice", column: "BillingCountry" } };
    const fault = async (tail: string, body: unknown) => {
      const { status, body: said } = await send(tail, body);
      return [status, (said.error as { code: string }).code];
    };
    expect(await fault("suggestions/4", synonym)).toEqual([404, "suggestion-unknown"]);
    expect(await fault("suggestions/x/drop", {})).toEqual([404, "suggestion-unknown"]);
    expect(await fault("suggestions/3", { ...synonym, means: { table: "Nowhere" } })).toEqual([404, "table-unknown"]);
    expect(await fault("suggestions/3", { kind: "evidence", title: "x", words: [], text: " " })).toEqual([
      422,
      "piece-invalid",
    ]);
    expect(await fault("suggestions/3", { ...synonym, origin: { session: "forged", seq: 1 } })).toEqual([
      400,
      "body-invalid",
    ]);
    await send("suggestions/3", synonym);
    expect(await fault("suggestions/10", synonym)).toEqual([409, "piece-exists"]);
    const description = { kind: "description", table: "Invoice", text: "A bill" };
    await send("suggestions/3", description);
    expect(await fault("suggestions/3", { ...description, text: "Another" })).toEqual([409, "piece-exists"]);
    writeFileSync(join(folder, "synonyms.yaml"), "version: 1\nsynonyms: [\n");
    expect(await fault("suggestions/3", { ...synonym, word: "land" })).toEqual([422, "knowledge-broken"]);
  });

  it("a question about the budget and a gate sent back with SQL are no words to keep", async () => {
    await append(
      { type: "prompt", text: question, kind: "question" },
      open("F2", "b", "question", { budget: { used: {}, limit: {}, raised: {} } }),
      answer("F2", "b", "No more money"),
      open("F6", "s", "sql-review"),
      { ...answer("F6", "s", ""), sql: "SELECT 1" } as NewEntry,
    );
    expect(await suggestions()).toEqual({ suggestions: [], verified: null });
  });
});

describe("an answer that is saved as verified", () => {
  it("holds the question, the SQL, the decisions and where all of it comes from", async () => {
    await answered();
    expect((await suggestions()).verified).toEqual({ question, saved: null, replaces: null });
    const file = "verified/what-revenue-came-from-germany-since-2010-top-5.yaml";
    expect(await send("verified", {})).toEqual({ status: 201, body: { id: file, file } });
    const { verified, faults } = await readKnowledge(folder);
    expect(faults).toEqual([]);
    const catalog = (await (await fixture.request("/api/workspaces/demo/catalog")).json()) as {
      catalog: { checksum: string };
    };
    expect(verified[0]).toMatchObject({
      question,
      engine: "sqlite",
      sql,
      parameters: [
        { text: "Germany", value: "Germany", column: { table: "Invoice", column: "BillingCountry" } },
        { text: "2010", value: "2010", column: { table: "Invoice", column: "InvoiceDate" } },
        { text: "5", value: 5 },
      ],
      by: "reviewer",
      model: "acme/large",
      prompt_version: "prompts-2",
      catalog_checksum: catalog.catalog.checksum,
      columns: [{ name: "country" }, { name: "revenue" }],
      row_count: 1,
      origin: { session: knownSession, seq: 15 },
    });
    expect(verified[0]?.decisions.map(({ seq }) => seq)).toEqual([4, 8, 11, 12, 13, 15]);
    expect(verified[0]?.tables?.map(({ table }) => table)).toEqual(["Invoice", "InvoiceLine"]);
    expect((await suggestions()).verified).toEqual({ question, saved: file, replaces: null });
    // Once, however often it is asked for.
    const before = readFileSync(join(folder, file), "utf8");
    await send("verified", {});
    expect(readFileSync(join(folder, file), "utf8")).toBe(before);
    expect((await readKnowledge(folder)).verified).toHaveLength(1);
  });

  it("replaces what was saved for the same question, mark and all", async () => {
    await answered();
    const { body } = await send("verified", {});
    const path = join(folder, body.file as string);
    writeFileSync(
      path,
      `# Ours\n${readFileSync(path, "utf8").replace("seq: 15", "seq: 2")}stale: { since: 2026-12-01, reason: Old }\n`,
    );
    expect((await suggestions()).verified).toMatchObject({ saved: null, replaces: body.file });
    expect((await send("verified", {})).body).toEqual(body);
    const [piece, ...more] = (await readKnowledge(folder)).verified;
    expect(more).toEqual([]);
    expect(piece).toMatchObject({ origin: { session: knownSession, seq: 15 } });
    expect(piece).not.toHaveProperty("stale");
    expect(readFileSync(path, "utf8")).toMatch(/^# Ours\n/);
  });

  it("takes the question in other words, and drops the parameters that it no longer says", async () => {
    await answered();
    await send("verified", { question: "Revenue from Germany" });
    const [piece] = (await readKnowledge(folder)).verified;
    expect(piece).toMatchObject({ question: "Revenue from Germany", parameters: [{ text: "Germany" }] });
    expect(piece?.parameters).toHaveLength(1);
  });

  it("is refused once the database is another one than the decisions rest on", async () => {
    await answered();
    catalogChecksum = "of an earlier structure";
    expect(await send("verified", {})).toMatchObject({ status: 409, body: { error: { code: "catalog-changed" } } });
    expect((await readKnowledge(folder)).verified).toEqual([]);
  });

  it("is refused before there is an answer", async () => {
    await append({ type: "prompt", text: question, kind: "question" });
    expect(await send("verified", {})).toMatchObject({ status: 409, body: { error: { code: "no-result-yet" } } });
  });
});
