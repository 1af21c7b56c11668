import { expect, test } from "vitest";
import { joinOf } from "../evidence/evidence-fixture.ts";
import type { SessionState } from "../workflow/fold-ledger.ts";
import { toMeasures } from "./to-measures.ts";

const joins = [joinOf("ord o", "INNER", "line l", "id=oid")];
const measure = (reason: string, question = "Orders", table = "ord") => {
  const decision = { kind: "column" as const, table, column: "freight", role: "measure" as const, reason };
  const held = {
    seq: 1,
    at: "",
    phase: "F2",
    gateId: "g",
    decision,
    by: "reviewer",
  } as SessionState["decisions"][number];
  return toMeasures({ question, decisions: [held] }, joins);
};

test.each([
  ["total freight", "SUM"],
  ["average freight", "AVG"],
  ["number of orders", "COUNT"],
  ["number of different customers", "COUNT DISTINCT"],
  ["how many distinct customers", "COUNT DISTINCT"],
  ["highest freight", "MAX"],
  ["lowest freight", "MIN"],
  ["earliest date", "MIN"],
])("%s is %s", (reason, aggregate) => {
  expect(measure(reason)).toEqual([{ alias: "o", column: "freight", words: reason, aggregate }]);
});

test("a measure of a table outside the set is none of its business", () => {
  expect(measure("total", "x", "other")).toEqual([]);
});
