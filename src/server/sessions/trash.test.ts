import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { emptyTrash, moveToTrash, takeFromTrash } from "./trash.ts";

const day = 86_400_000;
const now = Date.UTC(2026, 4, 20);
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "thoth-trash-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(id: string, text = id): void {
  mkdirSync(join(home, "sessions", id), { recursive: true });
  writeFileSync(join(home, "sessions", id, "ledger.json"), text);
}

it("a removed session comes back with its files, once", async () => {
  write("session001");
  await moveToTrash(home, "session001", now);
  expect(existsSync(join(home, "sessions", "session001"))).toBe(false);
  await takeFromTrash(home, "session001");
  await takeFromTrash(home, "session001");
  expect(readdirSync(join(home, "sessions", "session001"))).toEqual(["ledger.json"]);
  expect(readdirSync(join(home, "trash"))).toEqual([]);
});

it("what is in no trash can't be brought back, and an id that is a path never reaches the disk", async () => {
  await expect(takeFromTrash(home, "session001")).rejects.toMatchObject({ code: "session-unknown" });
  await expect(takeFromTrash(home, "../../etc")).rejects.toMatchObject({ code: "session-unknown" });
});

it("empties what has lain there for thirty days, by the time of removal, and nothing else", async () => {
  await emptyTrash(home, now);
  for (const id of ["session001", "session002"]) write(id);
  await moveToTrash(home, "session001", now - 31 * day);
  await moveToTrash(home, "session002", now - 29 * day);
  mkdirSync(join(home, "trash", "Notes of mine"));
  await emptyTrash(home, now + day / 2);
  expect(readdirSync(join(home, "trash")).toSorted()).toEqual(["Notes of mine", "session002"]);
  await emptyTrash(home, now + 2 * day);
  expect(readdirSync(join(home, "trash"))).toEqual(["Notes of mine"]);
});
