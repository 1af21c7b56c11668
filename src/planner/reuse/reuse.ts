/**
 * A verified query in place of a plan of one's own: for the very same question, or for one that differs in parameters
 * alone, or that is read the same way. The decisions come with it, rewritten like the SQL, and are proven against it;
 * whatever can't be proven is planned anew. One that is stale, or was verified on another structure, is named and never
 * used. Pure.
 */
import type { ValueIndex } from "../../catalog/value-index.ts";
import type { Catalog, Knowledge, PhaseId, VerifiedPiece } from "../../protocol/index.ts";
import type { Plan, Planned, PlannerInput } from "../plan.ts";
import { nameWords } from "../words/language.ts";
import type { Trial } from "./knowledge-learned.ts";
import { isProven, readVerified, type VerifiedDecisions } from "./reuse-decisions.ts";
import { findLiterals, rewriteSql, swapValue } from "./reuse-literals.ts";
import { describeDifferences, matchQuestion, type QuestionMatch, type Swap } from "./reuse-match.ts";
import { matchReadings, toReading } from "./reuse-reading.ts";

export interface NearVerified {
  piece: VerifiedPiece;
  match: QuestionMatch;
  /** Why it may only be mentioned. */
  stale?: string;
}

/** Least share of words in common for a question to be called close. */
const closeShare = 0.6;

/** Verified questions close to this one, nearest first; ties stand in the order of their files. */
export function findVerified(
  {
    question,
    catalog,
    values,
    knowledge,
  }: { question: string; catalog: Catalog; values: ValueIndex; knowledge: Knowledge },
  most = 3,
): NearVerified[] {
  const near = knowledge.verified.flatMap((piece): NearVerified[] => {
    const match = matchQuestion(question, piece, values);
    if (match.kind === "near" && match.share < closeShare) return [];
    const stale = staleReason(piece, catalog);
    return [{ piece, match, ...(stale === undefined ? {} : { stale }) }];
  });
  return near.toSorted((a, b) => rate(b) - rate(a)).slice(0, most);
}

const rate = ({ match, stale }: NearVerified): number =>
  (match.kind === "exact" ? 3 : match.kind === "near" ? match.share : 2) - (stale === undefined ? 0 : 0.5);

export function staleReason(piece: VerifiedPiece, catalog: Catalog): string | undefined {
  if (piece.stale) return piece.stale.reason;
  if (piece.engine !== catalog.engine) return `it was verified on ${piece.engine}`;
  if (piece.catalog_checksum !== catalog.checksum) return "tables, columns or keys changed since it was verified";
  if (isOfItsDay(piece))
    return "it asks about a time seen from today, and its SQL holds the dates of the day it was verified";
  return undefined;
}

const fromToday =
  /\b(today|yesterday|tomorrow|now|currently|recent(ly)?|ago|so far|to date|(this|last|past|current|previous|next|coming)\s+(\w+\s+)?(day|week|weekend|month|quarter|year|decade)s?)\b/i;

/** "Last month" is another month next month; a date that the question itself says stays. */
function isOfItsDay({ question, sql, engine }: VerifiedPiece): boolean {
  if (!fromToday.test(question)) return false;
  return findLiterals(sql, engine).some(
    ({ value }) => /^\d{4}-\d{2}|^(19|20)\d{2}$/.test(value) && !question.includes(value.slice(0, 4)),
  );
}

/** What proves a verified query, by its piece: reading one takes some milliseconds. Null where nothing does. */
const proven = new WeakMap<VerifiedPiece, VerifiedDecisions | null>();

function provenOf(piece: VerifiedPiece, catalog: Catalog): VerifiedDecisions | null {
  const known = proven.get(piece);
  if (known !== undefined) return known;
  const held = readVerified(piece, catalog) ?? null;
  proven.set(piece, held);
  return held;
}

export function reuseVerified(input: PlannerInput): Plan | undefined {
  const { knowledge, catalog } = input;
  if (!knowledge || knowledge.verified.length === 0 || input.corrections.length > 0) return undefined;
  for (const found of findVerified({ ...input, knowledge })) {
    if (found.stale !== undefined || found.match.kind === "near") continue;
    const held = provenOf(found.piece, catalog);
    const swaps = found.match.kind === "parameters" ? found.match.swaps : [];
    const rewritten = held && (swaps.length > 0 ? rewrite(held, swaps, catalog) : held);
    if (rewritten) return toPlan(rewritten, found, input.question);
  }
  return undefined;
}

