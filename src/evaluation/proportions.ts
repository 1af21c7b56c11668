/** What a share of right answers is worth: its interval, and whether two runs differ. */

/** Wilson's interval for `part` of `whole` with 95 % confidence, as shares between 0 and 1. */
export function wilsonInterval(part: number, whole: number): { low: number; high: number } {
  if (whole === 0) return { low: 0, high: 1 };
  const z = 1.959963984540054;
  const share = part / whole;
  const middle = share + z ** 2 / (2 * whole);
  const half = z * Math.sqrt((share * (1 - share)) / whole + z ** 2 / (4 * whole ** 2));
  const scale = 1 + z ** 2 / whole;
  // At the ends rounding would leave it a hair's breadth inside.
  return {
    low: part === 0 ? 0 : Math.max(0, (middle - half) / scale),
    high: part === whole ? 1 : Math.min(1, (middle + half) / scale),
  };
}

/**
 * McNemar's test in its exact form, a sign test: how likely so uneven a split of the changed questions is when both
 * runs are equally good. Two-sided.
 */
export function signTest(better: number, worse: number): number {
  const changed = better + worse;
  const least = Math.min(better, worse);
  let sum = 0;
  // Logarithms, so that thousands of questions don't overflow.
  let term = -changed * Math.LN2;
  for (let count = 0; count <= least; count++) {
    sum += Math.exp(term);
    term += Math.log(changed - count) - Math.log(count + 1);
  }
  return Math.min(1, 2 * sum);
}
