/**
 * The ledger as the reader wants it: per phase what was accepted, by whom and when, similar decisions on one line,
 * with what was sent back and, apart, what no longer holds. Pure and tolerant: entries may be older than this page.
 */
import type { LedgerViewEntry } from "../../protocol/api.ts";
import type { Decision } from "../../protocol/decisions.ts";
import { type PhaseId, phaseIds } from "../../protocol/phases.ts";
import { plural, toWord } from "../elements/numbers.ts";
import { toAspectLine } from "../widgets/aspect-words.ts";

export interface DecisionLine {
  /** `#24–28` */
  seqs: string;
  text: string;
  /** The text is SQL. */
  code?: boolean;
  /** Words of the reviewer with which a proposal went back. */
  sentBack?: boolean;
}
export interface DecisionGroup {
  phase: PhaseId;
  lines: DecisionLine[];
  superseded: DecisionLine[];
  /** Number of decisions that hold. */
  holding: number;
  /** A stored summary, of any version. */
  summary: unknown;
  by: string;
  at: number | null;
}

interface Numbered {
  seq: number;
  decision: Decision;
}

export function toDecisionGroups(entries: LedgerViewEntry[]): DecisionGroup[] {
  return phaseIds
    .map((phase) =>
      toGroup(
        phase,
        entries.filter((entry) => entry.phase === phase),
      ),
    )
    .filter((group) => group !== null);
}

function toGroup(phase: PhaseId, entries: LedgerViewEntry[]): DecisionGroup | null {
  const decided = entries.filter((entry) => entry.type === "decision" && entry.decision);
  const holding = toNumbered(decided.filter((entry) => entry.holds !== false));
  const gone = toNumbered(decided.filter((entry) => entry.holds === false));
  const sentBack = entries.filter((entry) => entry.type === "gate-answered" && entry.answer === "other" && entry.text);
  const summary = entries.findLast((entry) => entry.type === "summary" && entry.holds !== false);
  if (decided.length === 0 && sentBack.length === 0 && !summary) return null;
  const last = decided.findLast((entry) => entry.holds !== false) ?? summary;
  const lines = [
    ...sentBack.map((entry) => ({
      first: entry.seq,
      line: { seqs: `#${entry.seq}`, text: `Sent back: “${entry.text ?? ""}”`, sentBack: true },
    })),
    ...toLines(holding),
  ]
    .sort((a, b) => a.first - b.first)
    .map(({ line }) => line);
  return {
    phase,
    lines,
    holding: holding.length,
    superseded: toLines(gone).map(({ line }) => line),
    summary: summary?.summary,
    by: last ? (whoWords[last.by ?? ""] ?? last.by ?? "") : "",
    at: last ? Date.parse(last.at) : null,
  };
}

const whoWords: Record<string, string> = { policy: "by rule", reviewer: "you", verified: "verified query" };

const toNumbered = (entries: LedgerViewEntry[]): Numbered[] =>
  entries.flatMap((entry) => (entry.decision ? [{ seq: entry.seq, decision: entry.decision }] : []));

interface Placed {
  first: number;
  line: DecisionLine;
}

function toLines(decisions: Numbered[]): Placed[] {
  const placed: Placed[] = [];
  const add = (some: Numbered[], text: string, code = false) => {
    const first = some[0];
    if (first)
      placed.push({
        first: first.seq,
        line: { seqs: toSeqs(some.map((one) => one.seq)), text, ...(code ? { code } : {}) },
      });
  };
  const of = <K extends Decision["kind"]>(kind: K) =>
    decisions.filter(
      (one): one is { seq: number; decision: Extract<Decision, { kind: K }> } => one.decision.kind === kind,
    );

  for (const one of of("interpretation")) add([one], toAspectLine(one.decision));
  const tables = of("table");
  const used = tables.filter((one) => one.decision.use === "used");
  const leftOut = tables.filter((one) => one.decision.use === "left-out");
  if (used.length > 0)
    add(
      used,
      `${capital(toWord(used.length))} ${used.length === 1 ? "table" : "tables"}: ${used.map((one) => one.decision.table).join(", ")}`,
    );
  if (leftOut.length > 0) add(leftOut, `Left out: ${leftOut.map((one) => one.decision.table).join(", ")}`);
  const columns = of("column");
  if (columns.length > 0)
    add(
      columns,
      `${capital(toWord(columns.length))} ${columns.length === 1 ? "column" : "columns"}: ${columns.map((one) => `${one.decision.table}.${one.decision.column}`).join(", ")}`,
    );
  const joins = of("join");
  if (joins.length > 0) {
    add(
      joins,
      `${capital(toWord(joins.length))} ${joins.length === 1 ? "join" : "joins"}, accepted as one set: ${joins.map(({ decision }) => `${decision.left.table} to ${decision.right.table}${decision.type === "INNER" ? "" : ` (${decision.type})`}`).join(", ")}`,
    );
  }
  for (const one of of("filter")) add([one], one.decision.condition, true);
  const steps = of("cte");
  if (steps.length > 0)
    add(
      steps,
      `${capital(toWord(steps.length))} ${steps.length === 1 ? "step" : "steps"}: ${steps.map((one) => one.decision.name).join(", ")}`,
    );
  for (const one of of("sql")) add([one], `Final SQL, ${plural(one.decision.sql.split("\n").length, "line")}`);
  for (const one of of("deviation")) add([one], `Accepted deviation: ${one.decision.text}`);
  return placed;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** `#4`, `#24–28`, `#11, #13` */
export function toSeqs(seqs: number[]): string {
  const runs: [number, number][] = [];
  for (const seq of seqs.toSorted((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && seq === last[1] + 1) last[1] = seq;
    else runs.push([seq, seq]);
  }
  return runs.map(([from, to]) => (from === to ? `#${from}` : `#${from}–${to}`)).join(", ");
}

/** How a session went, e.g. `six gates, two sent back, the SQL does what you accepted`. */
export function toCourse(entries: LedgerViewEntry[]): string {
  const answered = entries.filter((entry) => entry.type === "gate-answered");
  const passed = answered.filter((entry) => entry.answer === "continue").length;
  const back = answered.filter((entry) => entry.answer === "other").length;
  const deviations = entries.filter((entry) => entry.decision?.kind === "deviation" && entry.holds !== false).length;
  return [
    passed > 0 ? `${toWord(passed)} ${passed === 1 ? "gate" : "gates"}` : null,
    back > 0 ? `${toWord(back)} sent back` : null,
    deviations > 0 ? `${plural(deviations, "deviation")} accepted as decisions` : "the SQL does what you accepted",
  ]
    .filter(Boolean)
    .join(", ");
}
