/** A question becomes reviewed SQL: the real server, a real Pi child, the offline planner, the demo database. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GatePayload, JoinDecision, LedgerView, OpenGate } from "../../src/protocol/index.ts";
import { Product } from "../fixtures/product.ts";

const chinook = fileURLToPath(new URL("../../demo/chinook.sqlite", import.meta.url));
const topCustomer = "Which customer has spent the most money? Give first name, last name and total spent.";
const rockPerArtist = "How many tracks in the Rock genre does each artist have, most first?";

let product: Product;
beforeAll(async () => {
  product = await Product.start();
});
afterAll(async () => {
  await product.remove();
});

const payloadOf = <K extends OpenGate["kind"]>(gate: OpenGate | undefined, kind: K): GatePayload<K> => {
  expect(gate?.kind).toBe(kind);
  return gate?.payload as GatePayload<K>;
};
const setOf = (gate: OpenGate | undefined): string[] =>
  payloadOf(gate, "join-review").decisions.map(
    (join: JoinDecision) =>
      `${join.left.table} ${join.type} ${join.right.table} ${join.pairs.map((pair) => `${pair.left}=${pair.right}`).join()}`,
  );

/** Continues to the join review and gives it. */
async function toJoins(where: Product, question: string, workspace = "demo"): Promise<{ id: string; gate: OpenGate }> {
  const id = await where.create(question, { workspace });
  const seen = new Set<string>();
  for (let step = 0; step < 10; step++) {
    const view = await where.settle(id, seen);
    const gate = view.openGate as OpenGate | null;
    if (gate?.kind === "join-review") return { id, gate };
    if (!gate) break;
    seen.add(gate.gateId);
    expect(await where.answer(id, gate)).toBe(200);
  }
  throw new Error("no join review came");
}

