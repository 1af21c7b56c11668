/**
 * How long requests may take to come in and how many may be there at once, so that one that never ends holds up no
 * other. A stream is an answer: nothing here ends it.
 */

/** Milliseconds. On one machine, and through a tunnel too, a request of at most 1 MB is there long before. */
export const requestPatience = { headersMs: 10_000, wholeMs: 30_000 } as const;

/** For `createServer`; late requests are looked for every two seconds. */
export const requestLimits = {
  headersTimeout: requestPatience.headersMs,
  requestTimeout: requestPatience.wholeMs,
  connectionsCheckingInterval: 2000,
};

/** Sockets open at once; a page holds a few. What comes beyond is closed at once. */
export const maxConnections = 1000;
