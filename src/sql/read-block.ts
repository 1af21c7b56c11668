/** What one SELECT shows, what tells its rows apart, how it sorts and where it cuts, all as normal forms. */

import type { Tree } from "./parser.ts";
import type { Origin, Output, Scope } from "./scope.ts";
import { fold } from "./scope.ts";
import type { BlockFact } from "./statement-facts.ts";
import { hasAggregate } from "./step-shape.ts";
import { isTree, listOf, nameOf, spansOf, toNode, unwrap } from "./tree.ts";

export interface BlockReader {
  ofSelect(select: Tree, scope: Scope): BlockFact;
  /** The end of a set operation; `output` are the columns its ORDER BY may name. */
  ofSet(kind: string, value: Tree, output: Output): BlockFact;
}

export function createBlockReader(
  formOf: (value: unknown, scope: Scope) => string,
  tableKey: (origin: Origin) => string,
  place: { covered: boolean; final: boolean; branch: boolean },
): BlockReader {
  const columnForm = (column: Output[number]): string => {
    if (column.form) return column.form();
    const origin = column.origins[0];
    return origin ? `${tableKey(origin)}.${origin.column}` : `?.${column.name}`;
  };
  const startOf = (value: unknown) => {
    const spans = spansOf(value);
    return { at: spans[0]?.start ?? -1, end: spans.at(-1)?.end ?? -1 };
  };
  const limitOf = (value: Tree): string[] => {
    const [limit, fetch, offset] = [value.limit, value.fetch, value.offset];
    const count = isTree(limit) ? (limit.this ?? limit) : isTree(fetch) ? fetch.count : undefined;
    if (count === undefined) return [];
    const none: Scope = { sources: [], aliases: new Map() };
    const skip = isTree(offset) ? (offset.this ?? offset) : undefined;
    const parts = [formOf(count, none), ...(skip === undefined ? [] : [formOf(skip, none)])];
    return parts[1] === "#0" ? parts.slice(0, 1) : parts;
  };
  const orderOf = (value: Tree, keyOf: (key: unknown) => string): BlockFact["order"] =>
    (isTree(value.order_by) ? listOf(value.order_by.expressions) : []).filter(isTree).map((item) => ({
      form: keyOf(item.this),
      descending: item.desc === true,
    }));
  const placeNumber = (key: unknown): number | undefined => {
    const node = toNode(unwrap(key));
    return node?.kind === "literal" && node.value.literal_type === "number" ? Number(node.value.value) : undefined;
  };
  return {
    ofSelect(select, scope) {
      const names = new Map<string, string>();
      const outputs = listOf(select.expressions).flatMap((expression): string[] => {
        const node = toNode(unwrap(expression));
        if (node?.kind === "star") {
          const qualifier = nameOf(node.value.table);
          return scope.sources
            .filter((source) => qualifier === undefined || source.alias === fold(qualifier))
            .flatMap((source) => source.output.map(columnForm));
        }
        const form = formOf(node?.kind === "alias" ? node.value.this : expression, scope);
        const name = node?.kind === "alias" ? nameOf(node.value.alias) : undefined;
        if (name !== undefined) names.set(fold(name), form);
        return [form];
      });
      const keyOf = (key: unknown, named: boolean): string => {
        const number = placeNumber(key);
        if (number !== undefined) return outputs[number - 1] ?? `#${number}`;
        const node = toNode(unwrap(key));
        const alias =
          named && node?.kind === "column" && !node.value.table
            ? names.get(fold(nameOf(node.value.name) ?? ""))
            : undefined;
        return alias ?? formOf(key, scope);
      };
      const group = isTree(select.group_by) ? listOf(select.group_by.expressions) : undefined;
      return {
        ...place,
        ...startOf(select),
        distinct: select.distinct === true,
        outputs,
        single: (!group && hasAggregate(select.expressions)) || limitOf(select)[0] === "#1",
        ...(group ? { group: [...new Set(group.map((key) => keyOf(key, false)))].sort() } : {}),
        order: orderOf(select, (key) => keyOf(key, true)),
        limit: limitOf(select),
        other: ["distinct_on", "windows", "qualify", "sample"]
          .filter((key) => isTree(select[key]) || listOf(select[key]).length > 0)
          .map((key) => `${key} ${formOf(select[key], scope)}`)
          .join(" "),
      };
    },
    ofSet(kind, value, output) {
      const keyOf = (key: unknown): string => {
        const number = placeNumber(key);
        const node = toNode(unwrap(key));
        const name = node?.kind === "column" ? fold(nameOf(node.value.name) ?? "") : undefined;
        const column = number === undefined ? output.find((item) => item.name === name) : output[number - 1];
        return column ? columnForm(column) : formOf(key, { sources: [], aliases: new Map() });
      };
      return {
        ...place,
        ...startOf(value),
        set: value.all === true ? `${kind} all` : kind,
        distinct: false,
        outputs: [],
        single: false,
        order: orderOf(value, keyOf),
        limit: limitOf(value),
        other: "",
      };
    },
  };
}
