import { afterEach, describe, expect, it } from "vitest";
import { CheckedStatement, check, ErrorBody, ThothError } from "../protocol/index.ts";
import { type AppFixture, knownSession, openAppFixture } from "./app-fixture.ts";
import { routes } from "./routes/routes.ts";
import { ResumeRefusedError } from "./sessions/sessions.ts";

let fixture: AppFixture;
afterEach(() => fixture.close());

async function expectProblem(
  response: Response,
  status: number,
  code: string,
): Promise<{ message: string; action: string }> {
  const body: unknown = await response.json();
  expect(check(ErrorBody, body)).toMatchObject({ ok: true });
  const { error } = body as { error: { code: string; message: string; action?: string } };
  expect([response.status, error.code]).toEqual([status, code]);
  expect(response.headers.get("content-type")).toMatch(/^application\/json/);
  return { message: error.message, action: error.action ?? "" };
}

describe("bad input gets the one error shape", () => {
  const create = (raw: string) => fixture.request("/api/sessions", { method: "POST", raw });

  it("malformed JSON", async () => {
    fixture = await openAppFixture();
    for (const raw of ["{", "", "{'a':1}", "\u0000"]) await expectProblem(await create(raw), 400, "body-malformed");
  });

  it("JSON of the wrong shape, with the field named", async () => {
    fixture = await openAppFixture();
    const faults: [unknown, string][] = [
      [null, "body"],
      [[], "body"],
      [{}, "question"],
      [{ workspace: "demo" }, "question"],
      [{ workspace: 3, question: "a" }, "workspace"],
      [{ workspace: "demo", question: "a", thinking: "huge" }, "thinking"],
      [{ workspace: "demo", question: "a", color: 1 }, "color"],
    ];
    for (const [body, field] of faults) {
      const { message, action } = await expectProblem(await create(JSON.stringify(body)), 400, "body-invalid");
      expect(message).toContain(field);
      expect(action).not.toBe("");
    }
  });

  it("an empty question, and one of 100 kB", async () => {
    fixture = await openAppFixture();
    for (const question of ["", "   \n"])
      await expectProblem(await create(JSON.stringify({ workspace: "demo", question })), 400, "question-empty");
    const { message } = await expectProblem(
      await create(JSON.stringify({ workspace: "demo", question: "x".repeat(100_000) })),
      413,
      "question-too-long",
    );
    expect(message).toContain("10000");
  });

  it("a body over 1 MB, declared or not", async () => {
    fixture = await openAppFixture();
    const raw = JSON.stringify({ workspace: "demo", question: "x".repeat(1024 * 1024) });
    await expectProblem(await create(raw), 413, "body-too-large");
    await expectProblem(
      await fixture.request("/api/sessions", {
        method: "POST",
        raw,
        headers: { "content-length": String(raw.length) },
      }),
      413,
      "body-too-large",
    );
  });

  it("sessions, gates and addresses that aren't there", async () => {
    fixture = await openAppFixture();
    for (const id of ["nobody", "..%2f..%2fetc", "%00", "a%20b", "x".repeat(500)]) {
      for (const tail of ["", "/ledger", "/result", "/report"])
        await expectProblem(await fixture.request(`/api/sessions/${id}${tail}`), 404, "session-unknown");
    }
    const answer = { answerId: "a", hash: "h", answer: "continue" };
    await expectProblem(
      await fixture.request(`/api/sessions/${knownSession}/gates/none`, { method: "POST", body: answer }),
      404,
      "gate-unknown",
    );
    await expectProblem(await fixture.request("/api/nothing"), 404, "route-unknown");
    await expectProblem(await fixture.request("/nothing.js"), 404, "route-unknown");
    await expectProblem(await fixture.request("/s/a/b"), 404, "route-unknown");
  });

  it("a method the address doesn't take", async () => {
    fixture = await openAppFixture();
    const response = await fixture.request("/api/sessions", { method: "PUT", body: {} });
    expect(response.headers.get("allow")).toBe("GET, POST");
    await expectProblem(response, 405, "method-not-allowed");
  });

  it("a check that doesn't fit, or of a workspace that isn't there", async () => {
    fixture = await openAppFixture();
    const send = (body: unknown) => fixture.request("/api/check", { method: "POST", body });
    await expectProblem(await send({}), 400, "body-invalid");
    await expectProblem(await send({ workspace: "none", sql: "SELECT 1" }), 404, "workspace-unknown");
  });

  it("a result before there is one, and a query that doesn't fit", async () => {
    fixture = await openAppFixture();
    await expectProblem(await fixture.request(`/api/sessions/${knownSession}/result`), 409, "no-result-yet");
    for (const query of ["format=xml", "limit=0", "limit=100001", "limit=abc", "limit=1e3"]) {
      const { action } = await expectProblem(
        await fixture.request(`/api/sessions/${knownSession}/result?${query}`),
        400,
        "query-invalid",
      );
      expect(action).toContain("limit from 1 to 100000");
    }
  });
});

it("never shows the text of something unexpected, and logs it without secrets", async () => {
  const secret = "sk-live-0123456789abcdef";
  fixture = await openAppFixture({
    sessions: {
      list: async () => {
        throw new Error(`connect postgres://me:hunter2@db/x with ${secret} from /root/private`);
      },
    },
  });
  const response = await fixture.request("/api/sessions");
  const text = await response.clone().text();
  await expectProblem(response, 500, "internal");
  for (const part of ["hunter2", secret, "private", "postgres", "at "]) expect(text).not.toContain(part);
  const log = fixture.logged.join("");
  expect(log).toContain("A request failed");
  for (const part of ["hunter2", secret]) expect(log).not.toContain(part);
});

