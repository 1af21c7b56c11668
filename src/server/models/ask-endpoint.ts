/** One small request to an address that a person named: bounded in time and size, never redirected, its words never shown. */
import { ThothError } from "../../protocol/index.ts";

export type Answered = { status: number; json: unknown } | { fault: ThothError };

/** Plenty for a list of models. */
const maxBytes = 4 * 1024 * 1024;

export interface AskOptions {
  headers?: Record<string, string>;
  body?: unknown;
  timeoutMs: number;
}

/** `json` is undefined when something else came, a page for example. */
export async function askEndpoint(url: string, { headers, body, timeoutMs }: AskOptions): Promise<Answered> {
  try {
    const response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      // A key must not follow to wherever the answer points.
      redirect: "manual",
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, json: parse(await readCapped(response)) };
  } catch (error) {
    return { fault: toFault(error, new URL(url).host) };
  }
}

async function readCapped(response: Response): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.byteLength;
    if (bytes > maxBytes) return null; // left here, the body is cancelled
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function parse(text: string | null): unknown {
  try {
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined; // the one who asked says what was expected instead
  }
}

function toFault(error: unknown, host: string): ThothError {
  const code = codeOf(error);
  const unreachable = (message: string, action: string) =>
    new ThothError("endpoint-unreachable", message, action, error);
  if (error instanceof DOMException && error.name === "TimeoutError")
    return unreachable(
      `${host} took too long to answer.`,
      "Check the address, or try again when the server is less busy.",
    );
  if (code === "ECONNREFUSED")
    return unreachable(`Nothing answers at ${host}.`, "Start the model's server, or check the port.");
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return unreachable(
      `There is no machine called ${host.replace(/:\d+$/, "")}.`,
      "Check the name, and that this machine is on the network.",
    );
  if (/CERT|SIGNED|TLS|SSL/.test(code))
    return unreachable(
      `The certificate of ${host} isn't trusted here, or it doesn't speak HTTPS.`,
      "Check https:// against http://, or give Node the certificate with NODE_EXTRA_CA_CERTS.",
    );
  return unreachable(`${host} can't be reached.`, "Check the address and the connection.");
}

function codeOf(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === "string") return code;
  }
  return "";
}