/**
 * For a question in other words than a verified one: `attempt` reads both, and equal readings share their answer. The
 * verified queries nearest by their words are looked at.
 */
export function reuseReading(
  input: PlannerInput,
  asked: Trial,
  near: readonly VerifiedPiece[],
  attempt: (piece: VerifiedPiece) => Trial,
): Plan | undefined {
  const { catalog } = input;
  const reading = toReading(asked, catalog);
  if (!reading) return undefined;
  for (const piece of near) {
    const verified = toReading(attempt(piece), catalog);
    const swaps = verified && matchReadings(verified, reading, piece);
    if (!swaps) continue;
    const held = provenOf(piece, catalog);
    const rewritten = held && (swaps.length > 0 ? rewrite(held, swaps, catalog) : held);
    const compared = matchQuestion(input.question, piece, input.values);
    const differences = compared.kind === "near" ? compared.differences : [];
    if (rewritten) return toPlan(rewritten, { piece, match: { kind: "reading", swaps, differences } }, input.question);
  }
  return undefined;
}

/** Least share of words in common for a verified question to be offered where there is no plan. */
const offeredShare = 0.7;

/**
 * Where there is no plan of one's own, the nearest verified question is offered with what differs: the reviewer says
 * whether it is what they mean. Undefined when none is near, or when they said no.
 */
export function offerVerified(input: PlannerInput): Planned | undefined {
  const { knowledge, catalog, choices } = input;
  if (!knowledge || knowledge.verified.length === 0 || input.corrections.length > 0) return undefined;
  const found = findVerified({ ...input, knowledge }, 10).find(
    ({ match, stale }) => stale === undefined && (match.kind !== "near" || match.share >= offeredShare),
  );
  const held = found && provenOf(found.piece, catalog);
  if (!found || !held) return undefined;
  const id = `verified:${found.piece.file}`.slice(0, 200);
  const chosen = choices[id];
  if (chosen === useWords) return { outcome: "plan", plan: toPlan(held, found, input.question) };
  if (chosen !== undefined) return undefined;
  const differences = describeDifferences(found.match);
  return {
    outcome: "ask",
    phase: "F1",
    id,
    question: `Do you mean “${found.piece.question}”? It was verified; your question differs: ${differences}.`.slice(
      0,
      2000,
    ),
    why: `I have no plan for this question. ${found.piece.file} answers one that is close to it.`,
    options: [
      { id: "use", label: useWords, detail: `As it stands in ${found.piece.file}, whatever differs.` },
      { id: "other", label: "No, it is another question", proposed: true },
    ],
  };
}

const useWords = "Use the verified query";

function rewrite(held: VerifiedDecisions, swaps: readonly Swap[], catalog: Catalog): VerifiedDecisions | undefined {
  const { engine } = catalog;
  const steps = renameSteps(held, swaps);
  const toSql = (sql: string) => rewriteSql(sql, engine, swaps, steps);
  const toWords = (words: string) => rewriteWords(words, swaps);
  const decisions = held.decisions.map((decision): VerifiedDecisions["decisions"][number] => {
    switch (decision.kind) {
      case "interpretation":
        return {
          ...decision,
          text: toWords(decision.text),
          ...(decision.expressions ? { expressions: decision.expressions.map(toSql) } : {}),
        };
      case "filter":
        return {
          ...decision,
          words: decision.words === decision.condition ? toSql(decision.words) : toWords(decision.words),
          values: decision.values.map((value) => swapValue(value, swaps)),
          condition: toSql(decision.condition),
        };
      case "cte":
        return {
          ...decision,
          name: steps.get(decision.name) ?? decision.name,
          purpose: toWords(decision.purpose),
          sql: toSql(decision.sql),
        };
      case "table":
      case "column":
        return { ...decision, reason: toWords(decision.reason) };
      default:
        return decision;
    }
  });
  const sql = toSql(held.sql);
  return sql !== held.sql && isProven(sql, decisions, catalog)
    ? { decisions, sql, accepted: held.accepted }
    : undefined;
}

