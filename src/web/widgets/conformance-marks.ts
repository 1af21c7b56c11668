/** Ties the lines of the shown SQL to the decisions they carry out, both ways. */
import type { Conformance } from "../../protocol/evidence.ts";
import type { LineMark } from "../elements/sql-text.tsx";

/** Decision numbers per line; a line that deviates is marked as such, whatever else it carries out. */
export function toMarks({ rows, deviations }: Conformance): Record<number, LineMark> {
  const found = new Map<number, { texts: Set<string>; bad: boolean }>();
  const add = (line: number, text: string, bad: boolean) => {
    const known = found.get(line) ?? { texts: new Set<string>(), bad: false };
    known.texts.add(text);
    found.set(line, { texts: known.texts, bad: known.bad || bad });
  };
  for (const deviation of deviations)
    for (const line of deviation.lines) add(line, deviation.seq === undefined ? "new" : `#${deviation.seq}`, true);
  for (const row of rows) for (const line of row.lines) add(line, `#${row.seq}`, row.status === "deviates");
  return Object.fromEntries(
    [...found].map(([line, { texts, bad }]): [number, LineMark] => [line, { text: toMarkText([...texts]), bad }]),
  );
}

/** The gutter is narrow; who has more is told by the list beside it. */
const inGutter = 3;
const toMarkText = (texts: string[]): string =>
  texts.length > inGutter
    ? `${texts.slice(0, inGutter - 1).join(" ")} +${texts.length - inGutter + 1}`
    : texts.join(" ");

/** `24, 28–29` */
export function toLineText(lines: number[]): string {
  const sorted = [...new Set(lines)].sort((a, b) => a - b);
  const ranges: { from: number; to: number }[] = [];
  for (const line of sorted) {
    const last = ranges.at(-1);
    if (last && line === last.to + 1) last.to = line;
    else ranges.push({ from: line, to: line });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}–${to}`)).join(", ");
}

/** Decisions that a line carries out. */
export const toSeqsAt = ({ rows }: Conformance, line: number | null): ReadonlySet<number> =>
  new Set(line === null ? [] : rows.filter((row) => row.lines.includes(line)).map((row) => row.seq));
