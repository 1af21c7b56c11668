/** What is attacked: the product in a process of its own, with every address it has, and sockets that no browser limits. */
import { readdirSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort, Product } from "../fixtures/product.ts";

const builtPage = fileURLToPath(new URL("../../dist/web", import.meta.url));

/** Tried again: a very busy machine may need longer for a start than a test of the start would allow. */
export async function startTarget(environment: NodeJS.ProcessEnv = {}): Promise<Product> {
  for (let left = 3; ; left -= 1) {
    const product = new Product(await freePort());
    try {
      await product.serve(environment);
      return product;
    } catch (error) {
      await product.remove();
      if (left === 0) throw error;
    }
  }
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  text: string;
}

export interface Asked {
  method?: string;
  path: string;
  headers?: Record<string, string | string[] | undefined>;
  body?: string | Buffer;
}

/** One request on a connection of its own, with exactly these headers besides Host. */
export function send(port: number, { method = "GET", path, headers = {}, body }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, method, path, agent: false, headers: dropUndefined(headers) });
    asked.on("response", (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      const finish = () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, rawHeaders: answer.rawHeaders, text });
      answer.on("data", (chunk: string) => {
        text += chunk;
        // A stream never ends by itself: its first bytes are enough.
        if (answer.headers["content-type"]?.startsWith("text/event-stream")) {
          finish();
          asked.destroy();
        }
      });
      answer.on("end", finish);
      answer.on("error", reject);
    });
    asked.on("upgrade", (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode ?? 0, headers: answer.headers, rawHeaders: answer.rawHeaders, text: "" });
    });
    asked.on("error", reject);
    asked.setTimeout(120_000, () => asked.destroy(new Error(`no answer: ${method} ${path}`)));
    asked.end(body);
  });
}

const dropUndefined = (headers: Record<string, string | string[] | undefined>): Record<string, string | string[]> =>
  Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));

/** Bytes as they stand; everything that comes back until the server closes, or until nothing came for `quietMs`. */
export function sendBytes(port: number, bytes: string | Buffer, quietMs = 1500): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(quietMs, () => socket.destroy());
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", () => undefined); // a reset is an answer too
    socket.on("close", () => resolve(text));
  });
}

export interface Address {
  method: string;
  path: string;
  /** Whether the route reads a body. */
  body: boolean;
  /** Needs no token: the document says so. */
  open: boolean;
}

interface OpenApi {
  paths: Record<string, Record<string, { requestBody?: unknown; security?: unknown[] }>>;
}

/** Every route of the server's own document, with real names in it. */
export async function readRoutes(product: Product, session: string): Promise<Address[]> {
  const { body } = await product.call<OpenApi>("/api/openapi.json");
  return Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: path
        .replace("{id}", session)
        .replace("{name}", "demo")
        .replace(/\{[^}]+\}/g, "none"),
      body: operation.requestBody !== undefined,
      open: operation.security?.length === 0,
    })),
  );
}

/** The document, the page under each of its addresses, every file of the build, and what isn't there. */
export function staticAddresses(session: string): Address[] {
  const files = readdirSync(builtPage, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(builtPage.length));
  const paths = ["/", `/s/${session}`, "/catalog/demo", "/?code=abc", "/api/openapi.json", "/api/nothing", "/nothing"];
  return [...paths, "/enter.js", ...files].map((path) => ({ method: "GET", path, body: false, open: false }));
}
