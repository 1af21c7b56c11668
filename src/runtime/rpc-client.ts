/** Speaking to a Pi child: commands with an id become promises, every other record goes to one listener. */
import type { Readable, Writable } from "node:stream";
import { createLineFramer } from "./framing.ts";

/** One line of the child's stdout: an object with a `type`; nothing else about it is known yet. */
export type PiRecord = { type: string } & Record<string, unknown>;
export type RpcCommand = { type: string } & Record<string, unknown>;

export type RpcFault = "refused" | "closed" | "timeout" | "line-too-long";

/** `detail` is the child's own text: for the server's log and for classification, never for the page. */
export class RpcError extends Error {
  readonly fault: RpcFault;
  readonly command: string;
  readonly detail: string;
  constructor(fault: RpcFault, command: string, detail: string) {
    super(`Pi command ${command}: ${fault}`);
    this.name = "RpcError";
    this.fault = fault;
    this.command = command;
    this.detail = detail;
  }
}

export interface RpcClient {
  /** The response's `data`. Throws RpcError when it is refused, when it takes too long, or when the child is gone. */
  send(command: RpcCommand, timeoutMs?: number): Promise<unknown>;
  /** A record that gets no response, such as a dialog's answer. A child that is gone doesn't matter to it. */
  post(record: RpcCommand): void;
  /** Fails what is pending and refuses what comes later. */
  close(detail: string): void;
}

export interface RpcOptions {
  stdin: Writable;
  stdout: Readable;
  onRecord: (record: PiRecord) => void;
  /** The stream is unusable: over-long line, or stdin refuses (EPIPE). The child should be ended. */
  onFault: (fault: RpcFault, detail: string) => void;
  maxLineBytes?: number;
}

const defaultTimeoutMs = 15_000;

export function createRpcClient({ stdin, stdout, onRecord, onFault, maxLineBytes }: RpcOptions): RpcClient {
  const waiting = new Map<
    string,
    { command: string; resolve: (data: unknown) => void; reject: (error: RpcError) => void; timer: NodeJS.Timeout }
  >();
  let lastId = 0;
  let closed: string | null = null;

  const close = (fault: RpcFault, detail: string): void => {
    closed ??= detail;
    for (const [id, { command, reject, timer }] of waiting) {
      clearTimeout(timer);
      waiting.delete(id);
      reject(new RpcError(fault, command, detail));
    }
  };
  const fail = (fault: RpcFault, detail: string): void => {
    if (closed !== null) return;
    close(fault, detail);
    onFault(fault, detail);
  };

  const framer = createLineFramer(
    (line) => {
      const record = toRecord(line);
      if (record === null) return;
      if (record.type !== "response") {
        onRecord(record);
        return;
      }
      const id = typeof record.id === "string" ? record.id : "";
      const asked = waiting.get(id);
      if (!asked) return; // the answer to a command that was given up
      waiting.delete(id);
      clearTimeout(asked.timer);
      if (record.success === true) asked.resolve(record.data);
      else asked.reject(new RpcError("refused", asked.command, typeof record.error === "string" ? record.error : ""));
    },
    () => fail("line-too-long", "a record of the child was over the limit"),
    maxLineBytes,
  );

  stdout.on("data", (chunk: Buffer) => framer.push(chunk));
  stdout.on("error", (error) => fail("closed", error.message));
  // Without a listener of its own an EPIPE here would end the whole server.
  stdin.on("error", (error) => fail("closed", error.message));

  const write = (record: RpcCommand): void => {
    // Pi ends itself over a line that is `null`; a typed object can't become one, a cast could.
    if (record === null || typeof record !== "object") throw new TypeError("a record for Pi is an object");
    if (!stdin.writable) {
      fail("closed", "stdin is closed");
      return;
    }
    stdin.write(`${JSON.stringify(record)}\n`);
  };

  return {
    send(command, timeoutMs = defaultTimeoutMs) {
      return new Promise((resolve, reject) => {
        if (closed !== null) {
          reject(new RpcError("closed", command.type, closed));
          return;
        }
        lastId += 1;
        const id = `t${lastId}`;
        const timer = setTimeout(() => {
          waiting.delete(id);
          reject(new RpcError("timeout", command.type, `no response in ${timeoutMs} ms`));
        }, timeoutMs);
        waiting.set(id, { command: command.type, resolve, reject, timer });
        write({ ...command, id });
      });
    },
    post(record) {
      if (closed === null) write(record);
    },
    close: (detail) => close("closed", detail),
  };
}

/** Lines that aren't records are no reason to stop: a library of the child may have printed something. */
function toRecord(line: string): PiRecord | null {
  try {
    const value: unknown = JSON.parse(line);
    if (value === null || typeof value !== "object" || Array.isArray(value)) return null;
    return typeof (value as { type?: unknown }).type === "string" ? (value as PiRecord) : null;
  } catch {
    return null;
  }
}
