/** `thoth mcp` as an agent starts it: a process of its own, spoken to by the SDK's own client. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { askAndWait, call, expectNothingLeaked, lookThingsUp, plantVerified, sendHostile } from "./every-tool.ts";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
let home: string;
const open: Client[] = [];
const faults: Error[] = [];
const environment = () => ({ PATH: process.env.PATH ?? "", HOME: home, THOTH_HOME: home, THOTH_PORT: "0" });

async function connect(): Promise<Client> {
  const client = new Client({ name: "an-agent", version: "1.0.0" });
  // A line on stdout that isn't the protocol comes here.
  client.onerror = (error) => void faults.push(error);
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [main, "mcp"], env: environment(), stderr: "ignore" }),
  );
  open.push(client);
  return client;
}

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "thoth-mcp-"));
  plantVerified(home);
});
afterAll(async () => {
  for (const client of open) await client.close();
  rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

describe("thoth mcp", () => {
  let client: Client;
  let session: string;
  beforeAll(async () => {
    client = await connect();
  });

  it("lists its tools and tells its version before any server runs", async () => {
    expect(client.getServerVersion()).toMatchObject({ name: "thothii" });
    expect((await client.listTools()).tools).toHaveLength(7);
    expect(existsSync(join(home, "server.json"))).toBe(false);
  });

  it("answers every tool that looks things up", () => lookThingsUp(client), 120_000);

  it("asks, stops at each gate for the reviewer, and tells the SQL once it is accepted", async () => {
    session = await askAndWait(client, home);
  }, 240_000);

  it("refuses hostile arguments in words that help, and goes on", () => sendHostile(client), 120_000);

  it("shares one server between two agents on one home", async () => {
    const second = await connect();
    const before = readFileSync(join(home, "server.json"), "utf8");
    const seen = await call(second, "session_status", { id: session });
    expect(seen.data).toMatchObject({ session, outcome: "answered" });
    expect(readFileSync(join(home, "server.json"), "utf8")).toBe(before);
    // The one that holds the server goes: the other takes over.
    await client.close();
    const after = await call(second, "session_status", { id: session });
    expect(after.data.answer.sql).toContain("Germany");
    expect(readFileSync(join(home, "server.json"), "utf8")).not.toBe(before);
  }, 120_000);

  it("hides paths in what a broken workspace says", async () => {
    const folder = join(home, "workspaces", "gone");
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      join(folder, "workspace.yaml"),
      `version: 1\nengine: sqlite\nfile: ${join(home, "deep", "gone.sqlite")}\n`,
    );
    const client = open.at(-1) as Client;
    const { data } = await call(client, "list_workspaces");
    expect(data.workspaces).toContainEqual(expect.objectContaining({ name: "gone", problem: expect.any(String) }));
    const asked = await call(client, "catalog_search", { workspace: "gone", text: "a" });
    expect(asked).toMatchObject({
      isError: true,
      text: expect.stringMatching(/gone\.sqlite is not there\.\nWhat to do: /),
    });
  }, 60_000);

  it("said neither secret nor path, and nothing but the protocol", () => {
    expectNothingLeaked(home);
    expect(faults).toEqual([]);
  });
});

it("takes another port when the usual one is taken, and ends on a line without end", async () => {
  const other = createServer();
  await new Promise<void>((done) => other.listen(0, "127.0.0.1", done));
  const { port } = other.address() as AddressInfo;
  const itsHome = mkdtempSync(join(tmpdir(), "thoth-mcp-"));
  const env = { ...environment(), THOTH_HOME: itsHome, THOTH_PORT: String(port) };
  const child = spawn(process.execPath, [main, "mcp"], { env, stdio: ["pipe", "pipe", "ignore"] });
  try {
    const listed = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_workspaces", arguments: {} } };
    child.stdin.write(`${JSON.stringify(listed)}\n`);
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    expect(JSON.parse(line.toString())).toMatchObject({ id: 1, result: { structuredContent: { notes: [] } } });
    const { address } = JSON.parse(readFileSync(join(itsHome, "server.json"), "utf8"));
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(address).not.toContain(`:${port}`);
    child.stdin.on("error", () => undefined);
    child.stdin.write("x".repeat(11 * 1024 * 1024));
    expect(await once(child, "close")).toEqual([0, null]);
    expect(existsSync(join(itsHome, "server.json"))).toBe(false);
  } finally {
    child.kill("SIGKILL");
    other.close();
    rmSync(itsHome, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}, 60_000);

it("writes only JSON-RPC to stdout, whatever is sent, and ends with its input", async () => {
  const child = spawn(process.execPath, [main, "mcp"], { env: environment(), stdio: ["pipe", "pipe", "pipe"] });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
  });
  const initialize = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  };
  const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
  const lines = [JSON.stringify(initialize), "not json", "null", '{"jsonrpc":"1.0"}', JSON.stringify(list)];
  child.stdin.write(`${lines.join("\n")}\n`);
  await expect.poll(() => out.split("\n").length, { timeout: 30_000 }).toBeGreaterThan(2);
  child.stdin.end();
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code).toBe(0);
  const said = out.trimEnd().split("\n");
  for (const line of said) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
  expect(said.map((line) => JSON.parse(line).id)).toEqual(expect.arrayContaining([1, 2]));
}, 60_000);
