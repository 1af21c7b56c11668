import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openToken } from "./access.ts";
import { checkNodeVersion } from "./node-version.ts";
import { mayOpenBrowser } from "./open-browser.ts";
import { type RunningServer, startServer } from "./serve.ts";
import { findServer } from "./server-lock.ts";

let home: string;
let server: RunningServer | null = null;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "thoth-serve-"));
});
afterEach(async () => {
  await server?.close();
  server = null;
  await rm(home, { recursive: true, force: true });
});

const start = (options = {}) => startServer({ home, port: 0, logLevel: "silent", ...options });

/** What comes back for bytes written to the socket by hand. */
async function speak(text: string): Promise<string> {
  const socket = connect(Number(new URL(server?.address ?? "").port), "127.0.0.1");
  let answer = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    answer += chunk;
  });
  socket.write(text);
  await once(socket, "close");
  return answer;
}

it("answers, says where it is, and leaves nothing behind when it is closed", async () => {
  server = await start();
  expect(await (await fetch(`${server.address}/api/health`)).json()).toEqual({
    status: "ok",
    version: expect.any(String),
  });
  expect(await findServer(home)).toMatchObject({ pid: process.pid, address: server.address });
  expect(await fetch(`${server.address}/api/sessions`).then((response) => response.status)).toBe(401);
  const entry = server.createEntry();
  expect((await fetch(entry)).headers.get("set-cookie")).toContain(`thoth_${new URL(server.address).port}=`);
  await server.close();
  expect(await findServer(home)).toBeNull();
  await expect(fetch(`${server.address}/api/health`)).rejects.toThrow();
});

it("refuses requests without a Host, with two, or with another, before anything else", async () => {
  server = await start();
  const own = new URL(server.address).host;
  for (const hosts of ["", `Host: ${own}\r\nHost: evil.example\r\n`, "Host: evil.example\r\n", "Host: \r\n"]) {
    const answer = await speak(`GET /api/health HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`);
    expect([hosts, answer.split("\r\n")[0]]).toEqual([hosts, "HTTP/1.1 421 Misdirected Request"]);
    expect(answer).toContain('"code":"host-not-allowed"');
  }
  expect(await speak(`GET /api/health HTTP/1.1\r\nHost: ${own}\r\nConnection: close\r\n\r\n`)).toMatch(
    /^HTTP\/1\.1 200/,
  );
  expect(
    await speak(
      `GET /assets/../../../etc/passwd HTTP/1.1\r\nHost: ${own}\r\nAuthorization: Bearer ${server.token}\r\nConnection: close\r\n\r\n`,
    ),
  ).toMatch(/^HTTP\/1\.1 404/);
  // As curl sends it: a POST without any sign of a body.
  expect(
    await speak(
      `POST /api/codes HTTP/1.1\r\nHost: ${own}\r\nAuthorization: Bearer ${server.token}\r\nConnection: close\r\n\r\n`,
    ),
  ).toMatch(/^HTTP\/1\.1 201/);
});

