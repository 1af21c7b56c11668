/** Writes what an import brought into a workspace's folder: what stands there already stays, unless it is to be replaced. */
import type { Fault } from "../../protocol/index.ts";
import { addPiece, addRelations } from "../change-knowledge.ts";
import { describeMany } from "../descriptions.ts";
import { readKnowledge } from "../read-knowledge.ts";
import type { Resolved } from "./resolve-names.ts";

export interface ImportReport {
  descriptions: number;
  relations: number;
  evidence: number;
  /** What says something else already and stayed. */
  stayed: string[];
  /** Names that the database doesn't have. */
  unknown: string[];
  /** What of the source couldn't be used. */
  faults: Fault[];
}

/** Throws ThothError: `descriptions-broken`, `knowledge-broken` for files with faults, which are left as they are. */
export async function applyImport(
  folder: string,
  { descriptions, relations, evidence, unknown, faults }: Resolved,
  options: { replace: boolean },
): Promise<ImportReport> {
  const described = await describeMany(folder, descriptions, options);
  const related = relations.length > 0 ? await addRelations(folder, relations, options) : { written: [], stayed: [] };
  const known = new Set((await readKnowledge(folder)).evidence.map(({ text }) => text));
  const rules = evidence.filter(({ text }) => !known.has(text.trim()));
  for (const { front, text } of rules) await addPiece(folder, { kind: "evidence", front, text });
  const stayed: string[] = [];
  for (const { table, column, value } of described.stayed)
    stayed.push(`${table}${column === null ? "" : `.${column}`}${value === undefined ? "" : ` = ${value}`}`);
  return {
    descriptions: described.written,
    relations: related.written.length,
    evidence: rules.length,
    stayed: [...stayed, ...related.stayed],
    unknown,
    faults,
  };
}
