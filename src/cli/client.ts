/** Speaking to a server over HTTP, as any program would. */
import type { Static, TSchema } from "typebox";
import { check, ErrorBody, ThothError } from "../protocol/index.ts";

export interface Client {
  readonly address: string;
  get<S extends TSchema>(path: string, schema: S): Promise<Static<S>>;
  send<S extends TSchema>(
    method: "POST" | "PATCH" | "DELETE",
    path: string,
    body: unknown,
    schema: S,
  ): Promise<Static<S>>;
  text(path: string): Promise<string>;
  /** An answer that stays open; the caller ends it by its signal. */
  stream(path: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>;
}

/** Milliseconds for one answer: a result may take thirty seconds on the server. */
const timeoutMs = 60_000;

/** Every method throws ThothError: the server's own problem, or `server-unreachable`. */
export function createClient(address: string, token: string): Client {
  const fetchPath = async (path: string, init: RequestInit): Promise<Response> => {
    let response: Response;
    try {
      response = await fetch(address + path, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${token}` },
      });
    } catch (cause) {
      throw new ThothError(
        "server-unreachable",
        `The server at ${address} doesn't answer.`,
        "Start it again with `npm start`.",
        cause,
      );
    }
    if (response.ok) return response;
    const body = check(ErrorBody, await response.json().catch(() => null));
    if (body.ok) throw new ThothError(body.value.error.code, body.value.error.message, body.value.error.action);
    throw new ThothError(
      "server-answer",
      `The server at ${address} answered with status ${response.status}.`,
      "Check that it is ThothII and up to date.",
    );
  };
  const parse = async <S extends TSchema>(response: Response, schema: S): Promise<Static<S>> => {
    const checked = check(schema, await response.json());
    if (checked.ok) return checked.value;
    throw new ThothError(
      "server-answer",
      `The server at ${address} speaks another version.`,
      "Stop it and start it again from this folder.",
      new Error(checked.problem),
    );
  };
  return {
    address,
    get: async (path, schema) => parse(await fetchPath(path, { signal: AbortSignal.timeout(timeoutMs) }), schema),
    send: async (method, path, body, schema) =>
      parse(
        await fetchPath(path, {
          method,
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
          signal: AbortSignal.timeout(timeoutMs),
        }),
        schema,
      ),
    text: async (path) => (await fetchPath(path, { signal: AbortSignal.timeout(timeoutMs) })).text(),
    async stream(path, signal) {
      const response = await fetchPath(path, { signal, headers: { accept: "text/event-stream" } });
      if (!response.body) throw new ThothError("server-answer", "The server sent no stream.");
      return response.body;
    },
  };
}
