import { expect, it } from "vitest";
import { toClock } from "../layout/times.ts";
import { toLostWords } from "./lost-words.ts";

it("says who was first and when, by the reader's clock, and asks for nothing", () => {
  const at = "2026-11-30T22:18:51.053Z";
  const words = toLostWords({ message: `Already answered: Continue, ${at}.`, action: "Load the session again." });
  expect(words).toBe(`Already answered in another tab: Continue, ${toClock(Date.parse(at))}.`);
});

it("keeps what to do about any other refusal", () => {
  expect(toLostWords({ message: "This gate has changed.", action: "Read it again." })).toBe(
    "This gate has changed. Read it again.",
  );
});
