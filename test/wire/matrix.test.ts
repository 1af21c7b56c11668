/** Whole sessions over four real streaming protocols: scripted models of several kinds, the product, a real Pi child. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { phaseIds, toolNames } from "../../src/protocol/index.ts";
import { toFailure } from "../../src/runtime/classify-failure.ts";
import { phasePrompt, systemPromptFile } from "../../src/workflow/phase-prompts.ts";
import type { Product } from "../fixtures/product.ts";
import { question, steps } from "./answer.ts";
import { type BehaviourName, behaviourNames, behaviours } from "./behaviours.ts";
import type { Conversation, Turn } from "./conversation.ts";
import { followEvents } from "./follow-events.ts";
import { type ModelServer, type ProtocolName, protocolNames, startModelServer } from "./model-server.ts";
import { type Played, playMatrix, startWireProduct, toEnding } from "./play-session.ts";
import { toMatrixTable } from "./tables.ts";
import { bodyMark, headerOf, keyOf, keyVariableOf } from "./wire-home.ts";

const demo = fileURLToPath(new URL("../../demo/chinook.sqlite", import.meta.url));
/** Keys of providers that no session here uses: they are none of any child's business. */
const strangers = {
  OPENAI_API_KEY: "markstrangeropenai0123",
  ANTHROPIC_API_KEY: "markstrangeranthropic0123",
  GEMINI_API_KEY: "markstrangergemini0123",
};

let product: Product;
let server: ModelServer;
let played: Played[];
let bytes: () => string;
let stop: () => void;

beforeAll(async () => {
  server = await startModelServer(behaviours, bodyMark);
  product = await startWireProduct(server, strangers);
  ({ bytes, stop } = followEvents(product));
  played = await playMatrix(product, server);
}, 3_600_000);
afterAll(async () => {
  stop?.();
  await product?.remove();
  await server?.close();
});

const cellOf = (protocol: ProtocolName, behaviour: BehaviourName): Played => {
  const found = played.find((one) => one.protocol === protocol && one.behaviour === behaviour);
  if (!found) throw new Error(`${protocol}, ${behaviour} was not played`);
  return found;
};

/** By plain SQL, without anything of ours. */
function topCustomer(): unknown[] {
  const database = new DatabaseSync(demo, { readOnly: true });
  const row = database
    .prepare(
      "SELECT FirstName, LastName, (SELECT SUM(UnitPrice * Quantity) FROM InvoiceLine WHERE InvoiceId IN (SELECT InvoiceId FROM Invoice WHERE Invoice.CustomerId = Customer.CustomerId)) AS spent FROM Customer ORDER BY spent DESC",
    )
    .get() as Record<string, unknown>;
  database.close();
  return Object.values(row);
}

const ends: Record<BehaviourName, "malformed-calls" | "no-tools" | "no-progress" | null> = {
  strong: null,
  verbose: null,
  weak: null,
  repeating: "malformed-calls",
  chatting: "no-tools",
  wandering: "no-progress",
};

