/**
 * What people told a workspace about its database, as files in its folder: nothing gets here that no person wrote or
 * accepted. Keys of the files are written as they stand here; a placed piece is one with where it was read from.
 */
import { type Static, Type } from "typebox";
import { Engine } from "./catalog.ts";
import { Decision } from "./decisions.ts";
import { PhaseId } from "./phases.ts";
import { ResultColumn } from "./results.ts";

const closed = { additionalProperties: false } as const;
const name = Type.String({ minLength: 1, maxLength: 512 });
const sentence = Type.String({ minLength: 1, maxLength: 2_000 });
/** A moment, ISO 8601 in UTC: `2026-11-30T09:15:00.000Z`; a day alone holds too. */
const moment = Type.String({
  pattern: "^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2}))?$",
});

/** The ledger entry in which a reviewer said or accepted it. */
export const KnowledgeOrigin = Type.Object(
  { session: Type.String({ minLength: 1, maxLength: 100 }), seq: Type.Integer({ minimum: 1 }) },
  closed,
);
export type KnowledgeOrigin = Static<typeof KnowledgeOrigin>;

/** A table, one of its columns, or one of a column's values. */
export const Meaning = Type.Object(
  {
    table: name,
    column: Type.Optional(name),
    /** Only with a column. */
    value: Type.Optional(Type.Union([Type.String({ maxLength: 1_000 }), Type.Number(), Type.Boolean()])),
  },
  closed,
);
export type Meaning = Static<typeof Meaning>;

/** The keys of `workspace.yaml` beside the connection. */
export const WorkspaceNotes = Type.Object(
  {
    /** Of the questions; a word or a BCP 47 tag: `de`, `pt-BR`, `Italian`. */
    language: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    /** Of the stored values and names. */
    data_language: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    /** What this database can answer, and what it can't. */
    scope: Type.Optional(Type.String({ minLength: 1, maxLength: 4_000 })),
    /** Rules for every question. */
    directives: Type.Optional(Type.Array(sentence, { maxItems: 100 })),
  },
  closed,
);
export type WorkspaceNotes = Static<typeof WorkspaceNotes>;

const RelationEnd = Type.Object({ table: name, columns: Type.Array(name, { minItems: 1, maxItems: 16 }) }, closed);

/** One item of `relations.yaml`: columns pair by position; `cardinality` is read from `from` to `to`. */
export const RelationEntry = Type.Object(
  {
    from: RelationEnd,
    to: RelationEnd,
    cardinality: Type.Enum(["1:1", "1:N", "N:1", "N:M"]),
    /** What the far side is in this join, where two tables meet in more than one way: `manager`. */
    role: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    /** When to use it. */
    when: Type.Optional(sentence),
    source: Type.Enum(["declared", "proposed", "confirmed"]),
    by: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    at: Type.Optional(moment),
    origin: Type.Optional(KnowledgeOrigin),
  },
  closed,
);
export type RelationEntry = Static<typeof RelationEntry>;

/** One item of `synonyms.yaml`. */
export const SynonymEntry = Type.Object(
  {
    word: Type.String({ minLength: 1, maxLength: 200 }),
    means: Meaning,
    origin: Type.Optional(KnowledgeOrigin),
  },
  closed,
);
export type SynonymEntry = Static<typeof SynonymEntry>;

/** What stands between the `---` of `evidence/*.md`; the text below it is the rule itself. */
export const EvidenceFront = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 200 }),
    /** Words of a question that it is about. */
    words: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 }),
    tables: Type.Optional(Type.Array(name, { maxItems: 100 })),
    measure: Type.Optional(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 200 }),
          /** In SQL, columns by table: `SUM(InvoiceLine.UnitPrice * InvoiceLine.Quantity)`. */
          expression: Type.String({ minLength: 1, maxLength: 4_000 }),
        },
        closed,
      ),
    ),
    origin: Type.Optional(KnowledgeOrigin),
  },
  closed,
);
export type EvidenceFront = Static<typeof EvidenceFront>;

