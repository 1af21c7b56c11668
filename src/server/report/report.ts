/**
 * What a finished (or unfinished) session has to say for itself, from its ledger: what was asked, what was answered, every
 * decision with who and when, what it rests on in figures. Blocks first, then Markdown or HTML.
 */
import {
  check,
  type LedgerEntry,
  type Manifest,
  type PhaseId,
  PhaseSummary,
  phaseIds,
  phaseTitles,
  type QueryResult,
  type SessionView,
} from "../../protocol/index.ts";
import { foldLedger, type GateRecord, type SessionState } from "../../workflow/fold-ledger.ts";
import { type Block, heading, list, table, text, toMoment } from "./blocks.ts";
import { toAsked, toGates, toQueries, toSuperseded, toWho } from "./course-blocks.ts";
import { toDecisionWords } from "./decision-words.ts";
import { toEvidence, toResultBlocks } from "./evidence-blocks.ts";

/** Rows of the result that a report carries; the result route has all of them. */
export const reportRows = 100;

export interface ReportSource {
  view: SessionView;
  entries: readonly LedgerEntry[];
  manifest: Pick<Manifest, "promptVersion" | "catalogChecksum">;
  /** Of ThothII. */
  version: string;
  /** Null when there is none; `problem` says why it can't be read now. */
  result: QueryResult | null;
  problem?: string;
  /** When the report was made. */
  now: string;
}

export function toReport(source: ReportSource): Block[] {
  const { view, entries } = source;
  const state = foldLedger(entries);
  return [
    heading(1, view.question),
    ...(state.question !== "" && state.question !== view.question ? [text(`Follow-up: ${state.question}`)] : []),
    ...toAnswer(source),
    ...toAsked(entries),
    ...phaseIds.flatMap((phase) => toPhase(phase, state, entries)),
    ...toGates(state),
    ...toSuperseded(state, entries),
    ...toVersions(source),
  ];
}

function toAnswer({ view, result, problem }: ReportSource): Block[] {
  const blocks: Block[] = [heading(2, "Answer")];
  if (view.cannotAnswer) {
    blocks.push(
      text(`This can't be answered from the data. Missing: ${view.cannotAnswer.missing}. ${view.cannotAnswer.reason}`),
    );
  } else if (view.failure) {
    blocks.push(text(`The session failed: ${view.failure.message} ${view.failure.action}`));
  } else if (view.outcome === null) {
    blocks.push(text(`Not answered yet: the session stands at ${view.phase} ${phaseTitles[view.phase]}.`));
  }
  if (view.explanation) blocks.push(text(view.explanation));
  if (view.sql) blocks.push(heading(3, "SQL"), text("The exact text that runs."), { kind: "code", text: view.sql });
  if (result) blocks.push(heading(3, "Result"), ...toResultBlocks(result, reportRows));
  else if (problem) blocks.push(text(problem));
  return blocks;
}

/** What holds in a phase, with the figures of the gate that it was accepted at. */
function toPhase(phase: PhaseId, state: SessionState, entries: readonly LedgerEntry[]): Block[] {
  const from = entries.findLastIndex((entry) => entry.type === "prompt" && entry.kind !== "steer");
  const blocks: Block[] = [];
  for (const entry of entries.slice(Math.max(0, from))) {
    if (entry.type !== "summary" || entry.phase !== phase || !isHeld(state.gates.get(entry.gateId), state)) continue;
    const summary = check(PhaseSummary, entry.summary);
    if (!summary.ok) continue;
    blocks.push(text(summary.value.summary));
    blocks.push(...list((summary.value.open_questions ?? []).map((question) => `Open: ${question}`)));
  }
  blocks.push(
    ...table(
      ["Number", "Decision", "Who", "When"],
      state.decisions
        .filter((held) => held.phase === phase)
        .map((held) => [`#${held.seq}`, toDecisionWords(held.decision), toWho(held.by), toMoment(held.at)]),
    ),
  );
  const accepted = [...state.gates.values()].filter(
    (gate) => gate.opened.phase === phase && isHeld(gate, state) && gate.opened.seq > (entries[from]?.seq ?? 0),
  );
  blocks.push(...accepted.flatMap(({ opened }) => toEvidence(opened.kind, opened.payload)));
  return blocks.length > 0 ? [heading(2, `${phase} ${phaseTitles[phase]}`), ...blocks] : [];
}

/** Accepted, and what it wrote was not superseded as a whole. */
function isHeld(gate: GateRecord | undefined, state: SessionState): boolean {
  if (!gate) return true;
  if (gate.answered?.answer !== "continue") return false;
  return gate.seqs.length === 0 || gate.seqs.some((seq) => !state.superseded.has(seq));
}

function toVersions({ view, entries, manifest, version, now }: ReportSource): Block[] {
  return [
    heading(2, "Session"),
    ...table(
      ["What", "Which"],
      [
        ["Session", view.id],
        ["Workspace", view.workspace],
        ["Model", `${view.provider}/${view.model}, thinking ${view.thinking}`],
        ["Review", view.review === "every-phase" ? "every phase" : "when needed"],
        ["Asked", toMoment(view.createdAt)],
        ["Last change", toMoment(view.updatedAt)],
        ["Ledger", `${entries.length} entries`],
        ["ThothII", version],
        ["Prompts", manifest.promptVersion],
        ["Catalog", manifest.catalogChecksum || "not read yet"],
        ["Report made", toMoment(now)],
      ],
    ),
    ...toQueries(entries),
  ];
}
