/**
 * Is every strong word of the question used, and is every part of the plan explained? What is asked for and isn't in
 * the data is said plainly; a value that is stored nowhere, or that found no place, is asked about.
 */
import { createHash } from "node:crypto";
import { isCue } from "../clauses/clause-types.ts";
import { type Condition, type Frame, measureConditions } from "../frame/frame.ts";
import type { Item, ItemOf } from "../linking/linking.ts";
import type { Planned, PlannerInput } from "../plan.ts";
import type { Attempt } from "../plan-question.ts";
import { tableWords } from "../wording/describe.ts";
import { plural } from "../words/language.ts";
import { emptyNouns, unsupportedFigures } from "../words/lexicon.ts";
import { isOn } from "../words/parts.ts";
import { repeatsQuestion, unreadPredicate } from "./audit-rows.ts";

type Ask = Extract<Planned, { outcome: "ask" }>;
const mark = (text: string) => createHash("sha256").update(text.trim().toLowerCase()).digest("hex").slice(0, 8);

/** What to say instead of a plan, or nothing when the plan may stand. `settled` holds asks already answered. */
export function audit(attempt: Attempt, input: PlannerInput, settled: ReadonlySet<string>): Planned | undefined {
  const { build } = attempt;
  if (!isOn("audit")) return undefined;
  const missing = build.missing[0];
  if (missing !== undefined) {
    return {
      outcome: "cannot-answer",
      missing: missing.startsWith("a date") ? missing : `a column or table for ${missing}`,
      reason: missing.startsWith("a date")
        ? `Nothing stored gives ${missing}.`
        : `Nothing in this database is called "${missing}", and nothing stored says how to work it out.`,
      why: `The question asks for "${missing}". I looked through the names of all ${attempt.schema.tables.length} tables, their columns and the stored values, and found nothing that means it. An answer built from something else would look right and be wrong.`,
    };
  }
  const figure = unsupportedFigures.exec(attempt.linked.items.map((item) => item.text).join(" "))?.[0];
  const stored = (word: string) =>
    attempt.schema.tables.some((table) => table.columns.some((column) => column.words.includes(word)));
  if (figure && !stored(figure.toLowerCase()))
    return {
      outcome: "cannot-answer",
      missing: `ready-made ${figure.toLowerCase()}`,
      reason: `The offline planner counts, adds up, averages and ranks; it can't work out a ${figure.toLowerCase()}. A model can be asked instead.`,
      why: `"${figure}" needs a computation that I have no rule for, and a plain total would look like an answer to it.`,
    };
  for (const text of [...build.unknownValues, ...strayNames(attempt)]) {
    const ask = askAboutValue(text, input);
    if (ask.outcome !== "ask" || !settled.has(ask.id)) return ask;
  }
  const clash = clashingValue(attempt);
  if (clash) {
    const ask = askAboutPlace(clash);
    if (!settled.has(ask.id)) return ask;
  }
  for (const item of unplacedValues(attempt)) {
    const ask = askAboutPlace(item);
    if (!settled.has(ask.id)) return ask;
  }
  const loose = build.notes.find((note) => note.includes("could not be tied") || note.startsWith("No date"));
  if (loose) {
    const words = loose.replace(/^.*?"(.*?)".*$/, "$1");
    const rows = plural(tableWords(build.frame.entity));
    return {
      outcome: "cannot-answer",
      missing: loose.startsWith("No date")
        ? `a date for ${rows} (${words})`
        : `a column that says what "${words}" is about`,
      reason: loose,
      why: "A condition of the question has nothing in the data to stand on, and leaving it out would change the answer.",
    };
  }
  const modifier = unusedModifier(attempt) ?? unusedNoun(attempt) ?? unusedPredicate(attempt);
  if (modifier) {
    const ask = askAboutModifier(modifier.text, modifier.noun, input);
    if (!settled.has(ask.id)) return ask;
  }
  const unread = unreadPredicate(attempt);
  if (unread !== undefined) {
    const ask = askAboutModifier(unread, "", input);
    if (!settled.has(ask.id)) return ask;
  }
  if (repeatsQuestion(attempt))
    return {
      outcome: "cannot-answer",
      missing: "what is asked for",
      reason: "All that I could tell about it is what the question itself says.",
      why: "Every column I would show is one whose value the question gives, so the answer would only repeat it.",
    };
  const number = unusedNumber(attempt);
  if (number) {
    const ask = askAboutNumber(number);
    if (!settled.has(ask.id)) return ask;
  }
  return undefined;
}

