import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toKnowledge } from "../planner/knowledge/knowledge.fixture.ts";
import type { Knowledge } from "../protocol/index.ts";
import { openPlaces, type Places } from "./places.ts";
import { acceptAll } from "./reviewed.ts";
import { createPlannerWalk } from "./walk-planner.ts";

const demo = fileURLToPath(new URL("../../demo", import.meta.url));
const question = { id: "1", db: "chinook", question: "How many punters are from Brazil?" };
const known = toKnowledge({ synonyms: [{ word: "punter", means: { table: "Customer" } }] });

let catalogs: string;
beforeAll(() => {
  catalogs = mkdtempSync(join(tmpdir(), "walk-"));
});
afterAll(() => rmSync(catalogs, { recursive: true, force: true }));

async function walk(knowledge?: Knowledge) {
  const places: Places = await openPlaces(demo, catalogs, knowledge);
  try {
    return await createPlannerWalk()(question, await places.open(question), acceptAll, new AbortController().signal);
  } finally {
    await places.close();
  }
}

describe("a walk through the phases without a child", () => {
  it("knows what people told of the database, and nothing that they didn't", async () => {
    const told = await walk(known);
    expect(told.end).toBe("answered");
    expect(told.sql).toContain("c.Country = 'Brazil'");
    expect((await walk()).sql ?? "").not.toContain("Customer");
  });
});
