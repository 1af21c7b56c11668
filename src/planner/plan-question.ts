/**
 * The offline planner: a question in English, a catalog and its stored values in, a complete plan out — decisions for
 * each phase, steps and SQL — or a question back, or the plain statement that the data isn't there. It is rules alone:
 * link words to names and values, build a small clause tree, fill one typed frame, compile it over keys and
 * cardinality, and audit the result. The same input gives the same output, byte for byte.
 */

import type { PhaseId } from "../protocol/index.ts";
import { audit } from "./audit/audit.ts";
import { askAboutGap } from "./audit/audit-sql.ts";
import { parseSentences } from "./clauses/clause-tree.ts";
import { allPhrases, type Sentence } from "./clauses/clause-types.ts";
import { type Contrast, splitContrast } from "./clauses/read-contrast.ts";
import { applyEdits, type Corrected, type Edit, type ReadEdit, readCorrection } from "./corrections/correct.ts";
import { dropTable } from "./corrections/drop-table.ts";
import { editFrame } from "./corrections/edit-frame.ts";
import type { FrameEdit } from "./corrections/read-frame-edit.ts";
import { askAboutCorrection, askAboutNeededTable, askUnchanged } from "./explanation/ask.ts";
import { tellChangedQuestion } from "./explanation/changed-question.ts";
import { explainPlan } from "./explanation/explain.ts";
import { withNearNames } from "./explanation/near-names.ts";
import { buildFrame } from "./frame/build-frame.ts";
import type { Building } from "./frame/building.ts";
import { type Choice, createPicker, type Picker } from "./frame/candidates.ts";
import { createResolver } from "./frame/resolve.ts";
import { settleAnalysis } from "./frame/settle-analysis.ts";
import { createKnownSchema, findFormula } from "./knowledge/knowledge.ts";
import { withTold } from "./knowledge/knowledge-told.ts";
import { analyseItems } from "./linking/analyst-items.ts";
import { type Item, type Linked, linkQuestion } from "./linking/linking.ts";
import { choiceWithRows } from "./other-results.ts";
import type { Correction, Plan, Planned, PlannerInput } from "./plan.ts";
import { divide, type RatioSides, splitRatio } from "./read-ratio.ts";
import { createJoinGraph } from "./relations/joins.ts";
import { looseTokens, nearest, type Trial, withLessons } from "./reuse/knowledge-learned.ts";
import { offerVerified, reuseReading, reuseVerified } from "./reuse/reuse.ts";
import { createSchema, type Schema } from "./schema/schema.ts";
import { askAboutTwins } from "./schema/twin-tables.ts";
import { splitDifference } from "./split-difference.ts";
import { type Compiled, compileFrame } from "./statement/relational-tree.ts";
import { looksEnglish } from "./words/language.ts";
import { isOn } from "./words/parts.ts";
import { type Asked, rephrase } from "./words/rephrase.ts";

export type { Plan, Planned, PlannerInput } from "./plan.ts";

/** Everything one attempt at a reading found out, for the audit, the explanation and the corrections. */
export interface Attempt {
  build: Building;
  picker: Picker;
  linked: Linked;
  /** The question as it was linked. */
  asked: Asked;
  sentences: Sentence[];
  schema: Schema;
  corrected: Corrected;
}
type Outcome = {
  planned: Planned;
  compiled?: Compiled;
  choices?: Choice[];
  attempt?: Attempt;
  /** Edits that nothing in the frame could be changed by. */
  unplaced?: ReadonlySet<FrameEdit>;
};

const schemas = new WeakMap<object, Schema>();
/** By knowledge, then by catalog. */
const knownSchemas = new WeakMap<object, WeakMap<object, Schema>>();

function schemaOf({ catalog, knowledge }: PlannerInput): Schema {
  const kept = knowledge ? (knownSchemas.get(knowledge) ?? new WeakMap<object, Schema>()) : schemas;
  if (knowledge) knownSchemas.set(knowledge, kept as WeakMap<object, Schema>);
  const known = kept.get(catalog);
  if (known) return known;
  const made = knowledge ? createKnownSchema(catalog, knowledge) : createSchema(catalog);
  kept.set(catalog, made);
  return made;
}

/** One reading of a question for its own sake, without anybody's corrections. */
function tryQuestion(input: PlannerInput, question: string, schema: Schema): Trial {
  const { planned, attempt } = planWith({ ...input, question, corrections: [], choices: {} }, schema, []);
  return toTrial(planned, attempt);
}

