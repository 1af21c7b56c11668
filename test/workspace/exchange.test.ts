/** What other programs say of a database comes in, and verified queries go out in forms that they read. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { runCommandLine } from "../../src/cli/command-line.ts";
import { requireFiles } from "../../src/evaluation/places.ts";
import { parseQuestions } from "../../src/evaluation/questions.ts";
import { importBird } from "../../src/workspace/exchange/import-bird.ts";
import { importCsv } from "../../src/workspace/exchange/import-csv.ts";
import { importDbt } from "../../src/workspace/exchange/import-dbt.ts";
import { parseCsv } from "../../src/workspace/exchange/parse-csv.ts";
import { readKnowledge } from "../../src/workspace/read-knowledge.ts";
import { addWorkspace, openWorkspace } from "../../src/workspace/workspaces.ts";
import { goodFiles, writeFiles } from "./good-workspace.ts";

const demo = new URL("../../demo/", import.meta.url).pathname;
let home: string;
let folder: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "thoth-exchange-"));
  folder = join(home, "workspaces", "demo");
  mkdirSync(folder, { recursive: true });
  vi.stubEnv("THOTH_HOME", home);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

/** The command in this process: what it printed, and how it ended. */
async function thoth(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: "", err: "" };
  const spies = (["stdout", "stderr"] as const).map((stream) =>
    vi.spyOn(process[stream], "write").mockImplementation((chunk) => {
      said[stream === "stdout" ? "out" : "err"] += String(chunk);
      return true;
    }),
  );
  try {
    return { code: await runCommandLine(["workspace", ...args]), ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

const project = {
  "models/schema.yml": `version: 2
x-tests: &key
  - unique
  - not_null
models:
  - name: customer
    description: One row per person. {{ doc('customer_more') }}
    columns:
      - name: customerid
        tests: *key
      - name: supportrepid
        description: "Who looks after them: an employee"
        data_tests:
          - not_null
          - relationships:
              arguments:
                to: ref('employee')
                field: EmployeeId
  - name: orders
    description: "{{ doc('gone') }}"
    config: { alias: Invoice }
    columns:
      - name: CustomerId
        tests:
          - relationships: { to: "ref('customer')", field: CustomerId }
          - dbt_utils.relationships_where:
              to: source('shop', 'people')
              field: EmployeeId
              from_condition: Total > 0
      - name: Nothing
        description: Not in the database
`,
  "models/docs.md": "{% docs customer_more %}\nWho **ever** bought.\n{% enddocs %}\n",
  "models/sources.yaml": `sources:
  - name: shop
    tables:
      - name: people
        identifier: Employee
        description: Who works here
        columns:
          - name: ReportsTo
            constraints:
              - { type: foreign_key, to: "source('shop', 'people')", to_columns: [EmployeeId] }
`,
  "dbt_packages/other/schema.yml": "models:\n  - name: Track\n    description: of another project\n",
};

describe("import", () => {
  it("takes descriptions, relationships tests and constraints of a dbt project, with names as the database has them", async () => {
    writeFiles(join(home, "project"), project);
    const { code, out } = await thoth("import", "demo", "--dbt", join(home, "project"), "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      descriptions: 3,
      relations: 4,
      evidence: 0,
      stayed: [],
      unknown: ["Invoice.Nothing"],
      faults: [
        {
          file: "models/schema.yml",
          line: 20,
          message: "a description names a text that isn't there",
          fix: "Give the folder that holds its {% docs %} block.",
        },
      ],
    });
    const { descriptions, relations, faults } = await readKnowledge(folder);
    expect(faults).toEqual([]);
    expect(descriptions.map(({ table, column, text }) => [table, column, text])).toEqual([
      ["Customer", null, "One row per person. Who **ever** bought."],
      ["Customer", "SupportRepId", "Who looks after them: an employee"],
      ["Employee", null, "Who works here"],
    ]);
    expect(relations.map(({ id, cardinality, when, source, by }) => [id, cardinality, when, source, by])).toEqual([
      ["relations.yaml#Customer(SupportRepId)->Employee(EmployeeId)", "N:1", undefined, "declared", "dbt"],
      ["relations.yaml#Employee(ReportsTo)->Employee(EmployeeId)", "N:1", undefined, "declared", "dbt"],
      ["relations.yaml#Invoice(CustomerId)->Customer(CustomerId)", "N:1", undefined, "declared", "dbt"],
      ["relations.yaml#Invoice(CustomerId)->Employee(EmployeeId)", "N:1", "Total > 0", "declared", "dbt"],
    ]);
    // The same once more changes nothing.
    const before = readFileSync(join(folder, "relations.yaml"), "utf8");
    const again = await thoth("import", "demo", "--dbt", join(home, "project"), "--json");
    expect(JSON.parse(again.out)).toMatchObject({ descriptions: 0, relations: 0 });
    expect(readFileSync(join(folder, "relations.yaml"), "utf8")).toBe(before);
  });

  it("a unique column is a relation of one to one, and a key over two columns is one relation", () => {
    const text = `models:
  - name: a
    constraints:
      - { type: foreign_key, columns: [x, y], to: ref('b'), to_columns: [u, v] }
    columns:
      - name: id
        tests: [unique, { relationships: { to: ref('b'), field: id } }, { relationships: { to: nonsense } }]
`;
    const { relations, faults } = importDbt([{ name: "schema.yml", text }]);
    expect(relations).toMatchObject([
      { from: { table: "a", columns: ["id"] }, cardinality: "1:1" },
      { from: { table: "a", columns: ["x", "y"] }, to: { table: "b", columns: ["u", "v"] }, cardinality: "N:1" },
    ]);
    expect(faults).toMatchObject([{ file: "schema.yml", line: 7, message: expect.stringContaining("can't be read") }]);
  });

  it("takes descriptions and meanings of values from a CSV; what stands there stays unless it is to be replaced", async () => {
    writeFiles(folder, { "descriptions.yaml": goodFiles["descriptions.yaml"] ?? "" });
    writeFiles(home, {
      "words.csv":
        '\ufeffTable;Column;Description;Value;Meaning\r\nCustomer;Country;"Where they ""live""; maybe";UK;"United\nKingdom"\r\ngenre;;Kind of music;;\r\n;;lost;;\r\nGenre;;;Rock;Loud\r\nNone;;x;;\r\n',
    });
    const first = await thoth("import", "demo", "--csv", join(home, "words.csv"));
    expect(first).toEqual({
      code: 1,
      err: "",
      out: `words.csv, line 5: no table is named.
  Write its name in the column \`table\`.
words.csv, line 6: a value stands there without its column.
  Write the column's name, too.
demo: 2 descriptions, 0 relations and 0 rules written.
1 piece said something else already and stayed (--replace takes the new ones): Customer.Country
Left out, because the database has no such name: None
`,
    });
    await thoth("import", "demo", "--csv", join(home, "words.csv"), "--replace");
    const { descriptions } = await readKnowledge(folder);
    expect(descriptions.map(({ column, value, text }) => [column, value, text])).toEqual([
      [null, null, "One row per person who ever bought."],
      ["Country", null, 'Where they "live"; maybe'],
      ["Country", "UK", "United\nKingdom"],
      ["Country", "USA", "United States of America"],
      [null, null, "Kind of music"],
    ]);
  });

  it("a CSV that isn't one is told with its line", () => {
    const read = (text: string) => importCsv({ name: "x.csv", text }).faults[0];
    expect(read("a,b\n1,2\n")).toMatchObject({ line: 1, fix: expect.stringContaining("table,column,description") });
    expect(read('table,description\nA,"x\n\n')).toMatchObject({ line: 2, message: "a quoted text never ends" });
    expect(parseCsv('a\tb\n"1\n2"\t\n\n3')).toEqual({
      ok: true,
      rows: [
        { line: 1, cells: ["a", "b"] },
        { line: 2, cells: ["1\n2", ""] },
        { line: 5, cells: ["3"] },
      ],
    });
  });

  it("takes each rule of BIRD's evidence once, about the tables that it names", async () => {
    const questions = [
      {
        question_id: 0,
        db_id: "demo",
        question: "?",
        evidence: "revenue refers to `UnitPrice` * `Quantity` of InvoiceLine; big order = Total > 20",
        SQL: "SELECT 1",
      },
      {
        question_id: 1,
        db_id: "demo",
        question: "?",
        evidence: "Revenue  refers to `UnitPrice` * `Quantity` of InvoiceLine.",
        SQL: "SELECT 1",
      },
      { question_id: 2, db_id: "other", question: "?", evidence: "something else means nothing", SQL: "SELECT 1" },
      { question_id: 3, db_id: "demo", question: "?", evidence: "", SQL: "SELECT 1" },
    ];
    writeFiles(home, { "dev.json": JSON.stringify(questions) });
    const { code, out } = await thoth("import", "demo", "--bird", join(home, "dev.json"));
    expect(`${code} ${out}`).toBe("0 demo: 0 descriptions, 0 relations and 2 rules written.\n");
    const { evidence, faults } = await readKnowledge(folder);
    expect(faults).toEqual([]);
    expect(evidence.map(({ file, title, words, tables, text }) => [file, title, words, tables, text])).toEqual([
      ["evidence/big-order.md", "big order", ["big order"], undefined, "big order = Total > 20"],
      [
        "evidence/revenue.md",
        "revenue",
        ["revenue"],
        ["InvoiceLine"],
        "revenue refers to `UnitPrice` * `Quantity` of InvoiceLine",
      ],
    ]);
    await thoth("import", "demo", "--bird", join(home, "dev.json"));
    expect(readdirSync(join(folder, "evidence"))).toHaveLength(2);
  });

  it("BIRD's other forms, and what is wrong in them", () => {
    const lines = '{"db_id":"a","evidence":"x is y + 1"}\n\n{"db_id":"a","evidence":"z means w"}\n';
    const csv = 'db_id,question,evidence\na,?,"x is y + 1; z means w"\n';
    for (const [name, text] of [
      ["dev.jsonl", lines],
      ["dev.csv", csv],
    ] as const)
      expect(importBird({ name, text }).evidence.map(({ front }) => front.title)).toEqual(["x", "z"]);
    const faultOf = (text: string, db?: string) => importBird({ name: "dev.json", text }, db).faults[0];
    expect(faultOf(`${lines}nonsense`)).toMatchObject({ line: 4, message: "it is no JSON" });
    expect(faultOf(`${lines}{"db_id":"b","evidence":"q is r"}`)).toMatchObject({ fix: "Choose one with --db: a, b." });
    expect(faultOf(lines, "c")).toMatchObject({ message: "no question about c in it has evidence" });
  });

  it("takes the keys that the database declares, and proposes what its data shows", async () => {
    const file = join(home, "shop.sqlite");
    const database = new DatabaseSync(file);
    database.exec("CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name TEXT)");
    database.exec("CREATE TABLE card (customer_id INTEGER PRIMARY KEY REFERENCES customer (customer_id), number TEXT)");
    database.exec("CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INTEGER)");
    for (let id = 1; id <= 40; id++)
      database.exec(
        `INSERT INTO customer VALUES (${id}, 'n${id}'); INSERT INTO card VALUES (${id}, 'c${id}'); INSERT INTO orders VALUES (${id}, ${(id % 20) + 1})`,
      );
    database.close();
    await addWorkspace(home, { name: "shop", file });
    expect((await thoth("import", "shop", "--keys")).code).toBe(0);
    const { relations, faults } = await readKnowledge(join(home, "workspaces", "shop"));
    expect(faults).toEqual([]);
    expect(relations).toMatchObject([
      { id: "relations.yaml#card(customer_id)->customer(customer_id)", cardinality: "1:1", source: "declared" },
      {
        id: "relations.yaml#orders(customer_id)->customer(customer_id)",
        cardinality: "N:1",
        source: "proposed",
        when: expect.stringMatching(/^Found in the data: /),
      },
    ]);
  });

  it("a source that isn't there, and none or two of them, are refused in words", async () => {
    expect(await thoth("import", "demo", "--csv", join(home, "none.csv"))).toMatchObject({
      code: 1,
      err: expect.stringContaining("isn't there"),
    });
    expect(await thoth("import", "demo")).toMatchObject({ code: 2 });
    expect(await thoth("import", "demo", "--csv", "a", "--bird", "b")).toMatchObject({ code: 2 });
    expect(await thoth("import", "nowhere", "--csv", "a")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no workspace called"),
    });
  });
});

