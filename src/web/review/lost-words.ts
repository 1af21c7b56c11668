import { toClock } from "../layout/times.ts";

const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Why an answer did not count. The page follows the session by itself, so nobody has to load anything again. */
export function toLostWords({ message, action }: { message: string; action?: string | undefined }): string {
  const words = message.replace(instant, (text) => toClock(Date.parse(text)));
  if (/^already answered\b/i.test(words))
    return words.replace(/^already answered\b(?: in another tab)?/i, "Already answered in another tab");
  return [words, action].filter(Boolean).join(" ");
}