function toTrial(planned: Planned, attempt: Attempt | undefined): Trial {
  // "US" is no "us".
  const isSaid = (item: Item) => item.kind === "word" || (item.kind === "cue" && /^\p{Lu}{2,}$/u.test(item.text));
  const words = attempt?.linked.items
    .filter(isSaid)
    .flatMap(({ start, end }) => attempt.linked.tokens.slice(start, end));
  return {
    plan: planned.outcome === "plan" ? planned.plan : undefined,
    choices: attempt?.picker.choices ?? [],
    loose: looseTokens(words ?? []),
  };
}

/** With what verified queries near to the question teach. */
function learnedSchema(input: PlannerInput): Schema {
  const schema = schemaOf(input);
  const { knowledge, catalog, question } = input;
  if (!knowledge || knowledge.verified.length === 0) return schema;
  return withLessons(question, schema, knowledge, catalog, (asked, tried) => tryQuestion(input, asked, tried));
}

const refuseFormula = (word: string, formula: string, from: string): Planned => ({
  outcome: "cannot-answer",
  missing: `a rule for computing ${word}`.slice(0, 500),
  reason:
    `${from} defines ${word} as ${formula}. The offline planner only adds up columns and products of two; a model can be asked instead.`.slice(
      0,
      2000,
    ),
  why: `People here defined ${word}, and another figure under its name would be wrong.`,
});

/** The answer of a verified question that is read the same way. */
function readAlike(input: PlannerInput, schema: Schema, { planned, attempt }: Outcome): Plan | undefined {
  const { knowledge, catalog, question } = input;
  if (!knowledge || knowledge.verified.length === 0 || input.corrections.length > 0) return undefined;
  const near = nearest(question, knowledge, catalog);
  const kept = trials.get(schema) ?? new Map<string, Trial>();
  trials.set(schema, kept);
  return reuseReading(input, toTrial(planned, attempt), near, (piece) => {
    // Words such as "last month" are read by the day.
    const key = `${input.today} ${piece.id}`;
    const trial = kept.get(key) ?? tryQuestion(input, piece.question, schema);
    kept.set(key, trial);
    return trial;
  });
}

/** Readings of verified questions, by the schema that they were read with. */
const trials = new WeakMap<Schema, Map<string, Trial>>();

export async function planQuestion(asked: PlannerInput): Promise<Planned> {
  const input = { ...asked, today: asked.today ?? new Date().toISOString().slice(0, 10) };
  const reused = reuseVerified(input);
  if (reused) return { outcome: "plan", plan: reused };
  if (!looksEnglish(input.question)) {
    const offered = offerVerified(input);
    if (offered) return offered;
    return {
      outcome: "cannot-answer",
      missing: "a question in English",
      reason: "The offline planner reads English only. Ask again in English, or choose a model.",
      why: "The words of the question are not English, so nothing can be told about how they belong together.",
    };
  }
  let schema = learnedSchema(input);
  const formula = findFormula(input.question, schema);
  if (formula?.meaning.kind === "formula") return refuseFormula(formula.word, formula.meaning.formula, formula.from);
  const edits: Edit[] = [];
  let outcome = planWith(input, schema, edits);
  let [accepted, told] = [planOf(outcome), "F1" as PhaseId];
  for (const [index, correction] of input.corrections.entries()) {
    const last = index === input.corrections.length - 1;
    const next = applyCorrection(input, schema, edits, correction, outcome);
    if (next.ask) {
      // Words said later answer an earlier misunderstanding.
      if (last) return next.ask;
      continue;
    }
    outcome = next.outcome;
    schema = next.schema ?? schema;
    told = correction.phase;
    if (told === "F1") accepted = planOf(outcome);
  }
  const alike = readAlike(input, schema, outcome);
  if (alike) return { outcome: "plan", plan: alike };
  const offered = outcome.planned.outcome === "cannot-answer" ? offerVerified(input) : undefined;
  if (offered) return offered;
  const planned = (await withRows(input, schema, edits, outcome)) ?? outcome.planned;
  const linked = outcome.attempt?.linked ?? linkQuestion(input.question, schema, input.values, input.today);
  if (planned.outcome === "plan" && accepted)
    return { outcome: "plan", plan: tellChangedQuestion(planned.plan, accepted, told) };
  return withNearNames(planned, linked, schema);
}

