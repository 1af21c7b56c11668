import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CheckedStatement, check } from "../protocol/index.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));

let folder: string;
let shop: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "thoth-check-"));
  shop = join(folder, "shop.sqlite");
  const database = new DatabaseSync(shop);
  database.exec("CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT)");
  database.exec("INSERT INTO customer VALUES (1, 'Ann', 'Oslo'), (2, 'Bob', 'Rome')");
  database.close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function thoth(args: string[], input = ""): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [main, "check", ...args], {
    env: { ...process.env, THOTH_HOME: join(folder, "home"), THOTH_DEBUG: "" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    err += chunk;
  });
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out, err };
}

it("prints what it found, and ends with 1 for an alarm and 0 without one", async () => {
  const file = join(folder, "wrong.sql");
  await writeFile(file, "SELECT name FROM customer WHERE city = 'oslo'");
  const wrong = await thoth(["--database", shop, "--sql", file]);
  expect(wrong).toMatchObject({ code: 1, err: "" });
  expect(wrong.out).toMatch(/^problem {2}value-spelling \(customer\.city\)\n {9}.*'Oslo'/m);
  const right = await thoth(["--database", shop, "--sql", "-"], "SELECT name FROM customer WHERE city = 'Oslo'\n");
  expect(right).toMatchObject({ code: 0, out: "No alarm.\n", err: "" });
});

it("holds the statement against the question, as JSON", async () => {
  const args = ["--database", shop, "--sql", "-", "--json", "--question", "Who lives in Rome?"];
  const { code, out } = await thoth(args, "SELECT name FROM customer");
  expect(code).toBe(1);
  expect(check(CheckedStatement, JSON.parse(out))).toMatchObject({
    ok: true,
    value: { ok: false, warnings: [{ code: "value-ignored" }] },
  });
});

it("checks many statements, a line each, and goes on after one that can't be checked", async () => {
  const lines = [
    { id: "a", db: "shop", sql: "SELECT name FROM customer" },
    { id: 2, db: "shop", sql: "SELECT name FROM customer", question: "Who lives in Rome?", extra: true },
    { id: "c", db: "none", sql: "SELECT 1" },
    { id: "d", db: "shop", sql: "SELECT COUNT(*) FROM customer" },
  ];
  const input = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
  const { code, out } = await thoth(["--jsonl", "-", "--databases", folder], input);
  const answers = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: unknown; ok: boolean; warnings: { code: string }[] });
  expect(code).toBe(1);
  expect(answers.map(({ id, ok }) => [id, ok])).toEqual([
    ["a", true],
    [2, false],
    ["c", false],
    ["d", true],
  ]);
  expect(answers[2]?.warnings[0]?.code).toBe("database-missing");
});

it("ends with 2 when it is used wrongly", async () => {
  for (const [args, words] of [
    [[], "what is to be checked"],
    [["--sql", "-"], "where the database is"],
    [["--jsonl", "-"], "where the databases are"],
    [["--sql", "a", "--jsonl", "b"], "what is to be checked"],
    [["--database", shop, "--sql", join(folder, "none.sql")], "can't be read"],
    [["--database", shop, "--sql", "-"], "no SQL"],
  ] as [string[], string][]) {
    const { code, out, err } = await thoth(args);
    expect([args, code, out]).toEqual([args, 2, ""]);
    expect(err).toContain(words);
    expect(err).toMatch(/^thoth: .+\nWhat to do: .+\n$/);
  }
});

it("doesn't say a password that stood in an address", async () => {
  const { code, err } = await thoth(["--database", "postgres://ann:hunter2@127.0.0.1:9/crm", "--sql", "-"], "SELECT 1");
  expect(code).toBe(1);
  expect(err).toContain("What to do:");
  expect(err).not.toContain("hunter2");
});