/** Names that link to nothing: "customers from Narnia". */
function strayNames(attempt: Attempt): string[] {
  const found: string[] = [];
  for (const sentence of attempt.sentences) {
    for (const item of sentence.unused) {
      if (item.kind !== "word" || item.start === 0) continue;
      const { token } = item;
      if (
        token.quoted ||
        (/^\p{Lu}/u.test(token.text) && (token.pos === "PROPN" || token.pos === "NOUN") && !emptyNouns.has(token.lemma))
      )
        found.push(token.text);
    }
  }
  return found;
}

function askAboutValue(text: string, input: PlannerInput): Planned {
  const near = input.values.search(text, { limit: 12 });
  const labels = [...new Map(near.map((match) => [`${match.value}`, match])).values()].slice(0, 4);
  if (labels.length === 0) {
    return {
      outcome: "cannot-answer",
      missing: `a stored value for ${text}`,
      reason: `No stored value matches "${text}", and no table or column is called that.`,
      why: `I searched all stored values for "${text}", also without case and accents and with small typos.`,
    };
  }
  return {
    outcome: "ask",
    phase: "F4",
    id: `value:${mark(text)}`,
    question: `"${text}" is stored nowhere as such. Which value is meant?`,
    why: `No stored value equals "${text}". These come nearest.`,
    options: [
      ...labels.map((match, index) => ({
        id: `value-${index + 1}`,
        label: `Only '${match.value}'`,
        detail: `${match.table}.${match.column}, ${match.rows} ${match.rows === 1 ? "row" : "rows"}`,
        ...(index === 0 ? { proposed: true } : {}),
      })),
      { id: "leave", label: `Leave "${text}" out of it` },
    ],
  };
}

const compares = (conditions: Condition[]): (string | number)[] =>
  conditions.flatMap((condition) =>
    condition.kind === "compare"
      ? condition.values
      : condition.kind === "exists" || condition.kind === "counted"
        ? compares(condition.inner)
        : condition.kind === "against"
          ? compares(condition.inner ?? [])
          : condition.kind === "any" || condition.kind === "every"
            ? compares(condition.of)
            : [],
  );

function usedValues(frame: Frame): Set<string | number> {
  const measured = frame.outputs.flatMap((output) =>
    output.kind === "measure" ? compares(measureConditions(output.measure)) : [],
  );
  return new Set([
    ...compares(frame.conditions),
    ...compares(frame.share?.part ?? []),
    ...measured,
    ...(frame.all?.values ?? []),
  ]);
}

/** Stored values the question names that no condition uses. */
function unplacedValues(attempt: Attempt): ItemOf<"value">[] {
  if (attempt.corrected.frameEdits.length > 0) return [];
  const used = usedValues(attempt.build.frame);
  const patterns = [...used].filter((value): value is string => typeof value === "string" && value.includes("%"));
  return attempt.linked.items.filter(
    (item): item is ItemOf<"value"> =>
      item.kind === "value" &&
      item.options.length > 0 &&
      !item.options.some((option) => used.has(option.value)) &&
      !patterns.some((pattern) => pattern.toLowerCase().includes(item.text.toLowerCase())),
  );
}

