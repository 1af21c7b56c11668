/**
 * Questions of analysts said in plainer words before they are linked: "which genre sells best" asks for the
 * best-selling genre, "sales growth by year" for sales per year and a figure beside each. General English only; what is
 * quoted, and words that a column is called by, stay as they are.
 */
import type { Series } from "../frame/frame.ts";
import type { Schema } from "../schema/schema.ts";
import type { Direction } from "./lexicon.ts";
import { ownTableWords } from "./own-keys.ts";
import { isOn } from "./parts.ts";
import { plainerWords } from "./plainer-words.ts";

export interface Asked {
  /** The question as it is linked. */
  text: string;
  /** A figure beside that of each stretch of time. */
  series?: Series;
  /** "Which year had the highest growth?": the first by that figure. */
  best?: Direction;
  /** Words that were put otherwise, for the explanation. */
  said: string[];
}

const unit = "(year|quarter|month|day)";
const perUnit = new RegExp(
  `\\b(?:by|per|each|every|over the|across) (?:calendar )?${unit}s?\\b|\\b(?:yearly|annual|annually|monthly|quarterly|daily)\\b|\\b${unit} by \\2\\b`,
  "i",
);
/** "year over year", "from month to month", "compared to the previous quarter". */
const overUnit = new RegExp(
  `\\b(?:from )?${unit}[- ](?:over|on|to)[- ](?:the )?(?:previous |prior )?\\1s?\\b|\\bfrom one ${unit} to the next\\b|,? ?\\b(?:compared (?:to|with)|versus|vs\\.?|over|against|from|since) the (?:previous|prior|preceding) ${unit}\\b`,
  "i",
);
const growth = /\bgrowth(?: rates?)?\b|\bgr[eo]w(?:n|s|ing)?\b/i;
const change = /\b(?:changes?|changed|increases?d?|decreases?d?|differences?|drops?|declines?)\b/i;
const falls = /\b(?:decreases?|drops?|declines?)\b/i;
const running =
  /\b(?:running|cumulative|cumulated|accumulated) (?:total|sum|count)s?\b(?: (?:of|for|in) )?|\bcumulative(?:ly)?\b|\baccumulated\b/i;
const percent = /\bpercent(?:age)?s?\b|%|\brates?\b/i;
const year = "(?:19|20)\\d\\d";
/** Two stretches of time are named: their two figures are compared, not a whole series. */
const twoPeriods = new RegExp(
  `\\b${year}\\b.*?\\b(?:to|and|than|versus|vs|compared to|compared with)\\b.*?\\b${year}\\b`,
  "i",
);
/** "in 2021, 2022 and 2023" */
const yearList = new RegExp(`\\b(in|for|of|during|between) (${year}(?:, ${year})+),? and (${year})\\b`, "gi");

function toYears(_: string, lead: string, most: string, last: string): string {
  const years = [...most.split(", "), last].map(Number);
  const whole = years.every((number, at) => at === 0 || number === (years[at - 1] ?? 0) + 1);
  return whole ? `from ${years[0]} to ${years.at(-1)}` : years.map((number) => `${lead} ${number}`).join(" and ");
}

const bestOf = new RegExp(
  `^(?:in )?(?:which|what) ${unit} (?:had|has|have|saw|showed|shows|was|did) (?:we have |we see )?(?:the )?(highest|largest|biggest|strongest|greatest|best|lowest|smallest|weakest|worst) (.*)$`,
  "i",
);

export function rephrase(question: string, schema: Schema): Asked {
  if (!isOn("plainer words")) return { text: question, said: [] };
  const isStored = (word: string) =>
    schema.tables.some((table) => table.columns.some((column) => column.words.includes(word.toLowerCase())));
  const quoted: string[] = [];
  const bare = question.replace(/"[^"]*"|“[^”]*”|‘[^’]*’|(?<![\p{L}\p{N}])'[^']+'(?![\p{L}\p{N}])/gu, (text) => {
    quoted.push(text);
    return `\u2039${quoted.length - 1}\u203a`;
  });
  const series = readSeries(bare, isStored);
  const said = series ? [series.series.words] : [];
  let text = mendSlips(series?.text ?? bare).replace(yearList, toYears);
  if (isStored("capacity")) text = text.replace(roomFor, (_, most: string) => `with ${toCapacity(most)}`);
  for (const [pattern, plainer] of [...plainerWords, ...ownTableWords(schema)]) {
    const next = text.replace(pattern, plainer);
    if (next !== text) said.push(pattern.exec(text)?.[0] ?? "");
    text = next;
  }
  text = text.replace(/\u2039(\d+)\u203a/g, (_, at: string) => quoted[Number(at)] ?? "");
  return { text, said, ...(series ? { series: series.series } : {}), ...(series?.best ? { best: series.best } : {}) };
}

