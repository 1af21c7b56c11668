import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { type AppFixture, openAppFixture } from "./app-fixture.ts";

let fixture: AppFixture;
afterEach(() => fixture.close());

/** Every sample by its name and labels. Fails for a line that is none of the format's. */
function parse(text: string): Map<string, number> {
  const samples = new Map<string, number>();
  const announced = new Set<string>();
  for (const line of text.trimEnd().split("\n")) {
    const type = /^# TYPE (thoth_[a-z_]+) (?:gauge|counter)$/.exec(line)?.[1];
    if (type) announced.add(type);
    if (line.startsWith("# ")) continue;
    const found = /^(thoth_[a-z_]+)(\{[a-z]+="[^"\n]*"(?:,[a-z]+="[^"\n]*")*\})? (\d+(?:\.\d+)?(?:e[+-]\d+)?)$/.exec(
      line,
    );
    if (!found?.[1] || !announced.has(found[1])) throw new Error(`no sample: ${line}`);
    samples.set(`${found[1]}${found[2] ?? ""}`, Number(found[3]));
  }
  return samples;
}
const read = async () => {
  const answer = await fixture.request("/api/metrics");
  return { answer, samples: parse(await answer.text()) };
};

it("gives figures in Prometheus' format, behind the token, and counts what was answered", async () => {
  fixture = await openAppFixture();
  expect((await fixture.request("/api/metrics", { headers: { authorization: null } })).status).toBe(401);
  await fixture.request("/api/sessions/0unknown0000");
  await fixture.request("/api/sessions", { method: "POST", raw: "{" });
  await fixture.request("/api/health");
  const { answer, samples } = await read();
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(samples.get('thoth_sessions{turn="idle"}')).toBe(1);
  expect(samples.get('thoth_children{use="reserved"}')).toBe(0);
  expect(samples.get("thoth_streams")).toBe(0);
  expect(samples.get("thoth_gates_open")).toBe(0);
  expect(samples.get('thoth_http_answers_total{status="2xx"}')).toBe(1);
  expect(samples.get('thoth_http_answers_total{status="4xx"}')).toBe(3);
  expect(samples.get('thoth_problems_total{code="session-unknown"}')).toBe(1);
  expect(samples.get('thoth_problems_total{code="body-malformed"}')).toBe(1);
  expect(samples.get('thoth_memory_bytes{kind="resident"}')).toBeGreaterThan(10_000_000);
});

it("measures the event loop from one reading to the next", async () => {
  fixture = await openAppFixture();
  await read();
  await pause(60);
  const until = performance.now() + 300;
  while (performance.now() < until); // nothing else runs
  await pause(60);
  const busy = (await read()).samples.get('thoth_event_loop_delay_seconds{quantile="1"}') ?? 0;
  expect(busy).toBeGreaterThan(0.2);
  expect(busy).toBeLessThan(60);
});

it("is described like the rest", async () => {
  fixture = await openAppFixture();
  const document = (await (await fixture.request("/api/openapi.json")).json()) as {
    paths: Record<string, { get?: { responses: object } }>;
  };
  expect(document.paths["/api/metrics"]?.get?.responses).toMatchObject({
    200: { content: { "text/plain": {} } },
    401: {},
  });
});
