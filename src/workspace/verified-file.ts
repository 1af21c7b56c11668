/** The text of `verified/*.yaml`: one question with the SQL that was accepted for it. Pure. */
import { type Static, Type } from "typebox";
import { type VerifiedPiece, VerifiedQuery } from "../protocol/index.ts";
import { checkReadOnly } from "../sql/read-only.ts";
import type { ReadFile } from "./evidence-file.ts";
import { fitSchema } from "./fit-schema.ts";
import { versionFaults } from "./list-files.ts";
import { type LineFault, readYaml, type Spot } from "./yaml-spots.ts";

/** Closed, as the query itself is. */
export const VerifiedFile = Type.Object(
  { version: Type.Literal(1), ...VerifiedQuery.properties },
  { additionalProperties: false },
);
type VerifiedFile = Static<typeof VerifiedFile>;

export function parseVerified(text: string, file: string): ReadFile<VerifiedPiece> {
  const read = readYaml(text);
  if (!read.ok) return { piece: null, faults: read.faults };
  const fitted = fitSchema(VerifiedFile, read.spot, "a verified query");
  if (!fitted.ok) return { piece: null, faults: fitted.faults };
  const faults = [...versionFaults(read.spot), ...findFaults(fitted.value, read.spot)];
  if (faults.length > 0) return { piece: null, faults };
  const { version: _, ...query } = fitted.value;
  return { piece: { id: file, file, line: 1, ...query }, faults: [] };
}

function findFaults(query: VerifiedFile, spot: Spot): LineFault[] {
  const faults: LineFault[] = [];
  const lineOf = (name: string, index?: number): number => {
    const below = spot.below.get(name);
    return (index === undefined ? undefined : below?.below.get(String(index))?.line) ?? below?.line ?? spot.line;
  };
  const reading = checkReadOnly(query.sql, query.engine);
  if (!reading.ok)
    faults.push({
      line: lineOf("sql"),
      message: `\`sql\` isn't one statement that only reads. ${reading.reason.replace(/\.$/, "")}`,
      fix: "Write one SELECT, or remove the file.",
    });
  for (const [index, { text, value }] of (query.parameters ?? []).entries()) {
    if (!query.question.toLowerCase().includes(text.toLowerCase()))
      faults.push({
        line: lineOf("parameters", index),
        message: `the question doesn't say ${JSON.stringify(text)}`,
        fix: "Write `text:` as the question has it.",
      });
    else if (!query.sql.includes(String(value).replaceAll("'", "''")) && !query.sql.includes(String(value)))
      faults.push({
        line: lineOf("parameters", index),
        message: `the SQL doesn't hold ${JSON.stringify(value)}`,
        fix: "Write `value:` as the SQL has it, without quotes.",
      });
  }
  return faults;
}
