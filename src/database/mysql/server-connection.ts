/** One connection to the server on mysql2: bytes as they come from the wire, every event in order, cut when asked. */
import mysql from "mysql2";
import type { MysqlConnection } from "../connection.ts";
import { type RowBytes, toTexts } from "./cells.ts";
import type { Field } from "./field.ts";

export interface ServerConnection {
  /** False once the socket is gone or was cut. */
  readonly alive: boolean;
  /** A short statement of our own; rows as text. Cut and rejected when it takes longer than `ms`. */
  ask(sql: string, ms?: number): Promise<(string | null)[][]>;
  /** Rows are handed over as they arrive and nowhere kept. Rejects with the server's error. */
  stream(sql: string, onFields: (fields: Field[]) => void, onRow: (row: RowBytes) => void): Promise<void>;
  /** Whether an idle connection keeps the process alive. */
  hold(held: boolean): void;
  /** While paused nothing is taken from the socket, so that other work comes first. */
  pause(paused: boolean): void;
  /** Closes the socket at once; what still runs is rejected. */
  cut(): void;
  /** Says goodbye. */
  end(): void;
}

const connectMs = 10_000;
const askMs = 10_000;

/** What the driver would offer beyond reading: files of this machine, and another reading of `count (`. */
const flags = ["-LOCAL_FILES", "-IGNORE_SPACE", "-ODBC", "-MULTI_STATEMENTS"];

/** Rejects with the driver's or the server's error. */
export async function connectServer(place: MysqlConnection, password: string | undefined): Promise<ServerConnection> {
  const driver = mysql.createConnection({
    host: place.host,
    port: place.port,
    user: place.user,
    ...(password === undefined ? {} : { password }),
    database: place.database,
    ...(place.tls === "off" ? {} : { ssl: toTls(place.tls) }),
    connectTimeout: connectMs,
    charset: "utf8mb4",
    flags,
    multipleStatements: false,
    rowsAsArray: true,
    disableEval: true,
  });
  const socket = () =>
    (driver as unknown as { stream: { ref(): void; unref(): void; destroy(): void; pause(): void; resume(): void } })
      .stream;
  let alive = true;
  let lost: unknown;
  /** The driver tells a broken connection to itself, not to the statement that runs on it. */
  let reject: ((error: unknown) => void) | undefined;
  const lose = (error: unknown): void => {
    alive = false;
    lost ??= error;
    reject?.(error);
  };
  driver.on("error", lose);
  driver.on("end", () => lose(broken()));
  await new Promise<void>((resolve, fail) => {
    reject = fail;
    driver.once("connect", () => resolve());
  }).catch((error) => {
    socket().destroy();
    throw error;
  });
  reject = undefined;

  const connection: ServerConnection = {
    get alive() {
      return alive;
    },
    async stream(sql, onFields, onRow) {
      if (!alive) throw lost;
      try {
        await new Promise<void>((resolve, fail) => {
          reject = fail;
          const query = driver.query({ sql, rowsAsArray: true, typeCast: false });
          query.on("fields", (fields: unknown) => {
            if (Array.isArray(fields)) onFields(fields as Field[]);
          });
          // The driver would make a list and a buffer per cell; its own parsers lose digits of floats.
          Object.defineProperty(query, "_rowParser", { get: () => ({ next: onRow }), set: () => undefined });
          query.on("error", fail);
          query.on("end", () => resolve());
        });
      } finally {
        reject = undefined;
      }
    },
    async ask(sql, ms = askMs) {
      const rows: (string | null)[][] = [];
      const timer = setTimeout(() => {
        lose(Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT", fatal: true }));
        connection.cut();
      }, ms);
      try {
        await connection.stream(
          sql,
          () => undefined,
          (row) => rows.push(toTexts(row)),
        );
      } finally {
        clearTimeout(timer);
      }
      return rows;
    },
    hold: (held) => (held ? socket().ref() : socket().unref()),
    pause: (paused) => (paused ? socket().pause() : socket().resume()),
    cut() {
      lose(broken());
      driver.destroy();
      socket().destroy();
    },
    end() {
      if (!alive) return;
      alive = false;
      lost = broken();
      driver.end();
    },
  };
  return connection;
}

const broken = () =>
  Object.assign(new Error("The connection was closed."), { code: "PROTOCOL_CONNECTION_LOST", fatal: true });

function toTls(mode: "require" | "verify"): { rejectUnauthorized: boolean; verifyIdentity: boolean } {
  return { rejectUnauthorized: mode === "verify", verifyIdentity: mode === "verify" };
}
