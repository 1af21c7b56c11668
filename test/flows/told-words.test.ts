/** A word that nothing is called is explained at the gate, and the session goes on with it to the answer. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { Product } from "../fixtures/product.ts";

let product: Product;
beforeAll(async () => {
  product = await Product.start();
});
afterAll(() => product?.remove());

it("cannot answer is no end for whoever knows the word: sent back with its meaning, it is answered", async () => {
  const id = await product.create("How many punters live in Paris?");
  let told = false;
  const { gates, view, result } = await product.run(id, () => {
    if (told) return {};
    told = true;
    return { answer: "other", text: "punters means customers" };
  });
  expect(gates[0]?.payload).toMatchObject({ cannotAnswer: { missing: expect.stringContaining("punters") } });
  expect(gates.map(({ kind }) => kind).slice(1)).toEqual([
    "decision-review",
    "decision-review",
    "phase-summary",
    "decision-review",
    "cte-review",
    "sql-review",
  ]);
  expect([view.outcome, result?.rows]).toEqual(["answered", [[2]]]);
});
