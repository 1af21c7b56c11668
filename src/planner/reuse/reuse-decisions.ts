/**
 * The decisions of a verified query: those that were accepted with it, or, where only its SQL is known, those that the
 * SQL itself shows. Either way they are held against the SQL before anything rests on them. Pure.
 */
import type {
  Catalog,
  ColumnDecision,
  CteDecision,
  Decision,
  FilterDecision,
  JoinDecision,
  TableDecision,
  VerifiedPiece,
} from "../../protocol/index.ts";
import { assembleSteps } from "../../sql/assemble-steps.ts";
import { conform } from "../../sql/conformance.ts";
import { sliceCtes } from "../../sql/cte-slices.ts";
import { parseStatements, type Tree, tokenize } from "../../sql/parser.ts";
import { readStatement } from "../../sql/read-statement.ts";
import { plainColumns } from "../../sql/scope.ts";
import { createSnippets } from "../../sql/snippets.ts";
import type { EdgeFact, StatementFacts } from "../../sql/statement-facts.ts";

export interface VerifiedDecisions {
  decisions: Exclude<Decision, { kind: "sql" } | { kind: "deviation" }>[];
  sql: string;
  /** A reviewer accepted these decisions; otherwise they were read out of the SQL, and somebody should look at them. */
  accepted: boolean;
}

type Proposed = VerifiedDecisions["decisions"][number];
/** Only a statement of these parts can pass the phases. */
type Accepted = Pick<VerifiedPiece, "sql" | "question" | "file"> & { decisions: readonly { decision: Decision }[] };

const isProposed = (decision: Decision): decision is Proposed =>
  decision.kind !== "sql" && decision.kind !== "deviation";

/** Undefined when no set of decisions explains the SQL. */
export function readVerified(piece: Accepted, catalog: Catalog): VerifiedDecisions | undefined {
  const accepted = piece.decisions.map(({ decision }) => decision).filter(isProposed);
  // Deviations that were accepted then must be looked at again: the SQL is derived from instead.
  const deviates = piece.decisions.some(({ decision }) => decision.kind === "deviation");
  if (!deviates && accepted.some(({ kind }) => kind === "cte") && isProven(piece.sql, accepted, catalog))
    return { decisions: accepted, sql: piece.sql, accepted: true };
  return deriveDecisions(piece, catalog);
}

export function isProven(sql: string, decisions: readonly Decision[], catalog: Catalog): boolean {
  const numbered = decisions.map((decision, index) => ({ seq: index + 1, decision }));
  const { deviations, rows } = conform(sql, numbered, catalog);
  return deviations.length === 0 && rows.every(({ status }) => status === "found");
}

function deriveDecisions({ sql, question, file }: Accepted, catalog: Catalog): VerifiedDecisions | undefined {
  const text = sql.replace(/[\s;]+$/, "");
  const slices = sliceCtes(text, catalog.engine);
  const facts = readFacts(text, catalog);
  if (!slices.ok || !facts || facts.tables.some(({ known }) => !known)) return undefined;
  const steps: CteDecision[] =
    slices.ctes.length > 0
      ? slices.ctes.map(({ name, body }) => ({
          kind: "cte",
          name,
          purpose: `step ${name} as verified`,
          sql: body.trim(),
        }))
      : [{ kind: "cte", name: "verified_answer", purpose: "the answer as verified", sql: text }];
  const whole = slices.ctes.length > 0 ? text : assembleSteps(steps, "SELECT * FROM verified_answer", catalog.engine);
  const reason = `as verified in ${file}`;
  const base: Proposed[] = [
    { kind: "interpretation", aspect: "restatement", text: question.slice(0, 2000) },
    ...toTables(facts, reason),
    ...toColumns(facts, catalog, reason),
  ];
  const joins = toJoins(facts, catalog, reason);
  const filters = toFilters(text, facts, catalog);
  const ways = [[...joins, ...filters], [...joins], [...filters], []];
  for (const way of ways) {
    const decisions = [...base, ...way, ...steps];
    if (isProven(whole, decisions, catalog)) return { decisions, sql: whole, accepted: false };
  }
  return undefined;
}

