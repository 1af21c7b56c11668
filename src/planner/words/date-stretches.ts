/** Stretches of time counted from a stated day, and months that share one year. */
import { type Moment, monthOf, shift, unitsBack } from "./calendar.ts";
import type { Token } from "./language.ts";
import { numberWords } from "./lexicon.ts";

/** Reads the date so many tokens on. */
type Read = (offset: number) => { moment: Moment; length: number } | undefined;
interface Stretch {
  from: string;
  to: string;
  /** How many tokens it took. */
  length: number;
}

/** "in the 90 days before 2023-07-01", "the 30 days up to and including 15 May 2023", "within 2 weeks after …". */
export function readStretch(tokens: Token[], at: number, read: Read): Stretch | undefined {
  const word = (offset: number) => tokens[at + offset]?.lower ?? "";
  let next = 0;
  if (/^(in|during|within|over|for)$/.test(word(next))) next += 1;
  if (/^(the|a)$/.test(word(next))) next += 1;
  if (/^(last|first|final)$/.test(word(next))) next += 1;
  const number = tokens[at + next]?.number ?? numberWords[word(next)];
  const count = number ?? (unitsBack[word(next)] && next > 0 ? 1 : undefined);
  if (count === undefined) return undefined;
  if (number !== undefined) next += 1;
  const unit = unitsBack[word(next)];
  if (!unit) return undefined;
  next += 1;
  const said = tokens.slice(at + next, at + next + 5).map((token) => token.lower);
  const lead =
    /^(immediately |just )?(up to and including|up to|before|prior to|preceding|leading up to|ending on|ending|until|after|following|starting on|starting|beginning on|from|since)\b/.exec(
      said.join(" "),
    );
  if (!lead) return undefined;
  next += lead[0].split(" ").length;
  if (/^(the|on)$/.test(word(next))) next += 1;
  const day = read(next);
  if (!day) return undefined;
  const { from, to } = day.moment;
  const kind = lead[2] ?? "";
  const length = next + day.length;
  // Ending on a day, that day is one of them.
  if (/including|ending|until/.test(kind)) return { from: shift(to, -count, unit), to, length };
  if (/^(up to|before|prior|preceding|leading)/.test(kind))
    return { from: shift(from, -count, unit), to: from, length };
  const start = /^(starting|beginning|from|since)/.test(kind) ? from : to;
  return { from: start, to: shift(start, count, unit), length };
}

/** "from March to June 2023", "between May and July 2022": the year is said once. */
export function readMonths(tokens: Token[], at: number, read: Read): Stretch | undefined {
  const word = (offset: number) => tokens[at + offset]?.lower ?? "";
  const start = /^(from|between|in|during|for)$/.test(word(0)) ? 1 : 0;
  const month = monthOf(tokens[at + start]);
  if (!month || !/^(to|and|through|until|till|-|–)$/.test(word(start + 1)) || !monthOf(tokens[at + start + 2]))
    return undefined;
  const end = read(start + 2);
  if (!end) return undefined;
  // "in May and July 2022" names two months with others between them.
  const [year, last] = end.moment.from.split("-").map(Number) as [number, number];
  const range = word(start + 1) !== "and" || word(0) === "between" || last === month + 1;
  if (!range) return undefined;
  const first = `${month > last ? year - 1 : year}-${String(month).padStart(2, "0")}-01`;
  return { from: first, to: end.moment.to, length: start + 2 + end.length };
}
