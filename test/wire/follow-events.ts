/** Every session's stream, followed from the moment it exists, byte for byte. */
import { type Product, pause } from "../fixtures/product.ts";

export function followEvents(product: Product): { bytes: () => string; stop: () => void } {
  const end = new AbortController();
  const followed = new Set<string>();
  let bytes = "";
  const follow = async (id: string) => {
    const headers = { authorization: `Bearer ${product.token}` };
    const answer = await fetch(`${product.base}/api/sessions/${id}/events`, { headers, signal: end.signal });
    bytes += `${answer.status} ${JSON.stringify([...answer.headers])}\n`;
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) bytes += decoder.decode(chunk, { stream: true });
  };
  const look = async () => {
    while (!end.signal.aborted) {
      const { body } = await product.call<{ sessions: { id: string }[] }>("/api/sessions");
      for (const { id } of body.sessions) {
        if (followed.has(id)) continue;
        followed.add(id);
        void follow(id).catch(ignoreStop);
      }
      await pause(100);
    }
  };
  const ignoreStop = (error: unknown) => {
    if (!end.signal.aborted) throw error;
  };
  void look().catch(ignoreStop);
  return { bytes: () => bytes, stop: () => end.abort() };
}