describe("main job", () => {
  it("walks through six phases to the right answer and writes every decision", async () => {
    const id = await product.create(topCustomer);
    const { gates, view, result } = await product.run(id);
    expect(gates.map((gate) => gate.phase)).toEqual(["F1", "F2", "F3", "F4", "F5", "F6"]);
    expect(gates.map((gate) => gate.kind)).toEqual([
      "decision-review",
      "decision-review",
      "join-review",
      "phase-summary",
      "cte-review",
      "sql-review",
    ]);
    expect(view).toMatchObject({ turn: "idle", outcome: "answered" });
    expect(result?.rows.map((row) => row.map(String))).toEqual([["Helena", "Holý", "49.62"]]);
    const ledger = await product.call<LedgerView>(`/api/sessions/${id}/ledger`);
    expect(ledger.body.entries.map((entry) => entry.seq)).toEqual(ledger.body.entries.map((_, index) => index + 1));
    expect(ledger.body.entries.filter((entry) => entry.type === "decision").every((entry) => entry.holds)).toBe(true);
    const review = payloadOf(gates[5], "sql-review");
    expect(review.sql).toBe(view.sql);
    expect(review.conformance.deviations).toEqual([]);
  });

  it("shows at least two steps whose row counts differ from the source for a filter and an aggregate", async () => {
    const { gates } = await product.run(await product.create(rockPerArtist));
    const steps = payloadOf(
      gates.find((gate) => gate.kind === "cte-review"),
      "cte-review",
    ).steps;
    const database = new DatabaseSync(chinook, { readOnly: true });
    const tracks = Number(database.prepare("SELECT count(*) n FROM Track").get()?.n);
    const rock = Number(
      database
        .prepare("SELECT count(*) n FROM Track t JOIN Genre g ON g.GenreId = t.GenreId WHERE g.Name = 'Rock'")
        .get()?.n,
    );
    database.close();
    expect(steps.length).toBeGreaterThanOrEqual(2);
    expect(steps.filter((step) => step.rowCount !== tracks).length).toBeGreaterThanOrEqual(2);
    expect(steps.map((step) => step.rowCount)).toContain(rock);
    const filters =
      payloadOf(
        gates.find((gate) => gate.phase === "F4"),
        "decision-review",
      ).filters ?? [];
    expect(filters[0]?.matches.some((match) => match.value === "Rock" && match.inFilter)).toBe(true);
  });

  it("changes the next join set after Other: LEFT JOIN, without a table, another key", async () => {
    const left = await toJoins(product, "How many albums does each artist have?");
    expect(setOf(left.gate)[0]).toContain("INNER");
    expect(await product.answer(left.id, left.gate, { answer: "other", text: "Use LEFT JOIN in 1" })).toBe(200);
    const changed = await product.settle(left.id, new Set([left.gate.gateId]));
    expect(setOf(changed.openGate as OpenGate)[0]).toContain("LEFT");

    const path = "How much revenue did each sales support agent bring in through their customers?";
    const without = await toJoins(product, path);
    const before = setOf(without.gate);
    expect(before.length).toBe(2);
    expect(await product.answer(without.id, without.gate, { answer: "other", text: "without Invoice" })).toBe(200);
    const next = (await product.settle(without.id, new Set([without.gate.gateId]))).openGate as OpenGate;
    if (next.kind === "join-review") expect(setOf(next)).not.toEqual(before);
    else expect(next.kind).toBe("question");

    const key = await toJoins(product, "How many albums does each artist have?");
    expect(
      await product.answer(key.id, key.gate, { answer: "other", text: "join on Artist.Name = Album.Title instead" }),
    ).toBe(200);
    const other = (await product.settle(key.id, new Set([key.gate.gateId]))).openGate as OpenGate;
    expect(setOf(other)[0]).toMatch(/Name=Title|Title=Name/);
  });

  it("asks instead of proposing the same set again when the words are not understood", async () => {
    const { id, gate } = await toJoins(product, "How many albums does each artist have?");
    expect(await product.answer(id, gate, { answer: "other", text: "blorp the fnord" })).toBe(200);
    const next = (await product.settle(id, new Set([gate.gateId]))).openGate as OpenGate;
    expect(next.kind).toBe("question");
  });

  it("says cannot answer, with what is missing, when the data is not there", async () => {
    const { gates, view } = await product.run(await product.create("What is the profit margin of each album?"));
    expect(gates.at(-1)?.kind).toBe("question");
    expect(view.outcome).toBe("cannot-answer");
    expect(view.cannotAnswer?.missing).not.toBe("");
    expect(view.sql).toBeNull();
  });

  it("gives other figures at every evidence gate after rows changed", async () => {
    const folder = mkdtempSync(join(tmpdir(), "thoth-rows-"));
    const file = join(folder, "music.sqlite");
    copyFileSync(chinook, file);
    expect((await product.call("/api/workspaces", "POST", { name: "music", file })).status).toBe(201);
    const before = await product.run(await product.create(rockPerArtist, { workspace: "music" }));
    const database = new DatabaseSync(file);
    database.exec(`INSERT INTO Genre(GenreId, Name) VALUES (900, 'rock');
      INSERT INTO Artist(ArtistId, Name) VALUES (9001, 'New Artist');
      INSERT INTO Album(AlbumId, Title, ArtistId) VALUES (9001, 'New Album', 9001);
      INSERT INTO Track(TrackId, Name, AlbumId, MediaTypeId, GenreId, Milliseconds, UnitPrice)
        SELECT 90000 + TrackId, Name, 9001, MediaTypeId, 1, Milliseconds, UnitPrice FROM Track LIMIT 40;`);
    database.close();
    const after = await product.run(await product.create(rockPerArtist, { workspace: "music" }));
    const figures = (gates: OpenGate[], kind: OpenGate["kind"], phase: string) =>
      JSON.stringify(gates.find((gate) => gate.kind === kind && gate.phase === phase)?.payload).replaceAll(
        /"ms":[\d.]+/g,
        "",
      );
    for (const [kind, phase] of [
      ["decision-review", "F2"],
      ["join-review", "F3"],
      ["decision-review", "F4"],
      ["cte-review", "F5"],
      ["sql-review", "F6"],
    ] as const) {
      expect(figures(before.gates, kind, phase), phase).not.toBe(figures(after.gates, kind, phase));
    }
    rmSync(folder, { recursive: true });
  });
});

describe("durability", () => {
  it.each(["SIGKILL", "SIGINT"] as const)(
    "C8.2 ends the server at a gate with %s and goes on from the ledger",
    async (signal) => {
      const own = await Product.start();
      try {
        const { id, gate } = await toJoins(own, topCustomer);
        await own.end(signal);
        await own.serve();
        const view = await own.view(id);
        expect(view.turn).toBe("waiting");
        expect(view.openGate).toMatchObject({ gateId: gate.gateId, hash: gate.hash });
        expect(await own.answer(id, gate)).toBe(200);
        const done = await own.run(id);
        expect(done.view.outcome).toBe("answered");
        expect(done.result?.rows.map((row) => row.map(String))).toEqual([["Helena", "Holý", "49.62"]]);
      } finally {
        await own.remove();
      }
    },
  );
});
