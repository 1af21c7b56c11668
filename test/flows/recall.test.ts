/** What people wrote down about a database is used, shown and, taken away again, forgotten: a real server and real children. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openCatalog } from "../../src/catalog/open-catalog.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import type {
  GateFrame,
  LedgerEntry,
  LedgerView,
  OpenGate,
  QueryResult,
  SessionView,
} from "../../src/protocol/index.ts";
import { Product } from "../fixtures/product.ts";

const chinook = fileURLToPath(new URL("../../demo/chinook.sqlite", import.meta.url));

let product: Product;
beforeAll(async () => {
  product = await Product.start();
});
afterAll(async () => {
  await product.remove();
});

const folder = () => join(product.home, "workspaces", "demo");
function write(file: string, text: string): void {
  const path = join(folder(), file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
afterEach(() => rmSync(folder(), { recursive: true, force: true }));

function rows(sql: string): string[][] {
  const database = new DatabaseSync(chinook, { readOnly: true });
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row).map(String));
  } finally {
    database.close();
  }
}

const frameOf = (gate: OpenGate | undefined): GateFrame => (gate as { payload: { frame: GateFrame } }).payload.frame;
const restsOf = (gate: OpenGate | undefined) =>
  frameOf(gate).restsOn.flatMap(({ knowledge }) => (knowledge ? [knowledge] : []));
const answerOf = (result: QueryResult | null) => result?.rows.map((row) => row.map(String)).sort();

async function run(question: string) {
  return await product.run(await product.create(question));
}

describe("knowledge in a session", () => {
  it("a synonym makes an answer possible, the gates say what it rests on, and without the file it is gone", async () => {
    const question = "How many punters are from Brazil?";
    const gold = rows("SELECT count(*) FROM Customer WHERE Country = 'Brazil'");
    expect(answerOf((await run(question)).result)).not.toEqual(gold);

    write("synonyms.yaml", "version: 1\nsynonyms:\n  - word: punter\n    means: { table: Customer }\n");
    const known = await run(question);
    expect(answerOf(known.result)).toEqual(gold);
    for (const phase of ["F1", "F2"])
      expect(restsOf(known.gates.find((gate) => gate.phase === phase))).toContainEqual(
        expect.objectContaining({ kind: "synonym", file: "synonyms.yaml", line: 3, why: "the question says “punter”" }),
      );

    rmSync(join(folder(), "synonyms.yaml"));
    const forgotten = await run(question);
    expect(answerOf(forgotten.result)).not.toEqual(gold);
    expect(forgotten.gates.flatMap(restsOf)).toEqual([]);
  });

  it("a rule and the meaning of a code make wrong answers right", async () => {
    const take = "What is the take per billing country?";
    const lossy = "How many lossy tracks are there?";
    const goldTake = rows(`SELECT i.BillingCountry, ROUND(SUM(il.UnitPrice * il.Quantity), 2)
      FROM Invoice i JOIN InvoiceLine il ON il.InvoiceId = i.InvoiceId GROUP BY i.BillingCountry`).sort();
    const goldLossy = rows("SELECT count(*) FROM Track WHERE MediaTypeId = 1");
    expect(answerOf((await run(take)).result)).not.toEqual(goldTake);
    expect(answerOf((await run(lossy)).result)).not.toEqual(goldLossy);

    write(
      "evidence/take.md",
      "---\ntitle: What the take is\nwords: [take]\ntables: [InvoiceLine]\n---\nThe take means UnitPrice × Quantity, before tax.\nThe take means UnitPrice × Quantity.\n",
    );
    write(
      "descriptions.yaml",
      'version: 1\ntables:\n  Track:\n    columns:\n      MediaTypeId:\n        values:\n          "1": lossy\n',
    );
    const first = await run(take);
    expect(answerOf(first.result)).toEqual(goldTake);
    expect(restsOf(first.gates[0])).toContainEqual(
      expect.objectContaining({ kind: "evidence", title: "What the take is", file: "evidence/take.md" }),
    );
    const second = await run(lossy);
    expect(answerOf(second.result)).toEqual(goldLossy);
    expect(restsOf(second.gates.find((gate) => gate.phase === "F4"))).toContainEqual(
      expect.objectContaining({ kind: "description", file: "descriptions.yaml" }),
    );
  });
});

describe("a verified query", () => {
  const question = "How many customers are from Brazil?";

  /** Runs it through all gates, and keeps what was accepted as a file. */
  async function verify(more: Record<string, unknown> = {}): Promise<SessionView> {
    const id = await product.create(question);
    const { view } = await product.run(id);
    const ledger = JSON.parse(readFileSync(join(product.home, "sessions", id, "ledger.json"), "utf8")) as {
      entries: LedgerEntry[];
    };
    const decisions = ledger.entries.flatMap((entry) =>
      entry.type === "decision" ? [{ seq: entry.seq, phase: entry.phase, decision: entry.decision }] : [],
    );
    const database = await openDatabase({ engine: "sqlite", file: chinook });
    const cache = mkdtempSync(join(tmpdir(), "recall-catalog-"));
    const opened = await openCatalog(database, cache);
    const { checksum } = opened.catalog;
    opened.close();
    await database.close();
    rmSync(cache, { recursive: true });
    const file = {
      version: 1,
      question,
      engine: "sqlite",
      sql: view.sql,
      decisions,
      by: "Ann",
      at: "2026-02-03",
      model: "thoth/offline",
      prompt_version: "1",
      catalog_checksum: checksum,
      columns: [],
      row_count: 1,
      origin: { session: id, seq: decisions.at(-1)?.seq ?? 1 },
      ...more,
    };
    // JSON is YAML.
    write("verified/from-brazil.yaml", JSON.stringify(file, null, 2));
    return view;
  }
  /** The first gate that waits for the reviewer: those before it are seen for a moment, and answer themselves. */
  async function toFinalSql(id: string): Promise<OpenGate> {
    const seen = new Set<string>();
    for (let step = 0; step < 8; step++) {
      const gate = (await product.settle(id, seen)).openGate as OpenGate;
      if (gate.kind === "sql-review") return gate;
      seen.add(gate.gateId);
    }
    throw new Error("the final SQL did not come by itself");
  }
  const ledgerOf = async (id: string) => (await product.call<LedgerView>(`/api/sessions/${id}/ledger`)).body.entries;

  it("answers the same question at once, marked in the ledger, and stops at the final SQL", async () => {
    const before = await verify();
    const id = await product.create("Please show me how many customers are from Brazil");
    const gate = await toFinalSql(id);
    expect((gate.payload as { sql: string }).sql).toBe(before.sql);
    expect((gate.payload as { conformance: { deviations: unknown[] } }).conformance.deviations).toEqual([]);
    expect(frameOf(gate).intro).toContain("verified/from-brazil.yaml answered the gates of F1, F2, F3, F4, F5");
    expect(restsOf(gate)).toContainEqual(
      expect.objectContaining({ kind: "verified", file: "verified/from-brazil.yaml", why: "it is the same question" }),
    );
    const answered = (await ledgerOf(id)).filter((entry) => entry.type === "gate-answered");
    expect(answered.map(({ phase, by }) => [phase, by])).toEqual(
      ["F1", "F2", "F3", "F4", "F5"].map((phase) => [phase, "verified"]),
    );
    expect(answered.every(({ text }) => text?.includes("verified/from-brazil.yaml"))).toBe(true);
    expect(await product.answer(id, gate)).toBe(200);
    await product.settle(id, new Set([gate.gateId]));
    const last = (await ledgerOf(id)).findLast((entry) => entry.type === "gate-answered");
    expect(last).toMatchObject({ phase: "F6", by: "reviewer" });
  });

  it("is shown with the differences for another country, and every gate is the reviewer's", async () => {
    await verify();
    const { gates, result, view } = await run("How many customers are from germany?");
    expect(answerOf(result)).toEqual(rows("SELECT count(*) FROM Customer WHERE Country = 'Germany'"));
    expect(gates.map(({ phase }) => phase)).toEqual(["F1", "F2", "F3", "F4", "F5", "F6"]);
    expect(frameOf(gates[0]).intro).toContain("“germany” instead of “Brazil”");
    expect(restsOf(gates[0])).toContainEqual(
      expect.objectContaining({ kind: "verified", why: "this question differs: “germany” instead of “Brazil”" }),
    );
    expect(view.sql).toContain("germany_customers");
  });

  it("whose decisions nobody accepted stops at every gate", async () => {
    await verify({ decisions: [] });
    const { gates, view } = await run(question);
    expect(gates.map(({ phase }) => phase)).toEqual(["F1", "F2", "F3", "F4", "F5", "F6"]);
    expect(frameOf(gates[0]).intro).toContain("verified by Ann");
    expect(view.outcome).toBe("answered");
  });

  it("goes back to asking once the reviewer sends the SQL back", async () => {
    await verify();
    const id = await product.create(question);
    const gate = await toFinalSql(id);
    expect(await product.answer(id, gate, { answer: "other", text: "only Germany" })).toBe(200);
    const next = (await product.settle(id, new Set([gate.gateId]))).openGate as OpenGate;
    expect(next).not.toBeNull();
    expect((await ledgerOf(id)).filter(({ by }) => by === "verified").every(({ phase }) => phase !== "F6")).toBe(true);
  });

  it("that is stale is only mentioned", async () => {
    await verify({ stale: { since: "2026-03-01", reason: "Customer lost a column" } });
    const id = await product.create(question);
    const gate = (await product.settle(id)).openGate as OpenGate;
    expect(gate.phase).toBe("F1");
    expect(restsOf(gate)).toContainEqual(
      expect.objectContaining({
        kind: "verified",
        why: expect.stringContaining("stale, so it is only named: Customer lost a column"),
      }),
    );
  });
});
