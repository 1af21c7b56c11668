/** Tools that look things up: the catalog, stored values, rows, and one read-only query of the model's own. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";
import { searchCatalog } from "../../catalog/search-catalog.ts";
import type { Catalog, Table } from "../../protocol/index.ts";
import { quoteTable } from "../../sql/dialect.ts";
import { describeTable } from "../schema-text.ts";
import type { SessionContext } from "../session-context.ts";
import { orThrow, toData, toTable, toText } from "./data-result.ts";
import { exactly } from "./exact-arguments.ts";

const closed = { additionalProperties: false } as const;

export function registerReadTools(pi: ExtensionAPI, session: SessionContext): void {
  pi.registerTool({
    name: "catalog_search",
    label: "Search the catalog",
    description: "Finds tables and columns whose names or descriptions fit the words.",
    ...exactly(Type.Object({ words: Type.String({ minLength: 1, maxLength: 500 }) }, closed)),
    async execute(_id, { words }) {
      const { catalog } = await session.catalog();
      const hits = searchCatalog(catalog, words, 20);
      const lines = hits.map((hit) => `${hit.table}${hit.column ? `.${hit.column}` : ""} (${hit.why})`);
      return lines.length > 0
        ? toData(lines.join("\n"))
        : toText(
            `Nothing in the catalog fits. The tables are: ${catalog.tables.map((table) => table.name).join(", ")}`,
          );
    },
  });
  pi.registerTool({
    name: "describe_table",
    label: "Describe a table",
    description: "Columns with types and sample values, keys, row count, and how the table joins to others.",
    ...exactly(Type.Object({ table: Type.String({ minLength: 1, maxLength: 256 }) }, closed)),
    async execute(_id, { table }) {
      const { catalog } = await session.catalog();
      return toData(describeTable(catalog, findTable(catalog, table)));
    },
  });
  pi.registerTool({
    name: "search_values",
    label: "Search stored values",
    description:
      "Searches all stored text values: exact, other case, accents, prefix, near. Give a table and column to narrow it.",
    ...exactly(
      Type.Object(
        {
          text: Type.String({ minLength: 1, maxLength: 500 }),
          table: Type.Optional(Type.String()),
          column: Type.Optional(Type.String()),
        },
        closed,
      ),
    ),
    async execute(_id, { text, table, column }) {
      const { values } = await session.catalog();
      const matches = values.search(text, { limit: 20, ...(table ? { table } : {}), ...(column ? { column } : {}) });
      const lines = matches.map(
        (match) => `${match.table}.${match.column} = '${match.value}' (${match.how}, ${match.rows} rows)`,
      );
      return lines.length > 0 ? toData(lines.join("\n")) : toText(`No stored value matches “${text}”.`);
    },
  });
  pi.registerTool({
    name: "sample_rows",
    label: "Sample rows",
    description: "A few rows of a table as they are stored.",
    ...exactly(
      Type.Object(
        {
          table: Type.String({ minLength: 1, maxLength: 256 }),
          rows: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
        },
        closed,
      ),
    ),
    async execute(_id, { table, rows }, signal) {
      const { catalog } = await session.catalog();
      const database = await session.database();
      const sql = `SELECT * FROM ${quoteTable(database, findTable(catalog, table))} LIMIT ${rows ?? 5}`;
      return toData(toTable(orThrow(await session.runQuery("sample_rows", sql, signal))));
    },
  });
  pi.registerTool({
    name: "run_query",
    label: "Run a query",
    description: "Runs one read-only SELECT and returns at most 50 rows.",
    ...exactly(Type.Object({ sql: Type.String({ minLength: 1, maxLength: 100_000 }) }, closed)),
    async execute(_id, { sql }, signal) {
      return toData(toTable(orThrow(await session.runQuery("run_query", sql, signal))));
    },
  });
}

function findTable(catalog: Catalog, name: string): Table {
  const table =
    catalog.tables.find((candidate) => candidate.name === name) ??
    catalog.tables.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
  if (!table)
    throw new Error(
      `There is no table ${name}. The tables are: ${catalog.tables.map((candidate) => candidate.name).join(", ")}`,
    );
  return table;
}
