/** `/mcp` of the running server, spoken to by the SDK's own client and by somebody who has no business there. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { piCli } from "../../src/server/pi-cli.ts";
import { Product } from "../fixtures/product.ts";
import { send } from "../security/target.ts";
import {
  askAndWait,
  call,
  expectNothingLeaked,
  lookThingsUp,
  plantVerified,
  sendHostile,
  toolNames,
} from "./every-tool.ts";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
let product: Product;
let client: Client;

async function connect(token: string): Promise<Client> {
  const made = new Client({ name: "an-agent", version: "1.0.0" });
  await made.connect(
    new StreamableHTTPClientTransport(new URL("/mcp", product.base), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  );
  return made;
}

beforeAll(async () => {
  product = await Product.start({ THOTH_PRESTART: "0" });
  plantVerified(product.home);
  client = await connect(product.token);
}, 180_000);
afterAll(async () => {
  await client?.close();
  await product?.remove();
});

const listTools = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const headers = (more: Record<string, string | undefined> = {}) => ({
  host: `127.0.0.1:${product.port}`,
  authorization: `Bearer ${product.token}`,
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
  ...more,
});
const post = (more: Record<string, string | undefined> = {}, body: string = JSON.stringify(listTools)) =>
  send(product.port, { method: "POST", path: "/mcp", headers: headers(more), body });

describe("MCP over HTTP", () => {
  it("answers every tool that looks things up", () => lookThingsUp(client), 120_000);

  it("asks, stops at each gate for the reviewer, and tells the SQL once it is accepted", async () => {
    await askAndWait(client, product.home);
  }, 240_000);

  it("refuses hostile arguments in words that help, and goes on", () => sendHostile(client), 120_000);

  it("lets an agent open ten sessions, and no more until some are done", async () => {
    const question = { workspace: "demo", question: "How many artists are there?" };
    const asked = await Promise.all(Array.from({ length: 12 }, () => call(client, "ask", question)));
    const [open, refused] = [asked.filter((one) => !one.isError), asked.filter((one) => one.isError)];
    expect([open.length, refused.length]).toEqual([10, 2]);
    for (const { text } of refused) expect(text).toMatch(/10 sessions.*answer or stop some of them/s);
    for (const { data } of open) await product.call(`/api/sessions/${data.session}`, "DELETE");
    const again = await call(client, "ask", question);
    expect(again.isError).toBe(false);
    await product.call(`/api/sessions/${again.data.session}`, "DELETE");
  }, 240_000);

  it("said neither secret nor path", () => expectNothingLeaked(product.home));
});

it("is reached by another agent's own client as well: Pi's, over both transports", async () => {
  const agent = mkdtempSync(join(tmpdir(), "thoth-agent-"));
  const url = `${product.base}/mcp`;
  const servers = {
    program: { command: process.execPath, args: [main, "mcp"], env: { THOTH_HOME: product.home } },
    server: { url, headers: { Authorization: `Bearer ${product.token}` } },
    stranger: { url, headers: { Authorization: "Bearer wrong" } },
  };
  try {
    writeFileSync(join(agent, "mcp.json"), JSON.stringify({ mcpServers: servers }));
    const env = { PATH: process.env.PATH ?? "", HOME: agent, PI_CODING_AGENT_DIR: agent, PI_OFFLINE: "1" };
    const listed = promisify(execFile)(process.execPath, [piCli, "mcp", "list"], { cwd: agent, env });
    const { stdout } = await listed.catch((error: { stdout: string }) => error);
    expect(stdout).toMatch(/program: connected, 7 tools/);
    expect(stdout).toMatch(/server: connected, 7 tools/);
    expect(stdout).toMatch(/stranger: failed/);
    expect(stdout.split(`tools: ${toolNames.join(", ")}`)).toHaveLength(3);
  } finally {
    rmSync(agent, { recursive: true, force: true });
  }
}, 60_000);

describe("who may speak to it", () => {
  it("takes nobody without the token", async () => {
    for (const authorization of [undefined, "Bearer wrong", `Bearer ${product.token}x`, `Basic ${product.token}`]) {
      const answer = await post({ authorization });
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code: "no-access" } });
    }
    await expect(connect("wrong")).rejects.toThrow(/401|no-access/);
  });

  it("takes nothing under another name or from another site", async () => {
    for (const host of ["evil.example", `evil.example:${product.port}`, `127.0.0.1:${product.port + 1}`])
      expect((await post({ host })).status).toBe(421);
    for (const origin of ["https://evil.example", "null", `http://127.0.0.1:${product.port + 1}`])
      expect((await post({ origin })).status).toBe(403);
    expect((await post({ "sec-fetch-site": "cross-site" })).status).toBe(403);
    expect((await post({ origin: product.base })).status).toBe(200);
  });

  it("takes neither more than a megabyte, nor what is no message, nor a stream", async () => {
    const large = JSON.stringify({ ...listTools, params: { text: "x".repeat(1_100_000) } });
    expect((await post({}, large)).status).toBe(413);
    expect((await post({ "content-type": "text/plain" })).status).toBe(415);
    for (const body of ["", "{", "7", "null", "[]", "{}", `[${JSON.stringify(listTools)}]`, '{"jsonrpc":"1.0"}'])
      expect([body, (await post({}, body)).status]).toEqual([body, 400]);
    expect((await post({ accept: "text/html" })).status).toBe(406);
    for (const method of ["GET", "DELETE", "PUT"]) {
      const answer = await send(product.port, { method, path: "/mcp", headers: headers() });
      expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, "POST"]);
    }
  });

  it("answers a tool's call with no handshake before it, since nothing is kept between two requests", async () => {
    const body = { jsonrpc: "2.0", id: "a", method: "tools/call", params: { name: "list_workspaces", arguments: {} } };
    const answer = await post({}, JSON.stringify(body));
    expect(answer.status).toBe(200);
    expect(answer.headers["mcp-session-id"]).toBeUndefined();
    expect(JSON.parse(answer.text)).toMatchObject({
      id: "a",
      result: { structuredContent: { workspaces: [{ name: "demo" }] } },
    });
  });
});
