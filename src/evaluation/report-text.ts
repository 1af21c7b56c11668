/** Report and comparison as text for a terminal. */
import type { Changed, Comparison } from "./compare-reports.ts";
import type { Group, Report } from "./report.ts";

const toPercent = (share: number): string => (100 * share).toFixed(1);

export function toReportText(report: Report, toTable: (columns: string[], rows: string[][]) => string): string {
  const { summary } = report;
  const columns = ["", "questions", "right", "%", "95 %", "wrong", "cannot answer", "asked", "failed"];
  const table = (title: string, groups: readonly Group[]) =>
    groups.length === 0 ? [] : [`${title}\n${toTable(columns, groups.map(toRow))}`];
  const { readings } = summary;
  const empty = summary.all.questions === 0;
  return [
    `${report.model}, reviewer ${report.reviewer}: ${report.results.length} of ${report.questions.count} questions${report.finished === null ? ", not finished" : ""}.`,
    ...table("Result", [
      ...(empty ? [] : [summary.all]),
      ...summary.apart.map((group) => ({ ...group, name: `apart: ${group.name}` })),
    ]),
    ...(summary.other_order > 0
      ? [
          `Of the wrong ones ${summary.other_order} ${summary.other_order === 1 ? "has" : "have"} gold's rows in another order.`,
        ]
      : []),
    ...table("By corrections allowed", summary.curve ?? []),
    ...(readings
      ? [
          `Both readings named at a gate: ${readings.named} of ${readings.questions} (asked ${readings.asked}, open question ${readings.open_question}, left out with its name ${readings.left_out}).`,
        ]
      : []),
    ...(summary.unanswerable
      ? [
          `Questions without an answer in the data: ${summary.unanswerable.cannot_answer + summary.unanswerable.asked} of ${summary.unanswerable.questions} ended as cannot answer or in a question.`,
        ]
      : []),
    ...(empty ? [] : table("By source", summary.by_source)),
    ...(empty ? [] : table("By database", summary.by_db)),
    ...(empty ? [] : table("By tag", summary.by_tag)),
    `Time: median ${Math.round(summary.ms.median)} ms, 95 % within ${Math.round(summary.ms.p95)} ms. Tokens: ${summary.tokens.total}, ${Math.round(summary.tokens.per_question)} a question.`,
  ].join("\n\n");
}

const toRow = (group: Group): string[] => [
  group.name,
  String(group.questions),
  String(group.right),
  toPercent(group.accuracy),
  `${toPercent(group.low)} to ${toPercent(group.high)}`,
  ...[group.wrong, group.cannot_answer, group.asked, group.failed].map(String),
];

export function toComparisonText(comparison: Comparison): string {
  const { shared, better, worse, moved, unchanged, p } = comparison;
  const list = (title: string, changes: readonly Changed[]) =>
    changes.length === 0
      ? []
      : [
          `${title}: ${changes.length}\n${changes.map((change) => `  ${change.id} (${change.db}) ${change.before} → ${change.after}: ${change.question}`).join("\n")}`,
        ];
  const alone = [
    comparison.only_before > 0 ? `${comparison.only_before} only in the first` : "",
    comparison.only_after > 0 ? `${comparison.only_after} only in the second` : "",
    comparison.other_text > 0 ? `${comparison.other_text} with one id and another text` : "",
  ].filter(Boolean);
  const share = (part: number) => (shared === 0 ? "0.0" : toPercent(part / shared));
  return [
    `${comparison.before} → ${comparison.after}: ${shared} questions in both${alone.length > 0 ? ` (${alone.join(", ")})` : ""}.`,
    `Right: ${comparison.right_before} (${share(comparison.right_before)} %) → ${comparison.right_after} (${share(comparison.right_after)} %).`,
    ...list("Better", better),
    ...list("Worse", worse),
    ...list("Otherwise not right", moved),
    `Unchanged: ${unchanged}.`,
    better.length + worse.length === 0
      ? "Nothing became right or ceased to be."
      : `${better.length} better, ${worse.length} worse: by chance alone a split as uneven as this has p = ${p < 0.001 ? "< 0.001" : p.toFixed(3)} (McNemar, exact)${p < 0.05 ? "." : ", so no difference is shown."}`,
  ].join("\n\n");
}
