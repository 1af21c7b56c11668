import { describe, expect, it } from "vitest";
import { openChinook } from "../chinook.fixture.ts";
import { createSchema } from "../schema/schema.ts";
import { createJoinGraph, noWishes } from "./joins.ts";

const open = async (wishes = noWishes()) => createJoinGraph(createSchema((await openChinook()).catalog), wishes);

describe("createJoinGraph", () => {
  it("finds the way between distant tables and its cardinality", async () => {
    const graph = await open();
    expect(graph.path("InvoiceLine", "Artist")?.map((step) => step.to)).toEqual(["Track", "Album", "Artist"]);
    expect(graph.toOne("InvoiceLine", "Artist")).toBe(true);
    expect(graph.toOne("Artist", "InvoiceLine")).toBe(false);
  });

  it("connects several tables as one tree", async () => {
    const steps = (await open()).connect("Genre", ["Invoice", "Artist"]);
    expect(steps?.map((step) => step.to).sort()).toEqual(["Album", "Artist", "Invoice", "InvoiceLine", "Track"]);
  });

  it("knows a self reference and obeys a ban", async () => {
    expect((await open()).selfRelation("Employee")?.fromColumns).toEqual(["ReportsTo"]);
    const without = await open({ ...noWishes(), banned: new Set(["Customer"]) });
    expect(without.path("Employee", "Invoice")).toBeUndefined();
  });
});
