import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CatalogView, QueryResult } from "../../protocol/index.ts";
import { type AppFixture, openAppFixture } from "../app-fixture.ts";

let fixture: AppFixture;
beforeAll(async () => {
  fixture = await openAppFixture();
});
afterAll(() => fixture.close());

const file = () => join(fixture.home, "workspaces", "demo", "descriptions.yaml");
const put = (body: object, workspace = "demo") =>
  fixture.request(`/api/workspaces/${workspace}/descriptions`, { method: "PUT", body });
const fault = async (response: Response) => [
  response.status,
  ((await response.json()) as { error: { code: string } }).error.code,
];

it("a description is in the file and in the catalog, and an older edit is refused with 409", async () => {
  const wish = { table: "Customer", column: "Country", description: "Of the invoice", before: "" };
  const answer = await put(wish);
  expect(answer.status).toBe(200);
  const { catalog, problems } = (await answer.json()) as CatalogView;
  expect(problems).toEqual([]);
  const column = catalog.tables.find((one) => one.name === "Customer")?.columns.find((one) => one.name === "Country");
  expect(column).toMatchObject({ comment: "Of the invoice", described: {} });
  expect(readFileSync(file(), "utf8")).toBe(
    "version: 1\ntables:\n  Customer:\n    columns:\n      Country:\n        description: Of the invoice\n",
  );
  expect(await fault(await put({ ...wish, description: "Another" }))).toEqual([409, "description-changed"]);
  expect((await put({ ...wish, description: "Another", before: "Of the invoice" })).status).toBe(200);
});

it("what isn't there can't be described, and a body that doesn't fit is refused", async () => {
  const wish = { description: "x", before: "" };
  expect(await fault(await put({ ...wish, table: "Custmer" }))).toEqual([404, "table-unknown"]);
  expect(await fault(await put({ ...wish, table: "Customer", column: "Contry" }))).toEqual([404, "table-unknown"]);
  expect(await fault(await put({ ...wish, table: "Customer" }, "nowhere"))).toEqual([404, "workspace-unknown"]);
  expect(await fault(await put({ table: "Customer", description: "x" }))).toEqual([400, "body-invalid"]);
  expect(await fault(await put({ ...wish, table: "Customer", description: "x".repeat(4001) }))).toEqual([
    400,
    "body-invalid",
  ]);
});

it("a broken file is told with its line, and the catalog is there all the same", async () => {
  const before = readFileSync(file(), "utf8");
  mkdirSync(join(file(), ".."), { recursive: true });
  writeFileSync(file(), "version: 1\ntables:\n  Customer: [\n");
  const view = (await (await fixture.request("/api/workspaces/demo/catalog")).json()) as CatalogView;
  expect(view.catalog.tables).toHaveLength(11);
  expect(view.problems[0]?.message).toContain("workspaces/demo/descriptions.yaml, line 4");
  expect(JSON.stringify(view.problems)).not.toContain(fixture.home);
  expect(await fault(await put({ table: "Customer", description: "x", before: "" }))).toEqual([
    422,
    "descriptions-broken",
  ]);
  writeFileSync(file(), before);
});

it("the first rows are few, by the catalog's own name, and never those of anything else", async () => {
  const read = (query: string) => fixture.request(`/api/workspaces/demo/rows?${query}`);
  const rows = (await (await read("table=Artist&limit=3")).json()) as QueryResult;
  expect(rows.columns.map((column) => column.name)).toEqual(["ArtistId", "Name"]);
  expect(rows).toMatchObject({
    rows: [
      [1, "AC/DC"],
      [2, "Accept"],
      [3, "Aerosmith"],
    ],
    rowCount: 3,
    truncated: false,
  });
  expect(((await (await read("table=Artist")).json()) as QueryResult).rows).toHaveLength(20);
  expect(await fault(await read("table=sqlite_master"))).toEqual([404, "table-unknown"]);
  expect(await fault(await read(`table=${encodeURIComponent('Artist"; DROP TABLE Artist --')}`))).toEqual([
    404,
    "table-unknown",
  ]);
  expect(await fault(await read("table=Artist&limit=201"))).toEqual([400, "query-invalid"]);
});

it("a fault in any other file of the workspace is told beside the catalog, with file, line and fix", async () => {
  const relations = join(file(), "..", "relations.yaml");
  writeFileSync(
    relations,
    "version: 1\nrelations:\n  - from: { table: Invoise, columns: [ CustomerId ] }\n    to: { table: Customer, columns: [ CustomerId ] }\n    cardinality: N:1\n    source: confirmed\n  - from: x\n",
  );
  const { catalog, problems } = (await (await fixture.request("/api/workspaces/demo/catalog")).json()) as CatalogView;
  rmSync(relations);
  expect(catalog.tables).toHaveLength(11);
  expect(problems.map(({ message, action }) => `${message} ${action}`)).toEqual([
    'workspaces/demo/relations.yaml, line 7: `from` must have names below it, not "x". Write `table:`, `columns:`.',
    "workspaces/demo/relations.yaml, line 7: a relation has no `to`. Add `to:` with `table:`, `columns:` below it.",
    expect.stringContaining("has no `cardinality`"),
    expect.stringContaining("has no `source`"),
    "workspaces/demo/relations.yaml, line 3: the database has no table Invoise. Did you mean Invoice?",
  ]);
});

it("questions to begin with: what was verified here comes first, nothing is offered twice, stale ones never", async () => {
  const ask = async () => {
    const answer = await fixture.request("/api/workspaces/demo/questions");
    expect(answer.status).toBe(200);
    return ((await answer.json()) as { questions: { question: string; kind: string }[] }).questions;
  };
  const made = await ask();
  expect(made).toHaveLength(5);
  expect(made[0]).toEqual({ question: "Which album has the most tracks?", kind: "1 join" });
  const folder = join(fixture.home, "workspaces", "demo", "verified");
  mkdirSync(folder, { recursive: true });
  const keep = (name: string, question: string, more: object = {}) => {
    const sql = "SELECT COUNT(*) AS n FROM Track";
    const origin = { session: "abc", seq: 1 };
    const file = { version: 1, question, engine: "sqlite", sql, decisions: [], by: "Ann", at: "2026-02-03", origin };
    const rest = { model: "thoth/offline", prompt_version: "1", catalog_checksum: "c", columns: [], row_count: 1 };
    writeFileSync(join(folder, `${name}.yaml`), JSON.stringify({ ...file, ...rest, ...more })); // JSON is YAML.
  };
  keep("a", "How many tracks cost nothing?");
  keep("b", "which album has the most tracks?");
  keep("c", "How many tracks are gone?", { stale: { since: "2026-03-01", reason: "Track is gone." } });
  const questions = await ask();
  rmSync(folder, { recursive: true });
  expect(questions.slice(0, 2).map(({ question }) => question)).toEqual([
    "How many tracks cost nothing?",
    "which album has the most tracks?",
  ]);
  expect(questions.map(({ kind }) => kind).slice(0, 3)).toEqual(["verified", "verified", "by year"]);
  expect(questions).toHaveLength(5);
  expect(await fault(await fixture.request("/api/workspaces/nowhere/questions"))).toEqual([404, "workspace-unknown"]);
});
