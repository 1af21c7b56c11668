import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { JoinDecision, JoinEvidence } from "../../protocol/index.ts";
import { GateView } from "./gate-view.tsx";
import { toJoinFacts, toJoinSentence, toLeftOut } from "./join-facts.ts";
import { comfortable, layoutJoins, toNameLines } from "./join-layout.ts";
import { type TreeNode, toJoinTree } from "./join-tree.ts";
import { joinGate } from "./review.fixture.ts";

const render = (gate = joinGate) =>
  renderToStaticMarkup(<GateView gate={gate} live sending={false} onAnswer={() => undefined} />);
const table = (html: string) =>
  html.replace(/^.*?<div role="table" aria-label="Joins"/s, "").replace(/<p class="max-w-\[120ch\].*$/s, "");
const text = (html: string) =>
  html
    .replaceAll("<wbr/>", "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&nbsp;|\u00a0/g, " ")
    .replace(/\s+/g, " ");

const side = (alias: string, name = alias.toUpperCase(), role?: string) => ({
  table: name,
  alias,
  ...(role ? { role } : {}),
});
const join = (left: string, right: string, over: Partial<JoinDecision> = {}): JoinDecision => ({
  kind: "join",
  left: side(left),
  right: side(right),
  type: "INNER",
  pairs: [{ left: "id", right: "id" }],
  ...over,
});
const measured = (n: number, over: Partial<JoinEvidence> = {}): JoinEvidence => ({
  n,
  pairs: [{ left: "id", leftType: "INTEGER", right: "id", rightType: "INTEGER", origin: "declared" }],
  cardinality: "1:N",
  maxRight: 3,
  maxLeft: 1,
  leftRows: 10,
  leftMatched: 8,
  leftNullKeys: 0,
  rightRows: 20,
  rightMatched: 15,
  rightNullKeys: 0,
  before: 10,
  after: 15,
  ...over,
});
const gateOf = (
  decisions: JoinDecision[],
  joins: JoinEvidence[] = decisions.map((_, index) => measured(index + 1)),
): typeof joinGate => ({
  ...joinGate,
  payload: {
    frame: { ...joinGate.payload.frame, findings: [] },
    decisions,
    evidence: { tables: [], joins, checks: [], exact: true, ms: 3 },
  },
});

describe("C3.1 join-review shows the complete set", () => {
  const html = table(render());
  const rows = html
    .split(/role="row"/)
    .slice(2)
    .map(text);

  test("five rows, each with both sides, type, every pair with types and origin", () => {
    expect(rows).toHaveLength(5);
    const expected = [
      ["Artist", "ar", "INNER", "Album", "al", "ArtistId", "INTEGER"],
      ["Album", "al", "Track", "AlbumId"],
      ["Track", "Genre", "GenreId"],
      ["Track", "t", "InvoiceLine", "il", "TrackId", "UnitPrice", "NUMERIC(10,2)"],
      ["InvoiceLine", "Invoice", "InvoiceId"],
    ];
    for (const [index, words] of expected.entries()) for (const word of words) expect(rows[index]).toContain(word);
    expect(html.match(/declared/g)).toHaveLength(5);
    expect(html.match(/>inferred|inferred</g)?.length).toBeGreaterThanOrEqual(1);
  });

  test("every figure appears: cardinality, most partners, matches, rows left out, before and after with the change", () => {
    expect(rows[0]).toMatch(/1:N max 21 .*ar 74\.2 % al 100 % .*71 of ar .*275 → 347 \+72/);
    expect(rows[1]).toMatch(/1:N max 57 .*Left out 0 .*347 → 3,503 \+3,156/);
    expect(rows[2]).toMatch(/N:1 .*3,503 → 3,503 ±0/);
    expect(rows[3]).toMatch(/1:N max 2 .*t 56\.6 % il 100 % .*1,519 of t .*3,503 → 2,240 −1,263/);
    expect(rows[4]).toMatch(/N:1 .*2,240 → 2,240 ±0/);
  });

  test("it is read-only: the only controls are chips and the dock", () => {
    expect(html).not.toMatch(/<(button|input|select|textarea)/);
  });

  test("the graph holds a node per alias, a badge per join, the rows after and the rows left out", () => {
    const graph = render().match(/<svg viewBox[^>]*role="img".*?<\/svg>/s)?.[0] ?? "";
    expect(graph.match(/<rect/g)).toHaveLength(6);
    expect(graph.match(/<circle/g)).toHaveLength(5);
    for (const words of ["71 left out", "1,519 left out", "2,240", "3,503 rows", "N:1"])
      expect(text(graph)).toContain(words);
    expect(graph).toMatch(/aria-label="Join graph\. .*4 Track t INNER InvoiceLine il, warning/);
  });
});

describe("what a join leaves out depends on its type", () => {
  const evidence = measured(1);
  test.each([
    [
      "INNER",
      [
        ["a", 2],
        ["b", 5],
      ],
    ],
    ["LEFT", [["b", 5]]],
    ["FULL", []],
    ["CROSS", []],
    ["SEMI", [["a", 2]]],
    ["ANTI", [["a", 8]]],
  ] as const)("%s", (type, expected) => {
    expect(toLeftOut(join("a", "b", { type }), evidence).map((lost) => [lost.alias, lost.rows])).toEqual(expected);
  });

  test("types other than INNER are written on the edge", () => {
    for (const type of ["LEFT", "SEMI", "ANTI", "FULL", "CROSS"] as const) {
      const graph =
        render(gateOf([join("a", "b", { type })])).match(/<svg viewBox[^>]*role="img".*?<\/svg>/s)?.[0] ?? "";
      expect(text(graph)).toContain(`${type} 1:N`);
    }
  });
});

describe("layout", () => {
  const layout = (decisions: JoinDecision[]) => {
    const { payload } = gateOf(decisions);
    return layoutJoins(toJoinFacts(payload), payload.evidence.tables);
  };
  const overlaps = (decisions: JoinDecision[]) => {
    const { nodes } = layout(decisions);
    return nodes.some((a, index) =>
      nodes
        .slice(index + 1)
        .some((b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height),
    );
  };
  const sets: Record<string, JoinDecision[]> = {
    "self join with roles": [
      join("e", "m", { left: side("e", "Employee", "employee"), right: side("m", "Employee", "manager") }),
    ],
    "table joined twice": [
      join("f", "a1", { right: side("a1", "Airport", "origin") }),
      join("f", "a2", { right: side("a2", "Airport", "destination") }),
    ],
    star: ["b", "c", "d", "e", "f"].map((right) => join("a", right)),
    cycle: [join("a", "b"), join("b", "c"), join("a", "c"), join("c", "a")],
    "two islands": [join("a", "b"), join("c", "d")],
    "two joins between the same two": [join("a", "b"), join("a", "b")],
    "a path of nine tables with a leaf": [
      ...["ab", "bc", "cd", "de", "ef", "fg", "gh"].map(([left, right]) => join(left ?? "", right ?? "")),
      join("d", "x"),
    ],
    "hanging leaf": [join("a", "b"), join("b", "c"), join("b", "x"), join("c", "d")],
  };

  test.each(Object.entries(sets))(
    "%s: every table once, every join once, nothing overlaps, all within the picture",
    (_, decisions) => {
      const { nodes, edges, width, height } = layout(decisions);
      const aliases = new Set(decisions.flatMap((decision) => [decision.left.alias, decision.right.alias]));
      expect(new Set(nodes.map((node) => node.alias))).toEqual(aliases);
      expect(nodes).toHaveLength(aliases.size);
      expect(edges.map((edge) => edge.fact.n).sort()).toEqual(decisions.map((_, index) => index + 1));
      expect(overlaps(decisions)).toBe(false);
      for (const node of nodes)
        expect(node.x >= 0 && node.y >= 0 && node.x + node.width <= width && node.y + node.height <= height).toBe(true);
      for (const edge of edges) expect(edge.path).not.toMatch(/NaN|undefined/);
    },
  );

  test("a path too long for the column goes on in a second row, in the order of the joins", () => {
    const { nodes, width } = layout(sets["a path of nine tables with a leaf"] ?? []);
    expect(width).toBeLessThanOrEqual(comfortable);
    const path = nodes.filter((node) => node.alias !== "x").toSorted((a, b) => a.alias.localeCompare(b.alias));
    const turns = path.filter((node, index) => node.x < (path[index - 1]?.x ?? 0));
    expect(turns).toHaveLength(1);
    expect(Math.min(...turns.map((node) => node.y))).toBeGreaterThan(path[0]?.y ?? 0);
  });

  test("a table joined twice appears under both aliases, each with its role", () => {
    const graph = text(render(gateOf(sets["table joined twice"] ?? [])));
    for (const words of ["a1", "origin", "a2", "destination"]) expect(graph).toContain(words);
  });

  test("an alias joined to itself breaks nothing and still stands in the table", () => {
    expect(text(render(gateOf([join("a", "a")])))).toContain("A a INNER");
  });

  test("no part of a long name is dropped", () => {
    for (const name of [
      "customer_order_line_items_history_archive_2024",
      "x".repeat(90),
      "CustomerOrderLineItemsHistoryArchive",
      "short",
      "",
    ]) {
      expect(toNameLines(name).join("")).toBe(name);
      expect(Math.max(...toNameLines(name).map((line) => line.length))).toBeLessThanOrEqual(22);
    }
  });

  test("the list for narrow screens holds every join exactly once", () => {
    const count = (node: TreeNode): number[] => [
      ...node.edges.flatMap((edge) => [edge.fact.n, ...count(edge.child)]),
      ...node.back.map((back) => back.fact.n),
    ];
    for (const decisions of Object.values(sets)) {
      const numbers = toJoinTree(toJoinFacts(gateOf(decisions).payload))
        .flatMap(count)
        .sort((a, b) => a - b);
      expect(numbers).toEqual(decisions.map((_, index) => index + 1));
    }
  });
});

test("the sentence names null keys, exactness and time", () => {
  expect(toJoinSentence(toJoinFacts(joinGate.payload), joinGate.payload.evidence)).toBe(
    "Null keys: 0 in all five joins. Every figure is exact, counted on all rows in 0.4 s, without your filters. Filters come in F4.",
  );
  const withNulls = gateOf([join("a", "b")], [measured(1, { leftNullKeys: 7 })]);
  expect(toJoinSentence(toJoinFacts(withNulls.payload), { ...withNulls.payload.evidence, exact: false })).toContain(
    "Null keys: 7 of a in join 1. Figures are estimates",
  );
});

test("an estimated join says so in the table, in the picture and in the sentence; the others stay exact", () => {
  const gate = gateOf(
    [join("a", "b"), join("b", "c")],
    [measured(1), measured(2, { estimated: true, before: 15, after: 1_234_567 })],
  );
  gate.payload.evidence.exact = false;
  const html = render(gate);
  const rows = table(html)
    .split(/role="row"/)
    .slice(2)
    .map(text);
  expect(rows[0]).not.toContain("estimated");
  expect(rows[1]).toMatch(/estimated .*15 → ≈ 1,234,567/);
  expect(text(html.match(/<svg viewBox[^>]*role="img".*?<\/svg>/s)?.[0] ?? "")).toContain("≈ 1,234,567");
  expect(text(html)).toContain(
    "Join 2 is estimated, because counting all rows would take too long; the others are exact",
  );
  expect(text(html)).not.toContain("Every figure is exact");
});

test("the edge of a join with a problem or a warning is marked in the picture", () => {
  const gate = gateOf([join("a", "b"), join("b", "c"), join("c", "d")]);
  const about = (where: number, severity: "warning" | "problem") => ({
    id: `x-${where}`,
    code: "x",
    severity,
    title: "x",
    body: "x",
    waysOut: [],
    where,
  });
  gate.payload.frame.findings = [about(2, "warning"), about(3, "problem")];
  const graph = render(gate).match(/<svg viewBox[^>]*role="img".*?<\/svg>/s)?.[0] ?? "";
  expect(graph).toMatch(
    /aria-label="Join graph\. 1 A a INNER B b; 2 B b INNER C c, warning; 3 C c INNER D d, problem\./,
  );
  expect(graph.match(/stroke-warning-mark/g)?.length).toBeGreaterThan(0);
  expect(graph.match(/stroke-problem/g)?.length).toBeGreaterThan(0);
});
