/**
 * Parts of the planner that can be left out, to measure what each of them carries: a bench does, nothing else. All are
 * on otherwise.
 */
export const plannerParts = [
  "audit",
  "averages and comparisons",
  "dates",
  "flags",
  "forms of a word",
  "key roles",
  "negation",
  "other results",
  "plainer words",
  "ratios",
  "rows counted once",
  "sets",
  "short names",
  "superlatives",
  "synonyms",
] as const;
export type PlannerPart = (typeof plannerParts)[number];

const off = new Set<PlannerPart>();

export const isOn = (part: PlannerPart): boolean => !off.has(part);

/** Runs `work` without one part. */
export async function without<T>(part: PlannerPart, work: () => Promise<T>): Promise<T> {
  off.add(part);
  try {
    return await work();
  } finally {
    off.delete(part);
  }
}
