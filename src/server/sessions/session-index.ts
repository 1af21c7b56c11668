/**
 * What the list says of each session, kept over restarts: reading ten thousand ledgers again would take a minute. Every
 * entry names the state of the files it was read from, so an old or lost index costs time and never truth.
 */
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { replaceFile } from "../../ledger/replace-file.ts";
import { check, SessionItem } from "../../protocol/index.ts";

const IndexFile = Type.Object({
  /** Raise it whenever the same files give another item. */
  version: Type.Literal(1),
  sessions: Type.Array(Type.Object({ files: Type.String(), item: SessionItem })),
});
export type IndexedSession = Static<typeof IndexFile>["sessions"][number];

const indexDir = (home: string): string => join(home, "cache");
const indexFile = (home: string): string => join(indexDir(home), "sessions.json");

/** Nothing for an index that is missing, torn or of another version. */
export async function readSessionIndex(home: string): Promise<IndexedSession[]> {
  try {
    const checked = check(IndexFile, JSON.parse(await readFile(indexFile(home), "utf8")));
    return checked.ok ? checked.value.sessions : [];
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

export async function writeSessionIndex(home: string, sessions: IndexedSession[]): Promise<void> {
  await mkdir(indexDir(home), { recursive: true, mode: 0o700 });
  await replaceFile(indexFile(home), JSON.stringify({ version: 1, sessions } satisfies Static<typeof IndexFile>));
}
