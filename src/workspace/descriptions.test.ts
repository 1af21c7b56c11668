import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, describe as group, it } from "vitest";
import { parse } from "yaml";
import type { Catalog } from "../protocol/index.ts";
import { describe, readDescriptions, toDescribedCatalog } from "./descriptions.ts";
import { changeDescriptions, type DescriptionChange, parseDescriptions } from "./descriptions-file.ts";

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "thoth-descriptions-")), "shop");
  mkdirSync(folder);
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true, force: true }));

const changeDescription = (text: string, shown: string, change: DescriptionChange) =>
  changeDescriptions(text, shown, [change]);
const file = () => join(folder, "descriptions.yaml");
const stored = () => readFileSync(file(), "utf8");
const told = (text: string) => parseDescriptions(text, "workspaces/shop/descriptions.yaml");
const fault = async (work: Promise<unknown>) =>
  await work.then(
    () => {
      throw new Error("no fault");
    },
    (error: unknown) => error,
  );

const byHand = `# Written by the data team
version: 1 # of this format

tables:
  # Who buys
  Customer:
    description: One row per person who ever bought. # not per account
    columns:
      Country:
        description: |-
          Where the invoice goes.
          Never where they live.
      Fax: Not in use since 2011
  invoice_line:
    columns:
      UnitPrice:
        description: "Price: of one track"
`;

it("reads tables and columns, in long and in short form, with their lines", () => {
  expect(told(byHand)).toEqual({
    problems: [],
    entries: [
      { table: "Customer", column: null, text: "One row per person who ever bought.", line: 7 },
      { table: "Customer", column: "Country", text: "Where the invoice goes.\nNever where they live.", line: 10 },
      { table: "Customer", column: "Fax", text: "Not in use since 2011", line: 13 },
      { table: "invoice_line", column: "UnitPrice", text: "Price: of one track", line: 17 },
    ],
  });
});

it("a change leaves every other line as it was", () => {
  const next = changeDescription(byHand, "x", { table: "Customer", column: "Country", text: "Of the invoice" });
  const before = byHand.split("\n");
  expect(next.split("\n")).toEqual([...before.slice(0, 9), "        description: Of the invoice", ...before.slice(12)]);
  expect(changeDescription(next, "x", { table: "Customer", column: "Country", text: "Of the invoice" })).toBe(next);
});

it("new names go before the first that sorts after them, and removing the last word removes the names", () => {
  let text = byHand;
  for (const [table, column] of [
    ["Album", null],
    ["Customer", "Email"],
    ["Genre", "Name"],
  ] as const)
    text = changeDescription(text, "x", { table, column, text: `About ${column ?? table}` });
  expect(Object.keys((parse(text) as { tables: object }).tables)).toEqual([
    "Album",
    "Customer",
    "Genre",
    "invoice_line",
  ]);
  expect(text).toContain("Country:\n        description: |-");
  expect([...text.matchAll(/^ {6}(\w+):/gm)].map((found) => found[1])).toEqual([
    "Country",
    "Email",
    "Fax",
    "Name",
    "UnitPrice",
  ]);
  for (const [table, column] of [
    ["Album", null],
    ["Customer", "Email"],
    ["Genre", "Name"],
  ] as const)
    text = changeDescription(text, "x", { table, column, text: "" });
  expect(text).toBe(byHand);
  expect(changeDescription(byHand, "x", { table: "Customer", column: "Fax", text: "" })).toBe(
    byHand.replace("      Fax: Not in use since 2011\n", ""),
  );
});

it("what values mean stands below their column, and comes and goes without touching the rest", () => {
  const change = { table: "Customer", column: "Fax", value: "n/a" };
  const next = changeDescription(byHand, "x", { ...change, text: "None: was never asked" });
  expect(next).toBe(
    byHand.replace(
      "      Fax: Not in use since 2011\n",
      '      Fax:\n        description: Not in use since 2011\n        values:\n          n/a: "None: was never asked"\n',
    ),
  );
  expect(told(next).entries.filter(({ column }) => column === "Fax")).toEqual([
    { table: "Customer", column: "Fax", text: "Not in use since 2011", line: 14 },
    { table: "Customer", column: "Fax", value: "n/a", text: "None: was never asked", line: 16 },
  ]);
  expect(told(changeDescription(next, "x", { ...change, text: "" })).entries).toHaveLength(4);
});

it("where a description comes from stands beside it, and goes with its words", () => {
  const of = { table: "A", column: null };
  const kept = changeDescription("version: 1\ntables:\n  A: x # ours\n", "x", {
    ...of,
    text: "y",
    origin: { session: "s", seq: 4 },
  });
  expect(kept).toBe("version: 1\ntables:\n  A:\n    description: y # ours\n    origin: { session: s, seq: 4 }\n");
  expect(told(kept)).toEqual({
    problems: [],
    entries: [{ ...of, text: "y", line: 4, origin: { session: "s", seq: 4 } }],
  });
  expect(changeDescription(kept, "x", { ...of, text: "z" })).toBe(
    "version: 1\ntables:\n  A:\n    description: z # ours\n",
  );
  expect(changeDescription(kept, "x", { ...of, text: "" })).toBe("version: 1\n");
});

