/** Which stored columns the expressions of a SELECT list show, whatever is computed around them. */
import { fold, type Origin, outputOf, resolveColumn, type Scope } from "./scope.ts";
import { isTree, spansOf, toNode } from "./tree.ts";

/** Adds each column as `table.column` with the offsets where it stands. */
export function addProjected(projected: Map<string, number[]>, expressions: unknown, scope: Scope): void {
  const stack: unknown[] = [expressions];
  const add = (origin: Origin, at: number) => {
    const key = `${fold(origin.table)}.${origin.column}`;
    projected.set(key, [...(projected.get(key) ?? []), at]);
  };
  while (stack.length > 0) {
    const value = stack.pop();
    const node = toNode(value);
    if (Array.isArray(value)) stack.push(...value);
    else if (node?.kind === "column") {
      for (const origin of resolveColumn(value, scope)?.origins ?? []) add(origin, spansOf(value)[0]?.start ?? -1);
    } else if (node?.kind === "star") {
      for (const column of outputOf([value], scope))
        for (const origin of column.origins) add(origin, scope.sources[0]?.at ?? -1);
    } else if (isTree(value))
      for (const child of Object.values(value)) if (typeof child === "object") stack.push(child);
  }
}
