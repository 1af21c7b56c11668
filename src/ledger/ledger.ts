/**
 * The durable, sequenced record of one session: `ledger.json` in its folder. A change reads, numbers and replaces in
 * one critical section that holds across processes (the server, the Pi child, a command); readers take no lock and
 * see a whole file, the old one or the new one. What the entries mean is none of this folder's business.
 */
import { statSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { type Ledger, type LedgerEntry, type NewEntry, ThothError } from "../protocol/index.ts";
import { appendText, emptyText, faultOfEntry, type LedgerText, parseLedger, toLedgerText } from "./parse-ledger.ts";
import { removeLeftovers, replaceFile } from "./replace-file.ts";
import { withWriterLock } from "./writer-lock.ts";

export interface Changed<T> {
  value: T;
  appended: LedgerEntry[];
  /** The ledger as it stands after the change. */
  ledger: Ledger;
}

/** The ledger as it stands; no file yet means no entries. Throws ThothError `ledger-damaged` and leaves the file alone. */
export async function readLedger(dir: string, sessionId: string): Promise<Ledger> {
  return (await readSnapshot(dir, sessionId)).ledger;
}

/**
 * `change` sees the ledger under the lock and says what to append; all of it is written in one replacement, or, when
 * it throws or names no entries, nothing is.
 */
export function changeLedger<T>(
  dir: string,
  sessionId: string,
  change: (ledger: Ledger) => { entries: NewEntry[]; value: T },
  now: () => Date = () => new Date(),
): Promise<Changed<T>> {
  return withWriterLock(dir, async () => {
    const { ledger, text } = await readSnapshot(dir, sessionId);
    const { entries, value } = change(ledger);
    if (entries.length === 0) return { value, appended: [], ledger };
    const at = now().toISOString();
    const appended = entries.map((entry, index): LedgerEntry => {
      const fault = faultOfEntry(entry);
      if (fault !== null)
        throw new ThothError("ledger-entry", `An entry of type ${entry.type} is malformed: ${fault}.`);
      return { seq: ledger.entries.length + index + 1, at, ...entry };
    });
    await removeLeftovers(dir);
    const next = appendText(text, ledger, appended);
    const path = join(dir, "ledger.json");
    await replaceFile(path, next.file);
    const changed: Ledger = { ...ledger, entries: [...ledger.entries, ...appended] };
    keep(path, changed, next.text);
    return { value, appended, ledger: changed };
  });
}

interface Snapshot {
  ledger: Ledger;
  text: LedgerText;
}

/** Parsed files by path, each valid for exactly the file it was read from: every change makes a new one. */
const kept = new Map<string, Snapshot & { identity: string }>();
const mostKept = 64;

async function readSnapshot(dir: string, sessionId: string): Promise<Snapshot> {
  const path = join(dir, "ledger.json");
  const known = kept.get(path);
  if (known?.ledger.sessionId === sessionId && known.identity === identityAt(path)) return known;
  const file = await openOrNull(path);
  if (!file) return { ledger: { version: 1, sessionId, entries: [] }, text: emptyText(sessionId) };
  try {
    // Of the opened file itself: by now the name may stand for a newer one.
    const identity = toIdentity(await file.stat({ bigint: true }));
    const bytes = await file.readFile();
    const ledger = parseLedger(bytes.toString("utf8"), sessionId);
    const snapshot = { ledger, text: toLedgerText(bytes, ledger), identity };
    remember(path, snapshot);
    return snapshot;
  } finally {
    await file.close();
  }
}

/** After our own replacement, still under the lock: nobody else can have replaced it again. */
function keep(path: string, ledger: Ledger, text: LedgerText): void {
  const identity = identityAt(path);
  if (identity !== null) remember(path, { ledger, text, identity });
}

function remember(path: string, snapshot: Snapshot & { identity: string }): void {
  kept.delete(path);
  kept.set(path, snapshot);
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(oldest);
  }
}

/** At once: the system has it in memory, and a turn of the thread pool takes longer than the answer. */
function identityAt(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? toIdentity(found) : null;
}

const toIdentity = (stat: { dev: bigint; ino: bigint; size: bigint; mtimeNs: bigint; ctimeNs: bigint }): string =>
  `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;

async function openOrNull(path: string) {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
