/** Dates in a question, found before values are looked up, so that "May 2023" never becomes a family name. */
import { dayOf, iso, isYear, type Moment, monthOf, shift, unitsBack } from "./calendar.ts";
import { readMonths, readStretch } from "./date-stretches.ts";
import type { Token } from "./language.ts";
import { numberWords } from "./lexicon.ts";

/** A stretch of time: `from` inclusive, `to` exclusive, ISO dates; `months` alone when no year was said. */
export interface Period {
  from?: string;
  to?: string;
  months?: number[];
  /** First and last year when the period is made of whole years. */
  years?: [number | undefined, number | undefined];
  words: string;
}
export interface DateSpan {
  start: number;
  end: number;
  period: Period;
}

const ordinals: Record<string, number> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  "1st": 1,
  "2nd": 2,
  "3rd": 3,
  "4th": 4,
  q1: 1,
  q2: 2,
  q3: 3,
  q4: 4,
};
const introducing = new Set([
  "in",
  "during",
  "for",
  "of",
  "since",
  "before",
  "after",
  "until",
  "till",
  "from",
  "between",
  "to",
  "year",
  "by",
  "and",
  "through",
  "prior",
  "throughout",
  "within",
  "years",
  "or",
  "than",
  "later",
  "earlier",
  "on",
  "both",
  "either",
]);

/** Reads one date at a token; how many tokens it took, or nothing. */
function readMoment(
  tokens: Token[],
  at: number,
  today: string | undefined,
): { moment: Moment; length: number } | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  const full = /^(\d{4})-(\d{2})(?:-(\d{2}))?/.exec(token.text);
  if (full) {
    const [year, month, day] = [Number(full[1]), Number(full[2]), Number(full[3] ?? 0)];
    return {
      length: 1,
      moment: day
        ? { from: iso(year, month, day), to: iso(year, month, day + 1) }
        : { from: iso(year, month), to: iso(year, month + 1) },
    };
  }
  const month = monthOf(token);
  if (month && !token.quoted) {
    let next = at + 1;
    let day = 0;
    if (dayOf(tokens[next]) && !isYear(tokens[next])) {
      day = dayOf(tokens[next]);
      next += 1;
    }
    if (tokens[next]?.lower === "," || tokens[next]?.lower === "of") next += 1;
    if (isYear(tokens[next])) {
      const year = tokens[next]?.number as number;
      return {
        length: next + 1 - at,
        moment: day
          ? { from: iso(year, month, day), to: iso(year, month, day + 1) }
          : { from: iso(year, month), to: iso(year, month + 1) },
      };
    }
  }
  if (dayOf(token) && monthOf(tokens[at + 1]) && isYear(tokens[at + 2])) {
    const year = tokens[at + 2]?.number as number;
    return {
      length: 3,
      moment: {
        from: iso(year, monthOf(tokens[at + 1]), dayOf(token)),
        to: iso(year, monthOf(tokens[at + 1]), dayOf(token) + 1),
      },
    };
  }
  const quarter = ordinals[token.lower];
  if (quarter) {
    let next = at + 1;
    if (tokens[next]?.lower === "quarter" || token.lower.startsWith("q")) {
      if (tokens[next]?.lower === "quarter") next += 1;
      if (tokens[next]?.lower === "of") next += 1;
      if (isYear(tokens[next])) {
        const year = tokens[next]?.number as number;
        return { length: next + 1 - at, moment: { from: iso(year, quarter * 3 - 2), to: iso(year, quarter * 3 + 1) } };
      }
    }
    if (tokens[next]?.lower === "half") {
      next += 1;
      if (tokens[next]?.lower === "of") next += 1;
      if (isYear(tokens[next]) && quarter <= 2) {
        const year = tokens[next]?.number as number;
        return { length: next + 1 - at, moment: { from: iso(year, quarter * 6 - 5), to: iso(year, quarter * 6 + 1) } };
      }
    }
  }
  if (isYear(token)) {
    const year = token.number as number;
    return { length: 1, moment: { from: iso(year), to: iso(year + 1), years: [year, year] } };
  }
  const which = ["last", "this", "previous", "current"].indexOf(token.lower);
  if (which >= 0 && today) {
    const [year, nowMonth] = today.split("-").map(Number) as [number, number];
    const back = which % 2 === 0 ? 1 : 0;
    if (tokens[at + 1]?.lower === "year")
      return {
        length: 2,
        moment: { from: iso(year - back), to: iso(year - back + 1), years: [year - back, year - back] },
      };
    if (tokens[at + 1]?.lower === "month")
      return { length: 2, moment: { from: iso(year, nowMonth - back), to: iso(year, nowMonth - back + 1) } };
  }
  return undefined;
}

