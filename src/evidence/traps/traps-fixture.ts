/** For tests: what the traps say about one statement over a small database of its own. */
import type { Finding } from "../../protocol/index.ts";
import { openSmall } from "../evidence-fixture.ts";
import { findTraps } from "./find-traps.ts";

export interface Asked {
  sql: string;
  question?: string;
}

/** Severity by code, the worst of each; one entry per statement. */
export async function severitiesOf(schema: string, asked: readonly Asked[]): Promise<Record<string, string>[]> {
  return (await findingsOf(schema, asked)).map((findings) =>
    Object.fromEntries([...findings].reverse().map(({ code, severity }) => [code, severity])),
  );
}

export async function findingsOf(schema: string, asked: readonly Asked[]): Promise<Finding[][]> {
  const { database, catalog, close } = await openSmall(schema);
  const found: Finding[][] = [];
  for (const { sql, question } of asked) found.push(await findTraps(database, catalog, sql, question));
  await database.close();
  close();
  return found;
}
