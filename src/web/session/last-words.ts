import type { SessionState } from "./fold-session.ts";

/** Longer words are for the activity, which has them whole; counted in characters. */
const longest = 600;

/** What the model said last, once its turn is over and if nothing else came after it; null otherwise. */
export function toLastWords({ turn, entries }: SessionState): string | null {
  if (turn !== "idle") return null;
  const last = entries.findLast((entry) => entry.kind !== "status" && entry.kind !== "divider");
  if (last?.kind !== "text" || last.discarded) return null;
  const words = last.text.trim();
  if (words === "") return null;
  return words.length > longest ? `${words.slice(0, longest).trimEnd()} …` : words;
}
