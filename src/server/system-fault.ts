/**
 * Faults of the machine that a person can do something about: a disk that is full, read-only or broken, and too many
 * open files. Node tells them by code, SQLite (which holds the locks) by number; ours may wrap either.
 */
import { type Problem, ThothError } from "../protocol/index.ts";

const full: Problem = {
  code: "disk-full",
  message: "The disk that holds ThothII's folder is full, so nothing was written. What was saved before is whole.",
  action: "Make room on that disk, then try again.",
};
const readOnly: Problem = {
  code: "disk-read-only",
  message: "ThothII may not use its folder any more, so nothing was written. What was saved before is whole.",
  action: "Make the folder and its disk writable again, then try again.",
};
const broken: Problem = {
  code: "disk-fault",
  message: "The disk that holds ThothII's folder reports a fault, so nothing was written.",
  action: "Check the disk, then try again.",
};
const tooManyFiles: Problem = {
  code: "too-many-files",
  message: "ThothII has reached the number of files that it may keep open, so nothing was done.",
  action: "Close sessions or tabs that you don't need, or start it with a higher limit (ulimit -n 4096).",
};

const byCode: Readonly<Record<string, Problem>> = {
  ENOSPC: full,
  EDQUOT: full,
  EFBIG: full,
  EROFS: readOnly,
  EACCES: readOnly,
  EPERM: readOnly,
  EIO: broken,
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
};
/** SQLite's primary result codes. */
const bySqlite: Readonly<Record<number, Problem>> = { 8: readOnly, 10: broken, 13: full };
/** SQLite's "unable to open": of a lock file, the machine's own reason stands behind it. */
const cannotOpen = 14;

/** Null when it is no such fault. An error of ours speaks for itself, but for a lock's, whose cause is the machine. */
export function toSystemFault(error: unknown): Problem | null {
  if (error instanceof ThothError && error.code !== "lock-damaged") return null;
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    const { code, errcode } = one as NodeJS.ErrnoException & { errcode?: unknown };
    const found = (code && byCode[code]) || (typeof errcode === "number" && bySqlite[errcode & 0xff]);
    if (found) return found;
    if (typeof errcode === "number" && (errcode & 0xff) === cannotOpen) return lockUnopened;
  }
  return null;
}

const lockUnopened: Problem = {
  code: "disk-read-only",
  message:
    "ThothII can't open a file in its folder: it may not write there, or has too many files open. Nothing was written.",
  action: "Make the folder writable, or start it with a higher limit (ulimit -n 4096), then try again.",
};
