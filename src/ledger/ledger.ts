/**
 * The durable, sequenced record of one session: `ledger.json` in its folder. A change reads, numbers and replaces in
 * one critical section that holds across processes (the server, the Pi child, a command); readers take no lock and
 * see a whole file, the old one or the new one. What the entries mean is none of this folder's business.
 */
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Ledger, type LedgerEntry, type NewEntry, ThothError } from "../protocol/index.ts";
import { appendText, emptyText, faultOfEntry, parseLedger } from "./parse-ledger.ts";
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
    await replaceFile(path, next);
    const changed: Ledger = { ...ledger, entries: [...ledger.entries, ...appended] };
    await keep(path, changed, next);
    return { value, appended, ledger: changed };
  });
}

interface Snapshot {
  ledger: Ledger;
  text: Buffer;
}

/** Parsed files by path, each valid for exactly the file it was read from: every change makes a new one. */
const kept = new Map<string, Snapshot & { identity: string }>();
const mostKept = 64;

async function readSnapshot(dir: string, sessionId: string): Promise<Snapshot> {
  const path = join(dir, "ledger.json");
  const known = kept.get(path);
  if (known?.ledger.sessionId === sessionId && known.identity === (await identityAt(path))) return known;
  const file = await openOrNull(path);
  if (!file) return { ledger: { version: 1, sessionId, entries: [] }, text: emptyText(sessionId) };
  try {
    // Of the opened file itself: by now the name may stand for a newer one.
    const identity = toIdentity(await file.stat({ bigint: true }));
    const text = await file.readFile();
    const snapshot = { ledger: parseLedger(text.toString("utf8"), sessionId), text, identity };
    remember(path, snapshot);
    return snapshot;
  } finally {
    await file.close();
  }
}

/** After our own replacement, still under the lock: nobody else can have replaced it again. */
async function keep(path: string, ledger: Ledger, text: Buffer): Promise<void> {
  const identity = await identityAt(path);
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

async function identityAt(path: string): Promise<string | null> {
  try {
    return toIdentity(await stat(path, { bigint: true }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
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
