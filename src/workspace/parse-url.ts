/** A database's address as people copy it → a connection without its password, and the password apart. Pure. */
import type { MysqlConnection, PostgresConnection, TlsMode } from "../database/connection.ts";
import { ThothError } from "../protocol/index.ts";

export interface ParsedUrl {
  connection: PostgresConnection | MysqlConnection;
  /** From the address itself; to be kept elsewhere. */
  password?: string;
}

interface Scheme {
  engine: "postgres" | "mysql";
  port: number;
}
const schemes: Record<string, Scheme> = {
  postgres: { engine: "postgres", port: 5432 },
  postgresql: { engine: "postgres", port: 5432 },
  mysql: { engine: "mysql", port: 3306 },
  mariadb: { engine: "mysql", port: 3306 },
};

const tlsWords: Record<string, TlsMode> = {
  disable: "off",
  disabled: "off",
  off: "off",
  false: "off",
  allow: "require",
  prefer: "require",
  preferred: "require",
  require: "require",
  required: "require",
  true: "require",
  on: "require",
  "verify-ca": "verify",
  verify_ca: "verify",
  "verify-full": "verify",
  verify_identity: "verify",
};
const tlsNames = ["sslmode", "ssl-mode", "ssl", "tls"];

/** Throws ThothError `url-invalid`, whose words never hold the address: it may carry a password. */
export function parseUrl(text: string): ParsedUrl {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(text)?.[1]?.toLowerCase() ?? "";
  const known = schemes[scheme];
  if (!known)
    throw new ThothError(
      "url-invalid",
      scheme === "" ? "That is no address of a database." : `Addresses that begin with ${scheme}:// can't be opened.`,
      "Write postgres://user@host:5432/database or mysql://user@host:3306/database; a file is given by its path.",
    );
  let url: URL;
  try {
    // A socket's folder is named by a setting, and then no host stands before the database.
    url = new URL(text.replace(/^([^:]+:\/\/[^/?#]*@)(?=\/)/, "$1nowhere"));
  } catch (error) {
    throw wrong(
      "It can't be read; signs such as @ : / # in a user's name or password must be written as %40 and so on.",
      error,
    );
  }
  const part = (value: string, what: string): string => {
    try {
      return decodeURIComponent(value);
    } catch (error) {
      throw wrong(`Its ${what} holds a % that stands for nothing; write %25.`, error);
    }
  };
  const parameters = new Map(url.searchParams);
  const socket = parameters.get("host");
  parameters.delete("host");
  const named = url.hostname === "nowhere" ? "" : part(url.hostname, "host").replace(/^\[|\]$/g, "");
  const host = socket ?? named;
  const user = part(url.username, "user");
  const database = part(url.pathname.replace(/^\//, ""), "database");
  if (host === "") throw wrong("It names no host.");
  if (user === "") throw wrong("It names no user: write user@ before the host.");
  if (database === "" || database.includes("/")) throw wrong("It must end with /database, the one to read.");
  const tls = readTls(parameters, isNear(host) ? "off" : "require");
  const unknown = [...parameters.keys()];
  if (unknown.length > 0) throw wrong(`The setting ${unknown.join(", ")} isn't known here; leave it out.`);
  const password = part(url.password, "password");
  return {
    connection: {
      engine: known.engine,
      host,
      port: url.port === "" ? known.port : Number(url.port),
      database,
      user,
      tls,
    },
    ...(password === "" ? {} : { password }),
  };
}

/** Takes the setting out of the parameters, under any of the names that drivers use. */
function readTls(parameters: Map<string, string>, otherwise: TlsMode): TlsMode {
  let mode = otherwise;
  for (const name of tlsNames) {
    const value = parameters.get(name);
    if (value === undefined) continue;
    const found = tlsWords[value.toLowerCase()];
    if (!found) throw wrong(`${name} must be disable, require or verify-full.`);
    mode = found;
    parameters.delete(name);
  }
  return mode;
}

/** What never leaves this machine needs no encryption. */
const isNear = (host: string): boolean =>
  host === "localhost" || host === "::1" || host.startsWith("/") || /^127\.\d+\.\d+\.\d+$/.test(host);

const wrong = (what: string, cause?: unknown): ThothError =>
  new ThothError(
    "url-invalid",
    `The address can't be used. ${what}`,
    "It should look like postgres://user@host:5432/database or mysql://user@host:3306/database.",
    cause,
  );
