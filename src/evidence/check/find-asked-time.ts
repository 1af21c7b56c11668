/** Moments and spans that a question names, against what the statement does with dates. English. Pure. */
import type { CheckSubject, Warn } from "./check-subject.ts";
import type { QuestionView } from "./read-question.ts";
import type { StatementTraits } from "./statement-traits.ts";

const span =
  /\b(?:(?:last|past|previous|this|current|next) (?:\d+ |two |three |six |few )?(?:days?|weeks?|months?|quarters?|years?|decade)|(?:january|february|march|april|june|july|august|september|october|november|december) (?:of )?(?:\d{4}|\d{1,2}\b)|yesterday|today|year[- ]over[- ]year|month[- ]over[- ]month|(?:19|20)\d\ds?)\b/;
const event =
  /\bat (?:that|the) time(?: of)?\b|\bat the moment of\b|\b\d+(?:st|nd|rd|th) (?:anniversary|birthday)\b|\bwhen (?:it|they|he|she) (?:was|were) (?:released|held|built|made|born)\b/;
const elapsed =
  /\b(?:years?|months?|days?|weeks?|hours?|long) ago\b|\bhow (?:many (?:years|months|weeks|days|hours)|long)\b.*\b(?:has|have) (?:it )?(?:been|passed|elapsed)\b|\bha(?:s|ve) it been since\b/;

export function findAskedTime(subject: CheckSubject, asked: QuestionView, traits: StatementTraits, warn: Warn): void {
  const text = asked.plain;
  const when = span.exec(text);
  if (when && !traits.dates && !traits.texts.some((one) => /\d{4}/.test(one)) && !holds(traits, when[0]))
    warn("warning", "time-ignored", `The question says “${when[0]}”, and the statement looks at no date.`, when[0]);
  const since = elapsed.exec(text);
  if (since && !traits.now)
    warn(
      "warning",
      "now-missing",
      `“${since[0].slice(0, 60)}” is reckoned from today, and the statement doesn't read today's date.`,
      "SELECT",
    );
  findEvent(subject, asked, traits, warn);
}

const holds = (traits: StatementTraits, text: string): boolean =>
  (text.match(/\d+/g) ?? []).some((number) => traits.numbers.includes(Number(number)));

/** A figure as it was at another time, such as an age, has to be reckoned; as stored it is today's. */
function findEvent({ query }: CheckSubject, asked: QuestionView, traits: StatementTraits, warn: Warn): void {
  const match = event.exec(asked.plain);
  const aging = /\bages?\b|\bhow old\b/.exec(asked.plain);
  if (!match || !aging) return;
  const shown = query.selects.filter((select) => select.role === "main").flatMap((select) => select.outputs);
  const raw = shown.filter(({ origins }) => origins.some((origin) => /(^|_)age$/i.test(origin.column)));
  if (raw.length === 0 && (traits.now || traits.dates)) return;
  warn(
    "warning",
    "time-of-event",
    `The question asks for an age “${match[0]}”, and the statement ${raw.length > 0 ? "shows it as it is stored, which is today's" : "looks at no date"}.`,
    raw[0]?.name ?? "SELECT",
  );
}