it("takes a 100 kB question far enough to say that it is too long, and stops a huge body", async () => {
  server = await start();
  const post = (body: string) =>
    fetch(`${server?.address}/api/sessions`, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${server?.token}`, "content-type": "application/json" },
    });
  const long = await post(JSON.stringify({ workspace: "demo", question: "x".repeat(100_000) }));
  expect([long.status, await long.json()]).toMatchObject([413, { error: { code: "question-too-long" } }]);
  const huge = await post("x".repeat(3_000_000));
  expect([huge.status, await huge.json()]).toMatchObject([413, { error: { code: "body-too-large" } }]);
  const unknown = await post(JSON.stringify({ workspace: "nobody", question: "How many?" }));
  expect([unknown.status, await unknown.json()]).toMatchObject([404, { error: { code: "workspace-unknown" } }]);
  for (const id of ["nobody", "..%2f..%2fx", "aaaaaaaaaaaaaaaaaaaaa"]) {
    const missing = await fetch(`${server.address}/api/sessions/${id}/events`, {
      headers: { authorization: `Bearer ${server.token}` },
    });
    expect([missing.status, await missing.json()]).toMatchObject([404, { error: { code: "session-unknown" } }]);
  }
});

it("refuses a second server on the same home and names the first", async () => {
  server = await start();
  await expect(start()).rejects.toMatchObject({
    code: "server-running",
    message: expect.stringContaining(`process ${process.pid} at ${server.address}`),
  });
});

it("says what to do about a busy port, and frees the home again", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  await expect(start({ port })).rejects.toMatchObject({
    code: "port-busy",
    message: expect.stringContaining(String(port)),
    action: expect.stringMatching(/--port \d+.*THOTH_PORT/),
  });
  other.close();
  server = await start();
});

it("says what to do about a home that can't be written to", async () => {
  const file = join(home, "file");
  await writeFile(file, "");
  for (const bad of [file, join(file, "below"), "/proc/thoth"]) {
    await expect(startServer({ home: bad, port: 0 })).rejects.toMatchObject({
      code: "home-not-writable",
      message: expect.stringContaining(bad),
      action: expect.stringContaining("THOTH_HOME"),
    });
  }
});

it("says what to run while the page isn't built, and serves the rest", async () => {
  server = await start({ page: join(home, "no-page") });
  expect(server.pageProblem).toMatchObject({
    code: "page-not-built",
    action: expect.stringContaining("npm run build"),
  });
  const headers = { authorization: `Bearer ${server.token}` };
  expect((await fetch(`${server.address}/`, { headers })).status).toBe(503);
  const readiness = (await (await fetch(`${server.address}/api/readiness`, { headers })).json()) as {
    ready: boolean;
    problems: { code: string }[];
  };
  expect([readiness.ready, readiness.problems.map((problem) => problem.code)]).toEqual([false, ["page-not-built"]]);
});

it("keeps its token over a restart, and makes a new one when asked to", async () => {
  server = await start();
  const { token } = server;
  await server.close();
  server = await start();
  expect(server.token).toBe(token);
  await server.close();
  server = await start({ newToken: true });
  expect(server.token).not.toBe(token);
  expect((await readFile(join(home, "token"), "utf8")).trim()).toBe(server.token);
  expect(await openToken(home, false)).toBe(server.token);
});

it("closes at once although a client holds a connection open", async () => {
  server = await start();
  const { port } = new URL(server.address);
  const idle = connect(Number(port), "127.0.0.1");
  await once(idle, "connect");
  const half = httpRequest({
    port,
    method: "POST",
    path: "/api/sessions",
    headers: { "content-length": 100, authorization: `Bearer ${server.token}`, "content-type": "application/json" },
  });
  half.on("error", () => undefined);
  half.write("{");
  idle.on("error", () => undefined);
  const begun = performance.now();
  await server.close();
  expect(performance.now() - begun).toBeLessThan(20_000);
});

it("knows which Node is new enough", () => {
  for (const old of ["18.20.0", "20.19.0", "22.21.0", "24.9.9"])
    expect(checkNodeVersion(old)).toMatchObject({ code: "node-too-old", message: expect.stringContaining(old) });
  for (const fine of ["24.10.0", "24.21.0", "26.0.0"]) expect(checkNodeVersion(fine)).toBeNull();
});

it("opens a browser only where there is one and nobody minds", () => {
  expect(mayOpenBrowser({ DISPLAY: ":0" }, "linux")).toBe(true);
  expect(mayOpenBrowser({}, "linux")).toBe(false);
  expect(mayOpenBrowser({}, "darwin")).toBe(true);
  expect(mayOpenBrowser({ THOTH_NO_OPEN: "1" }, "darwin")).toBe(false);
  expect(mayOpenBrowser({ CI: "true", DISPLAY: ":0" }, "linux")).toBe(false);
});
