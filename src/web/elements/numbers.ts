const format = new Intl.NumberFormat("en-US", { maximumFractionDigits: 20 });

/** `3,503` */
export const toCount = (value: number): string => format.format(value);

/** `+72`, `−1,263`, `±0` */
export const toChange = (value: number): string =>
  value === 0 ? "±0" : `${value > 0 ? "+" : "−"}${format.format(Math.abs(value))}`;

/** One decimal at most, and never 100 or 0 for a share that isn't: `74.2 %`, `99.9 %`, `0.1 %`. */
export function toPercent(part: number, whole: number): { value: number; text: string } {
  if (whole <= 0) return { value: 0, text: "–" };
  if (part >= whole) return { value: 100, text: "100 %" };
  if (part <= 0) return { value: 0, text: "0 %" };
  const value = Math.min(99.9, Math.max(0.1, Math.round((part / whole) * 1000) / 10));
  return { value, text: `${value} %` };
}

const words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
/** Small counts as words inside a sentence. */
export const toWord = (value: number): string => words[value] ?? toCount(value);

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${toCount(count)} ${count === 1 ? one : many}`;

/** `11 ms`, `0.4 s` */
export const toDuration = (ms: number): string =>
  ms < 100 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