describe.each(protocolNames)("%s", (protocol) => {
  it.each(behaviourNames.filter((name) => ends[name] === null))("a %s model comes to the right answer", (behaviour) => {
    const cell = cellOf(protocol, behaviour);
    expect(toEnding(cell)).toMatch(/^right /);
    const [first, last, spent] = cell.result?.rows[0] ?? [];
    expect(cell.result?.rows).toHaveLength(1);
    const [rightFirst, rightLast, rightSpent] = topCustomer();
    expect([first, last]).toEqual([rightFirst, rightLast]);
    expect(Number(spent)).toBeCloseTo(Number(rightSpent), 6);
    // What was accepted is what runs.
    expect(cell.deviations).toBe(0);
  });

  it.each(behaviourNames.filter((name) => ends[name] !== null))("a %s model is ended with what to do", (behaviour) => {
    const { view, requests } = cellOf(protocol, behaviour);
    const code = ends[behaviour] ?? "unknown";
    expect(view).toMatchObject({ turn: "failed", outcome: null, openGate: null, failure: toFailure(code) });
    expect(requests.length).toBeLessThan(100);
  });

  it("each phase begins with its own prompt and what it needs of the schema, once", () => {
    const { requests } = cellOf(protocol, "strong");
    const [first] = requests;
    expect(first?.conversation.system).toContain(readFileSync(systemPromptFile, "utf8").trim());
    expect(first?.conversation.tools.toSorted()).toEqual([...toolNames].sort());
    const asked = userText(first?.conversation);
    expect(asked).toContain(`Question: ${question}`);
    expect(asked).toContain(phasePrompt("F1"));
    const tables = asked.slice(asked.indexOf("<data>"));
    expect(tables).toContain("InvoiceLine (InvoiceLineId INTEGER key, InvoiceId INTEGER → Invoice.InvoiceId");
    expect(tables.match(/ rows$/gm)).toHaveLength(11);

    const [, toldF2, toldF3, toldF4, toldF5, toldF6] = requests
      .slice(1)
      .map(({ conversation }) => lastText(conversation));
    expect(toldF2).toContain(phasePrompt("F2"));
    expect(toldF3).toContain(phasePrompt("F3"));
    expect(toldF3).toMatch(/<data>\nCustomer: key CustomerId\n[^<]*Invoice\.CustomerId = Customer\.CustomerId/);
    expect(toldF3).toContain("InvoiceLine.InvoiceId = Invoice.InvoiceId");
    expect(toldF4).toContain(phasePrompt("F4"));
    expect(toldF4).toMatch(/<data>\nCustomer\n {2}CustomerId INTEGER primary key/);
    expect(toldF5).toContain(phasePrompt("F5"));
    expect(toldF5).toContain("Invoice i INNER JOIN InvoiceLine il ON i.InvoiceId = il.InvoiceId");
    expect(toldF6).toContain(phasePrompt("F6"));
    for (const { sql } of steps) expect(toldF6).toContain(sql);

    const whole = requests.at(-1)?.conversation.turns.map(toWords).join("\n") ?? "";
    for (const phase of phaseIds) expect(whole.split(phasePrompt(phase))).toHaveLength(2);
  });

  it("what came in fragments goes back whole: reasoning, text, and parallel calls in their order", () => {
    for (const behaviour of ["strong", "verbose"] as const) {
      const { requests } = cellOf(protocol, behaviour);
      for (const [index, { conversation }] of requests.slice(0, -1).entries()) {
        const said = behaviours[behaviour](conversation);
        const back = requests[index + 1]?.conversation.turns.findLast((turn) => turn.role === "model");
        expect(back).toEqual({
          role: "model",
          reasoning: said.reasoning ?? "",
          text: said.text ?? "",
          calls: said.calls ?? [],
        });
      }
    }
    const results = cellOf(protocol, "strong").requests[1]?.conversation.turns.filter((turn) => turn.role === "result");
    expect(results?.map(({ text }) => /^<data>\n(\w+)/.exec(text)?.[1])).toEqual([
      "Customer",
      "Invoice",
      "InvoiceLine",
      "CustomerId",
    ]);
  });

  it("what comes from the database is fenced as data, wherever it is told", () => {
    const stored = /luisg@embraer\.com\.br|Theodor-Heuss-Straße|Wilhelm-Ströhle/;
    let fenced = 0;
    for (const behaviour of behaviourNames)
      for (const { conversation } of cellOf(protocol, behaviour).requests)
        for (const turn of conversation.turns.filter(({ role }) => role !== "model")) {
          const words = toWords(turn);
          fenced += stored.test(words) ? 1 : 0;
          expect(words.replaceAll(/<data>\n[\s\S]*?\n<\/data>/g, "")).not.toMatch(stored);
        }
    expect(fenced).toBeGreaterThan(5);
  });

  it("what was used is counted", () => {
    const { view, requests } = cellOf(protocol, "strong");
    expect(view.usage?.session.input).toBe(1000 * requests.length);
    expect(view.usage?.session.output).toBeGreaterThan(100);
  });

  it("a child has its own provider's key and no other, and the provider gets it where it belongs", () => {
    for (const behaviour of behaviourNames) {
      const { requests, environment } = cellOf(protocol, behaviour);
      for (const { key, headers } of requests) {
        expect(key).toBe(keyOf(protocol));
        expect(headers["x-wire-gateway"]).toBe(headerOf(protocol));
      }
      const given = environment.split("\0").filter((one) => /mark|API_KEY/.test(one));
      if (ends[behaviour] === null) expect(given).toEqual([`${keyVariableOf(protocol)}=${keyOf(protocol)}`]);
    }
  });
});

it("docs/wire.md shows the same", () => {
  expect(readFileSync(fileURLToPath(new URL("../../docs/wire.md", import.meta.url)), "utf8")).toContain(
    toMatrixTable(played),
  );
});

it("no key, header or provider's own words in any byte of SSE, HTTP, log, ledger or report", async () => {
  const whole: string[] = [bytes(), product.log];
  for (const path of ["/api/models", "/api/sessions", "/api/health", "/api/openapi.json"])
    whole.push(JSON.stringify(await product.call(path)));
  for (const { id } of played) {
    for (const path of ["", "/ledger", "/result?format=json"])
      whole.push(JSON.stringify(await product.call(`/api/sessions/${id}${path}`)));
    for (const format of ["html", "md"]) whole.push(await read(`/api/sessions/${id}/report?format=${format}`));
    for (const file of ["ledger.json", "manifest.json"])
      whole.push(readFileSync(join(product.home, "sessions", id, file), "utf8"));
  }
  const said = whole.join("\n");
  expect(said).toContain("event: activity_delta");
  expect(said).toContain("event: gate_opened");
  expect(said).toContain("Helena");
  expect(said.match(/.{0,60}mark(?:key|header|stranger|body).{0,60}/g)).toBe(null);
}, 300_000);

it("keys and headers stand in no file but those that hold them, which only their owner may read", () => {
  const holding = filesBelow(product.home).filter((file) =>
    /mark(?:key|header|stranger)/.test(readFileSync(file, "latin1")),
  );
  for (const file of holding) {
    expect(file).toMatch(/\/(?:keys\.json|models\.json)$/);
    expect(statSync(file).mode & 0o077).toBe(0);
  }
  const ofChildren = holding.filter((file) => /\/sessions\/[^/]+\/pi\/agent\//.test(file));
  for (const { id } of played) expect(ofChildren.filter((file) => file.includes(`/${id}/`))).toHaveLength(1);
  // Of all providers' headers a child has its own alone; keys are in its environment, not in its files.
  for (const file of ofChildren)
    expect(new Set(readFileSync(file, "utf8").match(/mark(?:key|header)[\w-]+/g)).size).toBe(1);
});

const read = async (path: string): Promise<string> =>
  (await fetch(product.base + path, { headers: { authorization: `Bearer ${product.token}` } })).text();
const toWords = (turn: Turn): string => (turn.role === "model" ? "" : turn.text);
const userText = (conversation: Conversation | undefined): string =>
  (conversation?.turns ?? []).flatMap((turn) => (turn.role === "user" ? [turn.text] : [])).join("\n");
const lastText = ({ turns }: Conversation): string => turns.at(-1)?.text ?? "";

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
