import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPlaces, type Place, type Places, requireFiles } from "./places.ts";
import type { Question } from "./questions.ts";
import { otherOrder } from "./report.ts";
import { openGold } from "./score-answer.ts";

const folder = mkdtempSync(join(tmpdir(), "score-answer-"));
const asked: Question = { id: "1", db: "shop", question: "?", gold_sql: "SELECT 1" };
let places: Places;
let place: Place;

beforeAll(async () => {
  const database = new DatabaseSync(join(folder, "shop.sqlite"));
  database.exec(`CREATE TABLE item (id INTEGER PRIMARY KEY, kind TEXT, price REAL);
    INSERT INTO item VALUES (1, 'pen', 2), (2, 'pen', 3), (3, 'cup', 5), (4, 'cup', 5), (5, 'hat', 9)`);
  database.close();
  places = await openPlaces(folder);
  place = await places.open(asked);
});
afterAll(async () => {
  await places.close();
  rmSync(folder, { recursive: true });
});

const open = async (gold_sql: string, more: Partial<Question> = {}) =>
  openGold({ ...asked, gold_sql, ...more }, place.database, (await place.catalog()).catalog);
const score = async (gold: string, sql: string, more?: Partial<Question>) => (await open(gold, more)).score(sql);

describe("right and wrong", () => {
  const perKind = "SELECT kind, COUNT(*) FROM item GROUP BY kind";

  it("is told by the rows, whatever the statement looks like", async () => {
    const other = "WITH n AS (SELECT kind AS k FROM item) SELECT COUNT(k) AS c, k FROM n GROUP BY k ORDER BY k DESC";
    expect(await score(perKind, other)).toMatchObject({ outcome: "right" });
    expect(await score(perKind, "SELECT kind FROM item GROUP BY kind")).toMatchObject({ outcome: "wrong" });
    expect(await score(perKind, "SELECT nothing FROM item")).toMatchObject({ outcome: "failed" });
  });

  it("never changes what is stored", async () => {
    expect(await score(perKind, "DELETE FROM item")).toMatchObject({ outcome: "failed" });
    expect(await score(perKind, perKind)).toMatchObject({ outcome: "right" });
  });

  it("asks for gold's order, ties apart, also where the sort key isn't shown", async () => {
    const sorted = "SELECT kind FROM item GROUP BY kind ORDER BY COUNT(*) DESC";
    expect(await score(sorted, "SELECT column1 FROM (VALUES ('cup'), ('pen'), ('hat'))")).toMatchObject({
      outcome: "right",
    });
    expect(await score(sorted, "SELECT column1 FROM (VALUES ('pen'), ('cup'), ('hat'))")).toMatchObject({
      outcome: "right",
    });
    expect(await score(sorted, "SELECT column1 FROM (VALUES ('hat'), ('cup'), ('pen'))")).toMatchObject({
      outcome: "wrong",
      note: otherOrder,
    });
    const shown = "SELECT id, price FROM item ORDER BY price, id";
    expect(await score(shown, "SELECT id, price FROM item ORDER BY price")).toMatchObject({ outcome: "right" });
    expect(await score(shown, "SELECT id, price FROM item ORDER BY price DESC")).toMatchObject({
      outcome: "wrong",
      note: otherOrder,
    });
  });

  it("takes any of the alternatives", async () => {
    const more = { gold_sql_alternatives: ["SELECT kind FROM item", "SELECT DISTINCT kind FROM item"] };
    expect(await score(perKind, "SELECT kind FROM item GROUP BY 1", more)).toMatchObject({ outcome: "right" });
    expect(await score(perKind, "SELECT kind FROM item LIMIT 1", more)).toMatchObject({ outcome: "wrong" });
  });

  it("puts apart what no result can prove", async () => {
    expect((await open("SELECT 1 FROM item WHERE id > 9")).apart).toBe("empty-gold");
    expect((await open("SELECT date('now')", { time_dependent: true })).apart).toBe("time-dependent");
    expect((await open("SELECT nothing FROM item")).apart).toBe("gold-fails");
    expect((await open("SELECT 1")).apart).toBeUndefined();
  });
});

describe("places", () => {
  it("says which database is missing, and looks nowhere else", async () => {
    await requireFiles(folder, [asked]);
    await expect(requireFiles(folder, [{ ...asked, db: "none" }])).rejects.toThrow("There is no database none in");
    await expect(requireFiles(folder, [{ ...asked, db: "../shop" }])).rejects.toThrow(
      "There is no database ../shop in",
    );
  });

  it("runs what a question wants on a copy of its own", async () => {
    const changed = await places.open({
      ...asked,
      setup_sql: ["CREATE TABLE kinds AS SELECT DISTINCT kind FROM item"],
    });
    expect((await changed.catalog()).catalog.tables.map((table) => table.name)).toContain("kinds");
    expect((await place.catalog()).catalog.tables.map((table) => table.name)).toEqual(["item"]);
    const stored = new DatabaseSync(join(folder, "shop.sqlite"), { readOnly: true });
    expect(stored.prepare("SELECT COUNT(*) AS n FROM sqlite_master").get()).toEqual({ n: 1 });
    stored.close();
  });
});
