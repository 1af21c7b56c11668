/** The rows of a joined set after one more join, from what that join does on its own. Pure. */
import type { Join } from "./join-graph.ts";
import type { Counts } from "./join-queries.ts";

/** Takes every row of the set to be as likely to find partners as the rows of its own table are. */
export function toEstimatedAfter(
  join: Join,
  earlier: readonly Join[],
  counts: Counts,
  before: number,
  leftRows: number,
  rightRows: number,
): number {
  const stands = (table: Join["left"]) => earlier.some((other) => other.left === table || other.right === table);
  const isRightSet = earlier.length > 0 && stands(join.right);
  const isLeftSet = earlier.length === 0 || stands(join.left);
  const { type } = join.decision;
  const share = (count: number, of: number) => (of > 0 ? (before * count) / of : 0);
  const lonelyLeft = leftRows - counts.leftMatched;
  const lonelyRight = rightRows - counts.rightMatched;
  const estimate = (): number => {
    // Both stand in the set already: the join only tests its rows.
    if (isLeftSet && isRightSet) return share(counts.matchedPairs, leftRows * rightRows);
    if (!isLeftSet && !isRightSet) return before * counts.matchedPairs;
    if (isLeftSet) {
      if (type === "SEMI") return share(counts.leftMatched, leftRows);
      if (type === "ANTI") return share(lonelyLeft, leftRows);
      const kept = type === "LEFT" || type === "FULL" ? lonelyLeft : 0;
      return share(counts.matchedPairs + kept, leftRows) + (type === "FULL" ? lonelyRight : 0);
    }
    const kept = type === "LEFT" || type === "FULL" ? lonelyLeft : 0;
    return share(counts.matchedPairs + (type === "FULL" ? lonelyRight : 0), rightRows) + kept;
  };
  return Math.round(estimate());
}