describe("export", () => {
  const verified = goodFiles["verified/customers-in-germany.yaml"] ?? "";
  const hostile = verified
    .replace("How many customers are in Germany?", '"How many {{ evil }}\\r\\nDROP TABLE x;\\u2028are in Germany?"')
    .replace("SELECT COUNT(*) AS customers", "SELECT COUNT(*) AS customers, '{{ x }}' AS y")
    .replace("row_count", 'stale: { since: 2026-12-01, reason: "A table is gone." }\nrow_count');
  beforeEach(() =>
    writeFiles(folder, { "verified/customers-in-germany.yaml": verified, "verified/hostile.yaml": hostile }),
  );
  const written = (file: string) => readFileSync(join(home, "out", file), "utf8");

  it("questions with gold SQL that the evaluation's own reader reads", async () => {
    const { code, out } = await thoth("export", "demo", "--jsonl", join(home, "out", "questions.jsonl"), "--stale");
    expect([code, out]).toEqual([0, "2 verified queries written.\n"]);
    const questions = parseQuestions(written("questions.jsonl"));
    const { verified: pieces } = await readKnowledge(folder);
    expect(questions).toEqual(
      pieces.map(({ question, sql }, at) => ({
        id: ["customers-in-germany", "hostile"][at],
        db: "chinook",
        dialect: "sqlite",
        question,
        gold_sql: sql,
        source: "verified",
      })),
    );
    await requireFiles(demo, questions);
  });

  it("files of SQL whose header can't be broken out of", async () => {
    await thoth("export", "demo", "--sql", join(home, "out"), "--stale");
    expect(written("customers-in-germany.sql")).toBe(`-- How many customers are in Germany?
--
-- Accepted by reviewer on 2026-11-30T09:15:00Z, proposed by planner/offline.
-- From verified/customers-in-germany.yaml; session s-1, ledger entry 12.
SELECT COUNT(*) AS customers
FROM Customer
WHERE Country = 'Germany'
`);
    const lines = written("hostile.sql").split("\n");
    expect(lines.slice(0, 3)).toEqual(["-- How many {{ evil }}", "-- DROP TABLE x;", "-- are in Germany?"]);
    expect(lines.slice(0, 6).every((line) => line.startsWith("--"))).toBe(true);
  });

  it("analyses of dbt, in which nothing but ours is Jinja", async () => {
    await thoth("export", "demo", "--dbt", join(home, "out"), "--stale");
    expect(readdirSync(join(home, "out", "analyses"))).toEqual([
      "verified_customers_in_germany.sql",
      "verified_hostile.sql",
      "verified_queries.yml",
    ]);
    const text = written("analyses/verified_hostile.sql");
    expect(text).toContain("{% raw %}\nSELECT COUNT(*) AS customers, '{{ x }}' AS y\n");
    expect(text.replace(/\{% raw %\}[\s\S]*\{% endraw %\}/, "")).not.toMatch(/\{[{%#]/);
    expect(parse(written("analyses/verified_queries.yml"))).toMatchObject({
      version: 2,
      analyses: [
        { name: "verified_customers_in_germany", description: "How many customers are in Germany?" },
        { name: "verified_hostile", description: expect.stringContaining("How many { { evil }}") },
      ],
    });
  });

  it("stale ones are left out and counted; a broken one is told; with none there is nothing to write", async () => {
    const { code, out, err } = await thoth("export", "demo", "--sql", join(home, "out"));
    expect([code, out, err]).toEqual([0, "1 verified query written. 1 stale one left out.\n", ""]);
    expect(existsSync(join(home, "out", "hostile.sql"))).toBe(false);
    writeFiles(folder, { "verified/broken.yaml": "version: 1\n" });
    expect(await thoth("export", "demo", "--sql", join(home, "out"))).toMatchObject({
      code: 1,
      err: expect.stringContaining("Left out: verified/broken.yaml, line 1: a verified query has no `question`."),
    });
    rmSync(join(folder, "verified"), { recursive: true });
    expect(await thoth("export", "demo", "--sql", join(home, "out"))).toMatchObject({
      code: 1,
      err: expect.stringContaining("no verified query to export"),
    });
  });
});

describe("lint", () => {
  it("ends with 0 without a fault, and with 1 and file, line and fix with one", async () => {
    writeFiles(folder, goodFiles);
    expect(await thoth("lint")).toEqual({ code: 0, out: "demo: 9 pieces that can be used, no fault.\n", err: "" });
    writeFiles(folder, {
      "synonyms.yaml": "version: 1\nsynonyms:\n  - word: land\n    means: { table: Customer, column: Contry }\n",
    });
    const { code, out } = await thoth("lint", "demo");
    expect([code, out]).toEqual([
      1,
      "workspaces/demo/synonyms.yaml, line 3: the database has no column Contry in Customer.\n  Did you mean Country?\ndemo: 8 pieces that can be used, 1 fault.\n",
    ]);
    expect((await thoth("lint", "demo", "--no-database")).code).toBe(0);
  });

  it("a connection that can't be read is told beside the rest, and its notes are read", async () => {
    writeFiles(join(home, "workspaces", "shop"), {
      ...goodFiles,
      "workspace.yaml": "version: 1\nengine: sqlight\nlanguage: [de]\nscope: Sales only\n",
    });
    const { code, out } = await thoth("lint", "shop", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(out).workspaces).toMatchObject([
      {
        workspace: "shop",
        pieces: 9,
        faults: [{ file: "workspace.yaml", line: 3, message: "`language` must be text, not a list" }],
      },
    ]);
    expect((await readKnowledge(join(home, "workspaces", "shop"))).workspace).toEqual({ scope: "Sales only" });
    // A note with a fault takes no connection away.
    writeFiles(join(home, "workspaces", "shop"), {
      "workspace.yaml": `version: 1\nengine: sqlite\nfile: ${demo}chinook.sqlite\ndirektives: [x]\ndirectives: [y, 3]\n`,
    });
    expect((await openWorkspace(home, "shop")).connection).toMatchObject({ engine: "sqlite" });
    expect(await readKnowledge(join(home, "workspaces", "shop"))).toMatchObject({
      workspace: { directives: ["y", "3"] },
      faults: [{ file: "workspace.yaml", line: 4, fix: "Did you mean `directives`?" }],
    });
  });
});
