/** The report as a page of its own: figures first, then every miss with both statements and their first rows. */
import { Html, html } from "./html.ts";
import type { EvaluatedQuestion, FirstRows, Group, Report } from "./report.ts";

const style = `
:root{color-scheme:light dark;--line:#d4d4d8;--soft:#71717a;--ground:#fff;--code:#f4f4f5;--text:#18181b}
@media(prefers-color-scheme:dark){:root{--line:#3f3f46;--soft:#a1a1aa;--ground:#18181b;--code:#27272a;--text:#fafafa}}
body{margin:2rem auto;max-width:76rem;padding:0 1rem;font:15px/1.5 system-ui,sans-serif;background:var(--ground);color:var(--text)}
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}h3{font-size:1rem;margin:0}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid var(--line);padding:.25rem .75rem .25rem 0;text-align:left;vertical-align:top}
td.n,th.n{text-align:right}
pre{background:var(--code);padding:.5rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;font-size:13px}
.soft{color:var(--soft)}.scroll{overflow:auto;max-height:18rem}
.miss{border:1px solid var(--line);border-radius:.5rem;padding:1rem;margin:1rem 0}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(22rem,1fr));gap:1rem}
.mark{display:inline-block;border:1px solid var(--line);border-radius:1rem;padding:0 .6rem;font-size:13px}
`;

export function toReportPage(report: Report): string {
  const { summary } = report;
  const misses = report.results.filter((result) => result.outcome !== "right");
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Evaluation of ${report.model}</title>
<style>${new Html(style)}</style>
</head>
<body>
<h1>Evaluation of ${report.model}</h1>
<p>${report.questions.file}, reviewer ${report.reviewer}${report.way === "planner" ? ", the planner called directly" : ""}.
${report.results.length} of ${report.questions.count} questions.${report.finished === null ? " Not finished: this is what there is so far." : ""}</p>
<p class="soft">ThothII ${report.program}, begun ${report.started}. Median ${toMs(summary.ms.median)}, 95 % within ${toMs(summary.ms.p95)};
${summary.tokens.total} tokens.</p>
${toGroups("Result", [summary.all, ...summary.apart.map((group) => ({ ...group, name: `apart: ${group.name}` }))])}
${summary.curve ? toGroups("By corrections allowed", summary.curve) : ""}
${summary.readings ? toReadings(summary.readings) : ""}
${toGroups("By source", summary.by_source)}
${toGroups("By database", summary.by_db)}
${toGroups("By tag", summary.by_tag)}
<h2>Not right: ${misses.length}</h2>
${misses.map(toMiss)}
${report.templates ? toTemplates(report.templates) : ""}
</body>
</html>
`.text;
}

const toMs = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);
const toPercent = (share: number): string => `${(100 * share).toFixed(1)} %`;

function toGroups(title: string, groups: readonly Group[]): Html {
  if (groups.length === 0) return html``;
  return html`<h2>${title}</h2>
<table><thead><tr><th></th><th class="n">questions</th><th class="n">right</th><th class="n">accuracy</th><th>95 %</th><th class="n">wrong</th><th class="n">cannot answer</th><th class="n">asked</th><th class="n">failed</th></tr></thead>
<tbody>${groups.map(
    (group) =>
      html`<tr><th>${group.name}</th><td class="n">${group.questions}</td><td class="n">${group.right}</td><td class="n">${toPercent(group.accuracy)}</td><td>${toPercent(group.low)} to ${toPercent(group.high)}</td><td class="n">${group.wrong}</td><td class="n">${group.cannot_answer}</td><td class="n">${group.asked}</td><td class="n">${group.failed}</td></tr>`,
  )}</tbody></table>`;
}

function toReadings(readings: NonNullable<Report["summary"]["readings"]>): Html {
  return html`<h2>Both readings named at a gate</h2>
<p>${readings.named} of ${readings.questions}: asked with an option for each in ${readings.asked}, as an open question in ${readings.open_question}, one table used and the other named as left out in ${readings.left_out}.</p>`;
}

function toMiss(result: EvaluatedQuestion): Html {
  return html`<section class="miss">
<h3>${result.question}</h3>
<p><span class="mark">${result.outcome}</span> ${result.apart ? html`<span class="mark">apart: ${result.apart}</span>` : ""} <span class="soft">${result.id} · ${result.db} · ${toMs(result.ms)}${result.after_asking ? ` · with the proposed option: ${result.after_asking}` : ""}</span></p>
${result.note ? html`<p>${result.note}</p>` : ""}
${(result.said ?? []).map((said) => html`<p class="soft">${said.phase}: “${said.text}”</p>`)}
<div class="sides">${toSide("Predicted", result.predicted_sql, result.predicted_rows)}${toSide("Gold", result.gold_sql ?? null, result.gold_rows)}</div>
</section>`;
}

function toSide(title: string, sql: string | null, rows: FirstRows | undefined): Html {
  return html`<div><p class="soft">${title}</p>${sql === null ? html`<p>No SQL.</p>` : html`<pre>${sql}</pre>`}${rows ? toRows(rows) : ""}</div>`;
}

function toRows({ columns, rows, rowCount, truncated }: FirstRows): Html {
  const count = `${rowCount}${truncated ? " or more" : ""} ${rowCount === 1 ? "row" : "rows"}`;
  return html`<div class="scroll"><table><thead><tr>${columns.map((column) => html`<th>${column}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell === null ? html`<span class="soft">NULL</span>` : String(cell)}</td>`)}</tr>`)}</tbody></table></div>
<p class="soft">${rows.length < rowCount ? `first ${rows.length} of ` : ""}${count}</p>`;
}

function toTemplates(templates: NonNullable<Report["templates"]>): Html {
  return html`<h2>What the reviewer can say</h2>
<table><tbody>${Object.entries(templates).map(([id, { says, when }]) => html`<tr><th>${id}</th><td>${says}</td><td class="soft">${when}</td></tr>`)}</tbody></table>`;
}
