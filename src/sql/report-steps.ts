/** Steps of the report: an accepted step is found by its text or, written otherwise, by what it computes. */
import type { OfKind } from "./accepted.ts";
import type { Report, StepMatch } from "./conformance-report.ts";
import { sameForm } from "./match-filters.ts";
import { tokenize, unquote } from "./parser.ts";
import { fold } from "./scope.ts";
import { tokenKey } from "./snippets.ts";

export interface SqlStep {
  name: string;
  body: string;
  startLine: number;
  endLine: number;
}
type Forms = readonly { name: string; form: string }[];

/** `forms` are those of the statement's steps and derived tables, `accepted` those of the accepted steps by name. */
export function matchStep(
  step: OfKind<"cte">,
  ctes: readonly SqlStep[],
  forms: Forms,
  accepted: ReadonlyMap<string, string>,
  dialect: string,
): StepMatch {
  const name = fold(unquote(step.decision.name));
  const linesOf = (cte: SqlStep | undefined) =>
    cte ? Array.from({ length: cte.endLine - cte.startLine + 1 }, (_, index) => cte.startLine + index) : [];
  const named = (wanted: string) => ctes.find((candidate) => fold(unquote(candidate.name)) === wanted);
  const cte = named(name);
  const wanted = accepted.get(name);
  const same = wanted === undefined ? [] : forms.filter(({ form }) => sameForm(form, wanted));
  const [mine, theirs] = [tokenize(step.decision.sql, dialect), tokenize(cte?.body ?? "", dialect)];
  const [left, right] = [mine, theirs].map((tokens) => (tokens.ok ? tokenKey(tokens.value) : []));
  const changes = joinWordChanges(left ?? [], right ?? []);
  const equalText =
    mine.ok && theirs.ok
      ? left?.join("\u0001") === right?.join("\u0001")
      : step.decision.sql.trim() === cte?.body.trim();
  if (cte && equalText) return { step, status: "found", lines: linesOf(cte), onlyJoinWords: 0 };
  const found = same.find((candidate) => candidate.name === name) ?? same[0];
  if (found) return { step, status: "found", lines: linesOf(named(found.name)), onlyJoinWords: 0, form: found.form };
  if (!cte) return { step, status: "missing", lines: [], onlyJoinWords: 0 };
  return { step, status: "deviates", lines: linesOf(cte), onlyJoinWords: changes };
}

/** Number of joins that are the only difference between two texts; 0 when anything else differs too. */
function joinWordChanges(left: readonly string[], right: readonly string[]): number {
  const kind = /^(left|right|full|inner|outer|cross)$/;
  const strip = (parts: readonly string[]) => parts.filter((part) => !kind.test(part));
  const [a, b] = [strip(left), strip(right)];
  if (a.length !== b.length || a.some((part, index) => part !== b[index])) return 0;
  const kinds = (parts: readonly string[]) =>
    parts
      .join(" ")
      .split(/\bjoin\b/)
      .slice(0, -1)
      .map((part) => /(left|right|full|cross)( outer)? $/.exec(part)?.[1] ?? "inner");
  const [before, after] = [kinds(left), kinds(right)];
  return before.filter((part, index) => part !== after[index]).length;
}

export function reportSteps(
  { steps, rows, drafts, accepted }: Report,
  ctes: readonly { name: string; line: number }[],
  forms: Forms,
): void {
  for (const {
    step: { seq, decision },
    status,
    lines,
    onlyJoinWords,
  } of steps) {
    rows.push({ seq, text: `Step ${decision.name}`, status, lines: status === "found" ? lines.slice(0, 1) : lines });
    if (status === "missing") {
      drafts.push({
        kind: "step-missing",
        seq,
        title: `The step ${decision.name} you accepted is not in the SQL`,
        body: decision.purpose.slice(0, 500),
        accepted: decision.name,
        lines: [],
      });
    }
    if (status !== "deviates") continue;
    // When every changed word is a join's type and each is named already, the step has nothing to add.
    const named = drafts.filter(
      (draft) => draft.kind === "join-type" && draft.lines.some((line) => lines.includes(line)),
    ).length;
    if (onlyJoinWords > 0 && onlyJoinWords === named) continue;
    drafts.push({
      kind: "step-changed",
      seq,
      title: `The step ${decision.name} differs from the one you accepted`,
      body: `Lines ${lines[0]} to ${lines.at(-1)} are not the accepted text.`,
      accepted: decision.sql.trim().slice(0, 2000),
      lines,
    });
  }
  // Where the shape was accepted too, a step of its own hides nothing: all of it is held against the decisions.
  if (accepted.steps.length === 0 || accepted.shapes.length > 0) return;
  const known = new Set(accepted.steps.map((step) => fold(unquote(step.decision.name))));
  const computed = new Set(steps.map((match) => match.form));
  for (const cte of ctes) {
    const name = fold(unquote(cte.name));
    if (known.has(name) || forms.some((entry) => entry.name === name && computed.has(entry.form))) continue;
    drafts.push({
      kind: "step-extra",
      title: `Line ${cte.line} holds the step ${cte.name}, which you did not accept`,
      body: "It is none of the accepted steps.",
      inSql: cte.name,
      lines: [cte.line],
    });
  }
}