/** A number of the question that neither a condition, a limit nor a name in it uses. */
function unusedNumber(attempt: Attempt): ItemOf<"number"> | undefined {
  if (attempt.corrected.frameEdits.length > 0) return undefined;
  const { frame, ranking } = attempt.build;
  const numbers = new Set<number>();
  const periods: string[] = [];
  JSON.stringify([frame, ranking], (_, value) => {
    if (typeof value === "number") numbers.add(value);
    // "older than 50" stands in the frame as a date.
    if (value?.kind === "period") periods.push(String(value.words));
    return value;
  });
  const { items } = attempt.linked;
  const near = (number: number) =>
    [...numbers].some(
      (known) =>
        known === number ||
        (number !== 0 &&
          [1000, 60_000, 3_600_000, 1024, 1_048_576, 1_073_741_824].some(
            (factor) => Math.abs(known - number * factor) < 1e-6,
          )),
    );
  return items.find(
    (item): item is ItemOf<"number"> =>
      item.kind === "number" &&
      item.value !== 0 &&
      !(item.value === 1 && !/\d/.test(item.text)) &&
      !near(item.value) &&
      !periods.some((words) => words.includes(item.text)),
  );
}

const harmless =
  /^(following|available|specific|certain|particular|given|individual|actual|current|own|main|same|real|full|single|respective|corresponding|existing|various|several|many|few|much|next|possible|relevant|general|overall|complete|exact|entire|serial|moment|good|high|low|big|small|large|new|old|lexicographical|alphabetical)$/i;

/** A word before a linked noun that would limit it, had the data anything to say about it: "premium customers". */
function unusedModifier(attempt: Attempt): { text: string; noun: string } | undefined {
  const { items } = attempt.linked;
  const held = [...usedValues(attempt.build.frame)].map((value) => String(value).toLowerCase());
  const isWord = (item: Item | undefined): item is ItemOf<"word"> =>
    item?.kind === "word" && ["NOUN", "ADJ", "PROPN"].includes(item.token.pos);
  for (const item of attempt.sentences.flatMap((sentence) => sentence.unused)) {
    if (!isWord(item) || item.text.length < 3 || item.token.quoted) continue;
    if (emptyNouns.has(item.token.lemma) || harmless.test(item.text)) continue;
    if (held.some((value) => value.includes(item.token.lower))) continue;
    const at = items.findIndex((known) => known.start === item.start);
    let end = at + 1;
    while (isWord(items[end])) end += 1;
    const head = items[end];
    const noun = head && ["table", "column", "concept"].includes(head.kind) ? head.text : undefined;
    // "in the engineering department": two words of which none is known
    const compound = end - at > 1 && isCue(items[at - 1], "preposition");
    if (noun !== undefined || compound) {
      const text = items
        .slice(at, noun === undefined ? end : at + 1)
        .map((known) => known.text)
        .join(" ");
      return { text, noun: noun ?? "" };
    }
  }
  return undefined;
}

/** A noun that a verb or preposition leads to, and that nothing stored answers to: "with parking", "require a reservation". */
function unusedNoun(attempt: Attempt): { text: string; noun: string } | undefined {
  const { items } = attempt.linked;
  const values = [...usedValues(attempt.build.frame)].map((value) => String(value).toLowerCase());
  for (const item of attempt.sentences.flatMap((sentence) => sentence.unused)) {
    if (item.kind !== "word" || item.token.pos !== "NOUN" || item.token.quoted || item.text.length < 3) continue;
    if (emptyNouns.has(item.token.lemma) || harmless.test(item.text)) continue;
    if (values.some((value) => value.includes(item.token.lower))) continue;
    let before = items.findIndex((known) => known.start === item.start) - 1;
    while (isCue(items[before], "filler", "all", "distinct") || isModifier(items[before])) before -= 1;
    const lead = items[before];
    const held = isCue(lead, "preposition") && /^with/i.test(lead.text);
    const led = held || isCue(lead, "have", "no", "not") || (lead?.kind === "word" && lead.token.pos === "VERB");
    if (led) return { text: item.text, noun: "" };
  }
  return undefined;
}

