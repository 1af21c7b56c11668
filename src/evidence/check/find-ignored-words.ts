/** What the question says and the statement passes over: quotes, numbers, names of stored values, no and not, most and least, each, rates. */
import { foldAccents, foldPunctuation } from "../../catalog/fold-text.ts";
import { fold } from "../../sql/scope.ts";
import { toNode, unwrap } from "../../sql/tree.ts";
import { listing, quoteText } from "../ask.ts";
import type { CheckSubject, Warn } from "./check-subject.ts";
import { nameWords, type QuestionView, stemOf } from "./read-question.ts";
import type { StatementTraits } from "./statement-traits.ts";

export function findIgnoredWords(
  subject: CheckSubject,
  asked: QuestionView,
  traits: StatementTraits,
  warn: Warn,
): void {
  findQuotes(subject, asked, traits, warn);
  findNumbers(asked, traits, warn);
  findNames(subject, asked, traits, warn);
  findNegation(asked, traits, warn);
  findSuperlative(asked, traits, warn);
  findEach(subject, asked, traits, warn);
  findRates(asked, traits, warn);
  findAverage(asked, traits, warn);
  findDistinct(subject, asked, traits, warn);
}

const bare = (text: string): string => foldPunctuation(foldAccents(text));

/** Texts and names of the statement, each without case, accents, blanks and punctuation. */
function spellings(traits: StatementTraits): string[] {
  return [...traits.texts, ...traits.names].map(bare).filter((text) => text !== "");
}

function findQuotes({ catalog }: CheckSubject, asked: QuestionView, traits: StatementTraits, warn: Warn): void {
  const said = spellings(traits);
  const schema = new Set(
    catalog.tables.flatMap((table) => [table.name, ...table.columns.map((column) => column.name)]).map(bare),
  );
  for (const quote of asked.quoted) {
    const text = bare(quote);
    const number = Number(quote);
    if (
      text === "" ||
      schema.has(text) ||
      said.some((one) => one.includes(text) || (one.length > 2 && text.includes(one)))
    )
      continue;
    if (Number.isFinite(number) && traits.numbers.includes(number)) continue;
    warn("warning", "quote-ignored", `The question says “${quote}”, and the statement doesn't look for it.`, quote);
  }
}

function findNumbers(asked: QuestionView, traits: StatementTraits, warn: Warn): void {
  const digits = [...traits.texts, ...traits.names].flatMap((text) => text.match(/\d+(?:\.\d+)?/g) ?? []).map(Number);
  const held = new Set([...traits.numbers, ...digits]);
  for (const { text, value, spelled } of asked.numbers) {
    const forms = [value, value + 1, value - 1, value / 100, value * 100, value % 100];
    if (forms.some((form) => held.has(form)) || value === 1 || value === 0) continue;
    // Thousands, millions and days as hours are written out in many ways.
    if ([1000, 1_000_000, 7, 30, 12, 24, 60].some((times) => held.has(value * times))) continue;
    if ([...held].some((one) => one !== 0 && Math.abs(one) > 999 && String(one).includes(String(value)))) continue;
    if (spelled && value > 2 && value <= traits.texts.length + traits.numbers.length) continue;
    if (/(?:st|nd|rd|th)\b/.test(text)) continue;
    warn("warning", "number-ignored", `The question says ${text}, and the statement doesn't hold that number.`, text);
  }
}

const commonWords = new Set(
  "the a an of in on at to for and or by with from is are was were be what which who whose whom where when how many much list show give find name names all each every per number count total average have has had do does did than more less most least first last top new not no its their there this that these those any some between during after before under over other please me one two three also only both i we you he she it they my our us".split(
    " ",
  ),
);

