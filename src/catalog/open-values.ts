/**
 * The value index of one database as it stands in the catalog's folder: opened when it is complete, otherwise built,
 * at first while the caller waits and then in the background. Meanwhile an earlier state serves, or the columns that
 * are in; both say so by their coverage. One process builds, others wait for it and go on if it dies.
 */
import { Worker } from "node:worker_threads";
import type { Database } from "../database/database.ts";
import type { Catalog } from "../protocol/index.ts";
import type { IndexedColumn } from "./measure-columns.ts";
import { readValues, type ValueCaps } from "./read-values.ts";
import {
  isComplete,
  lockBuild,
  openEarlier,
  openReadable,
  openWritable,
  removeEarlier,
  removeFile,
  toValueFile,
} from "./value-files.ts";
import { createCoverage, type ValueIndex } from "./value-index.ts";
import { createValueSearch } from "./value-search.ts";
import { createSchema, createValueStore, readColumns, type ValueStore } from "./value-store.ts";
import { createValueWriter, type Page } from "./value-writer.ts";

export interface OpenedValues {
  values: ValueIndex;
  /** Resolves once nothing is built any more: because all is there, or because it had to be given up. */
  ready: Promise<void>;
  progress(): { columns: number; done: number };
  /** Stops the build, which `ready` tells the end of, and gives the file back: nothing is found afterwards. */
  close(): void;
}

export interface ValueSource {
  database: Database;
  catalog: Catalog;
  columns: readonly IndexedColumn[];
  fingerprint: string;
}

export interface ValueOptions {
  /** How long the caller waits for what is built. */
  waitMs: number;
  caps: ValueCaps;
  signal?: AbortSignal | undefined;
}

/** Fewer values are written in the caller's own thread: starting another one takes longer. */
const inlineValues = 30_000;
const pollMs = 200;

export async function openValues(source: ValueSource, cacheDir: string, options: ValueOptions): Promise<OpenedValues> {
  const { fingerprint, columns } = source;
  const file = toValueFile(cacheDir, fingerprint);
  const stop = new AbortController();
  let store: ValueStore | undefined;
  let search: ReturnType<typeof createValueSearch> | undefined;
  let stale = false;
  let complete = false;

  /** The best that can be had at the moment. */
  function use(): void {
    const fresh = openReadable(file, fingerprint);
    complete = fresh !== undefined && isComplete(fresh);
    const earlier = complete ? undefined : openEarlier(cacheDir, fingerprint);
    if (earlier) fresh?.close();
    const database = earlier ?? fresh;
    store?.close();
    stale = earlier !== undefined;
    store = database && createValueStore(database);
    search = store && createValueSearch(store);
  }

  function refreshed(): typeof search {
    if (!complete && !stop.signal.aborted) {
      if (store) store.refresh();
      else use();
    }
    return search;
  }

  const others = createCoverage(
    columns.filter(({ text }) => !text).map(({ table, column, partial }) => ({ table, column, distinct: 0, partial })),
  );
  const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
  const result: OpenedValues = {
    values: {
      lookup: (text) => refreshed()?.lookup(text) ?? [],
      search: (text, wanted) => refreshed()?.search(text, wanted) ?? [],
      coverage(table, column) {
        refreshed();
        const stored = store?.columns().find((one) => sameName(one.table, table) && sameName(one.column, column));
        if (!stored) return others(table, column);
        return stored.done
          ? { distinct: stored.found, partial: stored.partial || stale }
          : { distinct: 0, partial: true };
      },
    },
    ready: Promise.resolve(),
    progress() {
      const texts = columns.filter(({ text }) => text).length;
      refreshed();
      const done = stale ? 0 : (store?.columns().filter((stored) => stored.done).length ?? 0);
      return { columns: texts, done };
    },
    close() {
      stop.abort();
      store?.close();
      store = search = undefined;
    },
  };

  use();
  if (complete) return result;
  options.signal?.addEventListener("abort", () => stop.abort(), { once: true });
  if (options.signal?.aborted) stop.abort();
  result.ready = build(source, cacheDir, file, options, stop.signal).then(
    () => {
      if (!stop.signal.aborted) use();
    },
    // Given up: what is there stays, marked as partial, and the next one to open the catalog goes on.
    () => undefined,
  );
  await Promise.race([result.ready, waitFor(options.waitMs, result.ready)]);
  return result;
}

