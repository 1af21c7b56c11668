/** The statements that look at a sample of a join's keys, in each engine's own words. */
import { expect, it } from "vitest";
import { joinOf } from "../../src/evidence/evidence-fixture.ts";
import { toGraph } from "../../src/evidence/join-graph.ts";
import { readCounts, toJoinQueries } from "../../src/evidence/join-queries.ts";
import { keepsKey } from "../../src/evidence/sample-keys.ts";
import type { JoinDecision } from "../../src/protocol/index.ts";
import { limits, onEveryEngine } from "../cases/on-every-engine.ts";

const numbers = (last: number) =>
  `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ${last}) SELECT`;

onEveryEngine(
  () => [
    "CREATE TABLE parent (id INTEGER NOT NULL PRIMARY KEY, code VARCHAR(20) NOT NULL)",
    "CREATE TABLE child (id INTEGER NOT NULL PRIMARY KEY, pid INTEGER, code VARCHAR(20))",
    // Keys rise in steps of ten; every parent has two children, and 100 children refer to nothing, 100 hold no key.
    ...[1, 2, 3, 4, 5].flatMap((block) => [
      `INSERT INTO parent ${numbers(200)} 10 * (i + ${200 * (block - 1)}), concat('c-', i + ${200 * (block - 1)}) FROM c`,
      ...[0, 1].map(
        (twin) =>
          `INSERT INTO child ${numbers(200)} (i + ${200 * (block - 1)}) * 2 + ${twin}, CASE WHEN i <= 10 THEN NULL WHEN i <= 20 THEN -i ELSE 10 * (i + ${200 * (block - 1)}) END, concat('c-', i + ${200 * (block - 1)}) FROM c`,
      ),
    ]),
  ],
  (given) => {
    const measure = async (decision: JoinDecision, rate: number) => {
      const graph = toGraph([decision], given.opened.catalog);
      const [join] = "joins" in graph ? graph.joins : [];
      if (!join) throw new Error("no join");
      const plan = toJoinQueries(join, given.engine.engine, (name) => given.reader.quote(name), rate);
      const reads = await given.reader.readAll(plan.statements, limits);
      expect(reads.map((read) => (read.ok ? "ok" : read.error.message))).toEqual(reads.map(() => "ok"));
      return readCounts(join, plan, reads, 2000, 1000);
    };
    const near = (value: number, expected: number) => {
      expect(value).toBeGreaterThan(expected * 0.75);
      expect(value).toBeLessThan(expected * 1.25);
    };

    it("keeps about one key in four, whole numbers and texts alike", async () => {
      for (const [column, kind] of [
        ["id", "integer"],
        ["(id * 6)", "integer"],
        ["(id * -6)", "integer"],
        ["code", "text"],
      ] as const) {
        const [row] = await given.rows(
          `SELECT COUNT(*) FROM parent WHERE ${keepsKey(given.engine.engine, column, kind, 4)}`,
        );
        near(Number(row?.[0]), 250);
      }
    });

    it("a sample of a lookup says about what all rows say", async () => {
      const decision = joinOf("child c", "INNER", "parent p", "pid=id");
      expect(await measure(decision, 1)).toMatchObject({
        cardinality: "N:1",
        leftMatched: 1800,
        rightMatched: 900,
        leftNullKeys: 100,
        maxLeft: 2,
        rightRepeated: 900,
      });
      const sample = await measure(decision, 4);
      expect(sample).toMatchObject({ cardinality: "N:1", leftNullKeys: 100, maxLeft: 2, maxRight: 1 });
      near(sample.leftMatched, 1800);
      near(sample.rightMatched, 900);
      near(sample.rightRepeated, 900);
    });

    it("a sample of a join without a unique side, on texts", async () => {
      const decision = joinOf("child c", "INNER", "parent p", "code");
      expect(await measure(decision, 1)).toMatchObject({ leftMatched: 2000, rightMatched: 1000, matchedPairs: 2000 });
      const sample = await measure(decision, 4);
      expect(sample).toMatchObject({ cardinality: "N:1", leftMatched: 2000, rightMatched: 1000, matchedPairs: 2000 });
    });
  },
);