/** The same reading with one near tie decided otherwise, where only that finds rows. */
async function withRows(
  input: PlannerInput,
  schema: Schema,
  edits: Edit[],
  { planned, choices }: Outcome,
): Promise<Planned | undefined> {
  if (!input.run || planned.outcome !== "plan" || !choices || !isOn("other results")) return undefined;
  const plan = (key: string, label: string) => {
    const other = planWith({ ...input, choices: { ...input.choices, [key]: label } }, schema, edits).planned;
    return other.outcome === "plan" ? { sql: other.plan.sql, outcome: other } : undefined;
  };
  return choiceWithRows<Planned>({ sql: planned.plan.sql, choices }, plan, input.run);
}

const planOf = ({ planned }: Outcome): Plan | undefined => (planned.outcome === "plan" ? planned.plan : undefined);
const sqlOf = (outcome: Outcome): string | undefined => planOf(outcome)?.sql;

/** Adds the correction's edits to `edits`, or gives the question to ask back; `schema` when a word means more now. */
function applyCorrection(
  input: PlannerInput,
  schema: Schema,
  edits: Edit[],
  correction: Correction,
  before: Outcome,
): { ask: Planned; outcome?: undefined } | { ask?: undefined; outcome: Outcome; schema?: Schema } {
  const joins = before.compiled?.joins ?? [];
  const filters = before.compiled?.filters ?? [];
  const context = { schema, values: input.values, joins, filters, today: input.today };
  let read = readCorrection(correction.text, context);
  if (!read.ok) {
    // Only the sentence that was not understood is asked about; the others hold.
    const understood = read.understood ?? [];
    const explained = withTold(read.part ?? correction.text, schema);
    if (explained) {
      edits.push(...understood);
      return { outcome: planWith(input, explained, edits), schema: explained };
    }
    const ask = askAboutCorrection({ ...correction, text: read.part ?? correction.text }, read, before, schema);
    const chosen = input.choices[ask.id];
    if (chosen === undefined) return { ask };
    const answer: ReadEdit = /^keep\b/i.test(chosen) ? { ok: true, edits: [] } : readCorrection(chosen, context);
    if (!answer.ok) return { ask };
    read = { ok: true, edits: [...understood, ...answer.edits] };
  }
  if (read.edits.every((edit) => edit.kind === "keep")) return { outcome: before };
  const next = planWith(input, schema, [...edits, ...read.edits]);
  const banned = read.edits.find((edit) => edit.kind === "ban");
  if (banned?.kind === "ban" && next.planned.outcome !== "plan") {
    const ask = askAboutNeededTable(correction, banned.table, before);
    return input.choices[ask.id] === undefined ? { ask } : { outcome: before };
  }
  if (sqlOf(next) !== undefined && sqlOf(next) === sqlOf(before)) {
    // The same words answered a question already.
    if (Object.values(input.choices).includes(correction.text)) return { outcome: next };
    // Words that change nothing as a wish may explain what a word of the question means.
    const explained = withTold(correction.text, schema);
    const outcome = explained && planWith(input, explained, edits);
    if (outcome && sqlOf(outcome) !== sqlOf(before)) return { outcome, schema: explained };
    const ask = askUnchanged(correction, before, schema);
    const chosen = input.choices[ask.id];
    if (chosen === undefined) return { ask };
    if (/^keep\b/i.test(chosen)) return { outcome: before };
    const other = readCorrection(chosen, context);
    if (!other.ok) return { ask };
    edits.push(...other.edits);
    return { outcome: planWith(input, schema, edits) };
  }
  const lost = read.edits.find((edit) => edit.kind === "frame" && next.unplaced?.has(edit.edit));
  if (lost?.kind === "frame") {
    // The rest of the message holds; what has no place in the plan is said back instead of vanishing.
    const ask = askUnchanged({ ...correction, text: lost.edit.words }, before, schema);
    if (input.choices[ask.id] === undefined) return { ask };
  }
  edits.push(...read.edits);
  return { outcome: next };
}

function planWith(
  input: PlannerInput,
  schema: Schema,
  edits: Edit[],
  settled: ReadonlySet<string> = new Set(),
): Outcome {
  const corrected = applyEdits(edits);
  const outcome = planCorrected(input, schema, edits, corrected, settled);
  if (outcome.planned.outcome === "plan" || corrected.wishes.banned.size === 0) return outcome;
  return planDropped(input, schema, corrected) ?? outcome;
}

