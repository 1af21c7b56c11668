/** The text of `evidence/*.md`: what it is about between two lines of `---`, and the rule in words below. Pure. */
import { EvidenceFront, type EvidencePiece } from "../protocol/index.ts";
import { fitSchema } from "./fit-schema.ts";
import { type LineFault, readYaml } from "./yaml-spots.ts";

/** Longest text of one rule, in characters: it is shown to a model as a whole. */
export const mostEvidenceText = 20_000;

const example = "Begin with a line ---, then `title:` and `words:`, a line --- again, and the rule in words below.";

export type ReadFile<P> = { piece: P; faults: [] } | { piece: null; faults: LineFault[] };

export function parseEvidence(text: string, file: string): ReadFile<EvidencePiece> {
  const parts = splitFront(text);
  if (!parts) return refuse([{ line: 1, message: "the part between two lines of --- is missing", fix: example }]);
  const read = readYaml(parts.front);
  // The front begins in line 2.
  if (!read.ok) return refuse(read.faults.map((fault) => ({ ...fault, line: fault.line + 1 })));
  const fitted = fitSchema(EvidenceFront, read.spot, "the part above the text");
  if (!fitted.ok) return refuse(fitted.faults.map((fault) => ({ ...fault, line: fault.line + 1 })));
  const body = parts.body.trim();
  if (body === "" && fitted.value.measure === undefined)
    return refuse([{ line: parts.bodyLine, message: "there is no text below the second ---", fix: example }]);
  if (body.length > mostEvidenceText)
    return refuse([
      {
        line: parts.bodyLine,
        message: `the text has more than ${mostEvidenceText} characters`,
        fix: "Say it in fewer words, or make several files of it.",
      },
    ]);
  return { piece: { id: file, file, line: 1, ...fitted.value, text: body }, faults: [] };
}

const refuse = (faults: LineFault[]): ReadFile<never> => ({ piece: null, faults });

export function splitFront(text: string): { front: string; body: string; bodyLine: number } | null {
  const lines = text.split(/\r?\n/);
  if (lines[0]?.trimEnd() !== "---") return null;
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === "---");
  if (end < 0) return null;
  return { front: lines.slice(1, end).join("\n"), body: lines.slice(end + 1).join("\n"), bodyLine: end + 1 };
}
