import type { GateAnswer } from "../../protocol/gates.ts";

type Answer = Omit<GateAnswer, "answerId" | "hash">;

/** The same answer to the same gate keeps its id, so that a retry counts once; another answer is another one. */
export function toAnswerBody(
  before: GateAnswer | null,
  hash: string,
  answer: Answer,
  newId: () => string = randomId,
): GateAnswer {
  if (before) {
    const { answerId, ...rest } = before;
    if (JSON.stringify(rest) === JSON.stringify({ hash, ...answer })) return { answerId, ...rest };
  }
  return { answerId: newId(), hash, ...answer };
}

/** `crypto.randomUUID` exists only in secure contexts; a page served to another machine over HTTP is none. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
