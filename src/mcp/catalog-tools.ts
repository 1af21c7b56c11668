/** Tools that only read: which databases there are, what is in one, what people verified on it, and a check of SQL. */
import { Type } from "typebox";
import { searchCatalog } from "../catalog/search-catalog.ts";
import {
  type Catalog,
  CatalogView,
  CheckedStatement,
  CheckWarning,
  Engine,
  ForeignKey,
  maxCheckedSql,
  maxQuestion,
  Relation,
  type Table,
  ThothError,
  WorkspaceList,
} from "../protocol/index.ts";
import { capList, capText } from "./cap.ts";
import { withoutPaths } from "./plain-words.ts";
import { defineTool, type McpTool } from "./tool.ts";
import { VerifiedItem, VerifiedList } from "./verified-list.ts";

const closed = { additionalProperties: false } as const;
/** Sentences about what was left out or cut. */
export const Notes = Type.Array(Type.String(), { description: "what was left out of this answer, and why" });
export const WorkspaceName = Type.String({
  pattern: "^[a-z0-9][a-z0-9_-]{0,62}$",
  description: "a name that list_workspaces gives",
});
export const workspacePath = (name: string): string => `/api/workspaces/${encodeURIComponent(name)}`;

const most = { workspaces: 200, hits: 20, columns: 200, relations: 60, warnings: 50, verified: 10, sql: 6_000 };

const listWorkspaces = defineTool({
  name: "list_workspaces",
  title: "List databases",
  description:
    "Lists the databases that questions can be asked of. Their names are the `workspace` of all other tools. One with a `problem` can't be asked now.",
  fix: "It takes no arguments.",
  input: Type.Object({}, closed),
  output: Type.Object({
    workspaces: Type.Array(
      Type.Object({
        name: Type.String(),
        engine: Type.String(),
        tables: Type.Integer(),
        problem: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    notes: Notes,
  }),
  async run(_input, { api }) {
    const notes: string[] = [];
    const { workspaces } = await api.get("/api/workspaces", WorkspaceList);
    return {
      workspaces: capList(workspaces, most.workspaces, "workspaces", notes).map(
        ({ name, engine, tables, problem }) => ({
          name,
          engine,
          tables,
          problem: problem && withoutPaths([problem.message, problem.action ?? ""].join(" ").trim()),
        }),
      ),
      notes,
    };
  },
});

const catalogSearch = defineTool({
  name: "catalog_search",
  title: "Search a catalog",
  description: "Finds tables and columns of a database whose names, descriptions or sample values fit the words.",
  fix: "Give workspace, as list_workspaces names it, and text with 1 to 500 characters.",
  input: Type.Object({ workspace: WorkspaceName, text: Type.String({ minLength: 1, maxLength: 500 }) }, closed),
  output: Type.Object({
    hits: Type.Array(
      Type.Object({
        table: Type.String(),
        column: Type.Union([Type.String(), Type.Null()]),
        why: Type.String(),
      }),
    ),
    notes: Notes,
  }),
  async run({ workspace, text }, { api }) {
    const notes: string[] = [];
    const { catalog } = await api.get(`${workspacePath(workspace)}/catalog`, CatalogView);
    const found = searchCatalog(catalog, text, Number.POSITIVE_INFINITY);
    if (found.length === 0) notes.push(`Nothing fits. ${toTableNames(catalog)}`);
    const hits = capList(found, most.hits, "hits", notes).map(({ table, column, why }) => ({
      table,
      column: column ?? null,
      why: capText(why, 200),
    }));
    return { hits, notes };
  },
});

const describeTable = defineTool({
  name: "describe_table",
  title: "Describe a table",
  description:
    "Columns of a table with types, descriptions and sample values, its keys, row count and joins to others.",
  fix: "Give workspace, as list_workspaces names it, and table, as catalog_search names it.",
  input: Type.Object({ workspace: WorkspaceName, table: Type.String({ minLength: 1, maxLength: 512 }) }, closed),
  output: Type.Object({
    table: Type.String(),
    kind: Type.String(),
    engine: Engine,
    rows: Type.Integer(),
    rowsEstimated: Type.Boolean(),
    description: Type.String(),
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String(),
        nullable: Type.Boolean(),
        description: Type.String(),
        samples: Type.Array(Type.String()),
        dateFormat: Type.Union([Type.String(), Type.Null()]),
      }),
    ),
    primaryKey: Type.Array(Type.String()),
    foreignKeys: Type.Array(ForeignKey),
    joins: Type.Array(Relation),
    notes: Notes,
  }),
  async run(input, { api }) {
    const notes: string[] = [];
    const { catalog } = await api.get(`${workspacePath(input.workspace)}/catalog`, CatalogView);
    const table = findTable(catalog, input.table);
    const joins = catalog.relations.filter(({ from, to }) => from === table.name || to === table.name);
    return {
      table: table.name,
      kind: table.kind,
      engine: catalog.engine,
      rows: table.rows,
      rowsEstimated: table.rowsEstimated ?? false,
      description: capText(table.comment ?? "", 2_000),
      columns: capList(table.columns, most.columns, "columns", notes).map((column) => ({
        name: column.name,
        type: column.type,
        nullable: column.nullable,
        description: capText(column.comment ?? "", 500),
        samples: column.samples.slice(0, 3).map((sample) => capText(sample, 60)),
        dateFormat: column.dateFormat ?? null,
      })),
      primaryKey: table.primaryKey,
      foreignKeys: capList(table.foreignKeys, most.relations, "foreign keys", notes),
      joins: capList(joins, most.relations, "joins", notes),
      notes,
    };
  },
});

