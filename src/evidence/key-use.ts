/** Which declared keys a join uses, wholly or in part. Pure. */
import type { ForeignKey } from "../protocol/index.ts";
import { type Join, same } from "./join-graph.ts";

/** A declared key between the two tables of a join; `pairs` are the join's pairs it is made of. */
export interface KeyUse {
  key: ForeignKey;
  from: "left" | "right";
  pairs: number[];
  complete: boolean;
}

export function toKeyUses(join: Join): KeyUse[] {
  const uses: KeyUse[] = [];
  for (const from of ["left", "right"] as const) {
    const [child, parent] = from === "left" ? [join.left, join.right] : [join.right, join.left];
    if (from === "right" && join.left.table === join.right.table) continue;
    for (const key of child.table.foreignKeys) {
      if (!same(key.table, parent.table.name)) continue;
      uses.push(toKeyUse(join, key, from));
    }
  }
  // A table that refers to itself can be joined either way round.
  if (join.left.table === join.right.table) {
    for (const key of join.left.table.foreignKeys) {
      if (same(key.table, join.left.table.name) && !uses.some((use) => use.key === key && use.complete)) {
        const turned = toKeyUse(join, key, "right");
        if (turned.complete)
          uses.splice(
            uses.findIndex((use) => use.key === key),
            1,
            turned,
          );
      }
    }
  }
  return uses;
}

function toKeyUse(join: Join, key: ForeignKey, from: "left" | "right"): KeyUse {
  const pairs: number[] = [];
  key.columns.forEach((column, index) => {
    const target = key.tableColumns[index] ?? "";
    const at = join.decision.pairs.findIndex((pair) =>
      from === "left"
        ? same(pair.left, column) && same(pair.right, target)
        : same(pair.right, column) && same(pair.left, target),
    );
    if (at >= 0) pairs.push(at);
  });
  return { key, from, pairs, complete: pairs.length === key.columns.length };
}
