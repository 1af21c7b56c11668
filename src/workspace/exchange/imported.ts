/** What an import brings: pieces as the source says them, names not yet compared with a database. */
import type { EvidenceFront, Fault, RelationEntry } from "../../protocol/index.ts";

export interface NewDescription {
  table: string;
  /** Null for the table itself. */
  column: string | null;
  /** What one stored value of the column means. */
  value?: string;
  text: string;
}

export interface NewEvidence {
  front: EvidenceFront;
  text: string;
}

export interface Imported {
  descriptions: NewDescription[];
  relations: RelationEntry[];
  evidence: NewEvidence[];
  /** What of the source couldn't be used; the rest stands. */
  faults: Fault[];
}

export const nothingImported = (): Imported => ({ descriptions: [], relations: [], evidence: [], faults: [] });

/** One file of the source; `name` is relative to what was given, for messages. */
export interface SourceFile {
  name: string;
  text: string;
}
