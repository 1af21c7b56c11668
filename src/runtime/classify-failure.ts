/** From a provider's raw error to one of our own codes, each with a fixed sentence: none of the raw text goes on. */
import type { Failure, FailureCode } from "../protocol/index.ts";

const words: Record<FailureCode, { message: string; action: string }> = {
  "no-key": {
    message: "This model needs a key, and none is set.",
    action: "Add the provider's key under Models, or choose another model.",
  },
  "wrong-key": {
    message: "The provider doesn't accept the key.",
    action: "Check the provider's key under Models, then press Resume.",
  },
  "no-credit": {
    message: "The provider's account has no credit left for this.",
    action: "Add credit or choose another model, then press Resume.",
  },
  "rate-limited": {
    message: "The provider is limiting requests.",
    action: "Wait a little, then press Resume, or choose another model.",
  },
  overloaded: {
    message: "The provider is overloaded or has a fault of its own.",
    action: "Wait a little, then press Resume, or choose another model.",
  },
  "context-overflow": {
    message: "The conversation has grown too long for this model.",
    action: "Choose a model with a larger context, or start a new question.",
  },
  refused: {
    message: "The provider refused the request.",
    action: "Word the question differently or choose another model, then press Resume.",
  },
  network: {
    message: "The model's endpoint can't be reached.",
    action: "Check the connection or start the model's server, then press Resume.",
  },
  "endpoint-missing": {
    message: "The model's endpoint doesn't know this address.",
    action: "Check the endpoint's address under Models, then press Resume.",
  },
  "model-missing": {
    message: "The provider doesn't have this model.",
    action: "Choose another model, or load it on its server, then press Resume.",
  },
  stalled: { message: "The model said nothing for too long, so it was stopped.", action: "Press Resume to try again." },
  "tools-unsupported": {
    message: "This model can't call tools, and a session works with tools only.",
    action: "Choose a model that can call tools, then press Resume.",
  },
  "malformed-calls": {
    message: "The model keeps calling its tools in a way that can't be used.",
    action: "Choose a stronger model, or tell this one in your words what to propose.",
  },
  "no-tools": {
    message: "The model keeps answering in prose instead of using its tools.",
    action: "Choose a stronger model, or tell this one in your words what to propose.",
  },
  "no-progress": {
    message: "The model works on and on without proposing anything.",
    action: "Choose a stronger model, or tell this one in your words what to propose.",
  },
  "child-exited": {
    message: "The model's process ended unexpectedly. Your decisions are kept.",
    action: "Press Resume to go on.",
  },
  "child-start": {
    message: "The model's process could not be started.",
    action: "Press Resume to try again; the server's log says more.",
  },
  database: {
    message: "The workspace's database can't be read.",
    action: "Check that the database is there, then press Resume.",
  },
  storage: {
    message: "ThothII could not write to its folder: its disk is full or read-only, or too many files are open.",
    action: "Make room or make it writable, then press Resume. Your decisions are kept.",
  },
  unknown: { message: "The model's work broke off.", action: "Press Resume to try again; the server's log says more." },
};

export const toFailure = (code: FailureCode): Failure => ({ code, ...words[code] });

/** For a session that was at work when the server ended. */
export const restartedFailure: Failure = {
  code: "child-exited",
  message: "ThothII was restarted while the model was working. Your decisions are kept.",
  action: "Press Resume to go on.",
};

