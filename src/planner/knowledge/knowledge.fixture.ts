/** Knowledge for tests, as its files would give it. */
import type {
  Catalog,
  DescriptionPiece,
  EvidencePiece,
  Knowledge,
  RelationEntry,
  SynonymEntry,
  VerifiedPiece,
} from "../../protocol/index.ts";
import type { Plan } from "../plan.ts";

type Parts = {
  descriptions?: Pick<DescriptionPiece, "table" | "column" | "value" | "text">[];
  synonyms?: SynonymEntry[];
  evidence?: Partial<EvidencePiece>[];
  relations?: RelationEntry[];
  verified?: VerifiedPiece[];
  workspace?: Knowledge["workspace"];
};

export function toKnowledge(parts: Parts): Knowledge {
  const placed = (file: string, name: string, index: number) => ({ id: `${file}#${name}`, file, line: index + 1 });
  return {
    workspace: parts.workspace ?? {},
    descriptions: (parts.descriptions ?? []).map((piece, index) => ({
      ...placed("descriptions.yaml", `${piece.table}.${piece.column}`, index),
      ...piece,
    })),
    synonyms: (parts.synonyms ?? []).map((piece, index) => ({
      ...placed("synonyms.yaml", piece.word, index),
      ...piece,
    })),
    relations: (parts.relations ?? []).map((piece, index) => ({
      ...placed("relations.yaml", `${piece.from.table}->${piece.to.table}`, index),
      ...piece,
    })),
    evidence: (parts.evidence ?? []).map((piece, index) => ({
      id: `evidence/rule-${index + 1}.md`,
      file: `evidence/rule-${index + 1}.md`,
      line: 1,
      title: "A rule",
      words: [],
      text: "A rule.",
      ...piece,
    })),
    verified: parts.verified ?? [],
    faults: [],
  };
}

export function toVerified(
  catalog: Catalog,
  name: string,
  question: string,
  sql: string,
  more: Partial<VerifiedPiece> = {},
): VerifiedPiece {
  const file = `verified/${name}.yaml`;
  return {
    id: file,
    file,
    line: 1,
    question,
    engine: catalog.engine,
    sql,
    decisions: [],
    by: "Ann",
    at: "2026-02-03",
    model: "thoth/offline",
    prompt_version: "1",
    catalog_checksum: catalog.checksum,
    columns: [],
    row_count: 1,
    origin: { session: "session0001", seq: 30 },
    ...more,
  };
}

/** A plan's decisions as the ledger would hold them. */
export const toAcceptedDecisions = (plan: Plan): VerifiedPiece["decisions"] =>
  [...plan.interpretation, ...plan.tables, ...plan.columns, ...plan.joins, ...plan.filters, ...plan.steps].map(
    (decision, index) => ({ seq: index + 1, phase: "F1", decision }),
  );
