import { spawn } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RunningServer, startServer } from "../server/serve.ts";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const demo = fileURLToPath(new URL("../../demo/chinook.sqlite", import.meta.url));

let home: string;
let server: RunningServer;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "thoth-cli-"));
  server = await startServer({ home, port: 0, logLevel: "silent" });
});
afterAll(async () => {
  await server.close();
  await rm(home, { recursive: true, force: true });
});

/** Ends by itself, or the test times out: nothing here kills it. */
async function thoth(
  args: string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [main, ...args], {
    env: { ...process.env, THOTH_HOME: home, THOTH_NO_OPEN: "1", THOTH_DEBUG: "", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, err] = ["", ""].map(() => ({ text: "" }));
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    if (out) out.text += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    if (err) err.text += chunk;
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, out: out?.text ?? "", err: err?.text ?? "" };
}

it("says what is wrong with its use in two lines, with exit code 2", async () => {
  for (const [args, words] of [
    [["foo"], "no command foo"],
    [["ask"], "missing required argument"],
    [["ask", "How many?"], "this isn't a terminal"],
    [["ask", "x", "--yes", "--model", "y"], "provider/model"],
    [["serve", "--port", "70000"], "A port is a number"],
    [["workspace", "add", "x"], "where the database is"],
    [["workspace", "add", "x", "--file", "a", "--url", "b"], "where the database is"],
  ] as [string[], string][]) {
    const { code, out, err } = await thoth(args);
    expect([args, code, out]).toEqual([args, 2, ""]);
    expect(err).toContain(words);
    expect(err).toMatch(/^thoth: .+\nWhat to do: .+\n/);
    expect(err).not.toMatch(/\n\s+at /);
  }
});

it("shows its commands", async () => {
  const { code, out } = await thoth(["--help"]);
  expect(code).toBe(0);
  for (const name of ["serve", "ask", "open", "sessions", "report", "workspace", "check", "doctor"])
    expect(out).toMatch(new RegExp(`^  ${name} `, "m"));
});

it("won't start a second server on the home of a running one", async () => {
  const { code, err } = await thoth(["serve", "--port", "0", "--no-open"]);
  expect(code).toBe(1);
  expect(err).toContain(`process ${process.pid} at ${server.address}`);
});

it("gives a fresh address of the running server, and says when none runs", async () => {
  const { code, out } = await thoth(["open"]);
  expect(code).toBe(0);
  expect((await fetch(out.trim())).status).toBe(200);
  expect((await fetch(out.trim())).status).toBe(401);
  const none = await thoth(["open"], { THOTH_HOME: join(home, "other") });
  expect(none).toMatchObject({ code: 1, out: "", err: expect.stringContaining("No ThothII server runs") });
});

it("adds a database and lists all, with what is wrong with each", async () => {
  const file = join(home, "shop.sqlite");
  await copyFile(demo, file);
  expect(await thoth(["workspace", "add", "shop", "--file", file])).toMatchObject({
    code: 0,
    out: expect.stringContaining("11 tables"),
  });
  expect(await thoth(["workspace", "add", "none", "--file", join(home, "none.sqlite")])).toMatchObject({
    code: 1,
    err: expect.stringContaining("is not there"),
  });
  const exports = join(home, "exports");
  await mkdir(exports);
  await writeFile(join(exports, "town.csv"), "id,name\n1,Rome\n2,Oslo\n");
  expect(await thoth(["workspace", "add", "towns", "--file", exports])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/Added towns: DuckDB .*1 table/),
  });
  const refused = await thoth(["workspace", "add", "crm", "--url", "mysql://ann:hunter2secret@127.0.0.1:9/crm"]);
  expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining("What to do:") });
  expect(refused.err).not.toContain("hunter2");
  await writeFile(file, "no longer a database");
  const { code, out } = await thoth(["workspace", "list", "--json"]);
  expect(code).toBe(0);
  const { workspaces } = JSON.parse(out) as { workspaces: { name: string; problem: unknown }[] };
  expect(workspaces.map(({ name, problem }) => [name, problem !== null])).toEqual([
    ["demo", false],
    ["shop", true],
    ["towns", false],
  ]);
});

