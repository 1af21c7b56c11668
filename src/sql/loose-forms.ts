/** Conditions that stand anywhere in a SELECT, in CASE, FILTER or an alternative too. */
import type { Tree } from "./parser.ts";
import { conditionKinds } from "./statement-facts.ts";
import { conjunctsOf, isTree, spansOf, toNode } from "./tree.ts";

/** Adds the normal form of each with its place; queries inside are left out. */
export function addLooseForms(loose: Map<string, number>, select: Tree, formOf: (value: unknown) => string): void {
  const stack: unknown[] = [select.expressions, select.where_clause, select.having, select.joins, select.qualify];
  while (stack.length > 0) {
    const value = stack.pop();
    if (Array.isArray(value)) stack.push(...value);
    else if (isTree(value)) {
      const node = toNode(value);
      if (node && conditionKinds.has(node.kind)) {
        for (const part of [value, ...conjunctsOf(value)]) {
          loose.set(formOf(part), spansOf(part)[0]?.start ?? -1);
        }
      }
      if (node?.kind === "select" || node?.kind === "union") continue;
      for (const child of Object.values(value)) if (typeof child === "object") stack.push(child);
    }
  }
}