function rewriteWords(words: string, swaps: readonly Swap[]): string {
  return swaps.reduce((text, { from, to, value }) => {
    const known = [...new Set([from, value.from])].map((one) => one.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${known.join("|")})(?![\\p{L}\\p{N}])`, "giu");
    return text.replaceAll(pattern, () => (value.from === from ? value.to : to));
  }, words);
}

/** `brazil_customers` becomes `germany_customers`: a step must not be called after what it no longer holds. */
function renameSteps({ decisions }: VerifiedDecisions, swaps: readonly Swap[]): Map<string, string> {
  const names = new Map<string, string>();
  const taken = new Set(decisions.flatMap((decision) => (decision.kind === "cte" ? [decision.name] : [])));
  const snake = (text: string) =>
    nameWords(text)
      .map((word) => word.normalize("NFD").replaceAll(/[^a-z0-9]/g, ""))
      .filter(Boolean)
      .join("_");
  for (const decision of decisions) {
    if (decision.kind !== "cte" || !/^[a-z_][a-z0-9_]*$/.test(decision.name)) continue;
    let name = decision.name;
    for (const { value } of swaps) {
      const [from, to] = [snake(value.from), snake(value.to)];
      if (from !== "" && to !== "") name = name.replace(new RegExp(`(?<![a-z0-9])${from}(?![a-z0-9])`), to);
    }
    if (name === decision.name || taken.has(name) || !/^[a-z_]/.test(name)) continue;
    taken.add(name);
    names.set(decision.name, name);
  }
  return names;
}

function toPlan({ decisions, sql, accepted }: VerifiedDecisions, found: NearVerified, question: string): Plan {
  const { piece, match } = found;
  const of = <K extends VerifiedDecisions["decisions"][number]["kind"]>(kind: K) =>
    decisions.filter(
      (decision): decision is Extract<VerifiedDecisions["decisions"][number], { kind: K }> => decision.kind === kind,
    );
  const day = piece.at.slice(0, 10);
  const said = describeDifferences(match);
  const source = `verified by ${piece.by} on ${day} (${piece.file})`;
  const same = match.kind === "exact";
  const intro = same
    ? `This question was ${source}.`
    : `“${piece.question}” was ${source}. This question ${match.kind === "reading" ? "is read the same way" : "differs"}: ${said}.`;
  const summary = (title: string, text: string) => ({ title, summary: `${intro} ${text}`.slice(0, 4000) });
  const interpretation = of("interpretation");
  const tables = of("table");
  const used = tables.filter(({ use }) => use === "used").map(({ table }) => table);
  const [joins, filters, steps] = [of("join"), of("filter"), of("cte")];
  const changed = same ? "unchanged" : `with ${said}`;
  const explanation = `${question.trim()} The verified SQL of ${piece.file}, ${changed}.`.slice(0, 2000);
  const reasoning = (text: string) => `${intro} ${text}`;
  const phases: Record<PhaseId, [title: string, text: string]> = {
    F1: ["What is asked", same ? "It is read as it was then." : "Everything else is read as it was then."],
    F2: ["Where the data is", `Read ${used.join(", ")}.`],
    F3: [
      "How the tables meet",
      joins.length > 0 ? "The joins are those of the verified SQL." : "No join beside what its steps hold.",
    ],
    F4: [
      "Which rows count",
      filters.length > 0 ? "The conditions are those of the verified SQL." : "No condition beside what its steps hold.",
    ],
    F5: ["The steps", `${steps.map(({ name, purpose }) => `${name}: ${purpose}`).join("; ")}.`],
    F6: ["The answer", explanation],
  };
  const entries = Object.entries(phases) as [PhaseId, [string, string]][];
  return {
    interpretation,
    tables,
    columns: of("column"),
    joins,
    filters,
    steps,
    sql,
    explanation,
    summaries: Object.fromEntries(
      entries.map(([id, [title, text]]) => [id, summary(title, text)]),
    ) as Plan["summaries"],
    reasoning: Object.fromEntries(entries.map(([id, [, text]]) => [id, reasoning(text)])) as Plan["reasoning"],
    lookups: { catalog: [], values: [], tables: [] },
    verified: { file: piece.file, origin: piece.origin, match, differences: said, accepted },
  };
}
