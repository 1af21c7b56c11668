/** Whole sessions of scripted models through the product, with a reviewer who presses Continue at every gate. */
import { readFile } from "node:fs/promises";
import type { ModelList, OpenGate, QueryResult, SessionView } from "../../src/protocol/index.ts";
import { freePort, Product, pause } from "../fixtures/product.ts";
import { childPids } from "../fixtures/scripted-sessions.ts";
import { question } from "./answer.ts";
import { type BehaviourName, behaviourNames } from "./behaviours.ts";
import { type ModelRequest, type ModelServer, type ProtocolName, protocolNames } from "./model-server.ts";
import { providerOf, waitForModels, writeWireHome } from "./wire-home.ts";

export interface Played {
  protocol: ProtocolName;
  behaviour: BehaviourName;
  id: string;
  /** How it stood at its end, or when patience was over. */
  view: SessionView;
  gates: OpenGate[];
  result: QueryResult | null;
  /** How many places of the final SQL differed from what was accepted, and were accepted as such. */
  deviations: number;
  /** What the fake provider was asked, in order. */
  requests: ModelRequest[];
  /** The child's environment at its first gate; empty when it came to none. */
  environment: string;
}

/** Milliseconds without anything new after which a session counts as hung; many times what a busy machine needs. */
const patienceMs = 600_000;

/** A machine that is too busy to start a child says so, and Resume goes on: that is no fault of a model. */
const mostStarts = 4;

/** The product with the fake providers as its user's own, up and warm: it knows the models and the demo's catalog. */
export async function startWireProduct(server: ModelServer, environment: NodeJS.ProcessEnv = {}): Promise<Product> {
  const product = new Product(await freePort());
  writeWireHome(product.home, server, behaviourNames);
  await product.serve({ THOTH_LOG: "debug", ...environment });
  await waitForModels(async () => (await product.call<ModelList>("/api/models")).body, behaviourNames);
  await product.call("/api/workspaces/demo/catalog");
  return product;
}

/** Every behaviour over every protocol, a few at once: a session mostly waits for its child. */
export async function playMatrix(
  product: Product,
  server: ModelServer,
  atOnce = 3,
  over: readonly ProtocolName[] = protocolNames,
): Promise<Played[]> {
  const cells = over.flatMap((protocol) => behaviourNames.map((behaviour) => ({ protocol, behaviour })));
  const played: Played[] = [];
  const work = async () => {
    for (let cell = cells.shift(); cell; cell = cells.shift())
      played.push(await playSession(product, server, cell.protocol, cell.behaviour));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const place = ({ protocol, behaviour }: Played) =>
    protocolNames.indexOf(protocol) * behaviourNames.length + behaviourNames.indexOf(behaviour);
  return played.sort((a, b) => place(a) - place(b));
}

async function playSession(
  product: Product,
  server: ModelServer,
  protocol: ProtocolName,
  behaviour: BehaviourName,
): Promise<Played> {
  const requests = () => server.requests.filter((one) => one.protocol === protocol && one.model === behaviour);
  const wish = { provider: providerOf(protocol), model: behaviour, thinking: "high" };
  const id = await again(() => product.create(question, wish));
  const gates: OpenGate[] = [];
  let deviations = 0;
  let environment = "";
  let starts = 1;
  let view = await again(() => product.view(id));
  for (let moved = performance.now(), sign = ""; performance.now() - moved < patienceMs; await pause(60)) {
    view = await again(() => product.view(id));
    const gate = view.openGate as OpenGate | null;
    if (gate && gates.at(-1)?.gateId !== gate.gateId) {
      if (gates.length === 0) environment = await readEnvironment(product.home, id);
      gates.push(gate);
      const differing = gate.kind === "sql-review" ? gate.payload.conformance.deviations.map((one) => one.id) : [];
      deviations += differing.length;
      const answer = differing.length > 0 ? { acceptedDeviations: differing } : {};
      await again(() => product.answer(id, gate, answer));
    } else if (view.failure?.code === "child-start" && starts < mostStarts) {
      starts += 1;
      await product.call(`/api/sessions/${id}/resume`, "POST", {});
    } else if (!gate && (view.turn === "idle" || view.turn === "failed")) break;
    const now = `${requests().length} ${gates.length} ${view.turn}`;
    if (now !== sign) moved = performance.now();
    sign = now;
  }
  const result = await again(() => product.call<QueryResult>(`/api/sessions/${id}/result?format=json`));
  return {
    protocol,
    behaviour,
    id,
    view,
    gates,
    result: result.status === 200 ? result.body : null,
    deviations,
    requests: requests(),
    environment,
  };
}

/** A kept connection may be closed by the server in the moment it is used: that request was never taken. */
async function again<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return work();
  }
}

async function readEnvironment(home: string, id: string): Promise<string> {
  const all = await Promise.all(
    (await childPids(home)).map((pid) => readFile(`/proc/${pid}/environ`, "utf8").catch(() => "")),
  );
  return all.find((one) => one.includes(`THOTH_SESSION_ID=${id}`)) ?? "";
}

/** The cell of the table: how it ended, in words that don't depend on the machine. */
export function toEnding({ view, gates, deviations, requests, result }: Played): string {
  const work = `${requests.length} answers, ${gates.length} ${gates.length === 1 ? "gate" : "gates"}`;
  if (view.outcome === "answered" && view.turn === "idle" && result) {
    const differing = deviations > 0 ? `, ${deviations} ${deviations === 1 ? "deviation" : "deviations"} shown` : "";
    return `right (${work}${differing})`;
  }
  return view.turn === "failed" && view.failure
    ? `ended: ${view.failure.code} (${work})`
    : `neither right nor ended: ${view.turn} in ${view.phase} (${work})`;
}
