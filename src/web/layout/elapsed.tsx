import { toElapsed } from "./times.ts";
import { useNow } from "./use-now.ts";

/** Counts up from `since` by itself, so that nothing around it renders every second. */
export function Elapsed({ since }: { since: number }) {
  return <span className="num">{toElapsed(useNow(1_000) - since)}</span>;
}
