/** SQLSTATE → the adapter's closed list of codes. Messages stay the engine's own, with the place in the SQL. */
import type { DatabaseErrorCode, DatabaseProblem } from "../database.ts";
import { toPlace } from "./check-statement.ts";

// https://www.postgresql.org/docs/current/errcodes-appendix.html
const byState: Record<string, DatabaseErrorCode> = {
  "42P01": "unknown-table",
  "3F000": "unknown-table",
  "42703": "unknown-column",
  "42702": "unknown-column",
  "42501": "permission",
  "57014": "timeout",
  "55P03": "locked",
  "25006": "refused",
  "25001": "refused",
  "2D000": "refused",
  "0A000": "other",
  "57P01": "connection",
  "57P02": "connection",
  "57P03": "connection",
  "42804": "type",
  "42846": "type",
  // Also "operator does not exist: text > integer" and "function sum(text) does not exist".
  "42883": "type",
  "42725": "type",
  "42P18": "type",
};
const byClass: Record<string, DatabaseErrorCode> = {
  "08": "connection",
  "22": "type",
  "28": "permission",
  "42": "syntax",
};

/** What `pg` puts on its errors. */
export interface PgFault {
  code?: string;
  message?: string;
  position?: string;
  hint?: string;
}

export const isSqlState = (code: string | undefined): boolean =>
  code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !/^E[A-Z]{4}$/.test(code);

export function classifyError(error: unknown, sql?: string): DatabaseProblem {
  const fault = error as PgFault;
  const text = error instanceof Error ? error.message : String(error);
  // Without a state it is the driver's: the connection broke.
  const state = fault.code ?? "";
  if (!isSqlState(state)) return { code: "connection", message: text };
  const place =
    fault.position !== undefined && sql !== undefined ? ` (${toPlace(sql, Number(fault.position) - 1)})` : "";
  const hint = fault.hint ? ` Hint: ${fault.hint}` : "";
  const cancelled = state === "57014" && !text.includes("timeout");
  return {
    code: cancelled ? "stopped" : (byState[state] ?? byClass[state.slice(0, 2)] ?? "other"),
    message: `${text}${place}${hint}`,
  };
}
