import { once } from "node:events";
import { createServer, get, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { ThothError } from "../protocol/index.ts";
import { knownSession, memorySessions } from "./app-fixture.ts";
import { createEventStreams } from "./event-streams.ts";
import { createSessionStream, type SessionStream } from "./sessions/session-stream.ts";

const snapshot: Parameters<SessionStream["subscribe"]>[1] = {
  turn: "idle",
  openGate: null,
  phase: "F1",
  phases: [],
  outcome: null,
  thinking: "off",
  thinkingInForce: null,
  failure: null,
};

let server: Server;
let live: SessionStream;
const streams = createEventStreams();
afterEach(() => {
  live.close();
  server.closeAllConnections();
  server.close();
});

/** A real socket and a real session stream; only the session behind it is in memory. */
async function listen(): Promise<number> {
  live = createSessionStream({ now: Date.now });
  const sessions = {
    ...memorySessions(),
    async stream(id: string, lastEventId: string | undefined, sink: Parameters<SessionStream["subscribe"]>[2]) {
      if (id !== knownSession) throw new ThothError("session-unknown", "There is no such session.");
      return live.subscribe(lastEventId, snapshot, sink);
    },
  };
  server = createServer((request, response) => {
    const last = request.headers["last-event-id"];
    streams
      .open(sessions, request.url?.slice(1) ?? "", typeof last === "string" ? last : undefined, response)
      .catch((error: unknown) => response.writeHead(404).end(String(error)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

async function open(
  port: number,
  headers = {},
): Promise<{ response: IncomingMessage; text: () => string; close: () => void }> {
  const request = get({ port, path: `/${knownSession}`, headers, agent: false });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  let text = "";
  response.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
  });
  response.on("error", () => undefined);
  return { response, text: () => text, close: () => request.destroy() };
}

async function until(holds: () => boolean): Promise<void> {
  for (let left = 200; !holds(); left--) {
    if (left === 0) throw new Error("it did not come to that");
    await pause(10);
  }
}

it("C10.1 opens with 200, the stream's headers, the retry hint and stream_open, and stays open", async () => {
  const reader = await open(await listen());
  expect(reader.response.statusCode).toBe(200);
  expect(reader.response.headers).toMatchObject({
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
    "x-accel-buffering": "no",
    "x-content-type-options": "nosniff",
  });
  expect(reader.response.headers["content-encoding"]).toBeUndefined();
  await until(() => reader.text().includes("stream_open"));
  expect(reader.text()).toMatch(/^retry: 2000\n\nevent: stream_open\ndata: \{/);
  live.publish({ event: "turn", data: { turn: "running" } });
  live.publish({ event: "turn", data: { turn: "idle" } });
  await until(() => reader.text().split("event: turn").length === 3);
  await pause(100);
  expect(reader.response.readableEnded).toBe(false);
  reader.close();
});

it("lets the subscriber go when the reader leaves", async () => {
  const port = await listen();
  const [first, second] = [await open(port), await open(port)];
  await until(() => live.readers === 2 && streams.size === 2);
  first.close();
  await until(() => live.readers === 1 && streams.size === 1);
  second.close();
  await until(() => live.readers === 0 && streams.size === 0);
});

it("goes on after Last-Event-ID", async () => {
  const port = await listen();
  live.publish({ event: "turn", data: { turn: "running" } });
  live.publish({ event: "turn", data: { turn: "waiting" } });
  const reader = await open(port, { "last-event-id": `${live.epoch}-1` });
  await until(() => reader.text().includes(`id: ${live.epoch}-2`));
  expect(reader.text()).not.toContain(`id: ${live.epoch}-1\n`);
  reader.close();
});

it("ends every stream on close, last frames included", async () => {
  const reader = await open(await listen());
  await until(() => reader.text().includes("stream_open"));
  const ended = once(reader.response, "end");
  live.renew();
  await ended;
  expect(reader.text()).toContain("event: stream_reset");
  const next = await open((server.address() as AddressInfo).port);
  await until(() => streams.size === 1);
  const closed = once(next.response, "end");
  streams.closeAll();
  await closed;
});

it("sends nothing of a stream for a session that isn't there", async () => {
  const port = await listen();
  const response = await fetch(`http://127.0.0.1:${port}/nobody`);
  expect(response.status).toBe(404);
  expect(response.headers.get("content-type")).toBeNull();
  await response.text();
});
