/**
 * The offline planner: a question in English, a catalog and its stored values in, a complete plan out — decisions for
 * each phase, steps and SQL — or a question back, or the plain statement that the data isn't there. It is rules alone:
 * link words to names and values, build a small clause tree, fill one typed frame, compile it over keys and
 * cardinality, and audit the result. The same input gives the same output, byte for byte.
 */

import { askAboutCorrection, askAboutNeededTable, askUnchanged } from "./ask.ts";
import { audit } from "./audit.ts";
import { askAboutGap } from "./audit-sql.ts";
import { buildFrame } from "./build-frame.ts";
import type { Building } from "./building.ts";
import { createPicker, type Picker } from "./candidates.ts";
import { parseSentences } from "./clause-tree.ts";
import { allPhrases, type Sentence } from "./clause-types.ts";
import { applyEdits, type Corrected, type Edit, type ReadEdit, readCorrection } from "./correct.ts";
import { dropTable } from "./drop-table.ts";
import { editFrame } from "./edit-frame.ts";
import { explainPlan } from "./explain.ts";
import { createJoinGraph } from "./joins.ts";
import { looksEnglish } from "./language.ts";
import { type Linked, linkQuestion } from "./linking.ts";
import type { Correction, Planned, PlannerInput } from "./plan.ts";
import { type Compiled, compileFrame } from "./relational-tree.ts";
import { createResolver } from "./resolve.ts";
import { createSchema, type Schema } from "./schema.ts";
import { askAboutTwins } from "./twin-tables.ts";

export type { Plan, Planned, PlannerInput } from "./plan.ts";

/** Everything one attempt at a reading found out, for the audit, the explanation and the corrections. */
export interface Attempt {
  build: Building;
  picker: Picker;
  linked: Linked;
  sentences: Sentence[];
  schema: Schema;
  corrected: Corrected;
}
type Outcome = { planned: Planned; compiled?: Compiled };

const schemas = new WeakMap<object, Schema>();

function schemaOf(input: PlannerInput): Schema {
  const known = schemas.get(input.catalog);
  if (known) return known;
  const made = createSchema(input.catalog);
  schemas.set(input.catalog, made);
  return made;
}

export async function planQuestion(input: PlannerInput): Promise<Planned> {
  if (!looksEnglish(input.question)) {
    return {
      outcome: "cannot-answer",
      missing: "a question in English",
      reason: "The offline planner reads English only. Ask again in English, or choose a model.",
      why: "The words of the question are not English, so nothing can be told about how they belong together.",
    };
  }
  const schema = schemaOf(input);
  const edits: Edit[] = [];
  let outcome = planWith(input, schema, edits);
  for (const [index, correction] of input.corrections.entries()) {
    const last = index === input.corrections.length - 1;
    const next = applyCorrection(input, schema, edits, correction, outcome);
    if (next.ask) {
      // Words said later answer an earlier misunderstanding.
      if (last) return next.ask;
      continue;
    }
    outcome = next.outcome;
  }
  return outcome.planned;
}

/** Adds the correction's edits to `edits`, or gives the question to ask back. */
function applyCorrection(
  input: PlannerInput,
  schema: Schema,
  edits: Edit[],
  correction: Correction,
  before: Outcome,
): { ask: Planned; outcome?: undefined } | { ask?: undefined; outcome: Outcome } {
  const joins = before.compiled?.joins ?? [];
  const filters = before.compiled?.filters ?? [];
  const context = { schema, values: input.values, joins, filters, today: input.today };
  let read = readCorrection(correction.text, context);
  if (!read.ok) {
    // Only the sentence that was not understood is asked about; the others hold.
    const understood = read.understood ?? [];
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
  const same =
    before.planned.outcome === "plan" &&
    next.planned.outcome === "plan" &&
    before.planned.plan.sql === next.planned.plan.sql;
  if (same) {
    const ask = askUnchanged(correction, before, schema);
    const chosen = input.choices[ask.id];
    if (chosen === undefined) return { ask };
    if (/^keep\b/i.test(chosen)) return { outcome: before };
    const other = readCorrection(chosen, context);
    if (!other.ok) return { ask };
    edits.push(...other.edits);
    return { outcome: planWith(input, schema, edits) };
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
  const question = (corrected.question ?? input.question).trim();
  const allowed = { ...corrected, wishes: { ...corrected.wishes, banned: new Set<string>() } };
  const linked = linkQuestion(question, schema, input.values, input.today);
  const attempt = readQuestion(linked, schema, allowed, new Map(Object.entries(input.choices)));
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

function planCorrected(
  input: PlannerInput,
  schema: Schema,
  edits: Edit[],
  corrected: Corrected,
  settled: ReadonlySet<string>,
): Outcome {
  const question = (corrected.question ?? input.question).trim();
  const linked = linkQuestion(question, withoutTables(schema, corrected.wishes.banned), input.values, input.today);
  const attempt = readQuestion(
    linked,
    withoutTables(schema, corrected.wishes.banned),
    corrected,
    new Map(Object.entries(input.choices)),
  );
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
  for (const edit of corrected.frameEdits) editFrame(edit, attempt.build);
  for (const table of corrected.alsoTables)
    if (!attempt.build.frame.required.includes(table)) attempt.build.frame.required.push(table);
  const refused = audit(attempt, input, settled) ?? askAboutTwins(attempt, question, settled);
  const chosen = refused?.outcome === "ask" ? input.choices[refused.id] : undefined;
  if (refused?.outcome === "ask" && chosen !== undefined) {
    // An option is a correction that can be read, or says to go on without.
    const read = /out of it$|^go on without|^keep it/i.test(chosen)
      ? undefined
      : readCorrection(chosen, { schema, values: input.values, joins: [], today: input.today });
    return planWith(input, schema, read?.ok ? [...edits, ...read.edits] : edits, new Set([...settled, refused.id]));
  }
  if (refused) return { planned: refused };
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
    };
  }
  const gap = askAboutGap(attempt, result.compiled.sql, settled);
  if (gap)
    return input.choices[gap.id] === undefined
      ? { planned: gap }
      : planWith(input, schema, edits, new Set([...settled, gap.id]));
  return {
    planned: { outcome: "plan", plan: explainPlan(attempt, result.compiled, question) },
    compiled: result.compiled,
  };
}

/** Words may not link to what the reviewer has ruled out. */
function withoutTables(schema: Schema, banned: ReadonlySet<string>): Schema {
  return banned.size === 0 ? schema : { ...schema, tables: schema.tables.filter((table) => !banned.has(table.name)) };
}

function readQuestion(
  linked: Linked,
  schema: Schema,
  corrected: Corrected,
  forced: ReadonlyMap<string, string>,
): Attempt | undefined {
  const sentences = parseSentences(linked.items);
  const picker = createPicker(forced);
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
    preferred: corrected.preferred,
    anchors: [...new Set(anchors)],
  });
  const build = buildFrame(sentences, { schema, graph, resolver, linked });
  return build ? { build, picker, linked, sentences, schema, corrected } : undefined;
}