/** Names of stored values that the question spells as they are stored. */
function findNames(subject: CheckSubject, asked: QuestionView, traits: StatementTraits, warn: Warn): void {
  const { values, catalog, query } = subject;
  const said = spellings(traits);
  const tables = new Set(
    query.selects.flatMap((select) => select.scope.sources.map((source) => fold(source.table ?? ""))),
  );
  const schemaStems = new Set(
    catalog.tables
      .flatMap((table) => [table.name, ...table.columns.map((column) => column.name)])
      .flatMap((name) => nameWords(name).map(stemOf)),
  );
  const raw = asked.text.replace(/["“”]/g, " ").match(/[\p{L}\p{N}'&.-]+/gu) ?? [];
  const words = raw.map((word) => word.replace(/^[.'-]+|[.'-]+$|'s$/g, ""));
  const missing: string[] = [];
  const taken = new Set<number>();
  for (const length of [4, 3, 2, 1]) {
    for (let start = 0; start + length <= words.length; start++) {
      const span = Array.from({ length }, (_, at) => start + at);
      if (span.some((at) => taken.has(at))) continue;
      const part = words.slice(start, start + length);
      const text = part.join(" ");
      const named = part.filter((word) => /^[\p{Lu}]/u.test(word)).length;
      if (part.some((word) => commonWords.has(word.toLowerCase())) && named < 2) continue;
      const known = part.every((word) => schemaStems.has(stemOf(word.toLowerCase())));
      if (text.length < 3 || known || /^\d+$/.test(text)) continue;
      // A single word is a name when it is written like one, or when it stands in the rows letter for letter.
      if (length === 1 && start === 0) continue;
      const spelled = length === 1 && /[a-z]s$/.test(text) ? [text, text.slice(0, -1)] : [text];
      const found = spelled
        .flatMap((one) => values.lookup(one))
        .filter(
          (match) => spelled.includes(match.value) || (named === part.length && bare(match.value) === bare(text)),
        );
      if (found.length === 0) continue;
      for (const at of span) taken.add(at);
      const key = bare(text);
      const stem = bare(stemOf(text.toLowerCase()));
      if (said.some((one) => one.includes(key) || one.includes(stem) || (one.length > 2 && key.includes(one))))
        continue;
      const near = found.filter((match) => tables.has(fold(match.table)));
      const place = near[0] ?? found[0];
      if (!place || near.length === 0) continue;
      // "Chicago (ORD)": the code beside the name says the same, and so may a condition on its row.
      const beside = new RegExp(`${text.replace(/[^\\p{L}\\p{N} ]/gu, ".")}\\s*\\(([^)]+)\\)`, "u").exec(
        asked.text,
      )?.[1];
      if (beside !== undefined && said.includes(bare(beside))) continue;
      const coded = near.some((match) =>
        query.selects.some((select) =>
          select.comparisons.some(
            ({ origins, literals }) =>
              origins.some(({ table, column }) => fold(table) === fold(match.table) && column !== fold(match.column)) &&
              literals.some((literal) => !asked.plain.includes(foldAccents(literal.text))),
          ),
        ),
      );
      if (!coded) missing.push(`${quoteText(text)} (${place.table}.${place.column})`);
    }
  }
  if (missing.length > 0)
    warn(
      "warning",
      "value-ignored",
      `The question names ${listing(missing)}, and the statement doesn't look for ${missing.length === 1 ? "it" : "them"}.`,
      missing[0],
    );
}

const negative =
  /\b(?:not|never|without|n't|cannot|neither|nor|except|excluding|exclude|excludes|other than)\b|\w+n't\b|\b(?:ha(?:s|ve|d)|with|are|is|were|received?) no\b(?! \w+er\b| more\b| less\b)|\bno (?:longer|\w+s? (?:at all|yet))\b/;

function findNegation(asked: QuestionView, traits: StatementTraits, warn: Warn): void {
  const text = asked.plain
    .replace(/\b(?:whether or not|if not|not only|not including zero|why not)\b/g, " ")
    .replace(/\b(?:excluding|except|not including) (?:the )?(?:current|this|last|today)\b/g, " ")
    .replace(/\b(?:ignor\w+|including (?:those|the ones|ones|any|all|\w+)) .*$/g, " ")
    .replace(/\b(?:do|does|did) not (?:include|show|list|count|consider|need|round|use)\b.*$/g, " ")
    .replace(/\b(?:don't|do not) (?:include|show|list)\b.*$/g, " ");
  const match = negative.exec(text);
  if (!match || traits.negates || (traits.groups && /\bhow many\b.*\bhow many\b/.test(text))) return;
  const zero =
    traits.numbers.includes(0) ||
    traits.texts.some((one) => /^(?:n|no|f|false|0|none|no\b.*|not\b.*|non\b.*|un\w+|in\w+)$/i.test(one));
  const fewer =
    /\bnot (?:more|less|fewer|later|earlier|older|younger|exceed\w*|above|below|over|under|greater|longer|higher|before|after)\b|no (?:more|less|fewer)/.test(
      text,
    );
  if (zero || fewer) return;
  warn(
    "warning",
    "negation-ignored",
    `The question says “${match[0].trim()}”, and nothing in the statement is negated.`,
    match[0].trim(),
  );
}

const rising = "smallest|lowest|least|minimum|fewest|cheapest|shortest|youngest|earliest|lightest|slowest|worst|min";
const falling =
  "largest|highest|most|maximum|biggest|greatest|longest|oldest|latest|heaviest|fastest|tallest|newest|best|max";
const extremes = new RegExp(`\\b(?:${rising}|${falling})\\b`, "g");

function superlativesOf(asked: QuestionView): string[] {
  const text = asked.plain
    .replace(/\b(?:at|at the) (?:least|most|max|maximum|minimum|earliest|latest)\b/g, " ")
    .replace(/\ba (?:minimum|maximum) of\b|\b(?:\w+) (?:\w+ )?first\b/g, " ")
    .replace(/\bmost of\b|\bbest[- ]selling\b|\bfor the most part\b/g, " ");
  return [...text.matchAll(extremes)].map(([word]) => word);
}

function findSuperlative(asked: QuestionView, traits: StatementTraits, warn: Warn): void {
  const words = superlativesOf(asked);
  const [word] = words;
  if (word === undefined) return;
  const names = [...traits.names].flatMap(nameWords);
  if (!traits.extreme) {
    // A column may hold the highest already; sorting shows it on top.
    const side = (one: string) =>
      new RegExp(`^(?:${rising})$`).test(one)
        ? /^(?:min|low|least|small|short|earl|slow|young)/
        : /^(?:max|high|most|large|long|top|late|fast|best|peak)/;
    const stored = words.every((one) => names.some((name) => side(one).test(name)));
    const sorted = /\b(?:order|sort|rank|from|descending|ascending)/.test(asked.plain);
    if (!stored && !sorted)
      warn(
        "warning",
        "superlative-ignored",
        `The question asks for the ${word}, and the statement neither takes an extreme nor cuts an order.`,
        word,
      );
    return;
  }
  const [ranked] = traits.ranked;
  if (traits.ranked.length !== 1 || !ranked || words.length !== 1) return;
  const age = ranked.origins.some((origin) => nameWords(origin.column).includes("age"));
  const low =
    /^(?:smallest|lowest|least|minimum|fewest|cheapest|shortest|lightest)$/.test(word) || (age && word === "youngest");
  const high =
    /^(?:largest|highest|most|maximum|biggest|greatest|longest|heaviest|tallest)$/.test(word) ||
    (age && word === "oldest");
  if ((low && ranked.descending) || (high && !ranked.descending))
    warn(
      "warning",
      "superlative-turned",
      `The question asks for the ${word}, and the statement takes the first of ${ranked.descending ? "a falling" : "a rising"} order.`,
      "ORDER BY",
    );
}

function findEach({ result }: CheckSubject, asked: QuestionView, traits: StatementTraits, warn: Warn): void {
  const text = asked.plain.replace(/\d[\d.,]*(?: \w+)? per \w+|\beach time\b|\bper (?:cent|capita|gallon)\b/g, " ");
  const each = /\b(?:for|of|in|by|from) (?:each|every)\b|\beach (?=\w)|\bper \w+/.exec(text);
  if (!each || traits.groups || !traits.aggregates) return;
  if (result && result.rows.length === 1 && traits.ranked.length === 0 && !traits.extreme)
    warn(
      "warning",
      "each-ignored",
      `The question asks “${each[0].trim()}”, and the statement gives one row for all.`,
      "GROUP BY",
    );
  else if (result && result.rows.length === 1 && /\b(?:for|of|in|by) each\b/.test(asked.plain))
    warn(
      "warning",
      "each-ignored",
      `The question asks “${each[0].trim()}”, and the statement gives one row for all.`,
      "GROUP BY",
    );
}

function findRates(asked: QuestionView, traits: StatementTraits, warn: Warn): void {
  const words = asked.plain.match(/\b(?:rates?|ratios?|percentages?|percent|proportions?|share of)\b/g) ?? [];
  if (words.length === 0) return;
  const names = new Set([...traits.names].flatMap(nameWords).map((name) => stemOf(name)));
  const kinds = new Set(words.map((word) => (/^percent|^proportion|^share/.test(word) ? "percentage" : stemOf(word))));
  const computed = [...kinds].filter(
    (kind) =>
      !names.has(kind) &&
      !(kind === "percentage" && (names.has("percent") || names.has("pct") || names.has(stemOf("share")))),
  );
  // Names given by the statement itself say nothing about what it computes.
  if (traits.quotients >= kinds.size || (traits.quotients >= computed.length && computed.length > 0)) return;
  if (computed.length === 0) return;
  warn(
    "warning",
    "rate-ignored",
    `The question asks for a ${listing(computed)}, and the statement divides ${traits.quotients === 0 ? "nothing" : "only once"}.`,
    "SELECT",
  );
}

function findAverage(asked: QuestionView, traits: StatementTraits, warn: Warn): void {
  const word = /\b(?:average|mean)\b(?! (?:nothing|that|by))/.exec(asked.plain)?.[0];
  if (word === undefined || traits.quotients > 0) return;
  const held = [...traits.names].flatMap(nameWords).some((name) => /^(?:avg|average|mean|scr)/.test(name));
  if (!held)
    warn(
      "warning",
      "average-ignored",
      `The question asks for an ${word === "mean" ? "average (mean)" : word}, and the statement takes none.`,
      "SELECT",
    );
}

function findDistinct({ query, result }: CheckSubject, asked: QuestionView, traits: StatementTraits, warn: Warn): void {
  if (
    !/\b(?:different|distinct|distinctive|unique)\b(?! from| than)/.test(asked.plain) ||
    traits.distinct ||
    traits.groups
  )
    return;
  const twice = result ? result.rows.length - new Set(result.rows.map((row) => JSON.stringify(row))).size : 0;
  const counted = query.selects.some(
    (select) =>
      select.joins.length > 0 && select.outputs.some(({ expression }) => toNode(unwrap(expression))?.kind === "count"),
  );
  if (twice > 0 || (counted && traits.counts))
    warn(
      "warning",
      "distinct-ignored",
      "The question asks for different ones, and the statement shows or counts repeated ones too.",
      "DISTINCT",
    );
}
