/** Report blocks as Markdown and as a page of their own. Every text in them is data and is escaped as such. */
import { escapeHtml } from "../escape-html.ts";
import type { Block } from "./blocks.ts";
import { toVisibleText } from "./visible-text.ts";

export function toMarkdown(blocks: readonly Block[]): string {
  return `${blocks.map(toMarkdownBlock).join("\n\n")}\n`;
}

function toMarkdownBlock(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `${"#".repeat(block.level)} ${escapeMarkdown(block.text)}`;
    case "text":
      return toLine(block.text);
    case "list":
      return block.items.map((item) => `- ${toLine(item)}`).join("\n");
    case "code": {
      const code = toVisibleText(block.text);
      const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map((run) => run[0].length));
      const fence = "`".repeat(longest + 1);
      return `${fence}sql\n${code}\n${fence}${toCodeNote(block.text) ? `\n\n${toCodeNote(block.text)}` : ""}`;
    }
    case "table": {
      const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(" | ")} |`;
      const rule = block.columns.map((_, index) => (block.right?.includes(index) ? " ---: |" : " --- |"));
      return [line(block.columns), `|${rule.join("")}`, ...block.rows.map(line)].join("\n");
    }
  }
}

/** On one line, with nothing that a Markdown reader would take for markup, a link or HTML. */
function escapeMarkdown(text: string): string {
  return toVisibleText(text)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_[\]<>|~]/g, "\\$&")
    .replace(/&/g, "&amp;")
    .replace(/\b(https?|ftp|mailto|www)([:.])/gi, "$1\\$2");
}

/** A line of its own must not begin like a heading, a list or a rule. */
const toLine = (text: string): string =>
  escapeMarkdown(text).replace(/^(?:[#+=-]|\d+(?=[.)]))/, (start) => (/\d/.test(start) ? `${start}\\` : `\\${start}`));

/** The text shown then isn't to the byte the text that ran. */
const toCodeNote = (text: string): string =>
  toVisibleText(text) === text ? "" : "Characters that can't be seen are shown by their codes here.";

const style = `
:root{color-scheme:light}
body{font:14px/1.5 system-ui,sans-serif;color:#16191d;background:#fff;max-width:68rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem;line-height:1.3}h2{font-size:1.15rem;margin-top:2rem;border-top:1px solid #d8dce2;padding-top:1rem}
h3{font-size:1rem;margin-bottom:.25rem}h1,h2,h3,p,li,td,th{overflow-wrap:anywhere}p,ul{max-width:62rem}
pre{background:#f4f6f8;border:1px solid #d8dce2;border-radius:6px;padding:.75rem;overflow:auto;font-size:12px;line-height:1.5}
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
th,td{border-bottom:1px solid #d8dce2;padding:.25rem .75rem .25rem 0;text-align:left;vertical-align:top}
th{font-weight:600;color:#454d58}.r{text-align:right}
@media print{body{margin:0;max-width:none;font-size:11px}pre{white-space:pre-wrap;overflow-wrap:anywhere}
.wide{overflow:visible}table{font-size:10px;width:100%}thead{display:table-header-group}tr,li{break-inside:avoid}
h1,h2,h3{break-after:avoid}}`;

/** Nothing is fetched and nothing runs, wherever the file is opened. */
const policy = "default-src 'none'; style-src 'unsafe-inline'";

export function toHtml(blocks: readonly Block[], title: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${toSafe(title)}</title><style>${style}</style></head>
<body><main>
${blocks.map(toHtmlBlock).join("\n")}
</main></body></html>
`;
}

const toSafe = (text: string): string => escapeHtml(toVisibleText(text));

/** `dir="auto"`: a text that runs from right to left turns itself and nothing around it. */
function toHtmlBlock(block: Block): string {
  switch (block.kind) {
    case "heading":
      return `<h${block.level} dir="auto">${toSafe(block.text)}</h${block.level}>`;
    case "text":
      return `<p dir="auto">${toSafe(block.text)}</p>`;
    case "list":
      return `<ul>${block.items.map((item) => `<li dir="auto">${toSafe(item)}</li>`).join("")}</ul>`;
    case "code":
      return `<pre><code>${toSafe(block.text)}</code></pre>${toCodeNote(block.text) ? `<p>${toCodeNote(block.text)}</p>` : ""}`;
    case "table": {
      const row = (cells: readonly string[], tag: "th" | "td") =>
        `<tr>${cells.map((cell, index) => `<${tag} dir="auto"${block.right?.includes(index) ? ' class="r"' : ""}>${toSafe(cell)}</${tag}>`).join("")}</tr>`;
      return `<div class="wide"><table><thead>${row(block.columns, "th")}</thead><tbody>${block.rows.map((cells) => row(cells, "td")).join("")}</tbody></table></div>`;
    }
  }
}
