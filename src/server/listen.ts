/** Taking the port, with words for the ways this fails. */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { ThothError } from "../protocol/index.ts";

/** Resolves with the port really taken: 0 asks for any free one. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(toFault(error, port, host));
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

function toFault(error: NodeJS.ErrnoException, port: number, host: string): unknown {
  switch (error.code) {
    case "EADDRINUSE":
      return new ThothError(
        "port-busy",
        `Port ${port} is taken by another program.`,
        `Choose another one with --port ${port + 1}, or set THOTH_PORT.`,
        error,
      );
    case "EACCES":
      return new ThothError(
        "port-forbidden",
        `Port ${port} can't be used with this account's rights.`,
        "Choose one above 1023 with --port, or set THOTH_PORT.",
        error,
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return new ThothError(
        "host-unavailable",
        `This machine has no address ${host}.`,
        "Leave --host out to listen on this machine only.",
        error,
      );
    default:
      return error;
  }
}

/** What a browser on this machine has to open. */
export function toAddress(host: string, port: number): string {
  if (host === "0.0.0.0" || host === "::" || host === "") return `http://127.0.0.1:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