it("a short form stays short, with its comment", () => {
  const text = "version: 1\ntables:\n  A: What A is # ours\n";
  expect(changeDescription(text, "x", { table: "A", column: null, text: "An A" })).toBe(
    "version: 1\ntables:\n  A: An A # ours\n",
  );
});

it("a short form becomes a long one when its table gets a column, and keeps its text", () => {
  const next = changeDescription("version: 1\ntables:\n  A: What A is\n", "x", { table: "A", column: "b", text: "B" });
  expect(parse(next)).toEqual({
    version: 1,
    tables: { A: { description: "What A is", columns: { b: { description: "B" } } } },
  });
});

it("names and texts that YAML would read as something else come back as they went in", () => {
  const words = [
    "2024",
    "no",
    "null",
    "~",
    "1e3",
    "a: b",
    "# c",
    "- d",
    "'",
    '"',
    "{x}",
    "tab\there",
    "é\u0085ü",
    "two\nlines",
    "<<",
    "*x",
    "&y",
    "!z",
    "0x1F",
    "true",
  ];
  let text = "";
  for (const word of words) {
    text = changeDescription(text, "x", { table: word, column: null, text: word });
    text = changeDescription(text, "x", { table: word, column: word, text: `of ${word}` });
  }
  const { entries, problems } = told(text);
  expect(problems).toEqual([]);
  expect(new Set(entries.map(({ table, column, text: said }) => JSON.stringify([table, column, said])))).toEqual(
    new Set(words.flatMap((word) => [JSON.stringify([word, null, word]), JSON.stringify([word, word, `of ${word}`])])),
  );
});

it("Windows line ends stay", () => {
  const next = changeDescription("version: 1\r\ntables:\r\n  A: x\r\n", "x", { table: "B", column: null, text: "y" });
  expect(next).toBe("version: 1\r\ntables:\r\n  A: x\r\n  B:\r\n    description: y\r\n");
});

group("what is wrong is told with its line, and the rest is read", () => {
  it.each([
    ["not YAML", "version: 1\ntables:\n  A: [x\n", 4, []],
    ["a name twice", "version: 1\ntables:\n  A: x\n  A: y\n", 4, []],
    ["another version", "version: 2\ntables:\n  A: x\n", 1, ["x"]],
    ["no version", "tables:\n  A: x\n", 1, ["x"]],
    ["an unknown name", "version: 1\ntable:\n  A: x\n", 2, []],
    ["a list for tables", "version: 1\ntables:\n  - A\n", 3, []],
    ["a list for columns", "version: 1\ntables:\n  A:\n    description: x\n    columns:\n      - b\n", 6, ["x"]],
    ["an unknown name below a table", "version: 1\ntables:\n  A:\n    desc: x\n  B: y\n", 4, ["y"]],
    ["a map for a text", "version: 1\ntables:\n  A:\n    description:\n      de: x\n  B: y\n", 4, ["y"]],
    ["an alias", "version: 1\ntables:\n  A: &a x\n  B: *a\n", 4, ["x"]],
    ["a text that never ends", `version: 1\ntables:\n  A: ${"x".repeat(4001)}\n  B: y\n`, 3, ["y"]],
    ["a list instead of it all", "- version: 1\n", 1, []],
    ["a text instead of it all", "hello\n", 1, []],
  ] as const)("%s", (_, text, line, kept) => {
    const { entries, problems } = told(text);
    expect(problems[0]).toMatchObject({ code: "descriptions-broken", action: expect.any(String) });
    expect(problems[0]?.message).toContain(`workspaces/shop/descriptions.yaml, line ${line}: `);
    expect(entries.map((entry) => entry.text)).toEqual(kept);
  });

  it.each([
    ["nothing", ""],
    ["comments alone", "# later\n"],
    ["empty names", "version: 1\ntables:\n  A:\n    description:\n    columns:\n"],
  ])("%s is no fault", (_, text) => {
    if (text.includes("version")) expect(told(text)).toEqual({ entries: [], problems: [] });
    else expect(parseDescriptions(text, "x").entries).toEqual([]);
  });
});