it("C10.2 asks, answers every gate, prints the rows, and exits by itself", async () => {
  const { code, out } = await thoth(["ask", "How many artists are there?", "--yes", "--json"]);
  expect(code).toBe(0);
  const answer = JSON.parse(out) as { session: string; sql: string; outcome: string; result: { rows: unknown[][] } };
  expect(answer.outcome).toBe("answered");
  expect(answer.result.rows).toEqual([[275]]);

  const listed = await thoth(["sessions"]);
  expect(listed.out).toMatch(new RegExp(`^${answer.session} .* answered `, "m"));
  const report = await thoth(["report", answer.session]);
  expect(report.code).toBe(0);
  expect(report.out).toContain("# How many artists are there?");
  expect(report.out).toContain(answer.sql);
  expect(report.out).toContain("| 275 |");
  expect(await thoth(["report", "nobody"])).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("There is no such session"),
  });
}, 180_000);

it("says with exit code 3 that the data isn't there", async () => {
  const { code, err } = await thoth(["ask", "What is the weather in Paris?", "--yes"]);
  expect(code).toBe(3);
  expect(err).toContain("can't be answered from the data");
}, 180_000);

it("examines everything, and fails when something is wrong", async () => {
  const { code, out } = await thoth(["doctor", "--json"], { THOTH_PORT: new URL(server.address).port });
  const { ok, checks } = JSON.parse(out) as { ok: boolean; checks: { name: string; ok: boolean; detail: string }[] };
  const named = Object.fromEntries(checks.map((check) => [check.name, check]));
  expect(Object.keys(named)).toEqual([
    "ThothII",
    "Node",
    "Folder",
    "Disk",
    "Pi",
    "Page",
    "Port",
    "Models",
    "Workspace demo",
    "Workspace shop",
    "Workspace towns",
  ]);
  expect(named.Node?.detail).toContain(process.execPath);
  expect(named.Pi).toMatchObject({ ok: true, detail: expect.stringMatching(/^1\.6\.0, first answer after \d+ ms$/) });
  expect(named.Disk).toMatchObject({ ok: true, detail: expect.stringMatching(/^[\d.]+ [GM]B free for /) });
  expect(named.Models).toMatchObject({
    ok: true,
    detail: expect.stringContaining("a new session takes thoth/offline"),
  });
  expect(named.Port).toMatchObject({ ok: true, detail: expect.stringContaining("running server") });
  expect(named["Workspace demo"]).toMatchObject({ ok: true });
  expect(named["Workspace shop"]).toMatchObject({ ok: false });
  expect([code, ok]).toEqual([1, false]);
}, 120_000);

it("stops within five seconds with exit code 0, also with a stream open", async () => {
  const own = join(home, "own");
  const child = spawn(process.execPath, [main, "serve", "--port", "0", "--no-open"], {
    env: { ...process.env, THOTH_HOME: own },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const address = await new Promise<string>((resolve) => {
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      const found = /running at (\S+)\n/.exec(text)?.[1];
      if (found) resolve(found);
    });
  });
  const headers = {
    authorization: `Bearer ${(await readFile(join(own, "token"), "utf8")).trim()}`,
    "content-type": "application/json",
  };
  const made = await fetch(`${address}/api/sessions`, {
    method: "POST",
    headers,
    body: JSON.stringify({ workspace: "demo", question: "How many artists are there?" }),
  });
  const { id } = (await made.json()) as { id: string };
  const stream = await fetch(`${address}/api/sessions/${id}/events`, { headers });
  expect(stream.status).toBe(200);
  const begun = performance.now();
  child.kill("SIGTERM");
  child.kill("SIGINT");
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  expect(code).toBe(0);
  expect(performance.now() - begun).toBeLessThan(20_000);
  await stream.body?.cancel().catch(() => undefined);
});
