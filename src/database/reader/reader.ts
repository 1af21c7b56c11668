/**
 * Engines that run inside a process get a process of their own: a query can't always be interrupted there, so killing
 * it must be possible. This is the adapter's side: it starts a reader process, asks it, ends it.
 */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { createMessageSplitter } from "./split-messages.ts";

/** An idle reader is kept this long for the next query: starting one costs 40 to 100 ms. */
const idleMs = 20_000;
/** What a process may take to start on a busy machine; a query's own time counts from then. */
const startMs = 15_000;
/** Then a fresh one is started, so that memory can't pile up. */
const maxRequests = 200;

/** `died` covers a process that couldn't start. */
export type Ending = "done" | "timeout" | "stopped" | "died";
export interface Limits {
  deadlineMs: number;
  signal?: AbortSignal | undefined;
}

export interface ReaderProgram {
  /** A module that calls `serveRequests`. */
  program: URL;
  /** How long a process may take to stop by itself before it is killed; 0 when its engine can't be interrupted. */
  graceMs: number;
  /** Variables of our environment that it gets, where they are set: no key, no NODE_OPTIONS. */
  environment: readonly string[];
}

/** The payload is empty when the reply came without one. */
export type OnReply<Reply> = (reply: Reply, payload: Buffer) => void;

export interface Readers<Request, Reply> {
  /** `onReply` gets every reply but `ready` and `done`. `fresh` is false when the process had served before. */
  ask(request: Request, limits: Limits, onReply: OnReply<Reply>): Promise<{ ending: Ending; fresh: boolean }>;
  /** Ends the process that is kept for the next request; one at work ends with its request. */
  close(): Promise<void>;
}

interface Reader<Request, Reply> {
  ask(request: Request, limits: Limits, onReply: OnReply<Reply>): Promise<Ending>;
  end(): void;
  requests: number;
  alive: boolean;
}

/** One request per process at a time; a process that finished in order serves the next one. */
export function createReaders<Request extends { deadlineMs: number }, Reply extends { kind: string }>(
  run: ReaderProgram,
): Readers<Request, Reply> {
  let idle: { reader: Reader<Request, Reply>; timer: NodeJS.Timeout } | undefined;
  return {
    async ask(request, limits, onReply) {
      if (limits.signal?.aborted) return { ending: "stopped", fresh: true };
      const kept = idle;
      idle = undefined;
      clearTimeout(kept?.timer);
      const reader = kept?.reader.alive ? kept.reader : startReader<Request, Reply>(run);
      const fresh = reader.requests === 0;
      const ending = await reader.ask(request, limits, onReply);
      if (reader.alive && !idle && reader.requests < maxRequests) {
        const timer = setTimeout(() => {
          idle = undefined;
          reader.end();
        }, idleMs).unref();
        idle = { reader, timer };
      } else reader.end();
      return { ending, fresh };
    },
    async close() {
      const kept = idle;
      idle = undefined;
      clearTimeout(kept?.timer);
      kept?.reader.end();
    },
  };
}

function startReader<Request, Reply extends { kind: string }>(run: ReaderProgram): Reader<Request, Reply> {
  const child = spawn(process.execPath, ["--no-warnings", fileURLToPath(run.program)], {
    stdio: ["pipe", "pipe", "ignore"],
    env: Object.fromEntries(
      run.environment.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
    ),
    windowsHide: true,
  });
  const pipes = [child.stdin as unknown as Socket, child.stdout as unknown as Socket];
  let ready = false;
  let current:
    | { begin: () => void; finish: (ending: Ending) => void; onReply: OnReply<Reply>; killed?: Ending }
    | undefined;
  const died = (): void => {
    reader.alive = false;
    current?.finish(current.killed ?? "died");
  };
  child.on("error", died);
  // Not `exit`, which may come before the last of its output.
  child.on("close", died);
  // A broken pipe means that the process is ending; unheard this would end ours.
  child.stdin.on("error", () => child.kill("SIGKILL"));
  child.stdout.on(
    "data",
    createMessageSplitter<Reply>((reply, payload) => {
      if (reply.kind === "ready") {
        ready = true;
        current?.begin();
      } else if (reply.kind === "done") current?.finish(current.killed ?? "done");
      else current?.onReply(reply, payload);
    }),
  );

  const reader: Reader<Request, Reply> = {
    requests: 0,
    alive: true,
    ask(request, limits, onReply) {
      reader.requests += 1;
      // Only a busy reader keeps our process from ending.
      child.ref();
      for (const pipe of pipes) pipe.ref();
      return new Promise((resolve) => {
        const kill = (ending: Ending) => () => {
          if (!current || current.killed) return;
          current.killed = ending;
          if (run.graceMs === 0 || !ready) child.kill("SIGKILL");
          else {
            child.stdin.write(`${JSON.stringify({ kind: "stop" })}\n`);
            clearTimeout(timer);
            timer = setTimeout(() => child.kill("SIGKILL"), run.graceMs);
          }
        };
        const stop = kill("stopped");
        let timer = setTimeout(kill("timeout"), ready ? limits.deadlineMs : startMs);
        limits.signal?.addEventListener("abort", stop, { once: true });
        current = {
          onReply,
          begin() {
            if (current?.killed) return;
            clearTimeout(timer);
            timer = setTimeout(kill("timeout"), limits.deadlineMs);
          },
          finish(ending) {
            current = undefined;
            clearTimeout(timer);
            limits.signal?.removeEventListener("abort", stop);
            child.unref();
            for (const pipe of pipes) pipe.unref();
            resolve(ending);
          },
        };
        child.stdin.write(`${JSON.stringify(request)}\n`);
      });
    },
    end: () => {
      reader.alive = false;
      child.kill("SIGKILL");
    },
  };
  return reader;
}
