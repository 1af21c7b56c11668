/** What stands behind an address: which protocol it speaks, which server it is, and which models it has. */
import {
  type EndpointKind,
  type FindEndpoint,
  type FoundEndpoint,
  type FoundModel,
  ThothError,
} from "../../protocol/index.ts";
import { isLoopback, parseAddress, toAddress } from "./addresses.ts";
import { type Answered, askEndpoint } from "./ask-endpoint.ts";
import { addDetails, toListed } from "./listed-models.ts";

const usualTimeoutMs = 6000;

export interface FindOptions {
  timeoutMs?: number;
  /** Only whether there is one: no questions about each model. */
  brief?: boolean;
}

interface Candidate {
  kind: EndpointKind;
  /** What Pi puts its own paths behind. */
  base: string;
  list: string;
}

/**
 * `named`: ids that shall be kept even if the server lists none. Throws ThothError `endpoint-url`,
 * `endpoint-unreachable`, `endpoint-key`, `endpoint-unknown`, `endpoint-empty`.
 */
export async function findEndpoint(
  wish: FindEndpoint,
  named?: readonly string[],
  { timeoutMs = usualTimeoutMs, brief = false }: FindOptions = {},
): Promise<{ found: FoundEndpoint; key: string | null }> {
  const { url, key: inAddress } = parseAddress(wish.url);
  const key = wish.key?.trim() || inAddress;
  if (key !== null && !/^[\x21-\x7e]+$/.test(key))
    throw new ThothError("endpoint-key", "That is no key: it holds blanks or odd characters.", "Copy the key alone.");
  let fault: ThothError | null = null;
  for (const candidate of toCandidates(url, wish.kind)) {
    const answered = await askEndpoint(candidate.list, { headers: toHeaders(candidate.kind, key), timeoutMs });
    const listed = "json" in answered && answered.status < 300 ? toListed(answered.json) : null;
    // Anthropic's list can be told by its entries; an address that was not said to be one may still be.
    if (listed && (wish.kind !== undefined || listed.kind === candidate.kind)) {
      const models = brief ? listed.models : await addDetails(url, listed, { key, timeoutMs });
      return { found: toFound(candidate, url, listed.server, refuseEmpty(models, named), key), key };
    }
    fault = worse(fault, toFault(answered, url.host, key !== null));
  }
  // A gateway may list nothing and still answer: whoever names the models has the last word.
  const first = toCandidates(url, wish.kind)[0];
  if (named && first && fault?.code === "endpoint-unknown")
    return { found: toFound(first, url, toServerWords(first.kind), named.map(toNamed), key), key };
  throw fault ?? unknown(url.host);
}

/** The ways an address may be meant: with and without its version, as it was copied from an example. */
function toCandidates(url: URL, kind: EndpointKind | undefined): Candidate[] {
  const base = toAddress(url).replace(/\/(?:chat\/completions|completions|responses|messages|models)$/, "");
  const versioned = /\/v\d+[a-z]*$/.test(base);
  const openai = (at: string): Candidate => ({ kind: "openai", base: at, list: `${at}/models` });
  const root = base.replace(/\/v1$/, "");
  const anthropic: Candidate = { kind: "anthropic", base: root, list: `${root}/v1/models` };
  const openais = versioned ? [openai(base)] : [openai(`${base}/v1`), openai(base)];
  if (kind === "openai") return openais;
  if (kind === "anthropic") return [anthropic];
  return /anthropic/.test(url.hostname + url.pathname) ? [anthropic, ...openais] : [...openais, anthropic];
}

function toHeaders(kind: EndpointKind, key: string | null): Record<string, string> {
  if (kind === "openai") return key ? { authorization: `Bearer ${key}` } : {};
  return { "anthropic-version": "2023-06-01", ...(key ? { "x-api-key": key } : {}) };
}

const toServerWords = (kind: EndpointKind) => (kind === "anthropic" ? "Anthropic-compatible" : "OpenAI-compatible");
const toNamed = (id: string): FoundModel => ({ id, name: id, reasoning: false, contextWindow: null, tools: null });

function toFound(
  candidate: Candidate,
  url: URL,
  server: string | null,
  models: FoundModel[],
  key: string | null,
): FoundEndpoint {
  const open = url.protocol === "http:" && !isLoopback(url.href);
  return {
    kind: candidate.kind,
    server: server ?? toServerWords(candidate.kind),
    url: candidate.base,
    models,
    warning: open
      ? `This address is not encrypted: ${key ? "the key, " : ""}your questions and values can be read on the way. Use https:// if the server has it.`
      : null,
  };
}

function refuseEmpty(models: FoundModel[], named: readonly string[] | undefined): FoundModel[] {
  if (models.length > 0 || named) return models;
  throw new ThothError(
    "endpoint-empty",
    "The server answers, but has no models.",
    "Load one first (for Ollama: ollama pull qwen3), or name its models yourself.",
  );
}

function toFault(answered: Answered, host: string, hadKey: boolean): ThothError {
  if ("fault" in answered) return answered.fault;
  const { status } = answered;
  if (status === 401 || status === 403)
    return new ThothError(
      "endpoint-key",
      hadKey ? `${host} doesn't accept the key.` : `${host} wants a key.`,
      hadKey ? "Check the key, and that it belongs to this address." : "Give its key and try again.",
    );
  if (status >= 300 && status < 400)
    return new ThothError(
      "endpoint-unknown",
      `${host} sends requests elsewhere.`,
      "Give the final address, with https:// if it has that.",
    );
  if (status === 429 || status >= 500)
    return new ThothError(
      "endpoint-unreachable",
      `${host} has a fault or is overloaded (status ${status}).`,
      "Try again in a moment.",
    );
  return unknown(host);
}

const unknown = (host: string) =>
  new ThothError(
    "endpoint-unknown",
    `Something answers at ${host}, but it lists no models.`,
    "Check the path: an OpenAI-compatible address mostly ends in /v1. If the server has no list, name its models yourself.",
  );

/** What says most: a key that is wanted before a path that isn't there, and that before a machine that isn't. */
function worse(before: ThothError | null, next: ThothError): ThothError {
  const order = ["endpoint-key", "endpoint-unreachable", "endpoint-unknown"];
  return before && order.indexOf(before.code) <= order.indexOf(next.code) ? before : next;
}