/** "how many bills are overdue": what is said of the rows, and nothing stored answers to it. */
function unusedPredicate(attempt: Attempt): { text: string; noun: string } | undefined {
  const { items } = attempt.linked;
  for (const [at, item] of items.entries()) {
    if (item.kind !== "word" || item.token.pos !== "ADJ" || harmless.test(item.text)) continue;
    const before = items[at - 1];
    const said = isCue(before, "be") || (isCue(before, "relative") && /\b(is|are|was|were)$/i.test(before.text));
    const ends = items[at + 1] === undefined || isCue(items[at + 1], "stop", "and", "or", "comma");
    if (said && ends) return { text: item.text, noun: "" };
  }
  return undefined;
}

const isModifier = (item: Item | undefined): boolean =>
  item?.kind === "word" && ["ADJ", "NOUN"].includes(item.token.pos);

function askAboutModifier(text: string, noun: string, input: PlannerInput): Ask {
  const near = input.values.search(text, { limit: 6 }).filter((match) => match.how !== "near");
  const values = [...new Set(near.map((match) => match.value))].slice(0, 3);
  return {
    outcome: "ask",
    phase: "F1",
    id: `word:${mark(text)}`,
    question: `What does "${text}" mean here? Nothing in the data is called that.`,
    why: `"${text}"${noun ? ` would limit "${noun}"` : ""}, but no table, column or stored value answers to it. Without it the answer covers more.`,
    options: [
      ...values.map((value, index) => ({ id: `value-${index + 1}`, label: `Only '${value}'` })),
      {
        id: "without",
        label: `Go on without "${text}"`,
        detail: "The answer then covers all of them.",
        proposed: true,
      },
    ],
  };
}

function askAboutNumber(item: ItemOf<"number">): Ask {
  return {
    outcome: "ask",
    phase: "F4",
    id: `number:${mark(item.text)}`,
    question: `What should "${item.text}" limit in this question?`,
    why: `I could not tell which column "${item.text}" is compared with, and leaving it out would change the answer.`,
    options: [
      {
        id: "ignore",
        label: `Leave "${item.text}" out of it`,
        detail: "The answer then covers more; Other takes what it should limit.",
        proposed: true,
      },
    ],
  };
}

/** Two values that one column would have to hold at once: one of the words was hardly meant as a value. */
function clashingValue(attempt: Attempt): ItemOf<"value"> | undefined {
  if (attempt.corrected.frameEdits.length > 0) return undefined;
  const equals = attempt.build.frame.conditions.flatMap((condition) =>
    condition.kind === "compare" && condition.operator === "=" && !condition.ref.role ? [condition] : [],
  );
  const clash = equals.filter((one) =>
    equals.some(
      (other) =>
        other.ref.table === one.ref.table && other.ref.column === one.ref.column && other.values[0] !== one.values[0],
    ),
  );
  const items = attempt.linked.items.filter(
    (item): item is ItemOf<"value"> =>
      item.kind === "value" &&
      clash.some((condition) => item.options.some((option) => condition.values.includes(option.value))),
  );
  return items.find((item) => item.text === item.text.toLowerCase()) ?? items[0];
}

function askAboutPlace(item: ItemOf<"value">): Ask {
  const option = item.options[0];
  return {
    outcome: "ask",
    phase: "F4",
    id: `place:${mark(item.text)}`,
    question: `What should "${item.text}" do in this question?`,
    why: `"${item.text}" is stored in ${item.options
      .slice(0, 3)
      .map((known) => `${known.table}.${known.column}`)
      .join(", ")}, but I could not tell what it limits.`,
    options: [
      { id: "only", label: `Only '${option?.value ?? item.text}'`, proposed: true },
      { id: "without", label: `Leave out '${option?.value ?? item.text}'` },
      { id: "ignore", label: `Leave "${item.text}" out of it` },
    ],
  };
}

/** Words that nothing in the plan answers to, for the reviewer to see. */
export function unusedWords(attempt: Attempt): string[] {
  const unused = attempt.sentences
    .flatMap((sentence) => sentence.unused)
    .flatMap((item) =>
      item.kind === "word" &&
      ["NOUN", "ADJ", "PROPN"].includes(item.token.pos) &&
      !emptyNouns.has(item.token.lemma) &&
      item.token.text.length > 2
        ? [item.token.text]
        : [],
    );
  return [...attempt.linked.tails, ...unused];
}