/** A part of the question that another question may say otherwise. */
export const VerifiedParameter = Type.Object(
  {
    /** As the question says it: `Germany`, `2024`. */
    text: Type.String({ minLength: 1, maxLength: 1_000 }),
    /** As the SQL holds it, without quotes. */
    value: Type.Union([Type.String({ maxLength: 1_000 }), Type.Number()]),
    column: Type.Optional(Type.Object({ table: name, column: name }, closed)),
  },
  closed,
);
export type VerifiedParameter = Static<typeof VerifiedParameter>;

/** A decision as the ledger holds it. */
export const AcceptedDecision = Type.Object(
  { seq: Type.Integer({ minimum: 1 }), phase: PhaseId, decision: Decision },
  closed,
);
export type AcceptedDecision = Static<typeof AcceptedDecision>;

/** One file of `verified/`: a question with the SQL that a reviewer accepted for it. */
export const VerifiedQuery = Type.Object(
  {
    question: Type.String({ minLength: 1, maxLength: 10_000 }),
    engine: Engine,
    /** Exactly one reading statement. */
    sql: Type.String({ minLength: 1, maxLength: 100_000 }),
    parameters: Type.Optional(Type.Array(VerifiedParameter, { maxItems: 50 })),
    /** All that held when the SQL was accepted, in ledger order; the last one is the SQL. */
    decisions: Type.Array(AcceptedDecision, { maxItems: 2_000 }),
    /** Who accepted it. */
    by: Type.String({ minLength: 1, maxLength: 200 }),
    at: moment,
    /** `provider/model`. */
    model: Type.String({ minLength: 1, maxLength: 400 }),
    prompt_version: Type.String({ minLength: 1, maxLength: 200 }),
    /** Of the whole database's structure when it was accepted. */
    catalog_checksum: Type.String({ minLength: 1, maxLength: 200 }),
    /** The same for each table that it rests on, so that a change elsewhere makes nothing stale. */
    tables: Type.Optional(
      Type.Array(Type.Object({ table: name, checksum: Type.String({ minLength: 1, maxLength: 200 }) }, closed), {
        maxItems: 500,
      }),
    ),
    /** Of the result, in order. */
    columns: Type.Array(ResultColumn, { maxItems: 2_000 }),
    row_count: Type.Integer({ minimum: 0 }),
    /** SHA-256 of the rows; absent when they were more than are kept. */
    result_checksum: Type.Optional(Type.String({ pattern: "^[0-9a-f]{64}$" })),
    /** The entry that accepted the SQL. */
    origin: KnowledgeOrigin,
    /** Set by `thoth workspace verify` when the database no longer is what it was verified on. */
    stale: Type.Optional(Type.Object({ since: moment, reason: sentence }, closed)),
  },
  closed,
);
export type VerifiedQuery = Static<typeof VerifiedQuery>;

/** Where a piece was read from. */
const placed = {
  /** Stable as long as the piece says the same: `evidence/net-revenue.md`, `relations.yaml#Invoice(CustomerId)->Customer(CustomerId)`. */
  id: Type.String(),
  /** Relative to the workspace's folder, with `/`. */
  file: Type.String(),
  /** 1-based. */
  line: Type.Integer({ minimum: 1 }),
};

export const DescriptionPiece = Type.Object({
  ...placed,
  table: Type.String(),
  /** Null for the table itself. */
  column: Type.Union([Type.String(), Type.Null()]),
  /** Set for what one stored value means. */
  value: Type.Union([Type.String(), Type.Null()]),
  text: Type.String(),
  origin: Type.Optional(KnowledgeOrigin),
});
export type DescriptionPiece = Static<typeof DescriptionPiece>;
export const RelationPiece = Type.Object({ ...placed, ...RelationEntry.properties });
export type RelationPiece = Static<typeof RelationPiece>;
export const SynonymPiece = Type.Object({ ...placed, ...SynonymEntry.properties });
export type SynonymPiece = Static<typeof SynonymPiece>;
export const EvidencePiece = Type.Object({ ...placed, ...EvidenceFront.properties, text: Type.String() });
export type EvidencePiece = Static<typeof EvidencePiece>;
export const VerifiedPiece = Type.Object({ ...placed, ...VerifiedQuery.properties });
export type VerifiedPiece = Static<typeof VerifiedPiece>;

