/** What a fake server must know of one streaming protocol: how to read its requests, and how to put answers and faults on the wire. */
import type { IncomingHttpHeaders } from "node:http";
import type { Conversation, Reply } from "../conversation.ts";

/** Each way in which a provider fails, with what a reader is told of it. */
export const faultCodes = {
  "wrong key": "wrong-key",
  "no credit": "no-credit",
  "rate limited": "rate-limited",
  "server error": "overloaded",
  overloaded: "overloaded",
  "overloaded midway": "overloaded",
  "context length": "context-overflow",
  "content refused": "refused",
  "model gone": "model-missing",
  "no tool calls": "tools-unsupported",
  "malformed call": "malformed-calls",
  "stream cut": "network",
  "stream ended early": "network",
  "HTML page, 502": "overloaded",
  "HTML page, 404": "endpoint-missing",
  "HTML page, 200": "network",
} as const;
export type FaultName = keyof typeof faultCodes;
export const faultNames = Object.keys(faultCodes) as FaultName[];

export type Fault =
  | { status: number; headers?: Record<string, string>; body: string }
  /** Frames, and then: the socket is cut, the body ends, or nothing comes any more. */
  | { frames: string[]; ends: "cut" | "cleanly" | "silent" };

export interface Protocol {
  /** Pi's name of it. */
  api: string;
  /** What is put behind the server's address for models.json. */
  base: string;
  /** Of a request's path, below the base; null when it is no request for a stream. */
  toModel(path: string, body: Record<string, unknown>): string | null;
  keyOf(headers: IncomingHttpHeaders): string | undefined;
  read(body: Record<string, unknown>): Conversation;
  /** The frames of a whole answer. `mark` is put where a provider has ids and names of its own. */
  write(reply: Reply, n: number, mark: string): string[];
  /** In the words of the provider whose protocol it is, with `mark` in each body; null for what it has no words for. */
  fault(name: Exclude<FaultName, `HTML${string}` | "stream cut" | "stream ended early">, mark: string): Fault | null;
}

export const asList = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : []);

/** Text of a message: a string, or parts of which those with text count. */
export const toPlain = (content: unknown): string =>
  typeof content === "string"
    ? content
    : asList(content)
        .map(({ text }) => (typeof text === "string" ? text : ""))
        .join("");

export const frame = (data: unknown, event?: string): string =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`;

/** In fragments that never halve a character. */
export function toPieces(text: string, piece?: number): string[] {
  const characters = Array.from(text);
  const size = piece ?? Math.max(1, Math.ceil(characters.length / 3));
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(""));
  return pieces;
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Fault => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

/** What an answer is said to have used, so that a budget has something to count. */
export const usageOf = (reply: Reply): { input: number; output: number } => ({
  input: 1000,
  output: Math.ceil(JSON.stringify(reply).length / 4),
});
