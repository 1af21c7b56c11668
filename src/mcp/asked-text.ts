/**
 * What a gate asks, in plain text, for somebody who can't answer it: the question, what Continue would write and what
 * was found. SQL and rows stay out: they are the reviewer's until they are accepted.
 */
import { check, gates, type OpenGate, phaseTitles, type SessionView } from "../protocol/index.ts";
import { capText } from "./cap.ts";

const mostText = 6_000;
const mostLines = 40;

export function toAskedText(gate: NonNullable<SessionView["openGate"]>): string {
  const head = `${gate.phase} ${phaseTitles[gate.phase]}`;
  if (!check(gates[gate.kind], gate.payload).ok) return `${head}: the page shows what is asked.`;
  const { frame } = (gate as OpenGate).payload;
  const writes = gate.kind === "question" ? [] : frame.writes;
  const alarms = frame.findings.filter(({ severity }) => severity !== "info");
  return capText(
    [
      `${head}: ${frame.title}`,
      frame.intro,
      ...toOptions(gate as OpenGate),
      toLines("Continue would write:", writes),
      toLines(
        "Found:",
        alarms.map(({ severity, title }) => `${severity}: ${title}`),
      ),
    ]
      .filter((part) => part !== "")
      .join("\n"),
    mostText,
  );
}

function toOptions(gate: OpenGate): string[] {
  if (gate.kind !== "question") return [];
  const { question, options } = gate.payload;
  return [question, ...options.map(({ label, proposed }, at) => `${at + 1}. ${label}${proposed ? " (proposed)" : ""}`)];
}

function toLines(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const shown = lines.slice(0, mostLines).map((line) => `- ${line.replace(/\s+/g, " ").trim()}`);
  if (lines.length > mostLines) shown.push(`- and ${lines.length - mostLines} more, on the page`);
  return [title, ...shown].join("\n");
}
