/** One story for both transports: an agent that isn't ours lists and calls every tool, and a reviewer answers beside it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect } from "vitest";
import { stringify } from "yaml";
import type { GateAnswer, OpenGate, SessionView } from "../../src/protocol/index.ts";

export const toolNames = [
  "list_workspaces",
  "catalog_search",
  "describe_table",
  "check_sql",
  "verified_queries",
  "ask",
  "session_status",
];

export interface Called {
  isError: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the tool it called.
  data: any;
}

/** Everything that was ever said to the agent, for the search for secrets. */
export const heard: string[] = [];

export async function call(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Called> {
  const found = await client.callTool({ name, arguments: args });
  const content = found.content as { type: string; text: string }[];
  heard.push(JSON.stringify(found));
  expect(content).toHaveLength(1);
  const text = content[0]?.text ?? "";
  const isError = found.isError === true;
  // Both forms say the same.
  if (!isError) expect(JSON.parse(text)).toEqual(found.structuredContent);
  return { isError, text, data: found.structuredContent };
}

/** A verified query as a reviewer's Continue leaves it in the demo's folder. */
export function plantVerified(home: string): void {
  const folder = join(home, "workspaces", "demo", "verified");
  mkdirSync(folder, { recursive: true });
  const write = (name: string, question: string, sql: string, more: object = {}) =>
    writeFileSync(
      join(folder, name),
      stringify({
        version: 1,
        question,
        engine: "sqlite",
        sql,
        decisions: [],
        by: "Ann",
        at: "2026-11-30T09:15:00.000Z",
        model: "thoth/offline",
        prompt_version: "p1",
        catalog_checksum: "c1",
        columns: [{ name: "n", type: "INTEGER" }],
        row_count: 1,
        origin: { session: "0abc00000000", seq: 12 },
        ...more,
      }),
    );
  write(
    "germans.yaml",
    "How many customers are from Germany?",
    "SELECT COUNT(*) AS n FROM Customer WHERE Country = 'Germany'",
  );
  write("artists.yaml", "How many artists are there?", "SELECT COUNT(*) AS n FROM Artist", {
    stale: { since: "2026-12-01", reason: "the table Artist has another column" },
  });
}

export async function lookThingsUp(client: Client): Promise<void> {
  const listed = await client.listTools();
  expect(listed.tools.map(({ name }) => name)).toEqual(toolNames);
  for (const tool of listed.tools) {
    expect(tool.inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    expect(tool.description?.length).toBeGreaterThan(40);
    expect(tool.annotations?.readOnlyHint).toBe(tool.name !== "ask");
  }
  expect(client.getInstructions()).toContain("only a person can answer");

  const { workspaces } = (await call(client, "list_workspaces")).data;
  expect(workspaces).toContainEqual({ name: "demo", engine: "sqlite", tables: 11, problem: null });

  const search = await call(client, "catalog_search", { workspace: "demo", text: "customer country" });
  expect(search.data.hits[0]).toMatchObject({ table: "Customer", column: "Country" });
  const nothing = await call(client, "catalog_search", { workspace: "demo", text: "zebra" });
  expect(nothing.data).toMatchObject({ hits: [], notes: [expect.stringContaining("Artist")] });

  const { data: table } = await call(client, "describe_table", { workspace: "demo", table: "invoice" });
  expect(table).toMatchObject({ table: "Invoice", engine: "sqlite", rows: 412, primaryKey: ["InvoiceId"] });
  expect(table.columns.map((column: { name: string }) => column.name)).toContain("BillingCountry");
  expect(table.joins).toContainEqual(expect.objectContaining({ from: "Invoice", to: "Customer" }));

  const wrong = await call(client, "check_sql", {
    workspace: "demo",
    sql: "SELECT COUNT(*) FROM Customer WHERE Country = 'germany'",
    question: "How many customers are from Germany?",
  });
  expect(wrong.data.ok).toBe(false);
  expect(wrong.data.warnings).toContainEqual(expect.objectContaining({ code: "value-spelling" }));
  const right = await call(client, "check_sql", { workspace: "demo", sql: "SELECT COUNT(*) FROM Customer" });
  expect(right.data).toMatchObject({ ok: true });
  const writes = await call(client, "check_sql", { workspace: "demo", sql: "DELETE FROM Customer" });
  expect(writes.data.ok).toBe(false);

  const near = await call(client, "verified_queries", { workspace: "demo", text: "customers in Germany" });
  expect(near.data.verified).toHaveLength(1);
  expect(near.data.verified[0]).toMatchObject({
    question: "How many customers are from Germany?",
    sql: "SELECT COUNT(*) AS n FROM Customer WHERE Country = 'Germany'",
    by: "Ann",
    stale: null,
  });
  const all = await call(client, "verified_queries", { workspace: "demo" });
  expect(all.data.verified.map((one: { stale: { reason: string } | null }) => one.stale?.reason ?? null)).toEqual(
    expect.arrayContaining([null, "the table Artist has another column"]),
  );
}

/** The reviewer's own way in: the page's API with the home's token. */
export function reviewerOf(home: string, page: string) {
  const token = readFileSync(join(home, "token"), "utf8").trim();
  const send = async <T>(path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(page + path, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as T;
  };
  return {
    async accept(id: string): Promise<OpenGate["kind"]> {
      const { openGate } = await send<SessionView>(`/api/sessions/${id}`);
      if (!openGate) throw new Error("no gate is open");
      const answer: GateAnswer = { answerId: `${openGate.gateId}-1`, hash: openGate.hash, answer: "continue" };
      await send(`/api/sessions/${id}/gates/${openGate.gateId}`, answer);
      return openGate.kind;
    },
  };
}

/** A busy machine may need longer than one call waits. */
async function settle(client: Client, called: Called): Promise<Called> {
  let now = called;
  for (let left = 6; now.data.turn === "running" && left > 0; left -= 1)
    now = await call(client, "session_status", { id: now.data.session, waitSeconds: 30 });
  return now;
}

/** Asks, sees the reviewer answer gate by gate, and gets the SQL only after the last. */
export async function askAndWait(client: Client, home: string): Promise<string> {
  const first = await call(client, "ask", { workspace: "demo", question: "How many customers are from Germany?" });
  const asked = await settle(client, first);
  const id: string = asked.data.session;
  const page = new URL(asked.data.page);
  expect([asked.text, asked.data.turn]).toEqual([asked.text, "waiting"]);
  expect(asked.data).toMatchObject({ phase: "F1", outcome: null, answer: null });
  expect(asked.data.gate.kind).toBe("decision-review");
  expect(asked.data.gate.asked).toContain("Is this what you are asking?");
  expect(asked.data.next).toContain(asked.data.page);
  expect([page.pathname, page.search, page.hash, page.username]).toEqual([`/s/${id}`, "", "", ""]);

  // Nothing the agent does by itself moves it on.
  const still = await call(client, "session_status", { id, waitSeconds: 1 });
  expect(still.data).toMatchObject({ turn: "waiting", phase: "F1", answer: null });

  const reviewer = reviewerOf(home, page.origin);
  const kinds: string[] = [];
  let state = still.data;
  for (let left = 15; state.outcome === null && left > 0; left -= 1) {
    expect(state.gate).not.toBeNull();
    kinds.push(await reviewer.accept(id));
    state = (await settle(client, await call(client, "session_status", { id }))).data;
    // What isn't accepted yet isn't told, the last gate's SQL included.
    if (state.outcome === null) {
      expect(state.answer).toBeNull();
      expect(JSON.stringify(state)).not.toMatch(/SELECT/);
    }
  }
  expect(kinds.at(-1)).toBe("sql-review");
  expect(state).toMatchObject({ turn: "idle", outcome: "answered", gate: null });
  expect(state.answer.sql).toContain("Germany");
  expect(state.answer.rows).toEqual([[4]]);
  expect(state.answer.columns).toHaveLength(1);
  return id;
}

/** Each is refused with words that help, and the connection goes on. */
export async function sendHostile(client: Client): Promise<void> {
  const big = "x".repeat(900_000);
  const cases: [string, Record<string, unknown>, RegExp][] = [
    ["session_status", { id: "../../token" }, /don't fit: id.*\nWhat to do: Give id/s],
    ["session_status", { id: ".." }, /don't fit: id/],
    ["session_status", { id: "0unknown0000" }, /no such session/],
    ["session_status", { id: "0unknown0000", waitSeconds: 9_999 }, /waitSeconds/],
    ["session_status", {}, /id/],
    ["catalog_search", { workspace: "..", text: "a" }, /don't fit: workspace/],
    ["catalog_search", { workspace: "demo/../demo", text: "a" }, /don't fit: workspace/],
    ["catalog_search", { workspace: "nowhere", text: "a" }, /no workspace called "nowhere".*What to do: /s],
    ["catalog_search", { workspace: "demo", text: big }, /don't fit: text/],
    ["catalog_search", { workspace: "demo", text: "a", sql: "SELECT 1" }, /sql: unknown field/],
    ["describe_table", { workspace: "demo", table: "../../etc/passwd" }, /no table.*The tables are: Album/s],
    ["describe_table", { workspace: "demo", table: "__proto__" }, /no table/],
    ["check_sql", { workspace: "demo", sql: big }, /don't fit: sql/],
    ["check_sql", { workspace: "demo", sql: 7 }, /don't fit: sql/],
    ["verified_queries", { workspace: "demo", text: big }, /don't fit: text/],
    ["verified_queries", { workspace: "..%2f..", text: "a" }, /don't fit: workspace/],
    ["ask", { workspace: "demo", question: big }, /don't fit: question/],
    ["ask", { workspace: "demo", question: " \n " }, /question is empty/],
    ["ask", { workspace: "demo", question: "How many?", answer: "continue" }, /answer: unknown field/],
    ["ask", { workspace: "nowhere", question: "How many?" }, /no workspace/],
  ];
  for (const [name, args, words] of cases) {
    const found = await call(client, name, args);
    expect([name, found.isError, found.text]).toEqual([name, true, expect.stringMatching(words)]);
    expect(found.text.length).toBeLessThan(2_000);
    expect(found.data).toBeUndefined();
  }
  for (const name of ["answer_gate", "run_query", "constructor", ""])
    await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(/no tool.*list_workspaces/);
  expect((await call(client, "list_workspaces")).isError).toBe(false);
}

/** Neither the home's secret nor a path of this machine was said at any time. */
export function expectNothingLeaked(home: string): void {
  const token = readFileSync(join(home, "token"), "utf8").trim();
  const all = heard.join("\n");
  expect(all.length).toBeGreaterThan(10_000);
  for (const secret of [token, home, process.cwd(), "chinook.sqlite", "node_modules", "?code="])
    expect(all).not.toContain(secret);
}
