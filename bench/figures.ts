/** Reading figures: quantiles, and how a time grows with a size. Pure. */

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

export function toMs(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms >= 100) return `${Math.round(ms)} ms`;
  return `${Number(ms.toPrecision(2))} ms`;
}

export const toMega = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

export interface Point {
  size: number;
  ms: number;
}

export interface Growth {
  /** Of the best power of the size through all points: 1 is linear. */
  exponent: number;
  /** Between the two largest sizes, where fixed costs weigh least. */
  last: number;
  /** What size × log(size) itself would give between those two. */
  allowed: number;
  /** `last` is above `allowed` by more than what measuring it again changes. */
  worse: boolean;
}

/** Exponents that two runs of the same thing differ by on a machine that does other things. */
const noise = 0.15;

/** Least squares of log(ms) over log(size); at least two sizes. */
export function fitGrowth(points: readonly Point[]): Growth {
  const logs = points.map(({ size, ms }) => [Math.log(size), Math.log(Math.max(ms, 1e-6))] as const);
  const mean = (at: 0 | 1) => logs.reduce((sum, point) => sum + point[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const exponent =
    logs.reduce((sum, point) => sum + (point[0] - x) * (point[1] - y), 0) /
    logs.reduce((sum, point) => sum + (point[0] - x) ** 2, 0);
  const [before, after] = points.toSorted((a, b) => a.size - b.size).slice(-2);
  if (!before || !after) throw new Error("Growth needs two sizes.");
  const step = Math.log(after.size / before.size);
  const last = Math.log(Math.max(after.ms, 1e-6) / Math.max(before.ms, 1e-6)) / step;
  const allowed = 1 + Math.log(Math.log(after.size) / Math.log(Math.max(before.size, 2))) / step;
  return { exponent, last, allowed, worse: last > allowed + noise };
}
