/** The server a command speaks to: the one that runs on this home, or one of its own for as long as the command takes. */
import { ThothError } from "../protocol/index.ts";
import { readToken } from "../server/access.ts";
import { homePath, openHome } from "../server/home.ts";
import { findServer } from "../server/server-lock.ts";
import { type Client, createClient } from "./client.ts";

/** Null when none runs. Throws when one runs but can't be reached. */
export async function connect(home: string): Promise<Client | null> {
  await openHome(home);
  const running = await findServer(home);
  if (!running) return null;
  const token = await readToken(home);
  if (!token || !running.address) {
    throw new ThothError(
      "server-starting",
      `A server (process ${running.pid}) holds this folder but isn't ready.`,
      "Try again in a moment, or stop that process.",
    );
  }
  return createClient(running.address, token);
}

export async function withServer<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const home = homePath();
  const running = await connect(home);
  if (running) return work(running);
  // Most of the program hangs on this import: not needed to speak to a server that runs.
  const { startServer } = await import("../server/serve.ts");
  const server = await startServer({ home, port: 0, logLevel: process.env.THOTH_LOG ?? "error" });
  try {
    return await work(createClient(server.address, server.token));
  } finally {
    await server.close();
  }
}