const checkSql = defineTool({
  name: "check_sql",
  title: "Check SQL",
  description:
    "The evidence for one reading SQL statement, measured on the database: joins that multiply rows, filters that match nothing, groups that don't add up, and, with `question`, what of the question the statement passes over. Gives no rows.",
  fix: `Give workspace, as list_workspaces names it, sql with at most ${maxCheckedSql} characters, and question if there is one.`,
  input: Type.Object(
    {
      workspace: WorkspaceName,
      sql: Type.String({ minLength: 1, maxLength: maxCheckedSql }),
      question: Type.Optional(
        Type.String({ maxLength: maxQuestion, description: "what the statement is to answer, in plain words" }),
      ),
    },
    closed,
  ),
  output: Type.Object({
    ok: Type.Boolean({ description: "false as soon as there is a warning or a problem" }),
    warnings: Type.Array(CheckWarning),
    notes: Notes,
  }),
  async run(input, { api }) {
    const notes: string[] = [];
    const { ok, warnings } = await api.post("/api/check", input, CheckedStatement);
    return { ok, warnings: capList(warnings, most.warnings, "warnings", notes), notes };
  },
});

const verifiedQueries = defineTool({
  name: "verified_queries",
  title: "Verified queries",
  description:
    "Questions with the SQL that a reviewer accepted for them on this database, the nearest to `text` first. One that is `stale` was verified on another state of the database.",
  fix: "Give workspace, as list_workspaces names it, and text with at most 2000 characters, or leave text out.",
  input: Type.Object(
    {
      workspace: WorkspaceName,
      text: Type.Optional(Type.String({ maxLength: 2_000, description: "a question, or words of one" })),
    },
    closed,
  ),
  output: Type.Object({ verified: Type.Array(VerifiedItem), notes: Notes }),
  async run({ workspace, text = "" }, { api }) {
    const notes: string[] = [];
    const query = new URLSearchParams({ limit: String(most.verified), ...(text.trim() === "" ? {} : { text }) });
    const { verified, total } = await api.get(`${workspacePath(workspace)}/verified?${query}`, VerifiedList);
    if (total > verified.length)
      notes.push(`${verified.length} of ${total} verified queries are shown; narrow it with text.`);
    if (total === 0)
      notes.push(
        text.trim() === "" ? "Nothing is verified on this database yet." : "No verified query shares a word with it.",
      );
    const shown = verified.map((one) => {
      if (one.sql.length > most.sql) notes.push(`The SQL of ${one.id} is cut; the workspace's file has all of it.`);
      return { ...one, question: capText(one.question, 1_000), sql: capText(one.sql, most.sql) };
    });
    return { verified: shown, notes };
  },
});

export const catalogTools: readonly McpTool[] = [
  listWorkspaces,
  catalogSearch,
  describeTable,
  checkSql,
  verifiedQueries,
];

function findTable(catalog: Catalog, name: string): Table {
  const table =
    catalog.tables.find((one) => one.name === name) ??
    catalog.tables.find((one) => one.name.toLowerCase() === name.toLowerCase());
  if (table) return table;
  throw new ThothError(
    "table-unknown",
    `There is no table ${JSON.stringify(name.slice(0, 100))}.`,
    toTableNames(catalog),
  );
}

function toTableNames({ tables }: Catalog): string {
  const names = tables.slice(0, 100).map((table) => table.name);
  const more = tables.length - names.length;
  return `The tables are: ${names.join(", ")}${more > 0 ? ` and ${more} more, found by catalog_search` : ""}.`;
}
