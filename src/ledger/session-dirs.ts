/** Where sessions live: `<home>/sessions/<id>`. An id comes from outside, so it is held against more than one check. */
import { randomBytes } from "node:crypto";
import { lstat, readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { ThothError } from "../protocol/index.ts";

export const sessionIdPattern = /^[a-z0-9]{8,40}$/;

/** Time first, so that ids sort by age; the rest is chance. */
export function createSessionId(now = Date.now()): string {
  return now.toString(36).padStart(9, "0") + randomBytes(6).toString("hex");
}

/** Throws ThothError `session-unknown` for an id that isn't one: such an id never becomes part of a path. */
export function toSessionDir(home: string, id: string): string {
  const sessions = resolve(home, "sessions");
  const dir = resolve(sessions, id);
  if (!sessionIdPattern.test(id) || dirname(dir) !== sessions) throw unknownSession();
  return dir;
}

/** The folder of a session that is there: a real folder, not a link to somewhere else. */
export async function findSessionDir(home: string, id: string): Promise<string> {
  const dir = toSessionDir(home, id);
  const found = await lstat(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (!found?.isDirectory()) throw unknownSession();
  return dir;
}

/** Folders that carry a session's name; what stands in them isn't looked at. */
export async function listSessionDirs(home: string): Promise<{ id: string; dir: string }[]> {
  const sessions = join(home, "sessions");
  const found = await readdir(sessions, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return found
    .filter((entry) => entry.isDirectory() && sessionIdPattern.test(entry.name))
    .map((entry) => ({ id: entry.name, dir: join(sessions, entry.name) }));
}

export function unknownSession(): ThothError {
  return new ThothError("session-unknown", "There is no such session.", "Choose one from the list.");
}
