/** One connection to the server: opened with its settings, ended by a cancel request or by closing its socket. */
import { connect as connectSocket, isIP, type Socket } from "node:net";
import { type ConnectionOptions, connect as connectTls } from "node:tls";
import { Client } from "pg";
import type { PostgresConnection } from "../connection.ts";
import { watchMessages } from "./message-watch.ts";

export const connectMs = 10_000;
const cancelMs = 2000;

export interface Session {
  readonly client: Client;
  /** False once the connection is lost or was closed. */
  alive: boolean;
  /** Why it was closed by us, in words for the model. */
  closed?: string;
  /** Asks the server to end what this connection runs; needs no right and no login. Never throws. */
  cancel(): void;
  /** Closes the socket at once. */
  destroy(reason?: string): void;
  /** Whether an idle connection keeps the process from ending. */
  hold(keep: boolean): void;
}

/** What `pg` has and its types don't tell. */
interface Inner {
  processID: number;
  secretKey: number;
  connection: { stream: Socket };
}

export interface Target extends PostgresConnection {
  /** Undefined without one. */
  secret: string | undefined;
}

/** Throws the driver's own error; `toConnectFault` puts it into words. */
export async function openSession(target: Target): Promise<Session> {
  const client = new Client({
    host: target.host,
    port: target.port,
    database: target.database,
    user: target.user,
    // A function, and never undefined: otherwise the driver looks for passwords of its own (PGPASSWORD, ~/.pgpass).
    password: () => target.secret ?? "",
    ssl: target.tls === "off" ? false : tlsOptions(target),
    application_name: "thoth",
    client_encoding: "UTF8",
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
  });
  const inner = client as unknown as Inner;
  const session: Session = {
    client,
    alive: true,
    cancel: () => sendCancel(target, inner.processID, inner.secretKey),
    destroy(reason) {
      if (reason !== undefined) session.closed ??= reason;
      session.alive = false;
      inner.connection.stream.destroy();
    },
    hold: (keep) => (keep ? inner.connection.stream.ref() : inner.connection.stream.unref()),
  };
  // Unheard, the loss of an idle connection would end our process.
  client.on("error", () => {
    session.alive = false;
  });
  client.on("end", () => {
    session.alive = false;
  });
  try {
    await client.connect();
  } catch (error) {
    session.destroy();
    throw error;
  }
  watchMessages(inner.connection.stream, (reason) => session.destroy(reason));
  return session;
}

function tlsOptions(target: PostgresConnection): ConnectionOptions {
  // The name that the certificate is checked against; the driver itself gives names only, no addresses.
  const host = target.host.startsWith("/") ? "localhost" : target.host;
  return {
    host,
    rejectUnauthorized: target.tls === "verify",
    ...(isIP(host) === 0 ? { servername: host } : {}),
  };
}

/** https://www.postgresql.org/docs/current/protocol-message-formats.html: CancelRequest and SSLRequest. */
function sendCancel(target: PostgresConnection, processId: number, secretKey: number): void {
  const request = Buffer.alloc(16);
  request.writeInt32BE(16, 0);
  request.writeInt32BE(80877102, 4);
  request.writeInt32BE(processId, 8);
  request.writeInt32BE(secretKey, 12);
  const socket = target.host.startsWith("/")
    ? connectSocket(`${target.host}/.s.PGSQL.${target.port}`)
    : connectSocket(target.port, target.host);
  socket.setTimeout(cancelMs, () => socket.destroy());
  // It may fail: closing the connection comes after it.
  socket.on("error", () => socket.destroy());
  socket.on("connect", () => {
    if (target.tls === "off") {
      socket.end(request);
      return;
    }
    const ask = Buffer.alloc(8);
    ask.writeInt32BE(8, 0);
    ask.writeInt32BE(80877103, 4);
    socket.write(ask);
    socket.once("data", (answer) => {
      if (answer.toString("latin1", 0, 1) !== "S") {
        socket.destroy();
        return;
      }
      const secure = connectTls({ socket, ...tlsOptions(target) }, () => secure.end(request));
      secure.on("error", () => socket.destroy());
    });
  });
}
