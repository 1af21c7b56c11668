import { expect, it } from "vitest";
import { toAnswerBody } from "./to-answer-body.ts";

it("keeps the id for the same answer sent again and gives another answer another one", () => {
  let n = 0;
  const newId = () => {
    n += 1;
    return `id-${n}`;
  };
  const first = toAnswerBody(null, "h", { answer: "other", text: "Use LEFT" }, newId);
  expect(first).toEqual({ answerId: "id-1", hash: "h", answer: "other", text: "Use LEFT" });
  expect(toAnswerBody(first, "h", { answer: "other", text: "Use LEFT" }, newId).answerId).toBe("id-1");
  expect(toAnswerBody(first, "h", { answer: "other", text: "Use FULL" }, newId).answerId).toBe("id-2");
  expect(toAnswerBody(first, "h2", { answer: "other", text: "Use LEFT" }, newId).answerId).toBe("id-3");
});
