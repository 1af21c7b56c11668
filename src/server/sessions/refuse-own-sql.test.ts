import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { refuseOwnSql } from "./refuse-own-sql.ts";

const demo = {
  engine: "sqlite",
  file: fileURLToPath(new URL("../../../demo/chinook.sqlite", import.meta.url)),
} as const;
const told = async (sql: string): Promise<string> => {
  try {
    await refuseOwnSql(demo, sql);
    return "taken";
  } catch (fault) {
    return (fault as Error).message;
  }
};

it("takes what the database can run", async () => {
  expect(await told("SELECT Name FROM Genre")).toBe("taken");
});

it("says what is wrong in words about the reviewer's own text", async () => {
  expect(await told("SELECT Nmae FROM Genre")).toBe("The tables of this SQL have no such column: Nmae.");
  expect(await told("SELECT Name FROM Genres")).toBe("The database has no such table: Genres.");
  expect(await told("SELECT Name FORM Genre")).toMatch(/^This SQL (can't be read near|is not)/);
  expect(await told("DELETE FROM Genre")).toMatch(/^This SQL is not taken: /);
  expect(await told("SELECT 1; SELECT 2")).toMatch(/^This SQL is not taken: /);
});

it("tells nothing of the message but what stands in the text, and names a database that is gone", async () => {
  const file = "/nowhere/secret-place.sqlite";
  const fault = await refuseOwnSql({ engine: "sqlite", file }, "SELECT 1").catch((error: unknown) => error as Error);
  expect(`${fault}`).not.toContain("nowhere");
  expect(fault).toMatchObject({ code: expect.stringMatching(/^database-/) });
});
