/** A result as a Parquet file: typed columns, exact decimals. DuckDB writes it, in a process of its own. */
import { rm } from "node:fs/promises";
import { resolve } from "node:path";
import { type QueryResult, ThothError } from "../../protocol/index.ts";
import { createReaders } from "../reader/reader.ts";
import type { WriteReply, WriteRequest } from "./parquet-process.ts";

const writeMs = 60_000;

/** `file` gets written over. Throws ThothError `export-failed`; nothing is left behind then. */
export async function writeParquet(result: QueryResult, file: string, signal?: AbortSignal): Promise<void> {
  const path = resolve(file);
  const writers = createReaders<WriteRequest, WriteReply>({
    program: new URL("./parquet-process.ts", import.meta.url),
    graceMs: 0,
    environment: ["TMPDIR"],
  });
  let written = false;
  let message = "";
  const { ending } = await writers.ask(
    { result, file: path, deadlineMs: writeMs },
    { deadlineMs: writeMs, signal },
    (reply) => {
      if (reply.kind === "written") written = true;
      else message = reply.message;
    },
  );
  await writers.close();
  if (written) return;
  await rm(path, { force: true });
  throw new ThothError(
    "export-failed",
    "The Parquet file couldn't be written.",
    "Try again, or take the result as CSV.",
    new Error(message || ending),
  );
}
