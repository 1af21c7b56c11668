/**
 * The HTTP side of a session's stream: headers, the retry hint, and the end of it. What is sent, and when, is the
 * session's business. Frames go straight to the socket: its own buffer is the one measure of how far a reader lags.
 */
import type { ServerResponse } from "node:http";
import { securityHeaders } from "./security-headers.ts";
import type { Sessions } from "./sessions/sessions.ts";

/** A reader that doesn't take its last bytes within this time is cut off. Milliseconds. */
const closeGrace = 3000;
const retryMs = 2000;

export const eventStreamHeaders: Readonly<Record<string, string>> = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

export interface EventStreams {
  /** Keeps `outgoing` until either side closes it. Throws before anything is sent when the session isn't known. */
  open(sessions: Sessions, id: string, lastEventId: string | undefined, outgoing: ServerResponse): Promise<void>;
  readonly size: number;
  closeAll(): void;
}

export function createEventStreams(): EventStreams {
  const open = new Set<ServerResponse>();
  return {
    get size() {
      return open.size;
    },
    closeAll() {
      for (const outgoing of open) end(outgoing);
    },
    async open(sessions, id, lastEventId, outgoing) {
      let release: (() => void) | null = null;
      outgoing.once("close", () => {
        open.delete(outgoing);
        release?.();
      });
      const start = () => {
        if (outgoing.headersSent || outgoing.destroyed) return;
        open.add(outgoing);
        outgoing.writeHead(200, { ...securityHeaders, ...eventStreamHeaders });
        outgoing.write(`retry: ${retryMs}\n\n`);
      };
      const subscribed = await sessions.stream(id, lastEventId, {
        write(frame) {
          if (outgoing.destroyed || outgoing.writableEnded) return false;
          start();
          outgoing.write(frame);
          return true;
        },
        close() {
          end(outgoing);
        },
        bufferedBytes: () => outgoing.writableLength,
      });
      start();
      // The reader may have gone while the session was being looked up.
      if (outgoing.destroyed) subscribed();
      else release = subscribed;
    },
  };
}

function end(outgoing: ServerResponse): void {
  if (outgoing.destroyed) return;
  if (!outgoing.writableEnded) outgoing.end();
  setTimeout(() => outgoing.destroy(), closeGrace).unref();
}
