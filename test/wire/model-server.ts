/**
 * Fake providers: one HTTP server that speaks four protocols, with scripted models behind them. The path says which
 * protocol it is, the model's id which script. Bytes come in chunks that keep to no boundary of frames or characters.
 */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as breathe } from "node:timers/promises";
import type { Behaviour, Conversation } from "./conversation.ts";
import { anthropicMessages } from "./protocols/anthropic-messages.ts";
import { googleGemini } from "./protocols/google-gemini.ts";
import { openaiCompletions } from "./protocols/openai-completions.ts";
import { openaiResponses } from "./protocols/openai-responses.ts";
import type { Fault, Protocol } from "./protocols/protocol.ts";

export const protocols = {
  "OpenAI completions": openaiCompletions,
  "OpenAI responses": openaiResponses,
  Anthropic: anthropicMessages,
  Gemini: googleGemini,
} satisfies Record<string, Protocol>;
export type ProtocolName = keyof typeof protocols;
export const protocolNames = Object.keys(protocols) as ProtocolName[];

/** As the name stands in paths and as a provider's id. */
export const toSlug = (name: ProtocolName): string => name.toLowerCase().replaceAll(" ", "-");

export interface ModelRequest {
  protocol: ProtocolName;
  model: string;
  key: string | undefined;
  headers: IncomingHttpHeaders;
  /** As it came, for looking at every byte. */
  body: string;
  conversation: Conversation;
}

export interface ModelServer {
  requests: ModelRequest[];
  /** For models.json. */
  baseUrl(protocol: ProtocolName): string;
  close(): Promise<void>;
}

/** `mark` is planted in ids, names and bodies. `faults` says what a model's next requests meet instead of an answer. */
export async function startModelServer(
  behaviours: Readonly<Record<string, Behaviour>>,
  mark: string,
  faults: (protocol: ProtocolName, model: string) => Fault | null = () => null,
): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      const name = protocolNames.find((one) => path.startsWith(`/${toSlug(one)}/`));
      const body = Buffer.concat(chunks).toString();
      const protocol = name && protocols[name];
      const below = path.slice(`/${name ? toSlug(name) : ""}${protocol?.base ?? ""}`.length).replace(/\?.*$/, "");
      const parsed = body === "" ? {} : (JSON.parse(body) as Record<string, unknown>);
      const model = protocol?.toModel(below, parsed) ?? null;
      if (name === undefined || protocol === undefined || model === null) {
        response.writeHead(404).end();
        return;
      }
      const { headers } = request;
      const conversation = protocol.read(parsed);
      requests.push({ protocol: name, model, key: protocol.keyOf(headers), headers, body, conversation });
      const fault = faults(name, model);
      const behave = behaviours[model];
      if (fault) void fail(response, fault);
      else if (behave) void stream(response, protocol.write(behave(conversation), requests.length, mark).join(""));
      else response.writeHead(404).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    requests,
    baseUrl: (name) => `http://127.0.0.1:${port}/${toSlug(name)}${protocols[name].base}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

/** A prime, so that chunks fall into the middle of everything in turn. */
const chunkBytes = 997;

async function write(response: ServerResponse, text: string): Promise<void> {
  if (!response.headersSent)
    response.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "req_1" }).flushHeaders();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length && !response.destroyed; at += chunkBytes) {
    response.write(bytes.subarray(at, at + chunkBytes));
    await breathe();
  }
}

async function stream(response: ServerResponse, text: string): Promise<void> {
  await write(response, text);
  response.end();
}

async function fail(response: ServerResponse, fault: Fault): Promise<void> {
  if ("status" in fault) {
    response.writeHead(fault.status, fault.headers).end(fault.body);
    return;
  }
  await write(response, fault.frames.join(""));
  if (fault.ends === "cleanly") response.end();
  // A moment, so that what was written arrives before the socket goes.
  else if (fault.ends === "cut") setTimeout(() => response.destroy(), 20);
}
