import { expect, it } from "vitest";
import { ThothError } from "../protocol/index.ts";
import { toProblem, toStatus } from "./problems.ts";
import { toSystemFault } from "./system-fault.ts";

const fault = (more: object, words = "write failed: /home/me/.thoth/x") => Object.assign(new Error(words), more);

it.each([
  ["ENOSPC", "disk-full", 507],
  ["EDQUOT", "disk-full", 507],
  ["EFBIG", "disk-full", 507],
  ["EROFS", "disk-read-only", 500],
  ["EIO", "disk-fault", 500],
  ["EMFILE", "too-many-files", 503],
])("%s is told as %s, without a path", (code, expected, status) => {
  const problem = toProblem(fault({ code }));
  expect(problem.code).toBe(expected);
  expect(toStatus(expected)).toBe(status);
  expect(JSON.stringify(problem)).not.toContain("/home");
  expect(problem.action).toBeTruthy();
});

it("knows SQLite's numbers, extended ones too, behind a lock's own error", () => {
  const locked = (errcode: number) => new ThothError("lock-damaged", "a lock", "remove it", fault({ errcode }));
  expect(toSystemFault(locked(13))?.code).toBe("disk-full");
  expect(toSystemFault(locked(8))?.code).toBe("disk-read-only");
  expect(toSystemFault(fault({ errcode: 10 | (4 << 8) }))?.code).toBe("disk-fault");
  expect(toSystemFault(locked(26))).toBeNull();
});

it("leaves other errors what they are, and a database's own words to it", () => {
  expect(toSystemFault(fault({ code: "ENOENT" }))).toBeNull();
  expect(toSystemFault("text")).toBeNull();
  const database = new ThothError("database-permission", "It can't be read.", "Allow it.", fault({ code: "EACCES" }));
  expect(toProblem(database).code).toBe("database-permission");
});
