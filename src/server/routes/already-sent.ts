/** Tells @hono/node-server that the socket was written to directly. A fresh one each time: its headers can be changed. */
export function alreadySent(): Response {
  return new Response(null, { headers: { "x-hono-already-sent": "true" } });
}