/** Keeps the process alive as long as the caller waits, not longer. */
async function waitFor(ms: number, done: Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    void done.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function build(
  source: ValueSource,
  cacheDir: string,
  file: string,
  options: ValueOptions,
  signal: AbortSignal,
): Promise<void> {
  let lock = lockBuild(cacheDir, source.fingerprint);
  while (!lock) {
    await new Promise<void>((resolve) => setTimeout(resolve, pollMs).unref());
    signal.throwIfAborted();
    if (isBuilt(file, source.fingerprint)) return;
    lock = lockBuild(cacheDir, source.fingerprint);
  }
  try {
    if (isBuilt(file, source.fingerprint)) return;
    await fill(source, file, options, signal);
    removeEarlier(cacheDir, source.fingerprint);
  } finally {
    lock.release();
  }
}

function isBuilt(file: string, fingerprint: string): boolean {
  const database = openReadable(file, fingerprint);
  const built = database !== undefined && isComplete(database);
  database?.close();
  return built;
}

async function fill(source: ValueSource, file: string, options: ValueOptions, signal: AbortSignal): Promise<void> {
  const begun = openReadable(file, source.fingerprint);
  let columns = begun && readColumns(begun);
  begun?.close();
  if (!columns) {
    removeFile(file);
    const database = openWritable(file);
    createSchema(
      database,
      source.fingerprint,
      source.columns.filter(({ text }) => text),
    );
    columns = readColumns(database);
    database.close();
  }
  const expected = source.catalog.tables
    .flatMap((table) => table.columns.filter((column) => columns.some((one) => isOf(one, table.name, column.name))))
    .reduce((sum, column) => sum + (column.distinct ?? Number.POSITIVE_INFINITY), 0);
  const writer = expected <= inlineValues ? createInlineWriter(file) : createThreadWriter(file, signal);
  try {
    for await (const page of readValues(source.database, source.catalog, columns, options.caps, signal))
      await writer.add(page);
    await writer.finish();
  } finally {
    await writer.close();
  }
}

const isOf = (stored: { table: string; column: string }, table: string, column: string): boolean =>
  stored.table === table && stored.column === column;

interface PageWriter {
  add(page: Page): Promise<void>;
  finish(): Promise<void>;
  close(): Promise<void>;
}

function createInlineWriter(file: string): PageWriter {
  const database = openWritable(file);
  const writer = createValueWriter(database);
  return {
    add: async (page) => writer.add(page),
    finish: async () => writer.finish(),
    close: async () => database.close(),
  };
}

function createThreadWriter(file: string, signal: AbortSignal): PageWriter {
  const worker = new Worker(new URL("./value-writer-thread.ts", import.meta.url), { workerData: { file } });
  let waiting: PromiseWithResolvers<void> | undefined;
  let ended: Error | undefined;
  const end = (error: Error): void => {
    ended ??= error;
    waiting?.reject(error);
  };
  const stopped = (): void => end(new Error("The build was stopped."));
  worker.on("message", () => waiting?.resolve());
  worker.on("error", end);
  worker.on("exit", () => end(new Error("The thread that writes values ended.")));
  signal.addEventListener("abort", stopped, { once: true });
  // After the listeners: listening for messages keeps the process alive again.
  worker.unref();
  const send = async (message: Page | "finish"): Promise<void> => {
    if (ended) throw ended;
    waiting = Promise.withResolvers<void>();
    worker.postMessage(message);
    await waiting.promise;
  };
  return {
    add: send,
    finish: () => send("finish"),
    async close() {
      signal.removeEventListener("abort", stopped);
      await worker.terminate();
    },
  };
}
