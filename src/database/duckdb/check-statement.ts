/**
 * Whether a text is exactly one statement that only reads. DuckDB counts the statements and turns the one into a tree;
 * what it can't turn (anything but a SELECT, and PRAGMA that calls itself one) is refused. Runs before the statement
 * is bound: binding already opens files.
 */
import type { DuckDBConnection, DuckDBPreparedStatement } from "@duckdb/node-api";
import { StatementType } from "@duckdb/node-api";
import type { DatabaseProblem } from "../database.ts";
import type { Session } from "./open-source.ts";
import { looksLikeFile, mayCall, mayMakeTable, mayShow } from "./reach.ts";

const maxSql = 1_000_000;

/** Throws the engine's error when the text doesn't parse or bind. `guard` is a connection to an empty database. */
export async function prepareReading(
  session: Session,
  guard: DuckDBConnection,
  sql: string,
): Promise<{ prepared: DuckDBPreparedStatement } | { problem: DatabaseProblem }> {
  if (sql.length > maxSql) return refuse(`The SQL is longer than ${maxSql.toLocaleString("en-US")} characters.`);
  if (sql.includes("\0")) return refuse("The SQL holds a NUL character, which would hide what follows it.");
  if (blank(sql)) return refuse("The SQL holds no statement.");
  const statements = await session.connection.extractStatements(sql);
  const first = /[A-Za-z_]+/.exec(withoutComments(sql))?.[0] ?? "";
  if (statements.count === 0) return refuse("The SQL holds no statement.");
  if (statements.count > 1) {
    return refuse(
      /^pivot/i.test(first) || /\bpivot\b/i.test(sql)
        ? "PIVOT without its values is several statements; name them: PIVOT … ON column IN ('a', 'b')."
        : "Only one statement can run at a time, and this SQL holds several.",
    );
  }
  const serialised = await guard.runAndReadAll("SELECT json_serialize_sql($1::VARCHAR)", [sql]);
  const tree = JSON.parse(String(serialised.getRows()[0]?.[0])) as { error: boolean; statements?: unknown[] };
  if (tree.error || tree.statements?.length !== 1) {
    return refuse(
      `Only statements that read can run (SELECT, FROM, VALUES, WITH … SELECT, PIVOT); this one starts with ${first.toUpperCase().slice(0, 40)}.`,
    );
  }
  const reason = await findReach(tree.statements[0], session);
  if (reason) return refuse(reason);
  const prepared = await statements.prepare(0);
  if (prepared.statementType !== StatementType.SELECT)
    return refuse(`Only statements that read can run; this one starts with ${first.toUpperCase().slice(0, 40)}.`);
  if (prepared.parameterCount > 0) {
    return refuse(
      `The SQL holds the parameter $${prepared.parameterName(1)}, and no values are bound: write the value itself.`,
    );
  }
  return { prepared };
}

const refuse = (message: string) => ({ problem: { code: "refused" as const, message } });
const withoutComments = (sql: string) => sql.replace(/--[^\n]*|\/\*[\s\S]*?(\*\/|$)/g, " ");
const blank = (sql: string) => /^[\s;\ufeff]*$/.test(withoutComments(sql));

interface Node {
  type?: unknown;
  class?: unknown;
  function_name?: unknown;
  function?: { function_name?: unknown };
  table_name?: unknown;
  cte_map?: { map?: { key?: unknown }[] };
}

/** The first thing in the tree that a reading statement may not name, as a sentence. */
async function findReach(tree: unknown, session: Session): Promise<string | undefined> {
  const nodes = toNodes(tree);
  const ctes = new Set(
    nodes.flatMap((node) => (node.cte_map?.map ?? []).map((entry) => String(entry.key).toLowerCase())),
  );
  for (const node of nodes) {
    if (node.type === "TABLE_FUNCTION") {
      const name = String(node.function?.function_name ?? "");
      if (!mayMakeTable(name) && !(await session.hasMacro(name)))
        return `The table function ${name} isn't allowed: a query may only read this database's own tables.`;
    } else if (node.class === "FUNCTION") {
      const name = String(node.function_name ?? "");
      if (!mayCall(name)) return `The function ${name} isn't allowed: a query may only read.`;
    } else if (node.type === "BASE_TABLE" || node.type === "SHOW_REF") {
      const name = String(node.table_name ?? "").replace(/^"(.*)"$/, "$1");
      if (ctes.has(name.toLowerCase())) continue;
      if ((!mayShow(name) || looksLikeFile(name)) && !(await session.hasTable(name)))
        return `FROM ${name.slice(0, 100)} isn't allowed: a query may only read this database's own tables.`;
    }
  }
  return undefined;
}

/** Every object in the tree; by a list of our own, because the tree can be deeper than the stack. */
function toNodes(tree: unknown): Node[] {
  const nodes: Node[] = [];
  const left: unknown[] = [tree];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (typeof value !== "object" || value === null) continue;
    if (!Array.isArray(value)) nodes.push(value);
    for (const child of Object.values(value)) if (child !== null && child !== undefined) left.push(child);
  }
  return nodes;
}
