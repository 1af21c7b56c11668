/**
 * Decides by PostgreSQL's own parser that a text is exactly one statement that reads: a list of the kinds of nodes that
 * a SELECT may be built from, so that whatever isn't known is refused. The READ ONLY transaction that the statement
 * runs in is the second wall; this one also stops what such a transaction lets through (COMMIT, locks, files, sleeps).
 */
import { hasSqlDetails, parse } from "libpg-query";
import type { DatabaseProblem } from "../database.ts";
import { isForbiddenFunction, isForbiddenRelation } from "./forbidden-names.ts";

/** A name that is called, or could be: `x.name` means `name(x)` where x has no such column. */
export interface CalledFunction {
  schema?: string;
  name: string;
}
export type Checked = { ok: true; functions: CalledFunction[] } | { ok: false; error: DatabaseProblem };

/** The parser takes seconds, and blocks, for texts much longer than this. */
const maxSql = 250_000;

// https://github.com/postgres/postgres/blob/REL_18_STABLE/src/include/nodes/parsenodes.h
const readingNodes = new Set(
  `A_ArrayExpr A_Const A_Expr A_Indices A_Indirection A_Star Alias BitString BoolExpr Boolean BooleanTest CTECycleClause
  CTESearchClause CaseExpr CaseWhen CoalesceExpr CollateClause ColumnDef ColumnRef CommonTableExpr Float FuncCall
  GroupingFunc GroupingSet Integer JoinExpr JsonAggConstructor JsonArgument JsonArrayAgg JsonArrayConstructor
  JsonArrayQueryConstructor JsonBehavior JsonFormat JsonFuncExpr JsonIsPredicate JsonKeyValue JsonObjectAgg
  JsonObjectConstructor JsonOutput JsonParseExpr JsonReturning JsonScalarExpr JsonSerializeExpr JsonTable
  JsonTableColumn JsonTablePath JsonTablePathSpec JsonValueExpr List MinMaxExpr NamedArgExpr NullTest RangeFunction
  RangeSubselect RangeTableFunc RangeTableFuncCol RangeTableSample RangeVar ResTarget RowExpr SQLValueFunction
  SelectStmt SortBy String SubLink TypeCast TypeName WindowDef WithClause XmlExpr XmlSerialize`.split(/\s+/),
);
/** EXPLAIN runs its statement when it is asked to measure; these options don't. */
const explainOptions = new Set(["verbose", "costs", "format", "settings", "summary"]);

type Node = Record<string, unknown>;

export async function checkStatement(sql: string): Promise<Checked> {
  if (sql.includes("\0")) return refuse("The SQL holds a NUL character, which would hide what follows it.");
  if (sql.length > maxSql)
    return refuse(`The SQL is longer than ${maxSql.toLocaleString("en-US")} characters: say it in fewer.`);
  if (sql.trim() === "") return refuse("The SQL holds no statement.");
  let statements: Node[];
  try {
    statements = listOf(((await parse(sql)) as unknown as Node).stmts);
  } catch (error) {
    return { ok: false, error: toSyntaxProblem(error, sql) };
  }
  const [first, second] = statements;
  if (first === undefined) return refuse("The SQL holds no statement.");
  if (second !== undefined) return refuse("Only one statement can run at a time, and another one follows.");
  return checkRoot(first.stmt as Node);
}

function checkRoot(root: Node): Checked {
  const kind = Object.keys(root)[0] ?? "";
  const statement = root[kind] as Node;
  if (kind === "SelectStmt") return walk(root);
  if (kind === "ExplainStmt") {
    for (const option of listOf(statement.options)) {
      const name = String((option.DefElem as Node | undefined)?.defname).toLowerCase();
      if (!explainOptions.has(name)) return refuse(`EXPLAIN with the option ${name} isn't allowed: it may run it.`);
    }
    const inner = statement.query as Node;
    return "SelectStmt" in inner ? walk(inner) : refuse(`EXPLAIN of ${toWords(Object.keys(inner)[0])} isn't allowed.`);
  }
  return refuse(
    `Only statements that read can run (SELECT, WITH … SELECT, VALUES, TABLE); this one is ${toWords(kind)}.`,
  );
}

