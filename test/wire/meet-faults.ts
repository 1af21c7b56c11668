/** One session for each protocol that meets every fault in turn, between them the reviewer's words to go on. */
import { setTimeout as pause } from "node:timers/promises";
import type { Failure, ModelList, SessionView } from "../../src/protocol/index.ts";
import type { ScriptedServer } from "../fixtures/scripted-server.ts";
import { question } from "./answer.ts";
import { type ModelServer, type ProtocolName, protocolNames, protocols } from "./model-server.ts";
import { type Fault, type FaultName, faultNames } from "./protocols/protocol.ts";
import { bodyMark, keyOf, providerOf, waitForModels } from "./wire-home.ts";

export interface Met {
  protocol: ProtocolName;
  fault: FaultName;
  failure: Failure | null;
  /** How often the provider was asked for it: more than once when Pi tried again. */
  requests: number;
}

export interface Faults {
  /** For the fake servers. */
  of(protocol: ProtocolName): Fault | null;
  /** From now on, until another is set; null for answers as they should be. */
  set(protocol: ProtocolName, name: FaultName | null): void;
}

/** A provider may repeat the key it was sent: each body holds it beside its mark. */
const markOf = (protocol: ProtocolName): string => `${bodyMark} ${keyOf(protocol)}`;

export function createFaults(): Faults {
  const present = new Map<ProtocolName, FaultName | null>();
  return {
    set: (protocol, name) => void present.set(protocol, name),
    of: (protocol) => {
      const name = present.get(protocol);
      return name ? toFault(protocol, name) : null;
    },
  };
}

/** Null for what a protocol has no words for. */
export function toFault(protocol: ProtocolName, name: FaultName): Fault | null {
  const mark = markOf(protocol);
  const page = (status: number): Fault => ({
    status,
    headers: { "content-type": "text/html" },
    body: `<!doctype html><html><head><title>${status}</title></head><body><h1>gateway ${mark}</h1></body></html>`,
  });
  /** As far as an answer comes when its line breaks: begun, and with no end. */
  const half = protocols[protocol].write({ reasoning: "Let me see. ", text: "The cust" }, 1, mark).slice(0, 4);
  switch (name) {
    case "HTML page, 502":
      return page(502);
    case "HTML page, 404":
      return page(404);
    case "HTML page, 200":
      return page(200);
    case "stream cut":
      return { frames: half, ends: "cut" };
    case "stream ended early":
      return { frames: half, ends: "cleanly" };
    default:
      return protocols[protocol].fault(name, mark);
  }
}

/** The product's own extension and demo in place of the fixture's, and little patience between Pi's tries. */
export const ours = {
  extensionFile: undefined,
  openWorkspace: undefined,
  ensureCatalog: undefined,
  retry: { maxRetries: 1, baseDelayMs: 20 },
} as object;

export async function createSession(server: ScriptedServer, provider: string, model: string): Promise<string> {
  const wish = { workspace: "demo", question, provider, model, thinking: "high" };
  const { status, text } = await server.call("/api/sessions", "POST", wish);
  if (status !== 201) throw new Error(`create: ${status} ${text}`);
  const { id } = JSON.parse(text) as { id: string };
  server.follow(id);
  return id;
}

/** How a session stands once nobody works at it. Generous: what is late on a busy machine is no fault. */
export async function settle(server: ScriptedServer, id: string): Promise<SessionView> {
  for (const deadline = performance.now() + 600_000; ; await pause(40)) {
    const view = JSON.parse((await server.call(`/api/sessions/${id}`)).text) as SessionView;
    if (view.turn !== "running") return view;
    if (performance.now() > deadline) throw new Error(`${id} works on and on`);
  }
}

export async function meetFaults(
  server: ScriptedServer,
  models: ModelServer,
  faults: Faults,
  over: readonly ProtocolName[] = protocolNames,
  told: (met: Met) => void = () => undefined,
): Promise<{ met: Met[]; sessions: Map<ProtocolName, string> }> {
  await waitForModels(async () => JSON.parse((await server.call("/api/models")).text) as ModelList, ["strong"]);
  const sessions = new Map<ProtocolName, string>();
  const meet = async (protocol: ProtocolName): Promise<Met[]> => {
    const met: Met[] = [];
    const asked = () => models.requests.filter((one) => one.protocol === protocol).length;
    for (const fault of faultNames) {
      if (toFault(protocol, fault) === null) continue;
      faults.set(protocol, fault);
      const before = asked();
      const id = sessions.get(protocol) ?? (await createSession(server, providerOf(protocol), "strong"));
      if (sessions.has(protocol)) await server.call(`/api/sessions/${id}/prompt`, "POST", { text: "Go on." });
      sessions.set(protocol, id);
      const { turn, failure } = await settle(server, id);
      const one = {
        protocol,
        fault,
        failure: turn === "failed" ? (failure ?? null) : null,
        requests: asked() - before,
      };
      met.push(one);
      told(one);
    }
    faults.set(protocol, null);
    return met;
  };
  return { met: (await Promise.all(over.map(meet))).flat(), sessions };
}