/** The question read as it stands, and only then what was ruled out taken from it: its words must not turn to others. */
function planDropped(input: PlannerInput, schema: Schema, corrected: Corrected): Outcome | undefined {
  const question = withoutWords(corrected.question ?? input.question, corrected.ignored);
  const allowed = { ...corrected, wishes: { ...corrected.wishes, banned: new Set<string>() } };
  const asked = rephrase(question, schema);
  const linked = linkQuestion(asked.text, schema, input.values, input.today);
  const attempt = readQuestion(asked, linked, schema, allowed, new Map(Object.entries(input.choices)));
  if (!attempt) return undefined;
  const { build } = attempt;
  for (const edit of corrected.frameEdits) editFrame(edit, build);
  for (const table of corrected.wishes.banned) if (!dropTable(build.frame, table, schema)) return undefined;
  const result = compileFrame(build.frame, schema, createJoinGraph(schema, corrected.wishes), corrected.wishes);
  if (!result.ok || result.compiled.tables.some((table) => corrected.wishes.banned.has(table))) return undefined;
  return {
    planned: { outcome: "plan", plan: explainPlan(attempt, result.compiled, question) },
    compiled: result.compiled,
  };
}

/** The question without words that the reviewer told to pass over. */
function withoutWords(question: string, ignored: readonly string[]): string {
  return ignored
    .reduce((text, words) => {
      const at = text.toLowerCase().indexOf(words.toLowerCase());
      return at < 0 ? text : `${text.slice(0, at)} ${text.slice(at + words.length)}`;
    }, question)
    .replace(/\s+/g, " ")
    .trim();
}

function planCorrected(
  input: PlannerInput,
  schema: Schema,
  edits: Edit[],
  corrected: Corrected,
  settled: ReadonlySet<string>,
): Outcome {
  const question = withoutWords(corrected.question ?? input.question, corrected.ignored);
  const usable = withoutTables(schema, corrected.wishes.banned);
  const asked = rephrase(question, usable);
  const linked = linkQuestion(asked.text, usable, input.values, input.today);
  const attempt =
    readQuestion(asked, linked, usable, corrected, new Map(Object.entries(input.choices))) ??
    (corrected.anew ? readNothing(input, schema, corrected) : undefined);
  if (!attempt) {
    return {
      planned: {
        outcome: "cannot-answer",
        missing: "what is asked for",
        reason: "No word of the question names a table, a column or a stored value.",
        why: "The question could not be tied to this database.",
      },
    };
  }
  const unplaced = new Set(corrected.frameEdits.filter((edit) => !editFrame(edit, attempt.build)));
  for (const table of corrected.alsoTables)
    if (!attempt.build.frame.required.includes(table)) attempt.build.frame.required.push(table);
  // Words of a question that was put aside are no reason to ask.
  const refused = corrected.anew
    ? undefined
    : (audit(attempt, input, settled) ?? askAboutTwins(attempt, question, settled));
  const answered = refused ? planAnswered(refused, input, schema, edits, settled) : undefined;
  if (answered) return answered;
  if (refused) return { planned: refused, attempt };
  const result = compileFrame(attempt.build.frame, schema, attempt.build.graph, corrected.wishes);
  if (!result.ok) {
    const missing = result.table ? `a way to join ${result.table}` : "a reading that fits together";
    return {
      planned: {
        outcome: "cannot-answer",
        missing,
        reason: result.problem,
        why: result.table
          ? "The question names tables that no relation connects."
          : "The parts I read contradict each other, and an answer from some of them would be another question's answer.",
      },
      attempt,
    };
  }
  const gap = askAboutGap(attempt, result.compiled, settled);
  if (gap) return planAnswered(gap, input, schema, edits, settled) ?? { planned: gap };
  return {
    planned: { outcome: "plan", plan: explainPlan(attempt, result.compiled, question) },
    compiled: result.compiled,
    choices: attempt.picker.choices,
    attempt,
    unplaced,
  };
}

/** On with the option that was chosen, if the question was answered: a correction that can be read, or to go on without. */
function planAnswered(
  asked: Planned,
  input: PlannerInput,
  schema: Schema,
  edits: Edit[],
  settled: ReadonlySet<string>,
): Outcome | undefined {
  const chosen = asked.outcome === "ask" ? input.choices[asked.id] : undefined;
  if (asked.outcome !== "ask" || chosen === undefined) return undefined;
  const read = /out of it$|^go on/i.test(chosen)
    ? undefined
    : readCorrection(chosen, { schema, values: input.values, joins: [], today: input.today });
  return planWith(input, schema, read?.ok ? [...edits, ...read.edits] : edits, new Set([...settled, asked.id]));
}

