/** Faults of the server and its connection in words for people: what is wrong and what to do. No secrets, no paths. */
import { ThothError } from "../../protocol/index.ts";
import type { PostgresConnection } from "../connection.ts";
import type { DatabaseProblem } from "../database.ts";
import { isSqlState, type PgFault } from "./classify-error.ts";
import { quoteName } from "./quote-name.ts";

const place = (target: PostgresConnection): string =>
  target.host.startsWith("/") ? `the local socket (port ${target.port})` : `${target.host}:${target.port}`;

/** What the driver or the server said while a connection was opened. A ThothError passes through. */
export function toConnectFault(error: unknown, target: PostgresConnection): ThothError {
  if (error instanceof ThothError) return error;
  const fault = error as PgFault;
  const text = error instanceof Error ? error.message : String(error);
  if (isSqlState(fault.code)) return toServerFault(fault.code ?? "", text, target, error);
  const connection = (message: string, action: string) => new ThothError("database-connection", message, action, error);
  if (/SASL|password must be/i.test(text)) return login(target, error);
  if (/does not support SSL/i.test(text))
    return connection(
      `The database server at ${place(target)} offers no encrypted connection.`,
      "Turn TLS on at the server, or choose TLS off if the network between is trusted.",
    );
  if (isCertificateFault(fault.code, text))
    return connection(
      `The certificate of the database server at ${place(target)} can't be verified.`,
      "Use the name that the certificate was made for, and give its authority's file in NODE_EXTRA_CA_CERTS before starting; or choose TLS without verification.",
    );
  switch (fault.code) {
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return connection(`No database server is known by the name ${target.host}.`, "Check the spelling of the host.");
    case "ENOENT":
      return connection(
        "There is no database server behind that socket.",
        "Check the socket's folder and the port, and that the server runs.",
      );
    case "ECONNREFUSED":
      return connection(
        `Nothing answers at ${place(target)}.`,
        "Check host and port, and that the database server runs and accepts connections from here.",
      );
    case "EACCES":
    case "EPERM":
      return connection(
        `The way to ${place(target)} is closed to this account.`,
        "Check firewall rules and the rights on the socket.",
      );
    default:
      return /timeout|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/i.test(`${fault.code} ${text}`)
        ? connection(
            `The database server at ${place(target)} didn't answer in time.`,
            "Check host, port and firewall, or whether a VPN is needed.",
          )
        : connection(
            `The connection to the database server at ${place(target)} broke off.`,
            "Check that a PostgreSQL server listens there and that the TLS setting fits, then try again.",
          );
  }
}

function toServerFault(state: string, text: string, target: PostgresConnection, cause: unknown): ThothError {
  const fault = (code: string, message: string, action: string) => new ThothError(code, message, action, cause);
  switch (state) {
    case "28000":
      if (/pg_hba|no encryption|SSL off/i.test(text))
        return fault(
          "database-login",
          `The database server doesn't let “${target.user}” in from this computer${target.tls === "off" ? " without encryption" : ""}.`,
          target.tls === "off"
            ? "Choose TLS for the connection, or have the server's access rules (pg_hba.conf) changed."
            : "Have the server's access rules (pg_hba.conf) changed for this role and address.",
        );
      return login(target, cause);
    case "28P01":
      return login(target, cause);
    case "3D000":
      return fault(
        "database-missing",
        `The database server has no database “${target.database}”.`,
        "Check its name; capitals count.",
      );
    case "42501":
      return fault(
        "database-permission",
        `The role “${target.user}” may not use the database “${target.database}”.`,
        `Have its owner run: GRANT CONNECT ON DATABASE ${quoteName(target.database)} TO ${quoteName(target.user)};`,
      );
    case "53300":
      return fault(
        "database-connection",
        "The database server has no free connection.",
        "Close other programs that use it, or try again later.",
      );
    case "57P03":
      return fault("database-connection", "The database server is still starting.", "Try again in a moment.");
    default:
      return fault(
        "database-connection",
        `The database server at ${place(target)} refused the connection.`,
        "Look into the server's own log for the reason.",
      );
  }
}

const login = (target: PostgresConnection, cause: unknown) =>
  new ThothError(
    "database-login",
    `The database server doesn't accept the role “${target.user}” with this password.`,
    "Check role and password; the password is read from the place given in the workspace.",
    cause,
  );

function isCertificateFault(code: string | undefined, text: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO|ALTNAME|certificate/i.test(`${code} ${text}`);
}

/** A problem of one of our own questions to the catalogue. */
export function toFault(problem: DatabaseProblem, target: PostgresConnection): ThothError {
  const cause = new Error(problem.message);
  switch (problem.code) {
    case "permission":
      return new ThothError(
        "database-permission",
        `The role “${target.user}” may not read what is asked of “${target.database}”.`,
        "Have the right to select granted to it.",
        cause,
      );
    case "timeout":
      return new ThothError(
        "database-timeout",
        `The database “${target.database}” didn't answer in time.`,
        "Try again; if it stays so, look what keeps the server busy.",
        cause,
      );
    default:
      return new ThothError(
        "database-connection",
        `The database “${target.database}” can't be asked.`,
        "Check that the server runs and answers, then try again.",
        cause,
      );
  }
}

/** For a read, where faults are data. */
export function toConnectProblem(fault: ThothError): DatabaseProblem {
  const code =
    fault.code === "database-missing" ? "missing" : fault.code === "database-connection" ? "connection" : "permission";
  return { code, message: fault.message };
}
