/** Filters of the report: each accepted one with its place or what stands there instead, and conditions unasked. */
import type { AcceptedFilter } from "./accepted.ts";
import { atLine, type Report, type StepMatch } from "./conformance-report.ts";
import { matchFilters } from "./match-filters.ts";
import { type Token, tokenize } from "./parser.ts";
import { type Snippets, tokenKey } from "./snippets.ts";
import type { ConditionFact, EdgeFact } from "./statement-facts.ts";

export function reportFilters(
  { facts, accepted, catalog, snippets, tokens, steps, equalText, rows, drafts }: Report,
  unexplainedEdges: readonly EdgeFact[],
): void {
  const { matches, unexplained } = matchFilters(facts, accepted, unexplainedEdges, equalText, (filter) =>
    findText(filter, tokens, steps, snippets, catalog.engine),
  );
  accepted.filters.forEach((filter, index) => {
    const match = matches[index] ?? { status: "missing" };
    const { seq, decision } = filter;
    const other = match.status === "deviates" ? placeOf(match.condition, snippets) : undefined;
    const lines = other ? other.lines : snippets.lines(match.status === "found" ? match.places : []);
    rows.push({ seq, text: decision.condition, status: match.status, lines });
    if (other) {
      drafts.push({
        kind: "filter-changed",
        seq,
        title: `${atLine(lines[0])} filters ${decision.column} in another way than you accepted`,
        body: `For “${decision.words}” you accepted ${decision.condition}.`,
        accepted: decision.condition,
        inSql: other.text,
        lines,
      });
    } else if (match.status === "missing") {
      drafts.push({
        kind: "filter-missing",
        seq,
        title: `The SQL doesn't filter by “${decision.words}”, as you accepted`,
        body: `The accepted condition ${decision.condition} is nowhere in WHERE, HAVING or ON.`,
        accepted: decision.condition,
        lines: [],
      });
    }
  });
  for (const condition of unexplained) {
    const { text: inSql, lines } = placeOf(condition, snippets);
    drafts.push({
      kind: "filter-extra",
      title: `${atLine(lines[0])} has a condition you did not accept`,
      body: "It keeps or drops rows, and no accepted filter says so.",
      ...(inSql ? { inSql } : {}),
      lines,
    });
  }
}

/** Equal for texts that differ in white space, comments and the case of words; brackets around the whole don't count. */
export function textKey(text: string, dialect: string): string {
  const tokenized = tokenize(text, dialect);
  if (!tokenized.ok) return text;
  let key = tokenKey(tokenized.value);
  const wrapped = () => {
    if (key[0] !== "(" || key.at(-1) !== ")") return false;
    let depth = 0;
    return key.slice(0, -1).every((part) => {
      if (part === "(") depth += 1;
      else if (part === ")") depth -= 1;
      return depth > 0;
    });
  };
  while (wrapped()) key = key.slice(1, -1);
  return key.join(" ");
}

export function placeOf(condition: ConditionFact, snippets: Snippets): { text: string; lines: number[] } {
  if (condition.at >= 0)
    return {
      text: snippets.condition(condition.at, condition.end, condition.kind === "or"),
      lines: snippets.lines([condition.at]),
    };
  const clause = snippets.clause(condition.clause, condition.near);
  return { text: clause?.text ?? "", lines: clause ? [clause.line] : [] };
}

/** Where the condition's own text stands inside an accepted step: what the trees can't settle, equal text does. */
function findText(
  filter: AcceptedFilter,
  tokens: readonly Token[],
  steps: readonly StepMatch[],
  snippets: Snippets,
  dialect: string,
): number | undefined {
  const wanted = tokenize(filter.decision.condition, dialect);
  if (!wanted.ok || wanted.value.length === 0) return undefined;
  const key = tokenKey(wanted.value);
  const all = tokenKey(tokens);
  for (let at = 0; at + key.length <= all.length; at++) {
    if (!key.every((part, index) => all[at + index] === part)) continue;
    const line = tokens[at]?.line ?? 0;
    const inside = steps.some(
      (match) => match.status === "found" && line >= (match.lines[0] ?? 0) && line <= (match.lines.at(-1) ?? 0),
    );
    if (inside) return snippets.place(tokens[at]?.start ?? 0);
  }
  return undefined;
}
