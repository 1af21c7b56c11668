/** DuckDB's messages begin with the kind of error; → the adapter's closed list of codes. Messages stay its own. */
import type { DatabaseErrorCode, DatabaseProblem } from "../database.ts";

const byMessage: [RegExp, DatabaseErrorCode][] = [
  [/^Parser Error/, "syntax"],
  [/^Catalog Error: (Table|View|Schema|Table Function) .*(does not exist|not found)/s, "unknown-table"],
  [/^(Catalog|Binder) Error: Catalog .* does not exist/s, "unknown-table"],
  [/^Catalog Error: (Scalar|Aggregate|Macro)? ?Function/, "syntax"],
  [
    /^Binder Error: (Referenced (column|table) .* not found|Table .* does not have a column|Ambiguous reference|Column .* not found)/s,
    "unknown-column",
  ],
  [/^Binder Error: (No function matches|Could not choose|Cannot (compare|mix)|.* type)/s, "type"],
  [/^Binder Error/, "syntax"],
  [/^(Conversion|Out of Range|Mismatch Type|Invalid type|Type) Error/i, "type"],
  [/^Invalid Input Error: (CSV Error|JSON|Malformed JSON|.*(cast|convert|parse))/s, "type"],
  [/^Permission Error/, "refused"],
  [/^Invalid Input Error: Cannot (execute statement .* read-only|change configuration)/s, "refused"],
  [/^INTERRUPT Error/, "stopped"],
  [/^IO Error: Could not set lock on file/, "locked"],
  [
    /^IO Error: .*(not a valid DuckDB|Corrupt|version number|not enough bytes|Could not read enough)/s,
    "not-a-database",
  ],
  [
    /^(Serialization Error|IO Error: .*encrypt|Invalid Input Error: .*encrypt|Catalog Error: .*encrypt)/is,
    "not-a-database",
  ],
  [/^IO Error: .*(does not exist|No such file|No files found)/s, "missing"],
  [/^IO Error: .*Permission denied/s, "permission"],
  [/^IO Error/, "connection"],
];

export function classifyError(error: unknown): DatabaseProblem {
  const text = error instanceof Error ? error.message : String(error);
  const message = text.replace(/^Failed to extract statements: /, "").trim();
  return { code: byMessage.find(([pattern]) => pattern.test(message))?.[1] ?? "other", message };
}
