/** For tests: small databases made of SQL text, opened as any other. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type OpenedCatalog, openCatalog } from "../catalog/open-catalog.ts";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import type { FilterDecision, JoinDecision, JoinType } from "../protocol/index.ts";

export interface Opened extends OpenedCatalog {
  database: Database;
  run(sql: string): void;
  close(): void;
}

export async function openSmall(sql: string): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "thoth-evidence-"));
  const file = join(folder, "small.sqlite");
  const run = (text: string) => {
    const writer = new DatabaseSync(file);
    writer.exec(text);
    writer.close();
  };
  run(`PRAGMA foreign_keys = OFF; ${sql}`);
  const database = await openDatabase({ engine: "sqlite", file });
  return {
    database,
    ...(await openCatalog(database, join(folder, "catalog"))),
    run,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export const demoFile = join(import.meta.dirname, "../../demo/chinook.sqlite");
export const hasDemo = existsSync(demoFile);

export async function openDemo(): Promise<Opened> {
  const folder = mkdtempSync(join(tmpdir(), "thoth-evidence-"));
  const database = await openDatabase({ engine: "sqlite", file: demoFile });
  return {
    database,
    ...(await openCatalog(database, folder)),
    run: () => undefined,
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A count by plain SQL, independent of everything here. */
export function countIn(file: string, sql: string): number {
  const reader = new DatabaseSync(file, { readOnly: true });
  const row = reader.prepare(sql).get();
  reader.close();
  return Number(Object.values(row ?? {})[0] ?? 0);
}

/** `joinOf("Artist ar", "INNER", "Album al", "ArtistId", "x=y")`; a third word is the role. */
export function joinOf(left: string, type: JoinType, right: string, ...pairs: string[]): JoinDecision {
  const side = (text: string) => {
    const [table = "", alias = "", role] = text.split(" ");
    return { table, alias, ...(role === undefined ? {} : { role }) };
  };
  return {
    kind: "join",
    left: side(left),
    type,
    right: side(right),
    pairs: pairs.map((pair) => ({ left: pair.split("=")[0] ?? "", right: pair.split("=")[1] ?? pair })),
  };
}

export function filterOf(
  words: string,
  column: string,
  operator: FilterDecision["operator"],
  values: (string | number)[],
  condition: string,
): FilterDecision {
  const [table = "", name = ""] = column.split(".");
  return { kind: "filter", words, table, column: name, operator, values, condition };
}
