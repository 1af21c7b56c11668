/** A gate as text for a terminal: what is asked, the evidence that matters most, and what Continue does. */
import {
  check,
  type FilterEvidence,
  type GateFrame,
  type GateKind,
  type GatePayload,
  gates,
  type OpenGate,
  phaseTitles,
  type QueryResult,
  type SessionView,
} from "../protocol/index.ts";
import { toLine, toPlainText, toTable } from "./terminal-text.ts";

/** As the server sends it: the payload isn't checked yet. */
export type ShownGate = NonNullable<SessionView["openGate"]>;

export function toGateText(gate: ShownGate): string {
  const parsed = parseGate(gate);
  if (!parsed)
    return `${gate.phase} ${phaseTitles[gate.phase]}: this gate can't be shown here; open the page to review it.`;
  const { frame } = parsed.payload;
  const findings = frame.findings
    .filter((finding) => finding.severity !== "info")
    .map((finding) => `! ${finding.severity}: ${finding.title} — ${finding.body}`);
  const parts = [
    `── ${gate.phase} ${phaseTitles[gate.phase]} ──`,
    frame.title,
    frame.intro,
    toEvidence(parsed),
    findings.join("\n"),
    toKnown(frame.restsOn),
    frame.consequence ? `Continue: ${frame.consequence}` : "",
  ];
  return parts
    .filter((part) => part !== "")
    .map(toPlainText)
    .join("\n\n");
}

/** Null when the payload isn't what its kind says. */
export function parseGate(gate: ShownGate): OpenGate | null {
  return check(gates[gate.kind], gate.payload).ok ? (gate as OpenGate) : null;
}

/** What the workspace's files say about it; earlier decisions were shown at their own gates. */
const toKnown = (items: GateFrame["restsOn"]): string =>
  items
    .flatMap(({ knowledge }) =>
      knowledge ? [`Rests on ${knowledge.file}: ${knowledge.title} (${knowledge.why})`] : [],
    )
    .join("\n");

function toEvidence(gate: OpenGate): string {
  return (writers[gate.kind] as (payload: OpenGate["payload"]) => string)(gate.payload);
}

const writers: { [K in GateKind]: (payload: GatePayload<K>) => string } = {
  "phase-summary": (payload) =>
    [payload.summary.summary, ...(payload.summary.open_questions ?? []).map((question) => `? ${question}`)].join("\n"),
  question: (payload) =>
    [
      payload.question,
      ...payload.options.map(
        (option, at) =>
          `  ${at + 1}. ${option.label}${option.proposed ? " (proposed)" : ""}${option.detail ? `: ${option.detail}` : ""}`,
      ),
    ].join("\n"),
  "decision-review": (payload) =>
    [
      ...payload.decisions.map((decision) => toDecisionLine(decision, payload)),
      ...(payload.filters ?? []).map(toFilterLine),
    ].join("\n"),
  "join-review": (payload) =>
    toTable(
      ["", "join", "on", "kind", "left matched", "right matched", "rows before", "rows after"],
      payload.decisions.map((join, at) => {
        const found = payload.evidence.joins.find((evidence) => evidence.n === at + 1);
        return [
          String(at + 1),
          `${join.left.table} ${join.left.alias} ${join.type} ${join.right.table} ${join.right.alias}`,
          join.pairs.map((pair) => `${pair.left} = ${pair.right}`).join(", "),
          ...(found
            ? [
                found.cardinality,
                `${found.leftMatched}/${found.leftRows}`,
                `${found.rightMatched}/${found.rightRows}`,
                String(found.before),
                String(found.after),
              ]
            : []),
        ];
      }),
    ),
  "cte-review": (payload) =>
    payload.steps
      .map((step) =>
        [
          `Step ${step.n} ${step.name}: ${step.purpose}`,
          `${step.rowCount} rows of ${step.base}${step.why ? `; ${step.why}` : ""}`,
          toRows(step.result, 5),
        ].join("\n"),
      )
      .concat(payload.sql)
      .join("\n\n"),
  "sql-review": (payload) =>
    [
      payload.explanation,
      payload.sql,
      toRows(payload.result, 10),
      ...payload.conformance.deviations.map((deviation) => `! deviation: ${deviation.title} — ${deviation.body}`),
    ].join("\n\n"),
};

function toDecisionLine(
  decision: GatePayload<"decision-review">["decisions"][number],
  { tables }: GatePayload<"decision-review">,
): string {
  switch (decision.kind) {
    case "interpretation":
      return `- ${decision.aspect}: ${decision.text}`;
    case "table": {
      const rows = tables?.find((table) => table.table === decision.table)?.rows;
      return `- table ${decision.table}${decision.use === "left-out" ? " left out" : ""}${rows === undefined ? "" : ` (${rows} rows)`}: ${decision.reason}`;
    }
    case "column":
      return `- column ${decision.table}.${decision.column} (${decision.role}): ${decision.reason}`;
    case "filter":
      return `- “${decision.words}” is ${decision.condition}`;
  }
}

function toFilterLine(filter: FilterEvidence): string {
  const values = filter.matches
    .slice(0, 5)
    .map(
      (match) => `${toLine(match.value, 40)} (${match.how}, ${match.rows} rows${match.inFilter ? "" : ", not in it"})`,
    );
  return `  filter ${filter.n} keeps ${filter.kept ?? "?"} of ${filter.of} rows${values.length > 0 ? `; stored values: ${values.join(", ")}` : ""}`;
}

/** The first rows of a result as a table, and how many there are. */
export function toRows(result: QueryResult, most: number): string {
  const shown = result.rows.slice(0, most);
  const table = toTable(
    result.columns.map((column) => column.name),
    shown.map((row) => row.map((cell) => (cell === null ? "NULL" : String(cell)))),
  );
  const all = !result.truncated && shown.length === result.rowCount;
  const count = `${result.rowCount}${result.truncated ? " or more" : ""} ${result.rowCount === 1 ? "row" : "rows"}`;
  return `${table}\n(${all ? count : `first ${shown.length} of ${count}`})`;
}
