/**
 * What a statement may do, asked by SQLite itself for every action while it compiles the statement: an allow-list.
 * A read-only connection alone is not enough: it lets `VACUUM INTO` write a file and ATTACH read another one.
 */
import { constants, type DatabaseSync } from "node:sqlite";

const allowed = new Set<number>([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
]);

/** Functions that load code, touch files, hand out pointers, write a log or change an index; present or not. */
const forbiddenFunctions = new Set([
  "load_extension",
  "readfile",
  "writefile",
  "edit",
  "fts3_tokenizer",
  "fts5",
  "sqlite_log",
  "optimize",
  "fsdir",
  "zipfile",
  "sqlar_compress",
  "sqlar_uncompress",
  "geopoly_debug",
  "fts5_insttoken",
]);

const actionNames = new Map<number, string>(
  Object.entries(constants)
    .filter(([name]) => !/CHANGESET|_OK$|_DENY$|_IGNORE$/.test(name))
    .map(([name, code]) => [code as number, name.replace(/^SQLITE_/, "").replaceAll("_", " ")]),
);

export interface Guard {
  /** What was refused since the last `reset`, as a sentence. */
  refusal(): string | undefined;
  reset(): void;
}

export function installGuard(database: DatabaseSync): Guard {
  let refused: string | undefined;
  database.setAuthorizer((action, first, second) => {
    if (action === constants.SQLITE_FUNCTION && forbiddenFunctions.has((second ?? "").toLowerCase())) {
      refused ??= `The function ${second} isn't allowed: a query may only read.`;
      return constants.SQLITE_DENY;
    }
    if (allowed.has(action)) return constants.SQLITE_OK;
    // FTS5 asks this by itself on each search; it reads a counter. Typed by a user it fails as not being a SELECT.
    if (action === constants.SQLITE_PRAGMA && first === "data_version" && second === null) return constants.SQLITE_OK;
    refused ??= `${actionNames.get(action) ?? "This action"}${first ? ` (${first})` : ""} isn't allowed: a query may only read.`;
    return constants.SQLITE_DENY;
  });
  return {
    refusal: () => refused,
    reset: () => {
      refused = undefined;
    },
  };
}
