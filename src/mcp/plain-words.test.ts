import { homedir } from "node:os";
import { expect, it } from "vitest";
import { ThothError } from "../protocol/index.ts";
import { toPlain, toPlainProblem, withoutPaths } from "./plain-words.ts";

it("leaves the last part of a path, and addresses as they are", () => {
  for (const [said, left] of [
    ["The file /data/shops/rome.sqlite isn't there.", "The file …/rome.sqlite isn't there."],
    ["in (/var/lib/x/y.db) and “~/a/b.csv”", "in (…/y.db) and “…/b.csv”"],
    ["C:\\Users\\ann\\shop.sqlite is a folder", "…/shop.sqlite is a folder"],
    [
      "see /api/sessions and http://127.0.0.1:4817/s/0abc00000000",
      "see /api/sessions and http://127.0.0.1:4817/s/0abc00000000",
    ],
    ["for example postgres://user@host/database", "for example postgres://user@host/database"],
    ["revenue/order and 1/2 and and/or", "revenue/order and 1/2 and and/or"],
    [`can't write to ${homedir()}/.thoth`, "can't write to ~/.thoth"],
  ])
    expect(withoutPaths(said as string)).toBe(left);
});

it("has no character that could repaint a screen", () => {
  expect(toPlain({ rows: [["\u001b[2Jgone\r\nnext", "\u202eabc", 7, null]], n: true })).toEqual({
    rows: [["·[2Jgone\nnext", "·abc", 7, null]],
    n: true,
  });
});

it("says nothing of what nobody expected", () => {
  const problem = toPlainProblem(new Error("ENOENT: /home/ann/secret.key"));
  expect(problem.code).toBe("internal");
  expect(JSON.stringify(problem)).not.toMatch(/ENOENT|ann|secret/);
  expect(toPlainProblem(new ThothError("a", "In /x/y/z.db.", "Mend /x/y/z.db."))).toEqual({
    code: "a",
    message: "In …/z.db.",
    action: "Mend …/z.db.",
  });
});
