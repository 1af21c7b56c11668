/** A password from where it is kept. It is given to the driver and to nobody else. */
import { open } from "node:fs/promises";
import { ThothError } from "../protocol/index.ts";
import type { SecretPlace } from "./connection.ts";

const maxSecret = 4096;

/** Undefined without a place. Throws ThothError `secret-missing` or `secret-open`; no message holds the secret. */
export async function readSecret(place: SecretPlace | undefined): Promise<string | undefined> {
  if (place === undefined) return undefined;
  if ("env" in place) {
    const value = process.env[place.env];
    if (value !== undefined) return value;
    throw new ThothError(
      "secret-missing",
      `The database's password is expected in the variable ${place.env}, which isn't set.`,
      `Set ${place.env} in the environment that ThothII is started from, and start it again.`,
    );
  }
  try {
    const handle = await open(place.file, "r");
    try {
      const { mode, size } = await handle.stat();
      if (process.platform !== "win32" && (mode & 0o077) !== 0)
        throw new ThothError(
          "secret-open",
          "The file with the database's password can be read by other accounts.",
          "Take their rights away: chmod 600 on that file.",
        );
      if (size > maxSecret) throw missing();
      return (await handle.readFile("utf8")).replace(/\r?\n$/, "");
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof ThothError ? error : missing(error);
  }
}

const missing = (cause?: unknown) =>
  new ThothError(
    "secret-missing",
    "The file with the database's password can't be read.",
    "Add the workspace again with its password, or put the file back.",
    cause,
  );