/** "that can hold more than 500 people", "with space for the most people", where a column says how many. */
const roomFor =
  /\b(?:(?:(?:that|which|who) )?(?:can |could )?(?:fits?|holds?|seats?|accommodates?)|(?:with|that ha(?:s|ve)) (?:the )?(?:space|room|seats|seating) for) (the (?:most|fewest)|between \S+ and \S+|(?:more than|less than|fewer than|at least|at most|over|under|up to) \S+) (?:people|persons|guests|visitors|spectators|passengers|fans|viewers)\b/gi;

const toCapacity = (most: string): string =>
  /most$/i.test(most) && /^the/i.test(most)
    ? "the highest capacity"
    : /fewest$/i.test(most)
      ? "the lowest capacity"
      : `a capacity ${most}`;

/** No English word has a letter three times in a row. */
const mendSlips = (text: string): string => text.replace(/(?<=\p{Ll})(\p{Ll})\1{2,}/gu, "$1$1");

function readSeries(
  question: string,
  isStored: (word: string) => boolean,
): { text: string; series: Series; best?: Direction } | undefined {
  const over = overUnit.exec(question);
  const grows = growth.exec(question);
  const changes = change.exec(question);
  const sums = running.exec(question);
  const named = [over, grows, changes, sums].flatMap((match) => match?.[0].toLowerCase().split(/\W+/) ?? []);
  if (
    named.some(
      (word) =>
        !/^(year|month|quarter|day|from|to|over|on|the|of|one|next|total|sum|count)$/.test(word) && isStored(word),
    )
  )
    return undefined;
  if (sums && (perUnit.test(question) || /^(running|accumulated)/i.test(sums[0]))) {
    const text = tidy(question.replace(running, " "));
    return { text: withUnit(text, "month"), series: { kind: "running", words: sums[0].trim() } };
  }
  if (twoPeriods.test(question) && !over && !perUnit.test(question)) return undefined;
  if (!over && !grows && !(changes && /\b(?:each|every) (?:year|month|quarter)\b/i.test(question))) return undefined;
  const kind = grows || !changes || percent.test(question) ? "growth" : "change";
  const words = [over?.[0], (grows ?? changes)?.[0]].filter(Boolean).join(" ").trim();
  const ranked = bestOf.exec(question.replace(overUnit, " ").replace(/\s+/g, " "));
  const stretch = (over?.slice(1).find(Boolean) ?? ranked?.[1] ?? "year").toLowerCase();
  const body = ranked ? `What is the ${ranked[3]}` : question;
  const text = tidy(
    body
      .replace(overUnit, " ")
      .replace(/^(?:by )?how (?:much |fast |strongly |well )?(?:did|does|do|has|have) /i, "What is ")
      .replace(/^by (?:what|how much|which) (?:percent(?:age)?|%|rate) (?:did|does|do|has|have) /i, "What is ")
      .replace(/\b(?:in )?(?:percent(?:age)?|%)s?(?: of)?\b/gi, " ")
      .replace(new RegExp(`(?:${growth.source}|${change.source})(?: (?:of|in|for) (?:the )?)?`, "gi"), " "),
  );
  const least = /lowest|smallest|weakest|worst/i.test(ranked?.[2] ?? "") !== falls.test(changes?.[0] ?? "");
  const best = ranked ? (least ? "ASC" : "DESC") : undefined;
  return { text: withUnit(text, stretch), series: { kind, words }, ...(best ? { best } : {}) };
}

const tidy = (text: string): string =>
  text
    .replace(/\s+/g, " ")
    .replace(/ ([?.,!])/g, "$1")
    .replace(/,? (?:and|with)(?: (?:the|its|their))?(?=[?.!]*$)/i, "")
    .trim();

const withUnit = (text: string, name: string): string => {
  if (perUnit.test(text)) return text;
  const end = /[?.!]*$/.exec(text)?.[0] ?? "";
  return `${text.slice(0, text.length - end.length).trim()} per ${name}${end}`;
};
