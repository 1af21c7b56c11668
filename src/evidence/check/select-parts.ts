/** The parts of reading one SELECT that need nothing but it: its outputs, and which of its sources hang together. Pure. */
import { outputOf, resolveColumn, type Scope, type Source } from "../../sql/scope.ts";
import { withoutTextCast } from "../../sql/statement-facts.ts";
import { conjunctsOf, listOf, toNode, unwrap } from "../../sql/tree.ts";
import type { JoinView, OutputView } from "./query-view.ts";
import { isQuery, walk } from "./walk-tree.ts";

/** A column in any conversion of its type is still that column of a join. */
export function plainSide(value: unknown): unknown {
  const side = withoutTextCast(value);
  const node = toNode(unwrap(side));
  return node?.kind === "cast" ? node.value.this : side;
}

export const joinKind = (kind: string): JoinView["kind"] =>
  /left|right/i.test(kind) ? "LEFT" : /full/i.test(kind) ? "FULL" : "INNER";

export function toOutputs(expressions: unknown, scope: Scope): OutputView[] {
  return listOf(expressions).flatMap((item): OutputView[] => {
    const node = toNode(unwrap(item));
    if (node?.kind === "star")
      return outputOf([item], scope).map(({ name, origins }) => ({ expression: item, name, origins }));
    const expression = node?.kind === "alias" ? node.value.this : item;
    const [output] = outputOf([item], scope);
    return [{ expression, name: output?.name ?? "", origins: output?.origins ?? [] }];
  });
}

/** Sources tied together by any condition that names both. */
export function toGroups(
  scope: Scope,
  conditions: readonly { on: unknown }[],
  usings: readonly JoinView[],
): Source[][] {
  const groups = scope.sources.map((source) => [source]);
  const tie = (sources: readonly Source[]) => {
    const [first, ...rest] = groups.filter((group) => group.some((source) => sources.includes(source)));
    for (const group of rest) {
      first?.push(...group);
      groups.splice(groups.indexOf(group), 1);
    }
  };
  for (const { left, right } of usings) tie([left, right]);
  for (const { on } of conditions) {
    for (const conjunct of conjunctsOf(on)) {
      const touched = new Set<Source>();
      const touch = (value: unknown, inside: boolean) =>
        walk(value, (node, tree) => {
          if (!inside && isQuery(node)) {
            touch(Object.values(node.value), true);
            return false;
          }
          // A bare name in a query inside belongs to that query.
          if (node.kind !== "column" || (inside && !node.value.table)) return undefined;
          const source = resolveColumn(tree, scope)?.source;
          if (source && scope.sources.includes(source)) touched.add(source);
          return undefined;
        });
      touch(conjunct, false);
      tie([...touched]);
    }
  }
  return groups;
}
