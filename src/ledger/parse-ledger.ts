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

/** A file's text without its end, with room behind it for more. Bytes, so that what is there is never encoded again. */
export interface LedgerText {
  buffer: Buffer;
  length: number;
}

const toText = (head: string): LedgerText => {
  const buffer = Buffer.from(head);
  return { buffer, length: buffer.length };
};

const emptyHead = (sessionId: string): string => `{"version":1,"sessionId":${JSON.stringify(sessionId)},"entries":[`;
export const emptyText = (sessionId: string): LedgerText => toText(emptyHead(sessionId));

/** `file` is a text that these functions made or any other spelling of `ledger`. */
export function toLedgerText(file: Buffer, ledger: Ledger): LedgerText {
  if (file.subarray(-tail.length).equals(tail)) return { buffer: file, length: file.length - tail.length };
  const lines = ledger.entries.map((entry) => JSON.stringify(entry)).join(",\n");
  return toText(emptyHead(ledger.sessionId) + (lines === "" ? "" : `\n${lines}`));
}

/**
 * The text with more entries at its end, and the whole file, which is good until the next entries come. They are
 * written behind `text`, which itself stays as it is: a change that can't be kept leaves it to the next one.
 */
export function appendText(
  text: LedgerText,
  ledger: Ledger,
  added: readonly LedgerEntry[],
): { text: LedgerText; file: Buffer } {
  const lines = added.map((entry) => JSON.stringify(entry)).join(",\n");
  const more = Buffer.from(`${ledger.entries.length > 0 ? "," : ""}\n${lines}`);
  const length = text.length + more.length;
  let { buffer } = text;
  if (buffer.length < length + tail.length) {
    buffer = Buffer.allocUnsafeSlow(Math.ceil((length + tail.length) * 1.5));
    text.buffer.copy(buffer, 0, 0, text.length);
  }
  more.copy(buffer, text.length);
  tail.copy(buffer, length);
  return { text: { buffer, length }, file: buffer.subarray(0, length + tail.length) };
}