/** Without recursion: a long chain of operators is a deep tree. */
function walk(root: Node): Checked {
  const functions: CalledFunction[] = [];
  const open: unknown[] = [root];
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    if (Array.isArray(item)) {
      for (const element of item) open.push(element);
      continue;
    }
    if (item === null || typeof item !== "object") continue;
    for (const [key, value] of Object.entries(item)) {
      const reason = checkEntry(key, value, functions);
      if (reason !== undefined) return refuse(reason);
      open.push(value);
    }
  }
  const forbidden = functions.find(({ name }) => isForbiddenFunction(name));
  if (forbidden) return refuse(`The function ${forbidden.name} isn't allowed: a query may only read.`);
  return { ok: true, functions };
}

/** Node types begin with a capital, their fields don't. The reason when this entry may not stand in a query. */
function checkEntry(key: string, value: unknown, functions: CalledFunction[]): string | undefined {
  if (key === "intoClause") return "SELECT INTO isn't allowed: it creates a table.";
  if (key === "lockingClause") return "FOR UPDATE and FOR SHARE aren't allowed: they lock rows.";
  if (!/^[A-Z]/.test(key)) return undefined;
  const node = value as Node;
  if (key === "ParamRef") return `The SQL holds the parameter $${node.number ?? "?"}, and no values are bound.`;
  if (!readingNodes.has(key)) return `${toWords(key)} isn't allowed inside a query: it may only read.`;
  if (key === "FuncCall") {
    const path = names(node.funcname);
    functions.push({ name: path.at(-1) ?? "", ...(path.length > 1 ? { schema: path.at(-2) ?? "" } : {}) });
  } else if (key === "ColumnRef") {
    const path = names(node.fields);
    if (path.length > 1) functions.push({ name: path.at(-1) ?? "" });
  } else if (key === "A_Indirection") {
    for (const name of names(node.indirection)) functions.push({ name });
  } else if (key === "RangeVar") {
    if (node.schemaname === undefined || node.schemaname === "pg_catalog") {
      const relation = String(node.relname);
      if (isForbiddenRelation(relation)) return `${relation} isn't allowed: it shows the server, not the data.`;
    }
  }
  return undefined;
}

const listOf = (value: unknown): Node[] => (Array.isArray(value) ? (value as Node[]) : []);
const names = (value: unknown): string[] =>
  listOf(value).flatMap((part) => ("String" in part ? [String((part.String as Node).sval ?? "")] : []));

/** `DeleteStmt` → `DELETE`, `AlterTableStmt` → `ALTER TABLE`. */
function toWords(kind: string | undefined): string {
  const words = (kind ?? "").replace(/Stmt$/, "").replace(/(?<=[a-z])(?=[A-Z])/g, " ");
  return words.toUpperCase() || "unknown";
}

function refuse(message: string): Checked {
  return { ok: false, error: { code: "refused", message } };
}

function toSyntaxProblem(error: unknown, sql: string): DatabaseProblem {
  const message = error instanceof Error ? error.message : String(error);
  if (!hasSqlDetails(error)) return { code: "refused", message: `The SQL can't be parsed: ${message}` };
  const position = error.sqlDetails?.cursorPosition ?? -1;
  return { code: "syntax", message: position < 0 ? message : `${message} (${toPlace(sql, position)})` };
}

/** `offset` counts characters, not UTF-16 units, from 0. */
export function toPlace(sql: string, offset: number): string {
  const before = [...sql].slice(0, offset).join("").split("\n");
  return `line ${before.length}, column ${[...(before.at(-1) ?? "")].length + 1}`;
}
