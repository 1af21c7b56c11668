/** SQLite's result codes and messages → the adapter's closed list of codes. Messages stay the engine's own. */
import type { DatabaseErrorCode, DatabaseProblem } from "../database.ts";

/** https://www.sqlite.org/rescode.html; only the low byte, extended codes keep it. */
const byResultCode: Record<number, DatabaseErrorCode> = {
  3: "permission",
  5: "locked",
  6: "locked",
  8: "refused",
  10: "connection",
  11: "not-a-database",
  14: "connection",
  20: "type",
  23: "refused",
  26: "not-a-database",
};

const byMessage: [RegExp, DatabaseErrorCode][] = [
  [/^no such (table|module)/i, "unknown-table"],
  [/^no such column|^ambiguous column name|has no column|^no tables specified/i, "unknown-column"],
  [/malformed JSON|integer overflow|datatype mismatch|out of range/i, "type"],
  [/syntax error|incomplete input|unrecognized token|misuse of|no such function|wrong number of arguments/i, "syntax"],
];

/** `phase` says where it happened: while the statement was compiled, or while it ran or the file was opened. */
export function classifyError(error: unknown, phase: "compile" | "run"): DatabaseProblem {
  const message = error instanceof Error ? error.message : String(error);
  const resultCode = (error as { errcode?: number }).errcode;
  const known = resultCode === undefined ? undefined : byResultCode[resultCode & 0xff];
  if (known) return { code: known, message };
  const matched = byMessage.find(([pattern]) => pattern.test(message));
  if (matched) return { code: matched[1], message };
  return { code: phase === "compile" && resultCode === 1 ? "syntax" : "other", message };
}
