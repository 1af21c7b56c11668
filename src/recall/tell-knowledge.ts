/** Recalled pieces as a model reads them, in the phase they matter in. What has no room is counted, with its files. */
import type { PhaseId } from "../protocol/index.ts";
import type { RecalledPiece } from "./recall.ts";

/** About 1,500 tokens. */
const defaultRoom = 6000;
/** Longest text of one piece, in characters. */
const mostText = 1500;
const mostFiles = 12;

/** Empty when nothing of the phase's kinds was found. */
export function tellKnowledge(phase: PhaseId, recalled: readonly RecalledPiece[], room = defaultRoom): string {
  const wanted = recalled.filter((piece) => belongs(phase, piece));
  const told: string[] = [];
  const left: RecalledPiece[] = [];
  let used = 0;
  for (const piece of wanted) {
    const line = toLine(phase, piece);
    // A shorter one further down may still have room.
    if (used + line.length > room) left.push(piece);
    else {
      told.push(line);
      used += line.length + 1;
    }
  }
  if (left.length > 0) told.push(toRest(left));
  return told.join("\n");
}

function belongs(phase: PhaseId, { kind, value, stale }: RecalledPiece): boolean {
  switch (phase) {
    case "F1":
      return kind === "directive" || kind === "evidence" || kind === "synonym" || kind === "verified";
    case "F2":
      return kind === "synonym" || (kind === "description" && value === undefined);
    case "F3":
      return kind === "relation";
    case "F4":
      return kind === "evidence" || ((kind === "description" || kind === "synonym") && value !== undefined);
    default:
      return (kind === "verified" && stale === undefined) || kind === "evidence";
  }
}

function toLine(phase: PhaseId, piece: RecalledPiece): string {
  const { kind, title, file, line, why, stale } = piece;
  const place = `${file}, line ${line}; ${why}`;
  if (kind === "verified" && phase === "F1")
    return `- verified question: ${oneLine(title)} (${place})${stale === undefined ? "" : `. Stale, don't build on it: ${oneLine(stale)}`}`;
  if (kind === "verified") return `- verified SQL of “${oneLine(title)}” (${place}):\n${shorten(piece)}`;
  const text = shorten(piece);
  return kind === "evidence"
    ? `- ${kind}: ${oneLine(title)} (${place}):\n${text}`
    : `- ${kind}: ${oneLine(text)} (${place})`;
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

function shorten({ text, file }: RecalledPiece): string {
  const whole = text.trim();
  return whole.length <= mostText
    ? whole
    : `${whole.slice(0, mostText)}… (${whole.length - mostText} more characters in ${file})`;
}

function toRest(left: readonly RecalledPiece[]): string {
  const files = [...new Set(left.map(({ file }) => file))];
  const more = files.length > mostFiles ? ` and ${files.length - mostFiles} more files` : "";
  return `(${left.length} more ${left.length === 1 ? "piece has" : "pieces have"} no room here: ${files.slice(0, mostFiles).join(", ")}${more})`;
}
