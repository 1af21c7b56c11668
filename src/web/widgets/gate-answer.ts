/** What the buttons of a gate send, and why they can't: pure, so that the rules can be read and tested in one place. */
import type { Chip, Severity } from "../../protocol/evidence.ts";
import type { GateFrame, OpenGate } from "../../protocol/gates.ts";
import { plural } from "../elements/numbers.ts";
import type { Tone } from "../elements/tone.ts";
import { toTone } from "../elements/tone.ts";
import type { Draft } from "./draft.ts";
import { normalizeSummary } from "./normalize-summary.ts";

export interface Answer {
  answer: "continue" | "other";
  text?: string;
  choice?: string;
  acceptedDeviations?: string[];
  /** With `other`: the reviewer's own final SQL. */
  sql?: string;
}

/** Option that Continue means without a choice. */
export const toProposedOption = (options: { id: string; proposed?: boolean }[]): string | undefined =>
  (options.find((option) => option.proposed) ?? options[0])?.id;

export function toContinue(gate: OpenGate, draft: Draft): Answer {
  if (gate.kind === "question") {
    const known = gate.payload.options.some((option) => option.id === draft.choice);
    const choice = known && draft.choice !== null ? draft.choice : toProposedOption(gate.payload.options);
    return choice === undefined ? { answer: "continue" } : { answer: "continue", choice };
  }
  if (gate.kind === "sql-review") {
    const ids = gate.payload.conformance.deviations.map((deviation) => deviation.id);
    const accepted = ids.filter((id) => draft.accepted.includes(id));
    return accepted.length > 0 ? { answer: "continue", acceptedDeviations: accepted } : { answer: "continue" };
  }
  return { answer: "continue" };
}

/** The lines that Continue writes as the draft stands: of a question, the option that is chosen now. */
export function toWrites(gate: OpenGate, draft: Draft): string[] {
  const { writes } = gate.payload.frame;
  if (gate.kind !== "question") return writes;
  const { choice } = toContinue(gate, draft);
  const chosen = gate.payload.options.find((option) => option.id === choice);
  return writes.map((line) => (chosen && /^choice\b/.test(line) ? `choice   ${chosen.label}` : line));
}

export const toOther = (draft: Draft): Answer => ({ answer: "other", text: draft.text.trim() });

export const otherBlocked = (draft: Draft): string | undefined =>
  draft.text.trim() === "" ? "Say what should change first: pick a chip or write it." : undefined;

export interface Block {
  headline: string;
  rest: string;
}

/** Continue can't prove the SQL while something in it was neither accepted nor rejected. */
export function continueBlocked(gate: OpenGate, draft: Draft): Block | undefined {
  if (gate.kind !== "sql-review") return undefined;
  if (draft.sql !== undefined)
    return { headline: "Continue is blocked while you edit the SQL.", rest: "Propose yours, or discard the edit." };
  const open = gate.payload.conformance.deviations.filter((deviation) => !draft.accepted.includes(deviation.id)).length;
  if (open === 0) return undefined;
  return {
    headline: `Continue is blocked by ${plural(open, "deviation")}.`,
    rest: open === 1 ? "Reject it or accept it as a new decision." : "Reject them or accept each as a new decision.",
  };
}

export interface HeadTag {
  tone: Tone;
  text: string;
  href?: string;
}

/** The words below the title, unless what follows says the same. */
export function toIntro(gate: OpenGate): string {
  const { intro } = gate.payload.frame;
  if (gate.kind === "question") return gate.payload.cannotAnswer || gate.payload.question === intro ? "" : intro;
  if (gate.kind === "phase-summary") return normalizeSummary(gate.payload.summary).summary === intro ? "" : intro;
  if (gate.kind !== "decision-review") return intro;
  const said = gate.payload.decisions.filter((decision) => decision.kind === "interpretation");
  const isSaid =
    said.some((decision) => decision.text === intro) ||
    (said.length > 0 && said.every((decision) => intro.includes(decision.text)));
  return isSaid ? "" : intro;
}

const severities: Severity[] = ["problem", "warning", "notice", "info"];

/** The tags beside the title: what needs a look, or what was checked when nothing does. */
export function toHeadTags(gate: OpenGate): HeadTag[] {
  const tags: HeadTag[] = [];
  const frame = gate.payload.frame;
  if (gate.kind === "sql-review" && gate.payload.conformance.deviations.length > 0) {
    tags.push({
      tone: "warning",
      text: plural(gate.payload.conformance.deviations.length, "deviation"),
      href: "#deviations",
    });
  }
  for (const severity of severities) {
    const found = frame.findings.filter((finding) => finding.severity === severity);
    const first = found[0];
    if (!first) continue;
    const word = severity === "info" ? "note" : severity;
    tags.push({ tone: toTone(severity), text: plural(found.length, word), href: `#finding-${first.id}` });
  }
  const questions = toOpenQuestions(gate);
  if (questions.length > 0)
    tags.push({ tone: "notice", text: plural(questions.length, "open question"), href: "#open-questions" });
  const checks = toChecks(gate);
  const passed = checks.filter((check) => check.ok).length;
  if (checks.length > passed)
    tags.push({ tone: "warning", text: `${plural(checks.length - passed, "check")} failed`, href: "#checks" });
  if (tags.length === 0 && passed > 0) tags.push({ tone: "ok", text: `${plural(passed, "check")} passed` });
  return tags;
}

export const toOpenQuestions = (gate: OpenGate): string[] =>
  normalizeSummary(gate.kind === "phase-summary" ? gate.payload.summary : gate.payload.frame.summary).openQuestions;

const toChecks = (gate: OpenGate) =>
  gate.kind === "join-review"
    ? gate.payload.evidence.checks
    : gate.kind === "cte-review" || gate.kind === "sql-review"
      ? gate.payload.checks
      : [];

/** Chips by group for `What should change`: the ways out of the findings first, then those of the gate. */
export function toChipGroups(
  frame: GateFrame,
  more: { group: string; chips: Chip[] }[] = [],
): { group: string; chips: Chip[] }[] {
  const given = new Set(frame.chips.flatMap(({ chips }) => chips.map((chip) => chip.text)));
  const missing = new Map<string, Chip>();
  for (const finding of frame.findings)
    for (const way of finding.waysOut) if (!given.has(way.text)) missing.set(way.text, way);
  const groups = new Map<string, Chip[]>();
  if (missing.size > 0) groups.set("Findings", [...missing.values()]);
  for (const { group, chips } of [...frame.chips, ...more]) {
    groups.set(group, [...(groups.get(group) ?? []), ...chips]);
  }
  // What stands in an earlier group isn't offered again, even in slightly other words.
  const seen = new Set<string>();
  const isNew = (chip: Chip) => !seen.has(chip.label) && seen.add(chip.label);
  return [...groups]
    .map(([group, chips]) => ({ group, chips: chips.filter(isNew) }))
    .filter(({ chips }) => chips.length > 0);
}

/** `1 warning, 2 notices` */
export const toFindingCounts = (frame: GateFrame): string =>
  severities
    .map((severity) => [frame.findings.filter((finding) => finding.severity === severity).length, severity] as const)
    .filter(([count]) => count > 0)
    .map(([count, severity]) => plural(count, severity === "info" ? "note" : severity))
    .join(", ");