/** Something in a file that can't be used; what stands beside it holds all the same. */
export const Fault = Type.Object({
  file: Type.String(),
  line: Type.Integer({ minimum: 1 }),
  /** What is wrong, without file and line, and without a full stop. */
  message: Type.String(),
  /** What to write instead. */
  fix: Type.String(),
});
export type Fault = Static<typeof Fault>;

/** Everything that a workspace's folder says, in the order of its files. */
export const Knowledge = Type.Object({
  workspace: WorkspaceNotes,
  descriptions: Type.Array(DescriptionPiece),
  relations: Type.Array(RelationPiece),
  synonyms: Type.Array(SynonymPiece),
  evidence: Type.Array(EvidencePiece),
  /** The stale ones too. */
  verified: Type.Array(VerifiedPiece),
  faults: Type.Array(Fault),
});
export type Knowledge = Static<typeof Knowledge>;

/** What a reviewer keeps of their own words. */
const keptPieces = {
  evidence: Type.Object(
    {
      kind: Type.Literal("evidence"),
      ...Type.Omit(EvidenceFront, ["origin"]).properties,
      text: Type.String({ maxLength: 20_000 }),
    },
    closed,
  ),
  synonym: Type.Object({ kind: Type.Literal("synonym"), ...Type.Omit(SynonymEntry, ["origin"]).properties }, closed),
  relation: Type.Object(
    {
      kind: Type.Literal("relation"),
      ...Type.Pick(RelationEntry, ["from", "to", "cardinality", "role", "when"]).properties,
    },
    closed,
  ),
  description: Type.Object(
    {
      kind: Type.Literal("description"),
      table: name,
      column: Type.Optional(name),
      text: Type.String({ minLength: 1, maxLength: 4_000 }),
    },
    closed,
  ),
} as const;
export const KeepPiece = Type.Union([
  keptPieces.evidence,
  keptPieces.synonym,
  keptPieces.relation,
  keptPieces.description,
]);
export type KeepPiece = Static<typeof KeepPiece>;
export type KeptKind = KeepPiece["kind"];

export const KeptPiece = Type.Object({
  id: Type.String(),
  /** Relative to the workspace's folder. */
  file: Type.String(),
});
export type KeptPiece = Static<typeof KeptPiece>;

/** Words with which a reviewer sent a proposal back, and what could be remembered of them. */
export const Suggestion = Type.Object({
  /** The ledger entry that holds the words. */
  seq: Type.Integer(),
  at: Type.String(),
  phase: PhaseId,
  text: Type.String(),
  /** Filled in as far as the words and the accepted decisions say; the likeliest first, names may be empty. */
  drafts: Type.Array(
    Type.Unsafe<KeepPiece>(Type.Object({ kind: Type.Enum(["evidence", "synonym", "relation", "description"]) })),
  ),
  state: Type.Enum(["open", "kept", "dropped"]),
  /** Pieces of the workspace that come from these words. */
  kept: Type.Array(KeptPiece),
});
export type Suggestion = Static<typeof Suggestion>;

export const Suggestions = Type.Object({
  suggestions: Type.Array(Suggestion),
  /** Null before the session is answered. */
  verified: Type.Union([
    Type.Null(),
    Type.Object({
      question: Type.String(),
      /** The file that holds this very answer. */
      saved: Type.Union([Type.String(), Type.Null()]),
      /** A file about the same question that saving replaces. */
      replaces: Type.Union([Type.String(), Type.Null()]),
    }),
  ]),
});
export type Suggestions = Static<typeof Suggestions>;

/** `question`: as it is to be found again; the session's own when absent. */
export const SaveVerified = Type.Object(
  { question: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })) },
  closed,
);
export type SaveVerified = Static<typeof SaveVerified>;
export const Nothing = Type.Object({}, closed);
