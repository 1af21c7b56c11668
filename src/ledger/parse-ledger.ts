/** The ledger's text and its entries: one entry per line, so that a change adds lines and leaves the others as they are. */
import {
  check,
  entryTypes,
  type Ledger,
  type LedgerEntry,
  LedgerFile,
  type NewEntry,
  stamp,
  ThothError,
} from "../protocol/index.ts";

/** Throws ThothError `ledger-damaged`, which names the first fault; the file itself is left as it is for a human to mend. */
export function parseLedger(text: string, sessionId: string): Ledger {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw damaged("it isn't valid JSON", error);
  }
  const version = (value as { version?: unknown } | null)?.version;
  if (typeof version === "number" && version !== 1)
    throw damaged(`it has version ${version}, and this ThothII reads version 1`);
  const file = check(LedgerFile, value);
  if (!file.ok) throw damaged(file.problem);
  if (file.value.sessionId !== sessionId) throw damaged("it belongs to another session");
  const entries = file.value.entries.map((entry, index) => parseEntry(entry, index + 1));
  return { version: 1, sessionId, entries };
}

function parseEntry(entry: unknown, seq: number): LedgerEntry {
  const fault = (isSummary(entry) ? null : faultOfEntry(entry)) ?? faultOfStamp(entry, seq);
  if (fault !== null) throw damaged(`entry ${seq}: ${fault}`);
  return entry as LedgerEntry;
}

/**
 * A summary is prose for its reader and nothing is derived from it: one that an older version kept in another form is
 * shown as far as it can be read, and takes no session away. What is written anew is checked all the same.
 */
const isSummary = (entry: unknown): boolean => (entry as { type?: unknown } | null)?.type === "summary";

/** What is wrong with an entry, apart from its number and time; null for a good one. */
export function faultOfEntry(entry: unknown): string | null {
  const type = (entry as { type?: unknown } | null)?.type;
  if (typeof type !== "string" || !Object.hasOwn(entryTypes, type)) return "its type isn't known";
  const checked = check(entryTypes[type as NewEntry["type"]], entry);
  return checked.ok ? null : checked.problem;
}

function faultOfStamp(entry: unknown, seq: number): string | null {
  const checked = check(stamp, entry);
  if (!checked.ok) return checked.problem;
  return checked.value.seq === seq ? null : `it has the number ${checked.value.seq}`;
}

function damaged(fault: string, cause?: unknown): ThothError {
  return new ThothError(
    "ledger-damaged",
    `This session's ledger can't be read: ${fault}.`,
    "Put ledger.json back from a backup, or mend that entry. Nothing was changed.",
    cause,
  );
}

const tail = Buffer.from("\n]}\n");

export const emptyText = (sessionId: string): Buffer =>
  Buffer.from(`{"version":1,"sessionId":${JSON.stringify(sessionId)},"entries":[${tail}`);

/**
 * The text with more entries at its end; `text` is one that these functions made or any other spelling of `ledger`.
 * Bytes, so that what was there before is copied and never encoded again.
 */
export function appendText(text: Buffer, ledger: Ledger, added: readonly LedgerEntry[]): Buffer {
  const head = text.subarray(-tail.length).equals(tail) ? text.subarray(0, -tail.length) : respell(ledger);
  const lines = added.map((entry) => JSON.stringify(entry)).join(",\n");
  return Buffer.concat([head, Buffer.from(`${ledger.entries.length > 0 ? "," : ""}\n${lines}`), tail]);
}

function respell(ledger: Ledger): Buffer {
  const head = emptyText(ledger.sessionId).subarray(0, -tail.length);
  if (ledger.entries.length === 0) return head;
  return Buffer.concat([head, Buffer.from(`\n${ledger.entries.map((entry) => JSON.stringify(entry)).join(",\n")}`)]);
}