/** Something to begin with where the question itself gives nothing. */
function readNothing(input: PlannerInput, schema: Schema, corrected: Corrected): Attempt | undefined {
  const [table] = schema.tables;
  if (!table) return undefined;
  const asked = rephrase(`Show ${table.words.join(" ")}`, schema);
  return readQuestion(asked, linkQuestion(asked.text, schema, input.values, input.today), schema, corrected, new Map());
}

/** Words may not link to what the reviewer has ruled out. */
function withoutTables(schema: Schema, banned: ReadonlySet<string>): Schema {
  return banned.size === 0 ? schema : { ...schema, tables: schema.tables.filter((table) => !banned.has(table.name)) };
}

function readQuestion(
  asked: Asked,
  found: Linked,
  schema: Schema,
  corrected: Corrected,
  forced: ReadonlyMap<string, string>,
): Attempt | undefined {
  const analysed = analyseItems(found, schema);
  const contrast = splitContrast(analysed.items);
  const linked = { ...found, items: contrast?.items ?? analysed.items };
  const sides = contrast ?? splitRatio(linked.items) ?? splitDifference(linked.items);
  const sentences = sides
    ? [...parseSentences(sides.over), ...parseSentences(sides.under)]
    : parseSentences(linked.items);
  const picker = createPicker(forced, schema.knowledge?.picks);
  corrected.wishes.said = new Set(linked.tokens.flatMap((token) => token.keys));
  const graph = createJoinGraph(schema, corrected.wishes);
  const mentions = new Map<string, number>();
  const mention = (table: string, strength: number) =>
    mentions.set(table, Math.max(mentions.get(table) ?? 0, strength));
  for (const item of linked.items) {
    if (item.kind === "table") mention(item.table, item.score);
    if (item.kind === "column") {
      const owned = item.options.filter((option) => option.owned && option.score >= 0.9);
      if (owned.length === 1 && owned[0]) mention(owned[0].table, 1);
    }
  }
  for (const sentence of sentences)
    for (const phrase of allPhrases(sentence)) for (const owner of phrase.owners) mention(owner, 1);
  for (const table of corrected.alsoTables) mention(table, 2);
  for (const table of corrected.wishes.banned) mentions.set(table, -20);
  const anchors = linked.items.flatMap((item) => {
    if (item.kind === "table") return item.score >= 0.9 ? [item.table] : [];
    if (item.kind !== "column" && item.kind !== "value") return [];
    const best = Math.max(...item.options.map((option) => option.score));
    const tables = new Set(item.options.filter((option) => option.score >= best - 0.1).map((option) => option.table));
    return tables.size === 1 ? [...tables] : [];
  });
  const resolver = createResolver({
    schema,
    graph,
    picker,
    mentions,
    preferred: [...corrected.preferred, ...(analysed.price ? [analysed.price] : [])],
    anchors: [...new Set(anchors)],
    said: corrected.wishes.said,
    defined: linked.items.flatMap((item) => (item.kind === "concept" && item.defined ? [item.defined] : []))[0],
  });
  const parts = { schema, graph, resolver, linked };
  const build = sides ? buildPair(sides, parts, contrast) : buildFrame(sentences, parts);
  if (build) settleAnalysis(build, asked, analysed);
  return build ? { build, picker, asked, linked, sentences, schema, corrected } : undefined;
}

function buildPair(
  sides: RatioSides,
  parts: Pick<Building, "schema" | "graph" | "resolver" | "linked">,
  contrast: Contrast | undefined,
): Building | undefined {
  const build = (items: Item[]) => buildFrame(parseSentences(items), { ...parts, linked: { ...parts.linked, items } });
  const [over, under] = [build(sides.over), build(sides.under)];
  if (!over || !under) return over ?? under;
  const said = parts.linked.items.find((item) => /^(ratio|difference|gap|margin|spread)/i.test(item.text))?.text;
  const words = contrast?.words ?? said ?? "ratio";
  const made = divide(over, under, words, sides);
  if (!made)
    over.notes.push(`"${words}" could not be tied to two figures that can be ${sides.minus ? "compared" : "divided"}.`);
  return { ...(made ?? over), linked: parts.linked };
}
