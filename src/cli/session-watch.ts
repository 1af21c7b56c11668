/** Tells when something about a session may have changed, from its live stream; the facts are then read again. */
import type { Client } from "./client.ts";

export interface SessionWatch {
  /** Resolves at the next change, or after `ms` at the latest. */
  change(ms: number): Promise<void>;
  /** Ends the stream, which would stay open for ever. */
  close(): Promise<void>;
}

const telling = new Set(["stream_open", "gate_opened", "gate_closed", "phase", "turn"]);

export function watchSession(client: Client, id: string): SessionWatch {
  const stop = new AbortController();
  let changed = false;
  let wake: () => void = () => undefined;
  const reading = readEvents(client, `/api/sessions/${id}/events`, stop.signal, (event) => {
    if (!telling.has(event)) return;
    changed = true;
    wake();
  });
  return {
    async change(ms) {
      if (!changed) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      changed = false;
    },
    async close() {
      stop.abort();
      await reading;
    },
  };
}

/** Names of the events as they come. A stream that breaks is no loss: the caller looks by itself from time to time. */
async function readEvents(
  client: Client,
  path: string,
  signal: AbortSignal,
  onEvent: (event: string) => void,
): Promise<void> {
  try {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of await client.stream(path, signal)) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("event:")) onEvent(line.slice("event:".length).trim());
    }
  } catch (error) {
    if (!signal.aborted && process.env.THOTH_DEBUG === "1") process.stderr.write(`stream: ${String(error)}\n`);
  }
}
