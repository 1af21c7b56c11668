/**
 * Corrections made from the proposal itself, beside those that came with the gate: what a reviewer most often changes,
 * in words that stand on their own. Pure; a phrase is offered only where the proposal gives it a meaning.
 */
import type { InterpretationDecision } from "../../protocol/decisions.ts";
import type { Chip } from "../../protocol/evidence.ts";
import type { GatePayload, OpenGate } from "../../protocol/gates.ts";
import { toValueWords } from "./filter-list.tsx";

interface ChipGroup {
  group: string;
  chips: Chip[];
}

/** Lengths that the protocol allows for label and words. */
const longestLabel = 120;
const longestText = 400;
/** Values offered per filter; the others have their own button beside them. */
const valuesPerFilter = 3;

export function toProposalChips(gate: OpenGate): ChipGroup[] {
  const groups = [toGroup(gate)].filter((group) => group.chips.length > 0);
  return groups.map(({ group, chips }) => ({
    group,
    chips: chips.filter((chip) => chip.label.length <= longestLabel && chip.text.length <= longestText),
  }));
}

function toGroup(gate: OpenGate): ChipGroup {
  switch (gate.kind) {
    case "decision-review":
      return toDecisionChips(gate.payload);
    case "join-review":
      return { group: "Joins", chips: toKeyChips(gate.payload) };
    case "cte-review":
      return { group: "Steps", chips: toStepChips(gate.payload) };
    case "sql-review":
      return { group: "Result", chips: toResultChips(gate.payload) };
    default:
      return { group: "", chips: [] };
  }
}

const chip = (words: string): Chip => ({ label: words, text: `${words}.` });

function toDecisionChips({ decisions, filters }: GatePayload<"decision-review">): ChipGroup {
  const said = decisions.filter((decision) => decision.kind === "interpretation");
  if (said.length > 0) return { group: "Question", chips: said.flatMap((one) => toSaidChips(one, said)) };
  const values = (filters ?? []).flatMap(({ n, matches }) =>
    matches
      .filter((match) => !match.inFilter && match.value.trim() !== "")
      .slice(0, valuesPerFilter)
      .map((match) => ({ label: `Add ${match.value} to ${n}`, text: toValueWords(n, match.value, false) })),
  );
  if (values.length > 0) return { group: "Filters", chips: values };
  const shown = decisions.filter((decision) => decision.kind === "column" && decision.role === "output");
  return {
    group: "Data",
    chips: shown.length < 2 ? [] : shown.map((one) => (one.kind === "column" ? chip(`Hide ${one.column}`) : chip(""))),
  };
}

/** `revenue (unit price × quantity), highest first` is about `revenue`. */
const toThing = (text: string): string => text.replace(/\s*[(,].*$/s, "").trim();

function toSaidChips({ aspect, text }: InterpretationDecision, all: InterpretationDecision[]): Chip[] {
  switch (aspect) {
    case "order": {
      const turned = /\b(highest|most|largest|newest|descending)\b/i.test(text)
        ? "Lowest first"
        : /\b(lowest|fewest|smallest|oldest|ascending)\b/i.test(text)
          ? "Highest first"
          : null;
      const thing = toThing(text);
      const outputs = all.filter((one) => one.aspect === "output" || one.aspect === "measure");
      const shown = outputs.some((one) => one.text.toLowerCase().includes(thing.toLowerCase()));
      return [...(turned ? [chip(turned)] : []), ...(thing && !shown ? [chip(`Also show the ${thing}`)] : [])];
    }
    case "limit":
      return [chip("No limit")];
    case "period":
    case "filter":
      return [chip(`Without the ${aspect}: ${text.trim().replace(/[.\s]+$/, "")}`)];
    default:
      return [];
  }
}

/** Another key is worth asking for where one was guessed or a finding points at the join. */
function toKeyChips({ decisions, evidence, frame }: GatePayload<"join-review">): Chip[] {
  return decisions.flatMap((decision, index) => {
    const n = index + 1;
    const inferred = evidence.joins.find((join) => join.n === n)?.pairs.filter((pair) => pair.origin === "inferred");
    const meant = (inferred?.length ?? 0) > 0 || frame.findings.some((finding) => finding.where === n);
    return [
      ...(decision.pairs.length > 1
        ? (inferred ?? []).map((pair) => chip(`Without the ${pair.left} pair in ${n}`))
        : []),
      ...(meant ? [chip(`Use another key in ${n}`)] : []),
    ];
  });
}

function toStepChips({ steps }: GatePayload<"cte-review">): Chip[] {
  const inner = steps.slice(0, -1).map((step) => chip(`Without the step ${step.name}`));
  return [...inner, chip("Use more and smaller steps"), ...(steps.length > 1 ? [chip("Use fewer steps")] : [])];
}

function toResultChips({ result }: GatePayload<"sql-review">): Chip[] {
  if (result.columns.length < 2) return [];
  return result.columns.slice(0, 6).map((column) => chip(`Hide ${column.name}`));
}