it("C8.4 a refused resume answers 409 with every problem found", async () => {
  const problems = [
    { code: "model-missing", message: "The model is gone.", action: "Choose another." },
    { code: "database-missing", message: "The file is gone.", action: "Put it back." },
  ];
  fixture = await openAppFixture({
    sessions: {
      resume: async () => {
        throw new ResumeRefusedError(problems);
      },
    },
  });
  const response = await fixture.request(`/api/sessions/${knownSession}/resume`, { method: "POST", body: {} });
  expect(response.status).toBe(409);
  expect(await response.json()).toEqual({
    error: { code: "resume-refused", message: expect.any(String), action: expect.any(String) },
    problems,
  });
});

it("passes a gate's refusals on with their status", async () => {
  for (const [code, status] of [
    ["gate-conflict", 409],
    ["gate-hash", 409],
    ["gate-gone", 410],
    ["deviation-open", 409],
    ["text-missing", 400],
    ["choice-unknown", 400],
  ] as const) {
    fixture = await openAppFixture({
      sessions: {
        answer: async () => {
          throw new ThothError(code, "m", "a");
        },
      },
    });
    const response = await fixture.request(`/api/sessions/${knownSession}/gates/g`, {
      method: "POST",
      body: { answerId: "a", hash: "h", answer: "other" },
    });
    await expectProblem(response, status, code);
    await fixture.close();
  }
});

it("checks a statement against the demo, without a session", async () => {
  fixture = await openAppFixture();
  const response = await fixture.request("/api/check", {
    method: "POST",
    body: { workspace: "demo", sql: "SELECT Name FROM Artist", question: "How many artists are there?" },
  });
  expect(response.status).toBe(200);
  const checked = check(CheckedStatement, await response.json());
  expect(checked).toMatchObject({ ok: true, value: { ok: false } });
  expect(checked.ok && checked.value.warnings.map(({ code }) => code)).toContain("count-missing");
}, 30_000);

describe("the page", () => {
  it("is served at / and for a session, with types and caching", async () => {
    fixture = await openAppFixture();
    for (const path of ["/", `/s/${knownSession}`]) {
      const response = await fixture.request(path);
      expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(response.headers.get("cache-control")).toBe("no-cache");
      expect(await response.text()).toContain("the page");
    }
    const asset = await fixture.request("/assets/main-a1b2c3.js");
    expect(asset.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(asset.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  });

  it("says what to run while it isn't built", async () => {
    fixture = await openAppFixture();
    const { readStaticFile } = await import("./static-files.ts");
    await expect(readStaticFile(`${fixture.home}/none`, "/")).rejects.toMatchObject({
      code: "page-not-built",
      action: expect.stringContaining("npm run build"),
    });
  });
});

describe("the OpenAPI document", () => {
  it("lists every route with its answers, and only routes that exist", async () => {
    fixture = await openAppFixture();
    const document = (await (await fixture.request("/api/openapi.json")).json()) as {
      openapi: string;
      paths: Record<string, Record<string, { responses: object; operationId: string }>>;
    };
    expect(document.openapi).toBe("3.1.0");
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.toSorted()).toEqual(
      routes.map((route) => `${route.method} ${route.path.replace(/:(\w+)/g, "{$1}")}`).toSorted(),
    );
    const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length);
    for (const operation of operations) expect(Object.keys(operation.responses).length).toBeGreaterThan(1);
  });

  it("covers what the design names", async () => {
    fixture = await openAppFixture();
    const named = [
      "GET /api/health",
      "GET /api/readiness",
      "GET /api/workspaces",
      "POST /api/workspaces",
      "GET /api/workspaces/:name/catalog",
      "GET /api/models",
      "GET /api/sessions",
      "POST /api/sessions",
      "GET /api/sessions/:id",
      "POST /api/sessions/:id/resume",
      "POST /api/sessions/:id/prompt",
      "POST /api/sessions/:id/steer",
      "POST /api/sessions/:id/abort",
      "GET /api/sessions/:id/events",
      "GET /api/sessions/:id/ledger",
      "POST /api/sessions/:id/gates/:gateId",
      "GET /api/sessions/:id/result",
      "GET /api/sessions/:id/report",
      "PATCH /api/sessions/:id",
      "DELETE /api/sessions/:id",
      "POST /api/sessions/:id/reopen",
      "POST /api/check",
      "POST /api/models/test",
    ];
    const there = routes.map((route) => `${route.method} ${route.path}`);
    expect(named.filter((route) => !there.includes(route))).toEqual([]);
  });

  it("refers only to schemas that it holds", async () => {
    fixture = await openAppFixture();
    const text = await (await fixture.request("/api/openapi.json")).text();
    const { components } = JSON.parse(text) as { components: { schemas: Record<string, unknown> } };
    for (const [, name] of text.matchAll(/#\/components\/schemas\/(\w+)/g))
      expect(components.schemas).toHaveProperty(name ?? "");
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining(["SessionView", "CreateSession", "GateAnswer", "ErrorBody"]),
    );
  });
});
