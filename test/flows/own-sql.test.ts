/** A reviewer writes the final SQL: checked before it counts, run and compared by the child, accepted like any other. */
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ErrorBody, GateAnswer, GatePayload, OpenGate } from "../../src/protocol/index.ts";
import { Product } from "../fixtures/product.ts";

const chinook = fileURLToPath(new URL("../../demo/chinook.sqlite", import.meta.url));
const question = "How many albums does each artist have? Show the artist name and the count.";
const own = "SELECT Name AS \"who's\"\nFROM Artist -- mine, byte for byte\nWHERE Name LIKE 'A%'\nORDER BY 1\n";

let product: Product;
beforeAll(async () => {
  product = await Product.start();
});
afterAll(() => product?.remove());

/** Three children start one after another here, which takes its time on a busy machine. */
const slow = 240_000;
const settle = (id: string, seen: ReadonlySet<string>) =>
  product.settle(id, seen).catch(() => product.settle(id, seen));

type SqlGate = OpenGate & { kind: "sql-review" };

/** Through all gates before the last. */
async function toSql(): Promise<{ id: string; gate: SqlGate; seen: Set<string> }> {
  const id = await product.create(question);
  const seen = new Set<string>();
  for (;;) {
    const view = await settle(id, seen);
    const gate = view.openGate as OpenGate;
    if (gate.kind === "sql-review") return { id, gate, seen };
    seen.add(gate.gateId);
    expect(await product.answer(id, gate)).toBe(200);
  }
}

const propose = (id: string, gate: OpenGate, sql: string) =>
  product.call<ErrorBody>(`/api/sessions/${id}/gates/${gate.gateId}`, "POST", {
    answerId: `own-${sql.length}`,
    hash: gate.hash,
    answer: "other",
    sql,
  } satisfies GateAnswer);

async function accept(id: string, gate: SqlGate): Promise<void> {
  const { deviations } = gate.payload.conformance;
  const acceptedDeviations = deviations.map((deviation) => deviation.id);
  expect(await product.answer(id, gate, { acceptedDeviations })).toBe(200);
}

const rowsOf = (sql: string): unknown[][] => {
  const database = new DatabaseSync(chinook, { readOnly: true });
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  } finally {
    database.close();
  }
};

function expectOwn(payload: GatePayload<"sql-review">): void {
  expect(payload.sql).toBe(own);
  expect(payload.by).toBe("reviewer");
  expect(payload.result.rows).toEqual(rowsOf(own));
  // It counts no albums, so it can't be what was accepted before.
  expect(payload.conformance.deviations.length).toBeGreaterThan(0);
}

it(
  "bad SQL leaves the gate as it is; good SQL is the next proposal and can become the answer",
  async () => {
    const { id, gate, seen } = await toSql();
    expect(gate.payload.by).toBeUndefined();
    for (const [sql, words] of [
      ["SELECT Nmae FROM Artist", "no such column: Nmae"],
      ["DROP TABLE Artist", "not taken"],
      [gate.payload.sql, "shown already"],
    ] as const) {
      const refused = await propose(id, gate, sql);
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(refused.body.error.message).toContain(words);
      expect((await product.view(id)).openGate).toMatchObject({ gateId: gate.gateId, hash: gate.hash });
    }

    expect((await propose(id, gate, own)).status).toBe(200);
    seen.add(gate.gateId);
    const next = (await settle(id, seen)).openGate as SqlGate;
    expect(next.kind).toBe("sql-review");
    expectOwn(next.payload);
    const unaccepted = await product.answer(id, next, { answerId: "too early" });
    expect(unaccepted).toBe(409);
    await accept(id, next);
    const view = await settle(id, seen.add(next.gateId));
    expect(view).toMatchObject({ outcome: "answered", sql: own });
    const { body } = await product.call<{ rows: unknown[][] }>(`/api/sessions/${id}/result?format=json`);
    expect(body.rows).toEqual(rowsOf(own));
  },
  slow,
);

it(
  "is submitted by the child that starts cold when the server ended at the gate",
  async () => {
    const { id, gate, seen } = await toSql();
    await product.end("SIGKILL");
    await product.serve();
    expect((await propose(id, gate, own)).status).toBe(200);
    const next = (await settle(id, seen.add(gate.gateId))).openGate as SqlGate;
    expect(next.kind).toBe("sql-review");
    expectOwn(next.payload);
    await accept(id, next);
    const view = await settle(id, seen.add(next.gateId));
    expect(view).toMatchObject({ outcome: "answered", sql: own });
  },
  slow,
);
