import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { openDatabase } from "../database/open-database.ts";
import { addWorkspace, listWorkspaces, openWorkspace } from "./workspaces.ts";

let home: string;
let file: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "thoth-workspaces-"));
  file = join(home, "data: base #1.sqlite");
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE t(a)");
  database.close();
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(join(home, "workspaces", name), { recursive: true });
  writeFileSync(join(home, "workspaces", name, "workspace.yaml"), text);
}
const fault = async (action: Promise<unknown>) =>
  await action.then(
    () => {
      throw new Error("no fault");
    },
    (error: unknown) => error,
  );

test("the demo is there without any folder and can be opened", async () => {
  const never = join(home, "never-made");
  expect(await listWorkspaces(never)).toMatchObject([{ name: "demo", demo: true, problem: null }]);
  const demo = await openWorkspace(never, "demo");
  const tables = await (await openDatabase(demo.connection)).introspect();
  expect(tables.map((table) => table.name)).toContain("InvoiceLine");
  expect(existsSync(never)).toBe(false);
});

test("an added workspace is kept with an absolute path and opened again", async () => {
  const added = await addWorkspace(home, { name: "shop-1", file: relative(process.cwd(), file) });
  expect(added.workspace).toEqual({ name: "shop-1", connection: { engine: "sqlite", file }, demo: false });
  expect(added.opened).toMatchObject({ tables: 1, report: { product: expect.stringMatching(/^SQLite 3\./) } });
  expect(parse(readFileSync(join(home, "workspaces", "shop-1", "workspace.yaml"), "utf8"))).toEqual({
    version: 1,
    engine: "sqlite",
    file,
  });
  expect(await openWorkspace(home, "shop-1")).toEqual(added.workspace);
  expect((await listWorkspaces(home)).map((entry) => entry.name)).toEqual(["demo", "shop-1"]);
  expect(readdirSync(join(home, "workspaces"))).toEqual(["shop-1"]);
});

test.each(["", "Shop", "../x", "a/b", "-a", ".hidden", "a b", "ä", "x".repeat(64)])(
  "the name %j is refused",
  async (name) => {
    expect(await fault(addWorkspace(home, { name, file }))).toMatchObject({
      code: "workspace-name",
      action: expect.any(String),
    });
    expect(existsSync(join(home, "workspaces"))).toBe(false);
  },
);

test("an existing name is refused, also as a dangling link or when two come at once", async () => {
  await addWorkspace(home, { name: "shop", file });
  symlinkSync("/nowhere", join(home, "workspaces", "link"));
  for (const name of ["shop", "link", "demo"])
    expect(await fault(addWorkspace(home, { name, file }))).toMatchObject({ code: "workspace-exists" });
  const both = await Promise.allSettled([
    addWorkspace(home, { name: "twin", file }),
    addWorkspace(home, { name: "twin", file }),
  ]);
  expect(both.filter((one) => one.status === "fulfilled")).toHaveLength(1);
  expect(readdirSync(join(home, "workspaces")).sort()).toEqual(["link", "shop", "twin"]);
});

test("only what can be opened is added", async () => {
  expect(await fault(addWorkspace(home, { name: "none" }))).toMatchObject({ code: "engine-unsupported" });
  expect(await fault(addWorkspace(home, { name: "both", file, url: "postgres://me@host/db" }))).toMatchObject({
    code: "engine-unsupported",
  });
  expect(await fault(addWorkspace(home, { name: "gone", file: join(home, "gone.sqlite") }))).toMatchObject({
    code: "database-missing",
  });
  writeFileSync(join(home, "notes.txt"), "no database at all, only a text of some length");
  expect(await fault(addWorkspace(home, { name: "text", file: join(home, "notes.txt") }))).toMatchObject({
    code: "database-not-sqlite",
  });
  expect((await listWorkspaces(home)).map((entry) => entry.name)).toEqual(["demo"]);
});

test("an unknown workspace is answered with the names there are", async () => {
  await addWorkspace(home, { name: "shop", file });
  expect(await fault(openWorkspace(home, "shp"))).toMatchObject({
    code: "workspace-unknown",
    action: expect.stringContaining("demo, shop"),
  });
  expect(await fault(openWorkspace(home, "../../etc"))).toMatchObject({ code: "workspace-unknown" });
});

test.each([
  ["bad YAML", "version: 1\nengine: sqlite\nfile: [unclosed\n", ", line 4"],
  ["another version", "version: 2\nengine: sqlite\nfile: /x.sqlite\n", ", line 1: version"],
  ["another engine", "# mine\nversion: 1\nengine: oracle\nfile: /x.sqlite\n", ", line 3: engine"],
  ["no engine", "version: 1\nfile: /x.sqlite\n", "engine"],
  ["a relative path", "version: 1\nengine: sqlite\nfile: x.sqlite\n", ", line 3: file"],
  ["a missing key", "version: 1\nengine: sqlite\n", "file"],
  ["an empty file", "", "workspace.yaml:"],
])("a workspace.yaml with %s is named with its fix, and the others still list", async (_, text, where) => {
  write("broken", text);
  await addWorkspace(home, { name: "shop", file });
  const error = await fault(openWorkspace(home, "broken"));
  expect(error).toMatchObject({ code: "workspace-broken", action: expect.stringContaining("absolute path") });
  expect((error as Error).message).toContain("workspaces/broken/workspace.yaml");
  expect((error as Error).message).toContain(where);
  expect((error as Error).message).not.toContain(home);
  const listed = await listWorkspaces(home);
  expect(listed.map((entry) => [entry.name, entry.problem?.code ?? "fine"])).toEqual([
    ["demo", "fine"],
    ["broken", "workspace-broken"],
    ["shop", "fine"],
  ]);
});

test("links are no workspaces, and a linked workspace.yaml is not followed", async () => {
  const outside = mkdtempSync(join(tmpdir(), "thoth-outside-"));
  writeFileSync(join(outside, "workspace.yaml"), `version: 1\nengine: sqlite\nfile: ${JSON.stringify(file)}\n`);
  mkdirSync(join(home, "workspaces", "inner"), { recursive: true });
  symlinkSync(outside, join(home, "workspaces", "outer"));
  symlinkSync(join(outside, "workspace.yaml"), join(home, "workspaces", "inner", "workspace.yaml"));
  expect(await fault(openWorkspace(home, "outer"))).toMatchObject({ code: "workspace-unknown" });
  expect(await fault(openWorkspace(home, "inner"))).toMatchObject({ code: "workspace-broken" });
  rmSync(outside, { recursive: true });
});
