/** The reader process's side: requests come as one JSON text per line and are answered one after another. */
import { Worker } from "node:worker_threads";
import { createMessageSplitter } from "./split-messages.ts";

/** The payload of a reply goes behind it as it is. */
export type SendReply<Reply> = (message: Reply, payload?: Buffer) => void;

interface Serving<Request, Reply> {
  answer(request: Request, reply: SendReply<Reply>): void | Promise<void>;
  /** The adapter waits a moment longer and then kills; what `answer` is at should end now. */
  stop?(): void;
}

/** Says `ready`, then `done` after each request. The process ends by itself when nobody waits for it any more. */
export function serveRequests<Request extends { deadlineMs: number }, Reply extends { kind: string }>(
  serving: Serving<Request, Reply>,
): void {
  // A query may block this thread, so another one watches: `killAt[0]` is the time to end at, 0 for none.
  const killAt = new Float64Array(new SharedArrayBuffer(8));
  new Worker(new URL("./reader-watch.ts", import.meta.url), { workerData: { killAt, parent: process.ppid } }).unref();

  const reply = (message: Reply | { kind: "ready" | "done" }, payload?: Buffer): void => {
    if (!payload) process.stdout.write(`${JSON.stringify(message)}\n`);
    else {
      process.stdout.write(`${JSON.stringify({ ...message, payloadBytes: payload.length })}\n`);
      process.stdout.write(payload);
    }
  };
  const finish = (): void => {
    killAt[0] = 0;
    reply({ kind: "done" });
  };
  process.stdin.on(
    "data",
    createMessageSplitter<Request | { kind: "stop" }>((request) => {
      if (!("deadlineMs" in request)) {
        serving.stop?.();
        return;
      }
      killAt[0] = Date.now() + request.deadlineMs + 1000;
      // Faults of a request are replies; whatever else goes wrong ends the process, and the adapter sees that.
      const answered = serving.answer(request, reply);
      if (answered) void answered.then(finish);
      else finish();
    }),
  );
  process.stdin.on("end", () => process.exit(0));
  reply({ kind: "ready" });
}
