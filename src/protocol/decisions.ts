/** What a phase proposes and, once accepted, what the ledger keeps. Flat objects: small models must be able to write them. */
import { type Static, Type } from "typebox";

const closed = { additionalProperties: false } as const;
const words = (description: string) => Type.String({ minLength: 1, maxLength: 2000, description });
const name = (description: string) => Type.String({ minLength: 1, maxLength: 256, description });

export const InterpretationDecision = Type.Object(
  {
    kind: Type.Literal("interpretation"),
    aspect: Type.Union(
      [
        Type.Literal("restatement"),
        Type.Literal("grain"),
        Type.Literal("measure"),
        Type.Literal("filter"),
        Type.Literal("period"),
        Type.Literal("order"),
        Type.Literal("limit"),
        Type.Literal("output"),
      ],
      { description: "what about the question this settles" },
    ),
    text: words("one sentence in the user's words"),
    /** What the final SQL is held to word for word; without it the text alone is shown and nothing is compared. */
    expressions: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 4000 }), {
        maxItems: 100,
        description:
          "the same in SQL, columns by table or alias: grain = what one row is told apart by; output = the columns in order; order = sort keys with ASC or DESC; limit = number of rows, then offset; restatement = UNION, UNION ALL, INTERSECT or EXCEPT where two queries are combined",
      }),
    ),
  },
  closed,
);
export type InterpretationDecision = Static<typeof InterpretationDecision>;

export const TableDecision = Type.Object(
  {
    kind: Type.Literal("table"),
    table: name("table as the catalog names it"),
    use: Type.Union([Type.Literal("used"), Type.Literal("left-out")]),
    reason: words("why it is needed or left out"),
  },
  closed,
);
export type TableDecision = Static<typeof TableDecision>;

export const ColumnDecision = Type.Object(
  {
    kind: Type.Literal("column"),
    table: name("table as the catalog names it"),
    column: name("column as the catalog names it"),
    role: Type.Union([
      Type.Literal("output"),
      Type.Literal("measure"),
      Type.Literal("filter"),
      Type.Literal("group"),
      Type.Literal("order"),
      Type.Literal("key"),
    ]),
    reason: words("which words of the question it answers"),
  },
  closed,
);
export type ColumnDecision = Static<typeof ColumnDecision>;

export const JoinSide = Type.Object(
  {
    table: name("table as the catalog names it"),
    alias: name("alias used in the SQL; unique in the set"),
    role: Type.Optional(
      Type.String({ maxLength: 100, description: "needed when the table is joined twice, e.g. manager" }),
    ),
  },
  closed,
);
export type JoinSide = Static<typeof JoinSide>;

export const JoinType = Type.Union([
  Type.Literal("INNER"),
  Type.Literal("LEFT"),
  Type.Literal("FULL"),
  Type.Literal("CROSS"),
  /** Rows of the left side with, or without, any partner on the right: EXISTS and NOT EXISTS. */
  Type.Literal("SEMI"),
  Type.Literal("ANTI"),
]);
export type JoinType = Static<typeof JoinType>;

export const JoinDecision = Type.Object(
  {
    kind: Type.Literal("join"),
    left: JoinSide,
    type: JoinType,
    right: JoinSide,
    pairs: Type.Array(
      Type.Object(
        {
          left: name("column of the left side"),
          right: name("column of the right side"),
        },
        closed,
      ),
      { minItems: 0, maxItems: 16, description: "all column pairs, compared with =" },
    ),
    reason: Type.Optional(Type.String({ maxLength: 2000 })),
  },
  closed,
);
export type JoinDecision = Static<typeof JoinDecision>;

export const FilterDecision = Type.Object(
  {
    kind: Type.Literal("filter"),
    words: words("the words of the question this condition stands for"),
    table: name("table as the catalog names it"),
    alias: Type.Optional(name("alias in the SQL")),
    column: name("column as the catalog names it"),
    operator: Type.Union([
      Type.Literal("="),
      Type.Literal("<>"),
      Type.Literal("<"),
      Type.Literal("<="),
      Type.Literal(">"),
      Type.Literal(">="),
      Type.Literal("IN"),
      Type.Literal("NOT IN"),
      Type.Literal("BETWEEN"),
      Type.Literal("LIKE"),
      Type.Literal("NOT LIKE"),
      Type.Literal("IS NULL"),
      Type.Literal("IS NOT NULL"),
      /** Anything else, such as a comparison with a subquery: `condition` is then the only truth. */
      Type.Literal("other"),
    ]),
    values: Type.Array(Type.Union([Type.String({ maxLength: 1000 }), Type.Number()]), { maxItems: 100 }),
    condition: words("the condition exactly as the SQL will hold it, with aliases"),
  },
  closed,
);
export type FilterDecision = Static<typeof FilterDecision>;

export const CteDecision = Type.Object(
  {
    kind: Type.Literal("cte"),
    name: name("name of the step, as in WITH name AS"),
    purpose: words("what one row of it is, in plain words"),
    sql: Type.String({
      minLength: 1,
      maxLength: 50_000,
      description: "the SELECT inside the parentheses; may read earlier steps",
    }),
  },
  closed,
);
export type CteDecision = Static<typeof CteDecision>;

export const SqlDecision = Type.Object(
  {
    kind: Type.Literal("sql"),
    sql: Type.String({ minLength: 1, maxLength: 100_000 }),
    explanation: words("what the statement does, in plain words"),
  },
  closed,
);
export type SqlDecision = Static<typeof SqlDecision>;

/** A deviation of the final SQL that the reviewer accepted. */
export const DeviationDecision = Type.Object(
  {
    kind: Type.Literal("deviation"),
    text: words("what differs"),
  },
  closed,
);
export type DeviationDecision = Static<typeof DeviationDecision>;

/** What `reviewer_decide` may carry. */
export const ProposedDecision = Type.Union([
  InterpretationDecision,
  TableDecision,
  ColumnDecision,
  JoinDecision,
  FilterDecision,
  CteDecision,
]);
export type ProposedDecision = Static<typeof ProposedDecision>;

export const Decision = Type.Union([
  InterpretationDecision,
  TableDecision,
  ColumnDecision,
  JoinDecision,
  FilterDecision,
  CteDecision,
  SqlDecision,
  DeviationDecision,
]);
export type Decision = Static<typeof Decision>;
export type DecisionKind = Decision["kind"];
