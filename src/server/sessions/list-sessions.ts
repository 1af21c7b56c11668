/**
 * The list of sessions, polled by every page. It is answered from memory: what this server runs is known, and of the
 * others the files of a few are looked at per call, those that are shown first, so that ten thousand cost no more than
 * some hundred. A look that takes long shows in the next answer.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { listSessionDirs, toSessionDir } from "../../ledger/session-dirs.ts";
import { type FindSessions, mostSessions, type SessionItem, type SessionList } from "../../protocol/index.ts";
import { type LiveSession, workingFile } from "./live-session.ts";
import { openSession } from "./open-session.ts";
import { type IndexedSession, readSessionIndex, writeSessionIndex } from "./session-index.ts";
import { describe, type SessionParts } from "./session-parts.ts";
import { toSessionItem } from "./to-view.ts";

export interface Listing {
  /** A session whose manifest can't be read is left out and named in the log. */
  find(wish: FindSessions): Promise<SessionList>;
  /** Of a session that came or went by this server's own doing: the next answer knows. */
  lookAgain(id: string): Promise<void>;
  /** Keeps what was read for the next server. */
  close(): Promise<void>;
}

interface Known {
  /** State of the files it was read from; empty for one that this server runs. */
  files: string;
  /** Null when it can't be read. */
  item: SessionItem | null;
  /** What is searched, folded. */
  text: string;
}

/** Sessions whose files are looked at again per call: those shown first, and as many others in turn. */
const shownFirst = 100;
const inTurn = 100;
/** How long an answer waits for that look, and the very first one for sessions that nobody has read yet. */
const lookMs = 60;
const firstLookMs = 1_500;

export function createListing(
  parts: SessionParts,
  loaded: ReadonlyMap<string, Promise<LiveSession>>,
  /** A folder that is no session's yet. */
  isReserved: (id: string) => boolean,
): Listing {
  const { home } = parts.program;
  const known = new Map<string, Known>();
  let order: Known[] | null = null;
  let indexed: Promise<void> | undefined;
  let looking: Promise<void> | undefined;
  let reading: Promise<void> | undefined;
  let next = 0;
  let unsaved = false;
  let closed = false;

  function keep(id: string, files: string, item: SessionItem | null): void {
    const before = known.get(id);
    // Of one that runs nothing has changed at most polls, and then the order holds as well.
    if (before?.files === files && JSON.stringify(before.item) === JSON.stringify(item)) return;
    known.set(id, { files, item, text: item ? toText(item) : "" });
    order = null;
  }
  function forget(id: string): void {
    if (known.delete(id)) order = null;
  }

  async function readIndex(): Promise<void> {
    const found = await readSessionIndex(home).catch((error: unknown): IndexedSession[] => {
      parts.log.warn({ detail: describe(error) }, "The index of the sessions can't be read.");
      return [];
    });
    for (const { files, item } of found) keep(item.id, files, item);
  }

  async function read(id: string): Promise<void> {
    const files = await filesOf(toSessionDir(home, id));
    if (loaded.has(id) || known.get(id)?.files === files) return;
    if (files === noFiles) return forget(id);
    try {
      keep(id, files, toSessionItem(await openSession(parts, id)));
      unsaved = true;
    } catch (error) {
      parts.log.warn({ session: id, detail: describe(error) }, "A session can't be listed.");
      keep(id, files, null);
    }
  }

  /** One after the other: a home with thousands would otherwise open thousands of files at once. */
  async function readAll(ids: Iterable<string>): Promise<void> {
    for (const id of ids) if (!closed) await read(id);
  }

  async function look(): Promise<void> {
    indexed ??= readIndex();
    await indexed;
    const there = (await listSessionDirs(home)).map(({ id }) => id).filter((id) => !isReserved(id));
    const alive = new Set(there);
    for (const id of known.keys()) if (!alive.has(id)) forget(id);
    const shown = inOrder()
      .slice(0, shownFirst)
      .flatMap(({ item }) => item?.id ?? []);
    if (next >= there.length) next = 0;
    await readAll(new Set([...shown, ...there.slice(next, next + inTurn)]));
    next += inTurn;
    // Ids sort by age: the latest are read first.
    const unread = there.filter((id) => !known.has(id)).toSorted((a, b) => (a < b ? 1 : -1));
    reading ??= readAll(unread).finally(() => {
      reading = undefined;
    });
    await reading;
  }

  function inOrder(): Known[] {
    order ??= [...known.values()]
      .filter(({ item }) => item !== null)
      .sort((a, b) => rankOf(a) - rankOf(b) || compare(b.item?.updatedAt ?? "", a.item?.updatedAt ?? ""));
    return order;
  }

  return {
    async find({ text = "", limit = mostSessions }) {
      const isFirst = indexed === undefined;
      looking ??= look().finally(() => {
        looking = undefined;
      });
      await within(isFirst ? firstLookMs : lookMs, looking);
      for (const [id, opening] of loaded) {
        const session = await opening.catch(() => null); // told to the one who opened it
        if (session && loaded.has(id)) keep(id, "", toSessionItem(session));
      }
      const words = fold(text).split(/\s+/).filter(Boolean);
      const found = inOrder().filter((one) => words.every((word) => one.text.includes(word)));
      return { sessions: found.slice(0, limit).flatMap(({ item }) => item ?? []), total: found.length };
    },
    async lookAgain(id) {
      forget(id);
      await read(id);
    },
    async close() {
      closed = true;
      await Promise.all([looking, reading].map((work) => work?.catch(() => undefined))); // told to the one who asked
      if (!unsaved) return;
      const sessions = [...known.values()].flatMap(({ files, item }) =>
        item && files !== "" ? [{ files, item }] : [],
      );
      await writeSessionIndex(home, sessions).catch((error: unknown) =>
        parts.log.warn({ detail: describe(error) }, "The index of the sessions can't be written."),
      );
    },
  };
}

const toText = ({ name, question, followUp, workspace }: SessionItem): string =>
  fold([name ?? "", question, followUp ?? "", workspace].join("\n"));

/** Case and accents apart, as people type. */
const fold = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

/** What wants something of the reader comes first. */
const ranks = { waiting: 0, running: 1, failed: 2, idle: 3 } as const;
const rankOf = ({ item }: Known): number => (item ? ranks[item.turn] : ranks.idle);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const noFiles = "-|-|-";

async function filesOf(dir: string): Promise<string> {
  const stats = await Promise.all(
    ["manifest.json", "ledger.json", workingFile].map((name) => stat(join(dir, name)).catch(() => null)),
  ); // absent is a state too
  return stats.map((found) => (found ? `${found.ino}:${found.mtimeMs}:${found.size}` : "-")).join("|");
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}
