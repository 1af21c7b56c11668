/**
 * Files of a workspace's folder as texts. They may come from anywhere: links are never followed, sizes are looked at
 * before anything is read, and what isn't UTF-8 is told with its line.
 */
import { constants } from "node:fs";
import { lstat, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { LineFault } from "./yaml-spots.ts";

/** Of one file, in bytes. */
const usualBytes = 1024 * 1024;
/** Of one folder; further ones are told, not read. */
export const mostFiles = 2_000;

export type FileText =
  /** `identity` changes whenever the file does. */
  { kind: "text"; text: string; identity: string } | { kind: "absent" } | { kind: "fault"; fault: LineFault };

const absent: FileText = { kind: "absent" };
const fault = (message: string, fix: string, line = 1): FileText => ({ kind: "fault", fault: { line, message, fix } });

const tooLarge = (mostBytes: number): FileText =>
  fault(`it is larger than ${mostBytes / 1024 / 1024} MB`, "Take out what isn't needed, or split it.");

/** Identity of a plain file of a size that is read, without its text; never throws. */
export async function lookAt(path: string, mostBytes = usualBytes): Promise<FileText> {
  try {
    const stats = await lstat(path, { bigint: true });
    if (stats.isSymbolicLink()) return fault("it is a link, and links aren't followed", "Put the file itself there.");
    if (!stats.isFile()) return fault("it is not a plain file", "Put a plain file there.");
    if (stats.size > mostBytes) return tooLarge(mostBytes);
    return {
      kind: "text",
      text: "",
      identity: `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeNs}:${stats.ctimeNs}`,
    };
  } catch (error) {
    return toAbsent(error);
  }
}

/** Never throws. The text has no byte order mark; its line ends are as they were. */
export async function readText(path: string, mostBytes = usualBytes): Promise<FileText> {
  const looked = await lookAt(path, mostBytes);
  if (looked.kind !== "text") return looked;
  try {
    // Between the look and the reading another file may have been put there.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return fault("it is not a plain file", "Put a plain file there.");
      if (stats.size > mostBytes) return tooLarge(mostBytes);
      return decode(await handle.readFile(), looked.identity);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ELOOP"
      ? fault("it is a link, and links aren't followed", "Put the file itself there.")
      : toAbsent(error);
  }
}

function decode(bytes: Buffer, identity: string): FileText {
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff))
    return fault("it is UTF-16", "Save it as UTF-8.");
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    const text = decoder.decode(bytes);
    const zero = text.indexOf("\0");
    if (zero < 0) return { kind: "text", text, identity };
    return fault("it holds a NUL character", "Save it as plain UTF-8 text.", countLines(text.slice(0, zero)));
  } catch {
    return fault("it holds characters that aren't UTF-8", "Save it as UTF-8.", findBadLine(bytes));
  }
}

const countLines = (text: string): number => text.split("\n").length;

/** A line end is no part of any longer character, so each line stands for itself. */
function findBadLine(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line++) {
    const end = bytes.indexOf(10, start);
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(start, end < 0 ? bytes.length : end));
    } catch {
      return line;
    }
    if (end < 0) break;
    start = end + 1;
  }
  return line;
}

export interface Listing {
  /** Names of what may be read, in order. */
  names: string[];
  /** By name; the folder's own under an empty one. */
  faults: { name: string; fault: LineFault }[];
}

/** Never throws; a folder that isn't there is empty. Hidden files are passed over. */
export async function listFolder(path: string, ending: string): Promise<Listing> {
  const listing: Listing = { names: [], faults: [] };
  const tell = (name: string, message: string, fix: string): void => {
    listing.faults.push({ name, fault: { line: 1, message, fix } });
  };
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) tell("", "it is a link, and links aren't followed", "Put the folder itself there.");
    else if (!stats.isDirectory()) tell("", "it is not a folder", "Make it a folder with files in it.");
    if (listing.faults.length > 0) return listing;
    for (const entry of (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const { name } = entry;
      if (name.startsWith(".") || name.endsWith(".tmp")) continue;
      if (!isPieceFile(name, ending))
        tell(
          name,
          `only files with a plain name that ends in ${ending} are read here`,
          `Call it like net-revenue${ending}, or move it elsewhere.`,
        );
      else if (listing.names.length < mostFiles) listing.names.push(name);
      else tell(name, `it isn't read: there are more than ${mostFiles} files`, "Remove what isn't needed.");
    }
  } catch (error) {
    const read = toAbsent(error);
    if (read.kind === "fault") listing.faults.push({ name: "", fault: read.fault });
  }
  return listing;
}

/** Letters, digits, blanks, `.`, `_` and `-`; no path, no hidden file. */
export function isPieceFile(name: string, ending: string): boolean {
  return name.endsWith(ending) && /^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._-]{0,150}$/u.test(name) && !name.includes("..");
}

/** Every path that a piece of knowledge may have, relative to the workspace's folder. */
export function toPiecePath(folder: string, file: string): string | null {
  const [first = "", second, ...more] = file.split("/");
  if (more.length > 0) return null;
  if (second === undefined) return ["relations.yaml", "synonyms.yaml"].includes(first) ? join(folder, first) : null;
  const ending = first === "evidence" ? ".md" : first === "verified" ? ".yaml" : null;
  return ending !== null && isPieceFile(second, ending) ? join(folder, first, second) : null;
}

function toAbsent(error: unknown): FileText {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "ENOENT" || code === "ENOTDIR") return absent;
  return fault("it can't be read", "Give yourself the right to read it.");
}