/** In this order: the first that fits wins, so the particular ones stand before those that only see a status. */
const patterns: readonly [FailureCode, RegExp][] = [
  // The child's own words when it can't write its files.
  ["storage", /\b(?:ENOSPC|EDQUOT|EROFS|EMFILE|ENFILE)\b/],
  ["wrong-key", /api_key_invalid|api key not valid/i],
  [
    "no-key",
    /no api key|api key (?:not found|is missing|required)|missing api key|didn't provide an api key|unregistered callers|credentials_not_configured|no credentials/i,
  ],
  [
    "tools-unsupported",
    /(?:does not|doesn't|do not|don't) support (?:tools?|function|tool use)|no endpoints found that support tool|tools? (?:is|are|use is) not supported|auto tool choice requires/i,
  ],
  [
    "malformed-calls",
    /malformed_function_call|tool_use_failed|failed to call a function|unfinished tool call|unexpected_tool_call/i,
  ],
  [
    "context-overflow",
    /context[ _-]?(?:length|window|overflow|size)|maximum (?:context|prompt)|prompt (?:is )?too long|prompt exceeds max|too many (?:input )?tokens|token limit exceeded|token count.*exceeds|exceeded model token limit|input (?:is )?too long|request_too_large|reduce the length of the messages|range of input length|exceeds? the (?:model'?s )?(?:maximum|limit).*tokens/i,
  ],
  [
    "no-credit",
    /insufficient[ _](?:quota|balance|credit|funds)|credit balance|billing|payment required|exceeded your current quota|out of (?:credits|budget)|usage ?limit/i,
  ],
  [
    "model-missing",
    /model[ _]not[ _]found|no such model|unknown model|no models? (?:is )?loaded|does not exist.*model|model.*(?:does not exist|not found|is not available|has been (?:retired|deprecated|removed)|decommissioned)|not_found_error.*model|models\/\S+ is not found/i,
  ],
  [
    "wrong-key",
    /invalid[ _](?:x-)?api[ _-]?key|incorrect api key|authentication|unauthorized|unauthenticated|permission[ _]denied|forbidden/i,
  ],
  ["rate-limited", /rate[ _-]?limit|too many requests|resource_?exhausted|retry delay/i],
  [
    "overloaded",
    /overloaded|service unavailable|temporarily unavailable|"unavailable"|bad gateway|internal server error|server_error|api_error|high demand|at capacity|server_busy/i,
  ],
  [
    "refused",
    /content[ _](?:policy|filter)|content_filter|safety|prohibited_content|recitation|blocklist|stopped with: (?:sensitive|spii)|refus(?:al|ed to)|blocked by/i,
  ],
  ["endpoint-missing", /url that includes credentials|invalid url|failed to parse url/i],
  [
    "network",
    /connection error|connection closed|network_error|econnrefused|econnreset|enotfound|eai_again|etimedout|epipe|und_err|fetch failed|socket|network|timed out|timeout|terminated|stream ended|ended without|ended before|incomplete json segment|certificate/i,
  ],
];

const byStatus: Readonly<Record<number, FailureCode>> = {
  400: "refused",
  401: "wrong-key",
  402: "no-credit",
  403: "wrong-key",
  404: "endpoint-missing",
  405: "endpoint-missing",
  408: "network",
  413: "context-overflow",
  422: "refused",
  429: "rate-limited",
  500: "overloaded",
  502: "overloaded",
  503: "overloaded",
  504: "overloaded",
  529: "overloaded",
};

/**
 * Where each protocol's error has its status: first in the text (`429: {…}`, `529 {…}`), behind the provider's name
 * (`OpenAI API error (401): …`), or in Google's own words (`got status: 503 …`, `{"error":{"code":429,…`).
 */
const statusPlaces = [
  /^\s*(?:error:?\s*)?(\d{3})\b/i,
  /^[\w .-]{1,60} API error \((\d{3})\)/i,
  /^\s*got status: (\d{3})\b/i,
  /^\s*\{\s*"error"\s*:\s*\{\s*"code"\s*:\s*(\d{3})\b/,
  // Google's client puts a page that is no JSON before it; what the page says ends before these last two fields.
  /^\s*\{"error":\{"message":.*"code":(\d{3}),"status":"[^"]*"\}\}\s*$/s,
];

/** A status of which the words beside it say more than it does itself. */
const vague = new Set<FailureCode>(["refused", "endpoint-missing", "rate-limited"]);

/** From the text that Pi kept of a provider's error. */
export function classifyFailure(raw: string | undefined): FailureCode {
  const text = raw ?? "";
  const status = Number(statusPlaces.map((place) => place.exec(text)?.[1]).find((found) => found !== undefined));
  const known = byStatus[status];
  const found = patterns.find(([code, pattern]) => pattern.test(text) && !(status === 404 && code === "network"))?.[0];
  // A request without a key is answered like one with a wrong key.
  if (known === "wrong-key" && found === "no-key") return found;
  // What an authentication or server status means is certain; the body may quote anything.
  if (known !== undefined && !vague.has(known)) return known;
  // Google says "exceeded your current quota" of limits by the minute too.
  if (status === 429) return found === "no-credit" && !/resource_exhausted/i.test(text) ? "no-credit" : "rate-limited";
  return found ?? known ?? "unknown";
}

/** Ends of an answer by which a provider says that it won't give one, whatever words it adds. */
const refusals = /^(?:refusal|content_filter|sensitive|safety|prohibited_content|recitation|blocklist|spii)$/i;

/** From an assistant's message that ended with an error. */
export function classifyMessage(message: { errorMessage?: unknown; rawStopReason?: unknown }): FailureCode {
  const { errorMessage, rawStopReason } = message;
  if (typeof rawStopReason === "string" && refusals.test(rawStopReason)) return "refused";
  return classifyFailure(typeof errorMessage === "string" ? errorMessage : undefined);
}