group("in a workspace's folder", () => {
  it("a description is written, found again, changed and taken away; only its owner may read the file", async () => {
    rmSync(folder, { recursive: true });
    await describe(folder, { table: "Customer", description: " Who buys \r\n", before: "" });
    expect(stored()).toBe("version: 1\ntables:\n  Customer:\n    description: Who buys\n");
    await describe(folder, { table: "Customer", column: "Fax", description: "Old", before: "" });
    await describe(folder, { table: "Customer", description: "Buyers", before: "Who buys" });
    expect((await readDescriptions(folder)).entries.map(({ column, text }) => [column, text])).toEqual([
      [null, "Buyers"],
      ["Fax", "Old"],
    ]);
    await describe(folder, { table: "Customer", description: "", before: "Buyers" });
    await describe(folder, { table: "Customer", column: "Fax", description: "", before: "Old" });
    expect(stored()).toBe("version: 1\n");
    expect(readdirSync(folder)).toEqual(["descriptions.yaml"]);
  });

  it("an edit from an older description is refused, and one beside it is not", async () => {
    await describe(folder, { table: "A", description: "one", before: "" });
    writeFileSync(file(), "version: 1\ntables:\n  A: two # by hand\n");
    const error = await fault(describe(folder, { table: "A", description: "three", before: "one" }));
    expect(error).toMatchObject({ code: "description-changed" });
    expect(stored()).toContain("two # by hand");
    await describe(folder, { table: "B", description: "b", before: "" });
    expect(stored()).toBe("version: 1\ntables:\n  A: two # by hand\n  B:\n    description: b\n");
  });

  it("of many who describe at once each one's words are kept, and of two for the same one is told", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `T${String(index).padStart(2, "0")}`);
    await Promise.all(names.map((table) => describe(folder, { table, description: `about ${table}`, before: "" })));
    expect((await readDescriptions(folder)).entries.map((entry) => entry.table)).toEqual(names);
    const both = await Promise.allSettled(
      ["x", "y"].map((description) => describe(folder, { table: "T00", description, before: "about T00" })),
    );
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  });

  it("a file with a fault is never written over", async () => {
    const broken = "version: 1\ntables:\n  A: [x\n";
    writeFileSync(file(), broken);
    expect(await fault(describe(folder, { table: "B", description: "b", before: "" }))).toMatchObject({
      code: "descriptions-broken",
      message: expect.stringContaining("workspaces/shop/descriptions.yaml, line 4"),
    });
    expect(stored()).toBe(broken);
  });

  it("a link, a folder or a file that may not be read is a problem and no fault", async () => {
    writeFileSync(join(folder, "elsewhere.yaml"), "version: 1\ntables:\n  A: x\n");
    symlinkSync(join(folder, "elsewhere.yaml"), file());
    expect(await readDescriptions(folder)).toMatchObject({ entries: [], problems: [{ code: "descriptions-broken" }] });
    expect(await fault(describe(folder, { table: "A", description: "y", before: "" }))).toMatchObject({
      code: "descriptions-broken",
    });
    rmSync(file());
    mkdirSync(file());
    expect((await readDescriptions(folder)).problems).toHaveLength(1);
    rmSync(file(), { recursive: true });
    writeFileSync(file(), "version: 1\n");
    chmodSync(file(), 0o000);
    const { problems } = await readDescriptions(folder);
    // Root may read everything.
    if (process.getuid?.() !== 0) expect(problems).toHaveLength(1);
    expect(JSON.stringify(problems)).not.toContain(folder);
  });
});

it("stands before the database's own comments, and names that nothing has are told", () => {
  const column = { type: "TEXT", kind: "text", nullable: true, samples: [] } as const;
  const table = { kind: "table", rows: 1, primaryKey: [], unique: [], foreignKeys: [] } as const;
  const catalog = {
    engine: "sqlite",
    checksum: "c",
    relations: [],
    tables: [
      {
        ...table,
        name: "A",
        comment: "database's A",
        columns: [
          { ...column, name: "x" },
          { ...column, name: "y", comment: "database's y" },
        ],
      },
      { ...table, name: "B", columns: [{ ...column, name: "x", comment: "database's x" }] },
    ],
  } as unknown as Catalog;
  const text =
    "version: 1\ntables:\n  A:\n    description: Our A\n    columns:\n      x: Our x\n      z: none\n  C: none\n";
  const described = toDescribedCatalog(catalog, told(text), folder);
  expect(described.catalog.tables).toMatchObject([
    {
      comment: "Our A",
      described: { database: "database's A" },
      columns: [{ comment: "Our x", described: {} }, { comment: "database's y" }],
    },
    { name: "B", columns: [{ comment: "database's x" }] },
  ]);
  expect(described.catalog.tables[0]?.columns[1]).not.toHaveProperty("described");
  expect(described.problems.map((problem) => [problem.code, problem.message])).toEqual([
    ["description-unmatched", "workspaces/shop/descriptions.yaml, line 7: the database has no column z in A."],
    ["description-unmatched", "workspaces/shop/descriptions.yaml, line 8: the database has no table C."],
  ]);
  expect(catalog.tables[0]?.comment).toBe("database's A");
});
