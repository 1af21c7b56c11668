/** Model servers on this machine's usual ports. Nothing is asked unless somebody looks: no start-up, no timer. */
import type { LocalEndpoints } from "../../protocol/index.ts";
import { findEndpoint } from "./find-endpoint.ts";

/** Name to add it under, and port; what really answers is found out. */
const usual = [
  ["ollama", 11434],
  ["lmstudio", 1234],
  ["llamacpp", 8080],
  ["vllm", 8000],
] as const;
/** On loopback whatever takes longer than this isn't waiting for us. */
const lookTimeoutMs = 800;

export async function findLocalEndpoints(
  described: ReadonlyMap<string, { baseUrl: string }>,
  ports: readonly (readonly [string, number])[] = usual,
): Promise<LocalEndpoints> {
  const known = new Set([...described.values()].map(({ baseUrl }) => toPort(baseUrl)));
  const looks = await Promise.all(
    ports.map(async ([name, port]) => {
      const url = `http://127.0.0.1:${port}`;
      const answer = await findEndpoint({ url, kind: "openai" }, undefined, {
        timeoutMs: lookTimeoutMs,
        brief: true,
      }).catch(() => null); // nothing there, or something else
      return answer
        ? [{ name, server: answer.found.server, url, models: answer.found.models.length, added: known.has(port) }]
        : [];
    }),
  );
  return { endpoints: looks.flat() };
}

/** Of an address on this machine. */
function toPort(baseUrl: string): number | null {
  if (!URL.canParse(baseUrl)) return null;
  const { hostname, port } = new URL(baseUrl);
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname) ? Number(port) : null;
}
