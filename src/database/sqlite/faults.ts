/** Faults of the file in words for people: what is wrong and what to do. Its name may stand in them, never its path. */
import { basename } from "node:path";
import { ThothError } from "../../protocol/index.ts";
import type { DatabaseProblem } from "../database.ts";

/** Errors of the file system. */
export function toFileProblem(error: unknown): DatabaseProblem {
  const code = (error as NodeJS.ErrnoException).code ?? "unknown";
  if (code === "ENOENT" || code === "ENOTDIR") return { code: "missing", message: `no such file (${code})` };
  if (code === "EACCES" || code === "EPERM") return { code: "permission", message: `not readable (${code})` };
  return { code: "connection", message: code };
}

/** A ThothError passes through. */
export function toFileFault(error: unknown, file: string): ThothError {
  return error instanceof ThothError ? error : toFault(toFileProblem(error), file, error);
}

export function toFault(
  problem: DatabaseProblem,
  file: string,
  cause: unknown = new Error(problem.message),
): ThothError {
  const name = basename(file);
  switch (problem.code) {
    case "missing":
      return new ThothError(
        "database-missing",
        `The database file ${name} is not there.`,
        "Check the path, or put the file back.",
        cause,
      );
    case "empty":
      return new ThothError(
        "database-empty",
        `The database file ${name} is empty (zero bytes).`,
        "Choose the file that holds the tables; an empty one is often made by a mistyped path.",
        cause,
      );
    case "not-a-database":
      return new ThothError(
        "database-not-sqlite",
        `${name} is not a readable SQLite database.`,
        "Choose a SQLite file that is neither encrypted nor damaged.",
        cause,
      );
    case "locked":
      return new ThothError(
        "database-locked",
        `The database file ${name} is locked by another program.`,
        "Close the program that writes to it, or wait until it is done, and try again.",
        cause,
      );
    case "permission":
      return new ThothError(
        "database-permission",
        `The database file ${name} can't be read with this account's rights.`,
        "Give read permission on the file and its folder, then try again.",
        cause,
      );
    case "timeout":
      return new ThothError(
        "database-timeout",
        `The database file ${name} didn't answer in time.`,
        "Try again; if it stays so, check the disk the file is on.",
        cause,
      );
    default:
      return new ThothError(
        "database-connection",
        `The database file ${name} can't be opened.`,
        "Check that the file and its folder are readable and that its writer has finished.",
        cause,
      );
  }
}
