/** J8: what a model is told about the tables it chose always holds the columns it needs to join them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { afterAll, expect, it } from "vitest";
import { joinOf } from "../../src/evidence/evidence-fixture.ts";
import { refuseNames } from "../../src/extension/check-names.ts";
import { createSessionContext } from "../../src/extension/session-context.ts";
import { registerReadTools } from "../../src/extension/tools/read-tools.ts";

const folder = mkdtempSync(join(tmpdir(), "thoth-keys-"));
const file = join(folder, "shop.sqlite");
const plain = Array.from({ length: 200 }, (_, at) => `plain_${at} TEXT`).join(", ");
const writer = new DatabaseSync(file);
writer.exec(
  `CREATE TABLE client (cno INTEGER NOT NULL PRIMARY KEY, name TEXT);
   CREATE TABLE bill (bno INTEGER NOT NULL PRIMARY KEY, amount INTEGER, ${plain}, payer INTEGER NOT NULL REFERENCES client(cno));
   CREATE TABLE prog (camp INTEGER, yr INTEGER, PRIMARY KEY (camp, yr));
   CREATE TABLE enr (camp INTEGER, yr INTEGER, n INTEGER, FOREIGN KEY (camp, yr) REFERENCES prog (camp, yr));
   INSERT INTO client VALUES (1, 'Ada');`,
);
writer.close();
const session = createSessionContext({
  THOTH_SESSION_ID: "s",
  THOTH_SESSION_DIR: folder,
  THOTH_CONNECTION: JSON.stringify({ engine: "sqlite", file }),
  THOTH_CATALOG_DIR: join(folder, "catalogs"),
});
afterAll(async () => {
  (await session.catalog()).close();
  await (await session.database()).close();
  rmSync(folder, { recursive: true, force: true });
});

/** What the model reads when it calls the tool. */
async function told(tool: string, parameters: object): Promise<string> {
  const tools = new Map<string, Parameters<ExtensionAPI["registerTool"]>[0]>();
  const pi = { registerTool: (one: Parameters<ExtensionAPI["registerTool"]>[0]) => void tools.set(one.name, one) };
  registerReadTools(pi as unknown as ExtensionAPI, session);
  const found = tools.get(tool);
  if (!found) throw new Error(`no tool ${tool}`);
  const result = await found.execute("1", parameters as never, undefined, undefined, {} as never);
  return result.content.map((part) => ("text" in part ? part.text : "")).join("\n");
}

it("J8 key columns pruned from the prompt: keys and the way to join stand there, however wide the table", async () => {
  const bill = await told("describe_table", { table: "bill" });
  for (const line of ["bno INTEGER primary key", "payer INTEGER not null", "bill.payer = client.cno (declared)"])
    expect(bill).toContain(line);
  expect(bill).toContain("plain_199 TEXT");
  expect(await told("describe_table", { table: "client" })).toContain("bill.payer = client.cno (declared)");
});

it("J8 all columns of a composite key stand there, in their order", async () => {
  expect(await told("describe_table", { table: "enr" })).toContain("enr.camp, enr.yr = prog.camp, prog.yr (declared)");
});

it("J8 an invented ON column is refused before anything is measured, with the columns there are", async () => {
  const { catalog } = await session.catalog();
  const invented = joinOf("bill b", "INNER", "client c", "client_id=cno");
  expect(refuseNames(catalog, [invented])).toMatch(
    /^Decision 1: bill has no column client_id\. There are: bno, amount/,
  );
  expect(refuseNames(catalog, [joinOf("bill b", "INNER", "client c", "payer=cno")])).toBeNull();
});
