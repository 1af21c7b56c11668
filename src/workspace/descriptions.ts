/**
 * What people say about tables and columns: `descriptions.yaml` in a workspace's folder, edited by hand or from the
 * page. It is read again whenever it changed, by the server and by every child.
 */
import { lstat, mkdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Catalog, type Describe, type Problem, ThothError } from "../protocol/index.ts";
import {
  changeDescriptions,
  type Description,
  type DescriptionChange,
  type Descriptions,
  parseDescriptions,
} from "./descriptions-file.ts";
import { oneAfterTheOther } from "./one-after-the-other.ts";
import { replaceWhole } from "./write-file.ts";

const fileName = "descriptions.yaml";
/** A table of thousands of columns needs more than a list of joins. */
export const mostDescriptionBytes = 8 * 1024 * 1024;
/** For people, and relative to the home: messages go to the page. */
const toShown = (folder: string): string => `workspaces/${basename(folder)}/${fileName}`;

/** Without a file there are no descriptions; one that can't be read gives a problem instead. Never throws. */
export async function readDescriptions(folder: string): Promise<Descriptions> {
  try {
    return (await readSnapshot(folder)).descriptions;
  } catch (error) {
    const { code, message, action } = error instanceof ThothError ? error : unreadable(folder, error);
    return { entries: [], problems: [{ code, message, ...(action ? { action } : {}) }] };
  }
}

/**
 * Throws ThothError: `description-changed` when another one stands there than `before`, `descriptions-broken` for a
 * file with faults, which is left as it is.
 */
export function describe(folder: string, wish: Describe): Promise<void> {
  return oneAfterTheOther(folder, async () => {
    const change: DescriptionChange = {
      table: wish.table,
      column: wish.column ?? null,
      text: toStored(wish.description),
    };
    const path = join(folder, fileName);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Somebody may save the file in an editor at this very moment: then theirs is read first.
    for (let attempt = 0; attempt < 5; attempt++) {
      const { text, descriptions } = await readSnapshot(folder);
      const now = findDescription(descriptions.entries, change)?.text ?? "";
      if (now !== toStored(wish.before)) throw changed(change);
      const next = changeDescriptions(text ?? "", toShown(folder), [change]);
      if (next === text || (now === "" && change.text === "")) return;
      if (await replaceWhole(path, next, async () => (await readSnapshot(folder)).text === text)) return;
    }
    throw changed(change);
  });
}

/**
 * Many at once, in one change of the file. `replace`: also those that say something else so far; else they stay.
 * Gives how many were written and those that stayed. Throws ThothError like `describe`.
 */
export function describeMany(
  folder: string,
  wanted: readonly DescriptionChange[],
  options: { replace: boolean },
): Promise<{ written: number; stayed: DescriptionChange[] }> {
  return oneAfterTheOther(folder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let attempt = 0; attempt < 5; attempt++) {
      const { text, descriptions } = await readSnapshot(folder);
      const known = new Map(descriptions.entries.map((entry) => [keyOf(entry), entry.text]));
      const changes: DescriptionChange[] = [];
      const stayed: DescriptionChange[] = [];
      for (const one of wanted) {
        const change = { ...one, text: toStored(one.text) };
        const now = known.get(keyOf(change));
        if (now === change.text || change.text === "") continue;
        if (now === undefined || options.replace) changes.push(change);
        else stayed.push(change);
        if (now === undefined) known.set(keyOf(change), change.text);
      }
      if (changes.length === 0) return { written: 0, stayed };
      const next = changeDescriptions(text ?? "", toShown(folder), changes);
      const path = join(folder, fileName);
      if (await replaceWhole(path, next, async () => (await readSnapshot(folder)).text === text))
        return { written: changes.length, stayed };
    }
    throw new ThothError(
      "description-changed",
      `${toShown(folder)} is being changed by somebody else.`,
      "Look at what stands there now, then try again.",
    );
  });
}

