/** What was measured for an accepted gate, in words and figures. */
import { check, type Finding, type GateKind, type GatePayload, gates, type QueryResult } from "../../protocol/index.ts";
import { type Block, counted, figure, heading, list, table, text } from "./blocks.ts";
import { toDecisionWords } from "./decision-words.ts";

/** A payload that was kept in another form says nothing; the decisions beside it stay. */
export function toEvidence(kind: GateKind, payload: unknown): Block[] {
  const checked = check(gates[kind], payload);
  if (!checked.ok) return [];
  const blocks = toFigures(kind, payload);
  const frame = (payload as GatePayload).frame;
  return [...blocks, ...toFindings(frame.findings)];
}

function toFigures(kind: GateKind, payload: unknown): Block[] {
  switch (kind) {
    case "decision-review":
      return ofDecisions(payload as GatePayload<"decision-review">);
    case "join-review":
      return ofJoins(payload as GatePayload<"join-review">);
    case "cte-review":
      return ofSteps(payload as GatePayload<"cte-review">);
    case "sql-review":
      return ofSql(payload as GatePayload<"sql-review">);
    case "phase-summary":
    case "question":
      return [];
  }
}

function ofDecisions({ decisions, tables = [], filters = [] }: GatePayload<"decision-review">): Block[] {
  const conditions = decisions.filter((decision) => decision.kind === "filter");
  return [
    ...table(
      ["Table", "Use", "Rows", "Columns (filled, distinct)"],
      tables.map((one) => [
        one.table,
        one.use === "used" ? "used" : "left out",
        figure(one.rows),
        one.columns.map((column) => `${column.name} (${figure(column.filled)}, ${figure(column.distinct)})`).join("; "),
      ]),
      [2],
    ),
    ...table(
      ["Filter", "Rows kept", "of", "Stored values that match"],
      filters.map((filter) => [
        conditions[filter.n - 1]?.condition ?? `Filter ${filter.n}`,
        filter.kept === null ? "not countable alone" : figure(filter.kept),
        figure(filter.of),
        filter.matches
          .map(
            (match) =>
              `${match.value} (${figure(match.rows)}, ${match.how}${match.inFilter ? "" : ", not in the filter"})`,
          )
          .join("; ") || (filter.range ? `${filter.range.min} to ${filter.range.max}` : "none looked up"),
      ]),
      [1, 2],
    ),
  ];
}

function ofJoins({ decisions, evidence }: GatePayload<"join-review">): Block[] {
  const share = (part: number, whole: number) => `${figure(part)} of ${figure(whole)}`;
  return [
    ...table(
      ["Join", "Measured", "Left matched", "Right matched", "Null keys", "Rows before", "Rows after"],
      evidence.joins.map((join) => {
        const decision = decisions[join.n - 1];
        const origins = [...new Set(join.pairs.map((pair) => pair.origin))].join(", ");
        return [
          `${join.n}. ${decision ? toDecisionWords(decision) : ""} (${origins || "no key"})`,
          `${join.cardinality}${join.estimated ? ", estimated" : ""}`,
          share(join.leftMatched, join.leftRows),
          share(join.rightMatched, join.rightRows),
          `${figure(join.leftNullKeys)} left, ${figure(join.rightNullKeys)} right`,
          figure(join.before),
          figure(join.after),
        ];
      }),
      [5, 6],
    ),
    ...toChecks(evidence.checks),
  ];
}

function ofSteps({ steps, checks }: GatePayload<"cte-review">): Block[] {
  return [
    ...table(
      ["Step", "What one row is", "Reads", "Rows", "Left out", "Folded"],
      steps.map((step) => [
        `${step.n}. ${step.name}`,
        step.purpose,
        step.inputs.map((input) => `${input.name} (${figure(input.rows)})`).join(", "),
        figure(step.rowCount),
        figure(step.leftOut),
        figure(step.folded),
      ]),
      [3, 4, 5],
    ),
    ...toChecks(checks),
  ];
}

const statusWords = { found: "found", deviates: "deviates", missing: "missing" };

function ofSql({ conformance, checks, by }: GatePayload<"sql-review">): Block[] {
  const { rows, deviations } = conformance;
  const found = rows.filter((row) => row.status === "found").length;
  return [
    ...(by === "reviewer" ? [text("The reviewer wrote this SQL in place of the model’s proposal.")] : []),
    heading(3, "Conformance"),
    text(
      deviations.length === 0
        ? `All ${counted(found, "decision")} that SQL must show are found in it, and nothing else stands in it.`
        : `${counted(found, "decision")} found; ${counted(deviations.length, "deviation")} accepted as a new decision.`,
    ),
    ...table(
      ["Decision", "What", "In the SQL", "Lines"],
      rows.map((row) => [`#${row.seq}`, row.text, statusWords[row.status], row.lines.join(", ")]),
    ),
    ...list(
      deviations.map(
        (deviation) =>
          `Accepted deviation: ${deviation.title}. ${deviation.body}${deviation.inSql ? ` In the SQL: ${deviation.inSql}` : ""}`,
      ),
    ),
    ...toChecks(checks),
  ];
}

const toChecks = (checks: readonly { ok: boolean; text: string }[]): Block[] =>
  list(checks.map((one) => `${one.ok ? "Checked" : "Look here"}: ${one.text}`));

function toFindings(findings: readonly Finding[]): Block[] {
  return findings.flatMap(({ severity, title, body, proof }) => [
    text(`${severity === "info" ? "Note" : severity.charAt(0).toUpperCase() + severity.slice(1)}: ${title}. ${body}`),
    ...(proof ? table(proof.columns, proof.rows) : []),
  ]);
}

/** Rows of a result; the number of those that there are stands beside them. */
export function toResultBlocks(result: QueryResult, most: number): Block[] {
  const shown = result.rows.slice(0, most);
  const cut = result.truncated || result.rowCount > shown.length;
  const numeric = result.columns.flatMap((_, index) =>
    shown.some((row) => typeof row[index] === "number") && shown.every((row) => typeof row[index] !== "string")
      ? [index]
      : [],
  );
  return [
    text(cut ? `The first ${counted(shown.length, "row")}; there are more.` : `Rows: ${result.rowCount}.`),
    {
      kind: "table",
      columns: result.columns.map((column) => column.name),
      rows: shown.map((row) => row.map((cell) => (cell === null ? "NULL" : String(cell)))),
      right: numeric,
    },
  ];
}
