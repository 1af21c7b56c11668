/** Faults of reaching the server in words for people: what is wrong and what to do. No host, no path, no raw message. */
import { ThothError } from "../../protocol/index.ts";
import type { DatabaseProblem } from "../database.ts";
import type { ServerError } from "./classify-error.ts";

const loginNumbers = new Set([1044, 1045, 1130, 1251, 1275, 1698, 1820, 1862, 3118, 3955, 4151]);
const fullNumbers = new Set([1040, 1203, 1226]);

/** What can go wrong before a statement runs. A ThothError passes through. */
export function toConnectFault(error: unknown): ThothError {
  if (error instanceof ThothError) return error;
  const { errno, code } = error as ServerError;
  const fault = (kind: string, message: string, action: string) => new ThothError(kind, message, action, error);
  if (errno === 1049)
    return fault(
      "database-missing",
      "The server has no database of that name.",
      "Check the database's name; on some servers its capitals count.",
    );
  if (errno === 1044) {
    return fault(
      "database-login",
      "The login is known, but it may not use this database, or there is none of that name.",
      "Check the database's name, or have someone who may grant the login SELECT on it.",
    );
  }
  if (errno !== undefined && loginNumbers.has(errno)) {
    return fault(
      "database-login",
      "The server refused the login: user, password, or the machine it comes from.",
      "Check the user and the password, and that the server lets this user in from this machine.",
    );
  }
  if (errno !== undefined && fullNumbers.has(errno))
    return fault(
      "database-connection",
      "The server has no connection free.",
      "Try again in a moment, or have its limit of connections raised.",
    );
  if (errno === 1129)
    return fault(
      "database-connection",
      "The server has blocked this machine after failed connections.",
      "Have its list of hosts flushed (mariadb-admin or mysqladmin flush-hosts).",
    );
  if (errno === 3159)
    return fault(
      "database-connection",
      "The server only takes encrypted connections.",
      "Set TLS to require or verify.",
    );
  switch (code) {
    case "ECONNREFUSED":
      return fault(
        "database-connection",
        "Nothing answers at this host and port.",
        "Check both, and that the server is running and listens there.",
      );
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return fault(
        "database-connection",
        "The server's host name can't be found.",
        "Check the name, and this machine's network.",
      );
    case "ETIMEDOUT":
      return fault(
        "database-connection",
        "The server didn't answer within ten seconds.",
        "Check host and port, and that no firewall stands between.",
      );
    case "EHOSTUNREACH":
    case "ENETUNREACH":
      return fault(
        "database-connection",
        "There is no way to the server from this machine.",
        "Check the network or the VPN, and the host's name.",
      );
    case "HANDSHAKE_NO_SSL_SUPPORT":
      return fault(
        "database-connection",
        "The server offers no encryption.",
        "Set TLS to off if the network can be trusted, or have TLS set up on the server.",
      );
    case "HANDSHAKE_SSL_ERROR":
      return fault(
        "database-connection",
        "The server's certificate can't be trusted, or encryption failed.",
        "Name the authority's certificate in NODE_EXTRA_CA_CERTS, or set TLS to require if nobody can stand between.",
      );
    case "AUTH_SWITCH_PLUGIN_ERROR":
      return fault(
        "database-login",
        "The server asks for a way of logging in that isn't supported, or for the password in the clear.",
        "Give the user a password login: mysql_native_password or caching_sha2_password.",
      );
    default:
      return fault(
        "database-connection",
        "The connection to the server broke.",
        "Check that it is a MySQL or MariaDB server and that it is running, then try again.",
      );
  }
}

/** A failed statement of our own, or a problem that was met while connecting. */
export function toFault(problem: DatabaseProblem): ThothError {
  const cause = new Error(problem.message);
  switch (problem.code) {
    case "permission":
      return new ThothError(
        "database-permission",
        "The login may not read this.",
        "Have it granted SELECT on the database.",
        cause,
      );
    case "timeout":
      return new ThothError(
        "database-timeout",
        "The server didn't answer in time.",
        "Try again; if it stays so, look at what else it is doing.",
        cause,
      );
    default:
      return new ThothError(
        "database-connection",
        "The server couldn't answer.",
        "Check that it is running, then try again.",
        cause,
      );
  }
}

/** The other way round, for reads: what failed while connecting, as data. */
export function toConnectProblem(error: unknown): DatabaseProblem {
  const fault = toConnectFault(error);
  const message = `${fault.message} ${fault.action ?? ""}`.trim();
  return {
    code: fault.code === "database-missing" ? "missing" : fault.code === "database-login" ? "permission" : "connection",
    message,
  };
}