/** "in the past 30 days", "within the last month": a stretch that ends today; how many tokens it took. */
function readBack(
  tokens: Token[],
  at: number,
  today: string,
): { from: string; to: string; length: number } | undefined {
  const word = (offset: number) => tokens[at + offset]?.lower ?? "";
  const [year, month, day] = today.split("-").map(Number) as [number, number, number];
  const tomorrow = iso(year, month, day + 1);
  if (word(0) === "today" || word(0) === "yesterday") {
    const back = word(0) === "today" ? 0 : 1;
    return { from: iso(year, month, day - back), to: iso(year, month, day + 1 - back), length: 1 };
  }
  if (!/^(past|last|previous|recent)$/.test(word(0))) return undefined;
  const number = tokens[at + 1]?.number ?? numberWords[word(1)];
  const unit = unitsBack[word(number === undefined ? 1 : 2)];
  // "last month" is the one before this; "the past month" ends today.
  if (!unit || (number === undefined && word(0) !== "past")) return undefined;
  const from = shift(today, -(number ?? 1), unit);
  return { from, to: tomorrow, length: number === undefined ? 2 : 3 };
}

const before = (period: Period, moment: Moment, inclusive: boolean): Period => {
  period.to = inclusive ? moment.to : moment.from;
  if (moment.years) period.years = [undefined, inclusive ? moment.years[1] : moment.years[0] - 1];
  return period;
};
const after = (period: Period, moment: Moment, inclusive: boolean): Period => {
  period.from = inclusive ? moment.from : moment.to;
  if (moment.years) period.years = [inclusive ? moment.years[0] : moment.years[1] + 1, undefined];
  return period;
};

/** All date spans, leftmost first; each takes its own preposition with it. */
export function findDates(tokens: Token[], question: string, today?: string): DateSpan[] {
  const found: DateSpan[] = [];
  let at = 0;
  while (at < tokens.length) {
    const span = readSpan(tokens, at, question, today);
    if (span) {
      found.push(span);
      at = span.end;
    } else at += 1;
  }
  return found;
}

