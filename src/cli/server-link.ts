/**
 * The server of a home for a program that stays: the one that runs, found anew for each use, or one of its own when
 * none does. Several such programs on one home share the first one's server.
 */
import { setTimeout as pause } from "node:timers/promises";
import { ThothError } from "../protocol/index.ts";
import type { RunningServer } from "../server/serve.ts";
import { type Client, createClient } from "./client.ts";
import { readPort } from "./serve.ts";
import { connect } from "./with-server.ts";

export interface ServerLink {
  /** Throws ThothError. */
  open(): Promise<Client>;
  close(): Promise<void>;
}

/** Another program's server may be starting right now. */
const attempts = 40;
const pauseMs = 250;

export function createServerLink(home: string): ServerLink {
  let own: RunningServer | null = null;
  let opening: Promise<Client> | null = null;
  let closed = false;

  async function find(): Promise<Client> {
    for (let left = attempts; ; left--) {
      try {
        const running = await connect(home);
        if (running) return running;
        const server = await start(home);
        own = server;
        if (closed) await server.close();
        return createClient(server.address, server.token);
      } catch (error) {
        const starting = error instanceof ThothError && ["server-starting", "server-running"].includes(error.code);
        if (!starting || left === 0) throw error;
        await pause(pauseMs);
      }
    }
  }

  return {
    open() {
      if (own) return Promise.resolve(createClient(own.address, own.token));
      opening ??= find().finally(() => {
        opening = null;
      });
      return opening;
    },
    async close() {
      closed = true;
      await opening?.catch(() => undefined); // told to the one who asked for it
      await own?.close();
    },
  };
}

/** On the usual port, so that a reviewer's tab stays good; on any other when that one is taken. */
async function start(home: string): Promise<RunningServer> {
  // Most of the program hangs on this import: not needed to speak to a server that runs.
  const { startServer } = await import("../server/serve.ts");
  const options = { home, logLevel: process.env.THOTH_LOG ?? "error" };
  try {
    return await startServer({ ...options, port: readPort(process.env.THOTH_PORT) });
  } catch (error) {
    if (!(error instanceof ThothError) || error.code !== "port-busy") throw error;
    return await startServer({ ...options, port: 0 });
  }
}
