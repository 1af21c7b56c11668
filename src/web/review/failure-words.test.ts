import { expect, it } from "vitest";
import { toFailureAction, toFailureTitle } from "./failure-words.ts";

const failure = {
  code: "child-exited" as const,
  message: "The model's process ended unexpectedly. Your decisions are kept.",
  action: "Press Resume to go on.",
};

it("says the fault once and leaves to the page what the page says", () => {
  expect(toFailureTitle(failure)).toBe("The model's process ended unexpectedly");
  expect(toFailureAction(failure)).toBe("");
});

it("keeps an action that asks for more than Resume", () => {
  expect(toFailureAction({ ...failure, action: "Check the file, then press Resume." })).toBe(
    "Check the file, then press Resume.",
  );
});

it("has words for a turn that failed without any", () => {
  expect(toFailureTitle(null)).toBe("The turn failed");
});