export function readFacts(sql: string, catalog: Catalog): StatementFacts | undefined {
  const parsed = parseStatements(sql, catalog.engine);
  const root = parsed.ok && parsed.value.length === 1 ? parsed.value[0] : undefined;
  if (!root) return undefined;
  const never = () => false;
  return readStatement(plainColumns(root, catalog) as Tree, {
    catalog,
    tableKey: ({ table }) => table.toLowerCase(),
    isAcceptedStep: never,
    isAcceptedQuery: never,
    isAcceptedCondition: never,
    isAcceptedExpression: never,
  });
}

function toTables(facts: StatementFacts, reason: string): TableDecision[] {
  const names = [...new Set(facts.tables.map(({ table }) => table))];
  return names.map((table) => ({ kind: "table", table, use: "used", reason }));
}

function toColumns(facts: StatementFacts, catalog: Catalog, reason: string): ColumnDecision[] {
  return catalog.tables.flatMap((table) =>
    table.columns.flatMap((column): ColumnDecision[] =>
      facts.projected.has(`${table.name}.${column.name}`.toLowerCase())
        ? [{ kind: "column", table: table.name, column: column.name, role: "output", reason }]
        : [],
    ),
  );
}

/** A set in which every left side is there before; none when the statement's joins are no such set. */
function toJoins(facts: StatementFacts, catalog: Catalog, reason: string): JoinDecision[] {
  const edges = facts.edges.filter(
    ({ overSteps, explained, kind }) => !overSteps && !explained && ["INNER", "LEFT", "FULL"].includes(kind),
  );
  const joins: JoinDecision[] = [];
  const known = new Map<string, string>();
  for (const edge of edges) {
    const join = toJoin(edge, catalog, reason);
    if (!join) return [];
    if (joins.length === 0) known.set(join.left.alias, join.left.table);
    if (known.get(join.left.alias) !== join.left.table || known.has(join.right.alias)) return [];
    known.set(join.right.alias, join.right.table);
    joins.push(join);
  }
  return joins;
}

function toJoin({ left, right, kind, pairs }: EdgeFact, catalog: Catalog, reason: string): JoinDecision | undefined {
  const columns = pairs.map((pair) => ({
    left: findColumn(catalog, left.table ?? "", pair.left[0]?.column ?? ""),
    right: findColumn(catalog, right.table ?? "", pair.right[0]?.column ?? ""),
  }));
  if (!left.table || !right.table || columns.length === 0 || kind === "SEMI" || kind === "ANTI") return undefined;
  const found = columns.flatMap((pair) =>
    pair.left !== undefined && pair.right !== undefined ? [{ left: pair.left, right: pair.right }] : [],
  );
  if (found.length < columns.length) return undefined;
  return {
    kind: "join",
    left: { table: left.table, alias: left.alias },
    type: kind,
    right: { table: right.table, alias: right.alias },
    pairs: found,
    reason,
  };
}

/** Conditions of the outermost SELECT on one column and one literal; others stand in the steps. */
function toFilters(sql: string, facts: StatementFacts, catalog: Catalog): FilterDecision[] {
  const tokens = tokenize(sql, catalog.engine);
  if (!tokens.ok) return [];
  const snippets = createSnippets(sql, tokens.value);
  return facts.conditions.flatMap((fact): FilterDecision[] => {
    if (fact.trivial || fact.edge || fact.clause !== "where") return [];
    const condition = snippets.condition(fact.at, fact.end);
    const match =
      /^(?:["`[]?(\w+)["`\]]?\.)?["`[]?(\w+)["`\]]?\s*(=|<>|<=|>=|<|>)\s*(?:'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?))$/.exec(
        condition,
      );
    const [, alias, name = "", operator = "", text, number] = match ?? [];
    const places = facts.tables.filter(
      (table) =>
        table.block === fact.block &&
        (alias === undefined || table.alias.toLowerCase() === alias.toLowerCase()) &&
        findColumn(catalog, table.table, name) !== undefined,
    );
    const [place] = places;
    const column = place ? findColumn(catalog, place.table, name) : undefined;
    if (!match || !place || places.length > 1 || column === undefined) return [];
    return [
      {
        kind: "filter",
        words: condition.slice(0, 2000),
        table: place.table,
        alias: place.alias,
        column,
        operator: operator as FilterDecision["operator"],
        values: [text === undefined ? Number(number) : text.replaceAll("''", "'")],
        condition,
      },
    ];
  });
}

const findColumn = (catalog: Catalog, table: string, column: string): string | undefined =>
  catalog.tables
    .find(({ name }) => name === table)
    ?.columns.find(({ name }) => name.toLowerCase() === column.toLowerCase())?.name;
