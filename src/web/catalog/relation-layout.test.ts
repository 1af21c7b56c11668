import { expect, it } from "vitest";
import type { Relation, Table } from "../../protocol/catalog.ts";
import { layoutRelations } from "./relation-layout.ts";

const table = (name: string): Table => ({
  name,
  kind: "table",
  rows: 12,
  columns: [],
  primaryKey: [],
  unique: [],
  foreignKeys: [],
});
const relation = (from: string, to: string): Relation => ({
  from,
  fromColumns: [`${to}Id`],
  to,
  toColumns: ["Id"],
  origin: "declared",
});
const overlaps = (nodes: { x: number; y: number; width: number; height: number }[]): number =>
  nodes.reduce(
    (sum, a, index) =>
      sum +
      nodes
        .slice(index + 1)
        .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height)
        .length,
    0,
  );

it("puts the referring table left of the one it refers to, and lines meet both at their sides", () => {
  const layout = layoutRelations([table("Album"), table("Artist")], [relation("Album", "Artist")]);
  const [album, artist] = layout.nodes;
  const [edge] = layout.edges;
  if (!album || !artist || !edge) throw new Error("nothing was placed");
  expect(album.x + album.width).toBeLessThan(artist.x);
  expect(edge.from).toMatchObject({ x: album.x + album.width, dx: -1 });
  expect(edge.to).toMatchObject({ x: artist.x, dx: 1 });
});

it("a hub of many tables has no two on top of each other, and every line a place of its own", () => {
  const names = Array.from({ length: 20 }, (_, index) => `a_table_with_a_long_name_${index}`);
  const layout = layoutRelations(
    [table("hub"), ...names.map(table)],
    names.map((name) => relation(name, "hub")),
  );
  expect(overlaps(layout.nodes)).toBe(0);
  expect(new Set(layout.edges.map((edge) => edge.to.y)).size).toBe(20);
  for (const node of layout.nodes) {
    expect(node.x).toBeGreaterThanOrEqual(0);
    expect(node.x + node.width).toBeLessThanOrEqual(layout.width);
    expect(node.y + node.height).toBeLessThanOrEqual(layout.height);
  }
});

it("keeps two ways between the same tables apart, and circles, and leaves out what refers to itself or to nothing", () => {
  const { edges, nodes } = layoutRelations(
    [table("a"), table("b")],
    [
      relation("a", "b"),
      { ...relation("a", "b"), fromColumns: ["other"] },
      relation("b", "a"),
      relation("a", "a"),
      relation("a", "gone"),
    ],
  );
  expect(nodes).toHaveLength(2);
  expect(edges.map((edge) => edge.relation.to)).toEqual(["b", "b", "a"]);
  expect(new Set(edges.map((edge) => edge.path)).size).toBe(3);
});
