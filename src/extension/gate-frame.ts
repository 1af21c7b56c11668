/** What every gate says around its evidence: the question, what Continue writes, what it rests on, and quick corrections. */
import { cut } from "../evidence/ask.ts";
import {
  type Chip,
  type Finding,
  type GateFrame,
  type JoinDecision,
  type PhaseId,
  type PhaseSummary,
  type ProposedDecision,
  phaseIds,
} from "../protocol/index.ts";
import { type HeldDecision, nextPhase, phaseLabel, type SessionState } from "../workflow/fold-ledger.ts";

const numbers = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const inWords = (count: number): string => numbers[count] ?? String(count);
export const plural = (count: number, one: string, many = `${one}s`): string => (count === 1 ? one : many);

export interface FrameParts {
  phase: PhaseId;
  title: string;
  intro: string;
  findings?: Finding[];
  writes: string[];
  /** Without the closing "Next: …". */
  consequence: string;
  otherConsequence: string;
  chips?: GateFrame["chips"];
  summary?: PhaseSummary | undefined;
  /** What it rests on beside earlier decisions. */
  knowledge?: GateFrame["restsOn"];
  /** The verified query that the proposal repeats. */
  verifiedBy?: GateFrame["verifiedBy"];
}

export function toFrame(state: SessionState, parts: FrameParts): GateFrame {
  const findings = parts.findings ?? [];
  const alarms = findings.filter((finding) => finding.severity === "warning" || finding.severity === "problem");
  const next = nextPhase(parts.phase);
  const ways = uniqueChips(findings.flatMap((finding) => finding.waysOut));
  return {
    title: cut(parts.title, 300),
    intro: cut(parts.intro, 2000),
    findings,
    writes: [...parts.writes, ...alarms.map((finding) => `accepts ${finding.severity}: ${finding.title}`)].map((line) =>
      cut(line, 2000),
    ),
    consequence: cut(
      `${[
        parts.consequence +
          (alarms.length > 0 ? ` and your acceptance of ${alarms.length} ${plural(alarms.length, "warning")}` : ""),
        parts.summary || parts.phase === "F6"
          ? next
            ? `Next: ${phaseLabel(next)}`
            : "This is the last gate"
          : `${phaseLabel(parts.phase)} goes on`,
      ].join(". ")}.`,
      400,
    ),
    otherConsequence: parts.otherConsequence,
    chips: [...(ways.length > 0 ? [{ group: "Findings", chips: ways }] : []), ...(parts.chips ?? [])],
    restsOn: [...toRestsOn(state, parts.phase), ...(parts.knowledge ?? [])],
    ...(parts.verifiedBy ? { verifiedBy: parts.verifiedBy } : {}),
    ...(parts.summary ? { summary: parts.summary } : {}),
    gatesLeft: phaseIds.length - 1 - phaseIds.indexOf(parts.phase),
  };
}

function uniqueChips(chips: Chip[]): Chip[] {
  return [...new Map(chips.map((chip) => [chip.label, chip])).values()];
}

/** Decisions of earlier phases, one chip per group that was decided together. */
function toRestsOn(state: SessionState, phase: PhaseId): GateFrame["restsOn"] {
  const earlier = state.decisions.filter((held) => held.phase < phase);
  return phaseIds.flatMap((id) => {
    const held = earlier.filter((decision) => decision.phase === id);
    if (id === "F1" || id === "F4")
      return held.map((decision) => ({ seqs: [decision.seq], label: cut(toLabel(decision), 60) }));
    if (held.length === 0) return [];
    return [{ seqs: held.map((decision) => decision.seq), label: groupLabel(id, held) }];
  });
}

function toLabel({ decision }: HeldDecision): string {
  return decision.kind === "interpretation"
    ? decision.text
    : decision.kind === "filter"
      ? decision.condition
      : decision.kind;
}

function groupLabel(phase: PhaseId, held: HeldDecision[]): string {
  if (phase === "F3") return `${inWords(held.length)} ${plural(held.length, "join")}`;
  if (phase === "F5") return `${inWords(held.length)} ${plural(held.length, "step")}`;
  const tables = held.filter(({ decision }) => decision.kind === "table" && decision.use === "used").length;
  return `${inWords(tables)} ${plural(tables, "table")}`;
}

/** The gate's question for a proposal of `decisions`. */
export function proposalTitle(phase: PhaseId, decisions: readonly ProposedDecision[]): string {
  const count = inWords(decisions.length);
  switch (phase) {
    case "F1":
      return "Is this what you are asking?";
    case "F2":
      return "Is this the data that answers it?";
    case "F3":
      return decisions.length === 1 ? "Is this join right?" : `Are these ${count} joins right?`;
    case "F4":
      return decisions.length === 1
        ? "Does this filter mean what you said?"
        : `Do these ${count} filters mean what you said?`;
    default:
      return decisions.length === 1 ? "Does this step build the answer?" : `Do these ${count} steps build the answer?`;
  }
}

/** A decision as one line of the ledger would read. */
export function toWrite(decision: ProposedDecision): string {
  switch (decision.kind) {
    case "interpretation":
      return `${decision.aspect.padEnd(8)} ${decision.text}`;
    case "table":
      return `${decision.use === "used" ? "table   " : "left out"} ${decision.table}: ${decision.reason}`;
    case "column":
      return `column   ${decision.table}.${decision.column} as ${decision.role}: ${decision.reason}`;
    case "join":
      return `join     ${toJoinText(decision)}`;
    case "filter":
      return `filter   ${decision.condition}`;
    case "cte":
      return `step     ${decision.name}: ${decision.purpose}`;
  }
}

export function toJoinText({ left, type, right, pairs }: JoinDecision): string {
  const on = pairs.map((pair) => `${right.alias}.${pair.right} = ${left.alias}.${pair.left}`).join(" AND ");
  return `${left.table} ${left.alias} ${type} JOIN ${right.table} ${right.alias}${on === "" ? "" : ` ON ${on}`}`;
}

/** Corrections that take a second: chosen by what a reviewer most often changes in this kind of proposal. */
export function toChips(phase: PhaseId, decisions: readonly ProposedDecision[]): GateFrame["chips"] {
  const chips = decisions.flatMap((decision, index): Chip[] => chipsOf(decision, index + 1));
  const group = { F1: "Question", F2: "Data", F3: "Joins", F4: "Filters", F5: "Steps", F6: "SQL" }[phase];
  return chips.length > 0 ? [{ group, chips: uniqueChips(chips).slice(0, 16) }] : [];
}

const toChip = (words: string): Chip => ({ label: cut(words, 120), text: cut(`${words}.`, 400) });

function chipsOf(decision: ProposedDecision, n: number): Chip[] {
  switch (decision.kind) {
    case "table":
      return [toChip(decision.use === "used" ? `Without ${decision.table}` : `Also ${decision.table}`)];
    case "join":
      return [
        ...(decision.type === "INNER" ? [toChip(`Use LEFT JOIN in ${n}`)] : []),
        ...(decision.type === "LEFT" ? [toChip(`Use INNER JOIN in ${n}`)] : []),
        toChip(`Without ${decision.right.table}`),
      ];
    case "filter":
      return [toChip(`Without the filter on ${decision.table}.${decision.column}`)];
    default:
      return [];
  }
}
