/** The program of the process that writes Parquet files. It runs no SQL but its own, and reaches one file. */
import { DuckDBInstance } from "@duckdb/node-api";
import type { QueryResult } from "../../protocol/index.ts";
import { serveRequests } from "../reader/serve-requests.ts";
import { type ParquetColumn, toParquetColumns } from "./parquet-types.ts";
import { quoteName, quoteText } from "./quote.ts";

export interface WriteRequest {
  result: QueryResult;
  /** Absolute path. */
  file: string;
  deadlineMs: number;
}
export type WriteReply = { kind: "written" } | { kind: "failed"; message: string };

async function write({ result, file }: WriteRequest): Promise<void> {
  const instance = await DuckDBInstance.create(":memory:", { memory_limit: "1GB", threads: "1", temp_directory: "" });
  const connection = await instance.connect();
  try {
    await connection.run(`SET allowed_paths = [${quoteText(file)}]`);
    await connection.run("SET enable_external_access = false");
    await connection.run("SET TimeZone = 'UTC'");
    const columns = toParquetColumns(result);
    await connection.run(`CREATE TABLE cells(${columns.map((_, index) => `c${index} VARCHAR`).join(", ")})`);
    const appender = await connection.createAppender("cells");
    for (const row of result.rows) {
      for (const cell of row) {
        if (cell === null) appender.appendNull();
        else appender.appendVarchar(String(cell));
      }
      appender.endRow();
    }
    appender.closeSync();
    const list = columns.map((column, index) => `${toExpression(column, `c${index}`)} AS ${quoteName(column.name)}`);
    await connection.run(
      `COPY (SELECT ${list.join(", ")} FROM cells) TO ${quoteText(file)} (FORMAT parquet, USE_TMP_FILE false)`,
    );
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function toExpression({ type }: ParquetColumn, cell: string): string {
  if (type === "VARCHAR") return cell;
  // Blobs come as x'…'.
  return type === "BLOB" ? `unhex(substr(${cell}, 3, length(${cell}) - 3))` : `CAST(${cell} AS ${type})`;
}

serveRequests<WriteRequest, WriteReply>({
  async answer(request, reply) {
    try {
      await write(request);
      reply({ kind: "written" });
    } catch (error) {
      reply({ kind: "failed", message: String(error) });
    }
  },
});
