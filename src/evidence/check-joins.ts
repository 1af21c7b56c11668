/** What holds for the whole join set, in short sentences beside its picture. Pure. */
import type { Check, Finding } from "../protocol/index.ts";
import { figure, listing } from "./ask.ts";
import type { JoinFacts } from "./find-joins.ts";
import type { JoinGraph } from "./join-graph.ts";

export function checkJoins(graph: JoinGraph, facts: readonly JoinFacts[], findings: readonly Finding[]): Check[] {
  const has = (code: string) => findings.some((finding) => finding.code === code);
  const pairs = facts.reduce((total, fact) => total + fact.evidence.pairs.length, 0);
  const names = new Map<string, number>();
  for (const { table } of graph.tables) names.set(table.name, (names.get(table.name) ?? 0) + 1);
  const twice = [...names].filter(([, count]) => count > 1).map(([name]) => name);
  const roles = twice.map(
    (name) =>
      `${name} as ${listing(graph.tables.filter(({ table }) => table.name === name).map((table) => table.role ?? table.alias))}`,
  );
  return [
    {
      ok: !has("disconnected"),
      text: has("disconnected")
        ? "Not all tables are connected"
        : graph.tables.length === 2
          ? "Both tables connected"
          : `All ${figure(graph.tables.length)} tables connected`,
    },
    {
      ok: !has("type-mismatch"),
      text: has("type-mismatch")
        ? "Types differ in a pair"
        : `Types equal in ${pairs === 1 ? "the pair" : `all ${figure(pairs)} pairs`}`,
    },
    {
      ok: !has("joined-twice"),
      text: twice.length === 0 ? "No table joined twice" : `Joined more than once: ${roles.join("; ")}`,
    },
    {
      ok: !has("key-skipped") && !has("key-partial"),
      text:
        has("key-skipped") || has("key-partial")
          ? "A declared key is not used as it stands"
          : "No declared path skipped",
    },
  ];
}
