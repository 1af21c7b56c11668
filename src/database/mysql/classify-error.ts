/** The server's error numbers → the adapter's closed list of codes. Messages stay the engine's own. */
import type { DatabaseErrorCode, DatabaseProblem } from "../database.ts";

// https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html, https://mariadb.com/kb/en/mariadb-error-codes/
const byNumber: Record<number, DatabaseErrorCode> = {
  1051: "unknown-table",
  1109: "unknown-table",
  1146: "unknown-table",
  1356: "unknown-table",
  1932: "unknown-table",
  1054: "unknown-column",
  1052: "unknown-column",
  1166: "unknown-column",
  1049: "missing",
  1046: "syntax",
  1055: "syntax",
  1056: "syntax",
  1060: "syntax",
  1064: "syntax",
  1066: "syntax",
  1111: "syntax",
  1115: "syntax",
  1128: "syntax",
  1140: "syntax",
  1149: "syntax",
  1222: "syntax",
  1241: "syntax",
  1242: "type",
  1247: "syntax",
  1248: "syntax",
  1305: "syntax",
  1582: "syntax",
  1583: "syntax",
  1630: "syntax",
  1176: "syntax",
  1210: "type",
  1253: "type",
  1264: "type",
  1267: "type",
  1270: "type",
  1271: "type",
  1273: "type",
  1292: "type",
  1365: "type",
  1366: "type",
  1411: "type",
  1416: "type",
  1690: "type",
  3140: "type",
  3141: "type",
  3143: "type",
  3146: "type",
  3685: "type",
  4038: "type",
  1044: "permission",
  1045: "permission",
  1095: "permission",
  1142: "permission",
  1143: "permission",
  1227: "permission",
  1370: "permission",
  1698: "permission",
  1290: "refused",
  1295: "refused",
  1568: "refused",
  1792: "refused",
  1836: "refused",
  3572: "locked",
  1099: "refused",
  1100: "refused",
  1205: "locked",
  1213: "locked",
  1969: "timeout",
  3024: "timeout",
  1028: "stopped",
  1317: "stopped",
  1040: "connection",
  1043: "connection",
  1053: "connection",
  1152: "connection",
  1159: "connection",
  1161: "connection",
  1203: "connection",
  1226: "connection",
  2003: "connection",
  2006: "connection",
  2013: "connection",
};

export interface ServerError {
  errno?: number | undefined;
  code?: string | undefined;
  message?: string | undefined;
  /** What the server wrote, when it was the server. */
  sqlMessage?: string | undefined;
  fatal?: boolean | undefined;
}

/** With the statement, a syntax error also says where in it the server stopped reading. */
export function classifyError(error: unknown, sql?: string): DatabaseProblem {
  const { errno, sqlMessage, message } = error as ServerError;
  const text = sqlMessage ?? message ?? String(error);
  if (sqlMessage === undefined) return { code: "connection", message: text };
  const code = byNumber[errno ?? 0] ?? "other";
  return { code, message: code === "syntax" && sql !== undefined ? text + locate(text, sql) : text };
}

/** `near 'FORM t' at line 2` holds the next 80 characters at most: their place is looked for from that line on. */
function locate(message: string, sql: string): string {
  const found = /near '([\s\S]*)' at line (\d+)$/.exec(message);
  if (!found?.[2]) return "";
  const near = (found[1] ?? "").replace(/\.\.\.$/, "");
  const lines = sql.split("\n");
  const from = lines.slice(0, Number(found[2]) - 1).reduce((sum, line) => sum + line.length + 1, 0);
  const at = near === "" ? sql.length : sql.indexOf(near, from);
  return at < 0 ? "" : ` (character ${at + 1} of the statement)`;
}

/** Errors after which a connection is of no use; they say nothing about the statement. */
export function isLost(error: unknown): boolean {
  const { errno, fatal, sqlMessage } = error as ServerError;
  return fatal === true || sqlMessage === undefined || [1053, 1152, 1927, 2006, 2013, 4031].includes(errno ?? 0);
}