function readSpan(tokens: Token[], at: number, question: string, today?: string): DateSpan | undefined {
  const word = (offset: number) => tokens[at + offset]?.lower ?? "";
  const skip = (from: number) =>
    ["the", "year", "years", "month", "of"].includes(word(from))
      ? ["year", "years", "month", "of"].includes(word(from + 1)) && word(from) === "the"
        ? from + 2
        : from + 1
      : from;
  const finish = (length: number, period: Period): DateSpan => {
    const first = tokens[at] as Token;
    const last = tokens[at + length - 1] as Token;
    return { start: at, end: at + length, period: { ...period, words: question.slice(first.start, last.end) } };
  };
  const read = (offset: number) => readMoment(tokens, at + offset, today);

  const stretch = readStretch(tokens, at, read) ?? readMonths(tokens, at, read);
  if (stretch) return finish(stretch.length, { words: "", from: stretch.from, to: stretch.to });
  const lead = /^(in|during|within|over|for|from|since|of)$/.test(word(0)) ? 1 : 0;
  const skipped = word(lead) === "the" ? lead + 1 : lead;
  const back = today ? readBack(tokens, at + skipped, today) : undefined;
  if (back) {
    let next = skipped + back.length;
    // "(inclusive of 30 days ago)", ", inclusive of today": says what the stretch holds anyway.
    const open = ["(", ","].includes(word(next)) ? 1 : 0;
    if (word(next + open) === "inclusive" && word(next + open + 1) === "of") {
      next += open + 2;
      while (/^(\p{L}+|\d+)$/u.test(word(next)) && !["for", "by", "per", "and"].includes(word(next))) next += 1;
      if (open && word(next) === ")") next += 1;
    }
    return finish(next, { words: "", from: back.from, to: back.to });
  }
  if (word(0) === "between" || word(0) === "from") {
    const start = skip(1);
    const first = read(start);
    if (first) {
      let next = start + first.length;
      if (["and", "to", "until", "through", "till", "-"].includes(word(next))) {
        next = skip(next + 1);
        const second = read(next);
        if (second) {
          const period: Period = { words: "", from: first.moment.from, to: second.moment.to };
          if (first.moment.years && second.moment.years) period.years = [first.moment.years[0], second.moment.years[1]];
          return finish(next + second.length, period);
        }
      }
      if (word(0) === "from" && (word(next) === "on" || word(next) === "onwards" || word(next) === "onward"))
        return finish(next + 1, after({ words: "" }, first.moment, true));
    }
  }
  const starters: [string[], (period: Period, moment: Moment) => Period][] = [
    [
      ["on or after", "since", "starting from", "starting in", "as of", "no earlier than", "not before"],
      (period, moment) => after(period, moment, true),
    ],
    [
      ["on or before", "until", "till", "up to", "no later than", "by the end of", "through"],
      (period, moment) => before(period, moment, true),
    ],
    [
      ["before", "prior to", "earlier than", "less than", "smaller than"],
      (period, moment) => before(period, moment, false),
    ],
    [["after", "later than", "greater than", "more than"], (period, moment) => after(period, moment, false)],
  ];
  for (const [phrases, apply] of starters) {
    for (const phrase of phrases) {
      const parts = phrase.split(" ");
      if (!parts.every((part, index) => word(index) === part)) continue;
      const start = skip(parts.length);
      const first = read(start);
      // "more than 2000" is a year only where something dated is compared; leave it to the comparison.
      if (first && !["less than", "smaller than", "greater than", "more than", "up to", "through"].includes(phrase)) {
        return finish(start + first.length, apply({ words: "" }, first.moment));
      }
    }
  }
  const led = ["in", "during", "for", "of", "throughout", "within", "on", "from", "year"].includes(word(0));
  const start = led ? skip(1) : ["the", "year"].includes(word(0)) ? skip(0) : 0;
  const first = read(start);
  if (first) {
    const previous = tokens[at - 1]?.lower ?? "";
    const bareYear = first.moment.years && first.length === 1;
    const nextWord = word(start + first.length);
    if (
      !led &&
      start === 0 &&
      bareYear &&
      previous !== "" &&
      !introducing.has(previous) &&
      ![",", "?", ".", ""].includes(nextWord)
    )
      return undefined;
    if (
      !led &&
      start === 0 &&
      bareYear &&
      ["than", "over", "under", "above", "below", "least", "most", "exactly"].includes(previous)
    )
      return undefined;
    let next = start + first.length;
    const period: Period = { words: "", from: first.moment.from, to: first.moment.to };
    if (first.moment.years) period.years = [...first.moment.years];
    if (["-", "–", "to", "through", "or", "and"].includes(word(next)) && led) {
      const second = read(skip(next + 1));
      const adjacent =
        first.moment.years && second?.moment.years && second.moment.years[0] === first.moment.years[0] + 1;
      if (second && (["-", "–", "to", "through"].includes(word(next)) || adjacent)) {
        period.to = second.moment.to;
        if (first.moment.years && second.moment.years) period.years = [first.moment.years[0], second.moment.years[1]];
        next = skip(next + 1) + second.length;
        return finish(next, period);
      }
    }
    if (["or"].includes(word(next)) && ["later", "after", "newer"].includes(word(next + 1)))
      return finish(next + 2, after({ words: "" }, first.moment, true));
    if (["or"].includes(word(next)) && ["earlier", "before"].includes(word(next + 1)))
      return finish(next + 2, before({ words: "" }, first.moment, true));
    if (["onwards", "onward"].includes(word(next))) return finish(next + 1, after({ words: "" }, first.moment, true));
    return finish(next, period);
  }
  if (
    led &&
    monthOf(tokens[at + start]) &&
    /^\p{Lu}/u.test(tokens[at + start]?.text ?? "") &&
    !isYear(tokens[at + start + 1])
  ) {
    return finish(start + 1, { words: "", months: [monthOf(tokens[at + start])] });
  }
  return undefined;
}
