/** Every way in which a provider fails, over four real protocols and through a real child: what the reader is told. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ModelList } from "../../src/protocol/index.ts";
import { toFailure } from "../../src/runtime/classify-failure.ts";
import { openScriptedServer, type ScriptedServer } from "../fixtures/scripted-server.ts";
import { openScripted, type Scripted } from "../fixtures/scripted-sessions.ts";
import { behaviours } from "./behaviours.ts";
import { createFaults, createSession, type Met, meetFaults, ours, settle, toFault } from "./meet-faults.ts";
import { type ModelServer, type ProtocolName, protocolNames, protocols, startModelServer } from "./model-server.ts";
import { type FaultName, faultCodes, faultNames } from "./protocols/protocol.ts";
import { toFaultTable } from "./tables.ts";
import { addProvider, bodyMark, providerOf, waitForModels, writeWireHome } from "./wire-home.ts";

/** What Pi tries again by itself before it counts. */
const retried = new Set<FaultName>([
  "rate limited",
  "server error",
  "overloaded",
  "overloaded midway",
  "stream cut",
  "stream ended early",
  "HTML page, 502",
  "HTML page, 200",
]);

/** Google's words for a limit speak of billing, and its client of a page as of half an answer: Pi takes both as final. */
const isRetried = (protocol: ProtocolName, fault: FaultName): boolean =>
  retried.has(fault) && !(protocol === "Gemini" && (fault === "rate limited" || fault === "HTML page, 200"));

/** Milliseconds of silence that end a session here. */
const watchdogMs = 8_000;

let scripted: Scripted;
let server: ScriptedServer;
let models: ModelServer;
let met: Met[];
let sessions: Map<ProtocolName, string>;
const faults = createFaults();

beforeAll(async () => {
  models = await startModelServer(behaviours, bodyMark, (protocol, model) =>
    model === "silent"
      ? { frames: protocols[protocol].write({ reasoning: "Let me see. " }, 1, bodyMark).slice(0, 2), ends: "silent" }
      : model === "mute"
        ? { frames: [], ends: "silent" }
        : faults.of(protocol),
  );
  scripted = await openScripted(ours);
  server = await openScriptedServer(scripted);
  writeWireHome(scripted.home, models, ["strong", "silent", "mute"]);
  for (const protocol of protocolNames) {
    const { api } = protocols[protocol];
    addProvider(scripted.home, `closed-${providerOf(protocol)}`, { api, baseUrl: "http://127.0.0.1:9/closed" });
    const withPassword = models.baseUrl(protocol).replace("//", "//reader:markpassword0123@");
    addProvider(scripted.home, `password-${providerOf(protocol)}`, { api, baseUrl: withPassword });
  }
  ({ met, sessions } = await meetFaults(server, models, faults));
}, 3_600_000);
afterAll(async () => {
  await server?.close();
  await scripted?.close();
  await models?.close();
});

describe.each(protocolNames)("%s", { timeout: 300_000 }, (protocol) => {
  it.each(faultNames.filter((fault) => toFault(protocol, fault)))("C7.3 %s", (fault) => {
    const found = met.find((one) => one.protocol === protocol && one.fault === fault);
    expect(found?.failure).toEqual(toFailure(faultCodes[fault]));
    // A context that is too long is shortened first, which asks the model as well.
    if (fault !== "context length") expect(found?.requests).toBe(isRetried(protocol, fault) ? 2 : 1);
  });

  it("C7.4 after all of that the session goes on where it was, with the same child", async () => {
    const id = sessions.get(protocol) ?? "";
    await server.call(`/api/sessions/${id}/prompt`, "POST", { text: "Go on." });
    const view = await settle(server, id);
    expect(view).toMatchObject({ turn: "waiting", phase: "F1", failure: null, openGate: { kind: "decision-review" } });
  });

  it("C7.3 nobody listens there, or the address can't be used because it holds a password", async () => {
    for (const [kind, code] of [
      ["closed", "network"],
      ["password", "endpoint-missing"],
    ] as const) {
      const id = await createSession(server, `${kind}-${providerOf(protocol)}`, "strong");
      expect((await settle(server, id)).failure, kind).toEqual(toFailure(code));
    }
  });
});

it("C7.3 a provider that says nothing, or nothing more, is given up after a while", async () => {
  // Another registry on the same home, where the catalog is known: nothing but the provider keeps it waiting.
  const quiet = await openScriptedServer({ ...scripted, sessions: scripted.reopen({ watchdogMs }) });
  try {
    await waitForModels(
      async () => JSON.parse((await quiet.call("/api/models")).text) as ModelList,
      ["silent", "mute"],
    );
    const ended = await Promise.all(
      protocolNames.map(async (protocol, index) => {
        const id = await createSession(quiet, providerOf(protocol), index % 2 === 0 ? "silent" : "mute");
        return (await settle(quiet, id)).failure;
      }),
    );
    expect(ended).toEqual(protocolNames.map(() => toFailure("stalled")));
    const asked = models.requests.filter(({ model }) => model === "silent" || model === "mute");
    expect(asked.map((one) => one.protocol).toSorted()).toEqual(protocolNames.toSorted());
  } finally {
    await quiet.close();
  }
}, 300_000);

it("docs/wire.md shows the same", () => {
  expect(readFileSync(fileURLToPath(new URL("../../docs/wire.md", import.meta.url)), "utf8")).toContain(
    toFaultTable(met),
  );
});

it("what the page is told while Pi tries again says why, in our own words", () => {
  const told = server.bytes().match(/"text":"[^"]* Trying again[^"]*"/g) ?? [];
  const why = (["rate-limited", "overloaded", "network"] as const).map((code) => toFailure(code).message);
  // For what the reader has to mend there is no reason to tell while it goes on.
  const wanted = [...why, "The answer broke off."].map((words) => `"text":"${words} Trying again (1 of 1)."`);
  expect([...new Set(told)].toSorted()).toEqual(wanted.toSorted());
});

it("C7.3 C12.2 no provider's words, key, header or password in any byte of SSE, HTTP, ledger or report; no secret in the log", async () => {
  const { sessions: all } = JSON.parse((await server.call("/api/sessions")).text) as { sessions: { id: string }[] };
  for (const { id } of all)
    for (const path of ["", "/ledger", "/report?format=html", "/report?format=md", "/result?format=json"])
      await server.call(`/api/sessions/${id}${path}`);
  await server.call("/api/models");
  const kept = all.flatMap(({ id }) => {
    const dir = join(scripted.home, "sessions", id);
    return readdirSync(dir)
      .filter((name) => name.endsWith(".json"))
      .map((name) => readFileSync(join(dir, name), "utf8"));
  });
  expect(kept.length).toBeGreaterThanOrEqual(2 * all.length);
  expect(`${server.bytes()}\n${kept.join("\n")}`.match(/.{0,60}mark(?:key|header|body|password).{0,60}/g)).toBe(null);
  const log = scripted.logged.join("\n");
  // What went wrong can be found, where it belongs.
  expect(log).toContain(bodyMark);
  expect(log.match(/.{0,60}mark(?:key|header|password).{0,60}/g)).toBe(null);
});
