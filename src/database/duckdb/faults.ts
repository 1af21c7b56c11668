/** Faults of a database or file in words for people. Its name may stand in them, never its path. */
import { basename } from "node:path";
import { ThothError } from "../../protocol/index.ts";
import type { DatabaseProblem } from "../database.ts";

/** Errors of the file system. A ThothError passes through. */
export function toFileFault(error: unknown, file: string): ThothError {
  if (error instanceof ThothError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? "unknown";
  const is =
    code === "ENOENT" || code === "ENOTDIR"
      ? "missing"
      : code === "EACCES" || code === "EPERM"
        ? "permission"
        : "connection";
  return toFault({ code: is, message: code }, file, error);
}

export function toFault(
  problem: DatabaseProblem,
  file: string,
  cause: unknown = new Error(problem.message),
): ThothError {
  const name = basename(file);
  const fault = (code: string, message: string, action: string) => new ThothError(code, message, action, cause);
  switch (problem.code) {
    case "missing":
      return fault("database-missing", `${name} is not there.`, "Check the path, or put the file back.");
    case "empty":
      return fault(
        "database-empty",
        `${name} is empty (zero bytes).`,
        "Choose the file that holds the rows; an empty one is often made by a mistyped path.",
      );
    case "locked":
      return fault(
        "database-locked",
        `The database ${name} is being written by another program.`,
        "Close the program that has it open, and try again.",
      );
    case "permission":
      return fault(
        "database-permission",
        `${name} can't be read with this account's rights.`,
        "Give read permission on the file and its folder, then try again.",
      );
    case "timeout":
      return fault(
        "database-timeout",
        `${name} didn't answer in time.`,
        "Try again, or choose fewer or smaller files.",
      );
    case "not-a-database":
      if (/version number/.test(problem.message)) {
        return fault(
          "database-not-duckdb",
          `${name} was written by a newer version of DuckDB than this one.`,
          "Update ThothII, or write the database again in an older storage version.",
        );
      }
      if (/encrypt/i.test(problem.message)) {
        return fault("database-not-duckdb", `${name} is encrypted.`, "Choose a database that is not encrypted.");
      }
      return fault(
        "database-not-duckdb",
        `The database ${name} is damaged or not complete.`,
        "Copy it again from where it comes from, or write it again with DuckDB.",
      );
    default:
      return fault(
        "database-connection",
        `${name} can't be opened.`,
        "Check that the file and its folder are readable and that its writer has finished.",
      );
  }
}

/** A CSV, JSON or Parquet file that DuckDB can't read. */
export function toUnreadable(file: string, problem: DatabaseProblem): ThothError {
  if (problem.code === "permission" || problem.code === "missing") return toFault(problem, file);
  return new ThothError(
    "database-not-duckdb",
    `${basename(file)} can't be read as a table: ${toReason(file, problem)}.`,
    "Write the file again, or choose another one.",
    new Error(problem.message),
  );
}

/** In words of our own: the engine's hold paths. */
export function toReason(file: string, problem: DatabaseProblem): string {
  if (/\.(parquet|pq)$/i.test(file)) return "it is damaged, or not a Parquet file";
  if (/utf-?8|unicode/i.test(problem.message)) return "it holds bytes that are no text";
  return /json/i.test(file) ? "it is damaged, or not JSON" : "its lines don't make a table";
}
