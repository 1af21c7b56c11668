/** A line between browser and server that can be cut, or fall silent without a word, as a network does. */

import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";

export interface CutLine {
  port: number;
  /** Where the line leads; nothing gets through before it is known. */
  to(port: number): void;
  /** Breaks every connection; with `ms`, none comes up again before that time. */
  cut(ms?: number): void;
  /** Nothing is forwarded and nothing is closed, for old and new connections, until `mend`. */
  silence(): void;
  mend(): void;
  close(): Promise<void>;
}

export async function openCutLine(): Promise<CutLine> {
  const sockets = new Set<Socket>();
  let target = 0;
  let silent = false;
  let deadUntil = 0;
  const join = (from: Socket, into: Socket): void => {
    from.on("data", (chunk) => {
      if (!silent) into.write(chunk);
    });
    from.on("close", () => into.destroy());
    // A broken connection is what this is for.
    from.on("error", () => into.destroy());
  };
  const server: Server = createServer((outer) => {
    if (performance.now() < deadUntil) return void outer.destroy();
    const inner = connect(target, "127.0.0.1");
    for (const socket of [outer, inner]) {
      sockets.add(socket);
      socket.once("close", () => sockets.delete(socket));
    }
    join(outer, inner);
    join(inner, outer);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const cut = (ms = 0): void => {
    deadUntil = performance.now() + ms;
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    to: (port) => {
      target = port;
    },
    cut,
    silence: () => {
      silent = true;
    },
    mend: () => {
      silent = false;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        cut();
      }),
  };
}