const keyOf = ({ table, column, value }: DescriptionChange): string => JSON.stringify([table, column, value ?? null]);

/**
 * The catalog with the workspace's descriptions before the database's own comments. What describes nothing that is
 * there is told, because it is most often a name written wrong.
 */
export function toDescribedCatalog(
  catalog: Catalog,
  descriptions: Descriptions,
  folder: string,
): { catalog: Catalog; problems: Problem[] } {
  if (descriptions.entries.length === 0) return { catalog, problems: descriptions.problems };
  const byTable = Map.groupBy(descriptions.entries, (entry) => entry.table);
  const tables = catalog.tables.map((table) => {
    const entries = byTable.get(table.name);
    if (!entries) return table;
    const of = (column: string | null) =>
      entries.find((entry) => entry.column === column && entry.value === undefined)?.text;
    return withDescription(
      { ...table, columns: table.columns.map((column) => withDescription(column, of(column.name))) },
      of(null),
    );
  });
  const known = new Map(catalog.tables.map((table) => [table.name, new Set(table.columns.map(({ name }) => name))]));
  const unmatched = descriptions.entries.flatMap(({ table, column, line }): Problem[] => {
    const columns = known.get(table);
    if (columns && (column === null || columns.has(column))) return [];
    return [
      {
        code: "description-unmatched",
        message: `${toShown(folder)}, line ${line}: the database has no ${columns ? `column ${column} in ${table}` : `table ${table}`}.`,
        action: "Write the name as the catalog shows it, or take these lines out.",
      },
    ];
  });
  return { catalog: { ...catalog, tables }, problems: [...descriptions.problems, ...unmatched] };
}

function withDescription<T extends { comment?: string }>(of: T, text: string | undefined): T {
  if (text === undefined) return of;
  return { ...of, comment: text, described: of.comment === undefined ? {} : { database: of.comment } };
}

const findDescription = (
  entries: Description[],
  { table, column, value }: DescriptionChange,
): Description | undefined =>
  entries.find((entry) => entry.table === table && entry.column === column && entry.value === value);

/** What a file can hold: whole characters, one kind of line end, no blanks around. */
const toStored = (text: string): string => text.toWellFormed().replace(/\r\n?/g, "\n").trim();

interface Snapshot {
  /** Null without a file. */
  text: string | null;
  descriptions: Descriptions;
}

/** Read files by path, each valid for exactly the file it was read from. */
const kept = new Map<string, Snapshot & { identity: string }>();
const mostKept = 16;

async function readSnapshot(folder: string): Promise<Snapshot> {
  const path = join(folder, fileName);
  const stats = await lstat(path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
    throw error;
  });
  if (!stats) return { text: null, descriptions: { entries: [], problems: [] } };
  if (!stats.isFile()) throw fault(folder, "it is not a plain file", "Replace it with a plain file.");
  if (stats.size > mostDescriptionBytes) throw fault(folder, "it is larger than 8 MB", "Take out what isn't needed.");
  const identity = `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`;
  const known = kept.get(path);
  if (known?.identity === identity) return known;
  const text = await readFile(path, "utf8");
  const snapshot = { text, descriptions: parseDescriptions(text, toShown(folder)), identity };
  kept.delete(path);
  kept.set(path, snapshot);
  for (const oldest of kept.keys()) {
    if (kept.size <= mostKept) break;
    kept.delete(oldest);
  }
  return snapshot;
}

const fault = (folder: string, what: string, fix: string, cause?: unknown): ThothError =>
  new ThothError("descriptions-broken", `${toShown(folder)}: ${what}.`, fix, cause);

const unreadable = (folder: string, cause: unknown): ThothError =>
  fault(folder, "it can't be read", "Give yourself the right to read it.", cause);

const changed = ({ table, column }: DescriptionChange): ThothError =>
  new ThothError(
    "description-changed",
    `The description of ${column === null ? table : `${table}.${column}`} was changed meanwhile.`,
    "Look at what stands there now, then save again.",
  );
