import { copyFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { openDatabase } from "../database/open-database.ts";
import type { QueryResult } from "../protocol/index.ts";
import { type AppFixture, knownSession, memorySessions, openAppFixture } from "./app-fixture.ts";

const demo = fileURLToPath(new URL("../../demo/chinook.sqlite", import.meta.url));
const sql = "SELECT Name, ArtistId FROM Artist ORDER BY ArtistId";

let fixture: AppFixture;
afterEach(() => fixture.close());

const ask = (query: string) => fixture.request(`/api/sessions/${knownSession}/${query}`);
const rowsOf = (text: string) => {
  const database = new DatabaseSync(demo, { readOnly: true });
  try {
    return database
      .prepare(text)
      .all()
      .map((row) => Object.values(row));
  } finally {
    database.close();
  }
};

it("gives the rows of exactly the accepted SQL, by position", async () => {
  fixture = await openAppFixture({ sessions: memorySessions({ engine: "sqlite", file: demo }, sql) });
  const all = (await (await ask("result")).json()) as QueryResult;
  expect(all.columns.map((column) => column.name)).toEqual(["Name", "ArtistId"]);
  expect(all.rows).toEqual(rowsOf(sql));
  expect(all).toMatchObject({ rowCount: 275, truncated: false });
  const some = (await (await ask("result?format=json&limit=10")).json()) as QueryResult;
  expect(some).toMatchObject({ rows: rowsOf(`${sql} LIMIT 10`), rowCount: 10, truncated: true });
});

it("gives the same rows as CSV to save", async () => {
  fixture = await openAppFixture({
    sessions: memorySessions(
      { engine: "sqlite", file: demo },
      "SELECT Name, -1 AS n FROM Genre ORDER BY GenreId LIMIT 2",
    ),
  });
  const response = await ask("result?format=csv");
  expect(response.headers.get("content-type")).toContain("text/csv");
  expect(response.headers.get("content-disposition")).toBe(`attachment; filename="thoth-${knownSession}.csv"`);
  expect(response.headers.get("thoth-truncated")).toBe("false");
  expect(await response.text()).toBe("Name,n\r\nRock,-1\r\nJazz,-1\r\n");
});

it("gives them as a Parquet file that other programs read", async () => {
  fixture = await openAppFixture({
    sessions: memorySessions(
      { engine: "sqlite", file: demo },
      "SELECT GenreId, Name, NULL AS gap FROM Genre ORDER BY GenreId",
    ),
  });
  const response = await ask("result?format=parquet");
  expect(response.status === 200 ? "" : await response.text()).toBe("");
  expect(response.headers.get("content-disposition")).toBe(`attachment; filename="thoth-${knownSession}.parquet"`);
  const file = join(fixture.home, "genres.parquet");
  await writeFile(file, new Uint8Array(await response.arrayBuffer()));
  const database = await openDatabase({ engine: "duckdb", file });
  const read = await database.read("SELECT * FROM genres ORDER BY 1", {
    maxRows: 100,
    maxBytes: 100_000,
    deadlineMs: 20_000,
  });
  await database.close();
  if (!read.ok) throw new Error(read.error.message);
  expect(read.result.columns.map((column) => column.name)).toEqual(["GenreId", "Name", "gap"]);
  expect(read.result.rows).toEqual(rowsOf("SELECT GenreId, Name, NULL FROM Genre ORDER BY GenreId"));
});

it("says in its own words when the database is gone or has changed", async () => {
  fixture = await openAppFixture();
  const file = join(fixture.home, "copy.sqlite");
  await copyFile(demo, file);
  const { home, close } = fixture;
  fixture = await openAppFixture({
    sessions: memorySessions({ engine: "sqlite", file }, "SELECT NoSuchColumn FROM Artist"),
  });
  const changed = await ask("result");
  expect(changed.status).toBe(422);
  expect(await changed.text()).toContain("database-changed");
  await rm(file);
  const gone = await ask("result");
  expect(gone.status).toBe(422);
  expect(await gone.text()).not.toContain(home);
  await close();
});

it("makes a report that carries the result, with every text escaped", async () => {
  const evil = "<script>alert(1)</script> | **x** `y`";
  const base = memorySessions({ engine: "sqlite", file: demo }, "SELECT '<b>' AS \"<i>\"");
  fixture = await openAppFixture({
    sessions: {
      ...base,
      view: async (id) => ({
        ...(await base.view(id)),
        question: evil,
        explanation: evil,
        sql: "SELECT '```' AS \"</code>\"",
      }),
      record: async (id) => ({
        ...(await base.record(id)),
        entries: [
          { seq: 1, at: "", type: "prompt", text: evil, kind: "question" },
          {
            seq: 2,
            at: "",
            type: "decision",
            phase: "F2",
            gateId: "g1",
            decision: { kind: "table", table: evil, use: "used", reason: "because" },
            by: "reviewer",
          },
          { seq: 3, at: "", type: "summary", phase: "F1", summary: { version: 1, open_questions: [null] } } as never,
          { seq: 4, at: "", type: "query", tool: "run_query", sql: "SELECT secret", ok: true, rowCount: 3, ms: 1 },
        ],
      }),
    },
  });
  const html = await (await ask("report?format=html")).text();
  expect([...html.matchAll(/<(script|b|i)>/g)]).toEqual([]);
  expect(html).toContain("&#60;script&#62;alert(1)");
  expect(html).toContain('<td dir="auto">&#60;b&#62;</td>');
  expect(html).not.toContain("SELECT secret");
  const response = await ask("report?format=md");
  expect(response.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
  const markdown = await response.text();
  expect(markdown).toContain("# \\<script\\>alert(1)\\</script\\> \\| \\*\\*x\\*\\* \\`y\\`");
  expect(markdown).toContain("````sql\nSELECT '```' AS \"</code>\"\n````");
  expect(markdown).toContain("The model ran 1 query");
});

it("lists workspaces with what is wrong with each, adds one, and shows its catalog", async () => {
  fixture = await openAppFixture();
  const add = (body: object) => fixture.request("/api/workspaces", { method: "POST", body });
  const file = join(fixture.home, "shop.sqlite");
  await copyFile(demo, file);
  await writeFile(join(fixture.home, "empty.sqlite"), "");
  await writeFile(join(fixture.home, "text.sqlite"), "this is no database at all");
  for (const [name, code] of [
    ["none", "database-missing"],
    ["empty", "database-empty"],
    ["text", "database-not-sqlite"],
  ] as const) {
    const refused = await add({ name, file: join(fixture.home, `${name}.sqlite`) });
    expect([name, refused.status, await refused.json()]).toMatchObject([
      name,
      422,
      { error: { code, action: expect.any(String) } },
    ]);
  }
  expect((await add({ name: "rel", file: "shop.sqlite" })).status).toBe(400);
  expect((await add({ name: "Bad Name", file })).status).toBe(400);
  const added = await add({ name: "shop", file });
  expect([added.status, await added.json()]).toMatchObject([
    201,
    { name: "shop", engine: "sqlite", demo: false, problem: null, tables: 11 },
  ]);
  expect((await add({ name: "shop", file })).status).toBe(409);
  const catalog = (await (await fixture.request("/api/workspaces/shop/catalog")).json()) as {
    catalog: { tables: { name: string }[] };
  };
  expect(catalog.catalog.tables.map((table) => table.name)).toContain("InvoiceLine");
  expect((await fixture.request("/api/workspaces/nobody/catalog")).status).toBe(404);
  await rm(file);
  const list = (await (await fixture.request("/api/workspaces")).json()) as {
    workspaces: { name: string; problem: { code: string } | null }[];
  };
  expect(list.workspaces.map((item) => [item.name, item.problem?.code ?? null])).toEqual([
    ["demo", null],
    ["shop", "database-missing"],
  ]);
});
