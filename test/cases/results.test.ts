/** P: what runs is what is shown, cut only where it says so, and stopped where it runs. */
import { expect, it } from "vitest";
import { measureAnswer } from "../../src/evidence/measure-answer.ts";
import { sliceCtes } from "../../src/sql/cte-slices.ts";
import { dialectOf } from "../../src/sql/dialect.ts";
import { wordsOf } from "../adapters/contract-tables.ts";
import { codeOf, limits, onEveryEngine, resultOf } from "./on-every-engine.ts";

onEveryEngine(
  () => [
    "CREATE TABLE t (x INTEGER NOT NULL PRIMARY KEY, note VARCHAR(20))",
    "INSERT INTO t VALUES (1, 'a -- b'), (2, 'b'), (3, 'c'), (4, 'd'), (5, 'e'), (6, 'f'), (7, 'g'), (8, 'h'), (9, 'i'), (10, 'j')",
    "CREATE TABLE thousand (n INTEGER NOT NULL PRIMARY KEY)",
    "INSERT INTO thousand WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 999) SELECT n FROM c",
  ],
  (given) => {
    const words = wordsOf[given.engine.engine];
    const { parser } = dialectOf(given.engine.engine);
    const cell =
      given.engine.engine === "sqlite" ? "replace(hex(zeroblob(12500000)), '0', 'xy')" : "repeat('xy', 25000000)";
    const huge = "SELECT a.n AS a, b.n AS b FROM thousand a CROSS JOIN (SELECT n FROM thousand WHERE n < 2) b";
    const answer = async (sql: string) => {
      const found = await measureAnswer(given.reader, given.opened.catalog, sql, []);
      if ("problem" in found) throw new Error(found.problem.message);
      return found;
    };

    it("P1 a trailing comment eats no LIMIT: the result is cut, says so, and its size is counted", async () => {
      const { result, checks } = await answer(`${huge} -- note`);
      expect([result.truncated, result.rows.length, checks[0]?.text]).toEqual([true, 50, "2,000 rows in all"]);
      const cut = resultOf(await given.reader.read(`${huge} -- note`, { ...limits, maxRows: 10 }));
      expect([cut.rowCount, cut.truncated]).toEqual([10, true]);
    });

    it("P1 the statement's own LIMIT before a comment holds, and a result that fits is not called limited", async () => {
      const { result, checks } = await answer("SELECT x FROM t ORDER BY x LIMIT 10 -- x");
      expect([result.rowCount, result.truncated, checks[0]?.text]).toEqual([10, false, "10 rows, complete"]);
      const literal = await given.result("SELECT x FROM t WHERE note = 'a -- b'");
      expect([literal.rows, literal.truncated]).toEqual([[[1]], false]);
    });

    it("P1 a LIMIT inside a step is left alone", async () => {
      const sql = "WITH top AS (SELECT x FROM t ORDER BY x DESC LIMIT 3) SELECT COUNT(*) AS n FROM top -- LIMIT 1";
      expect((await given.rows(sql)).map(([n]) => Number(n))).toEqual([3]);
    });

    it("P3 every step is cut from the text and runs as it stands: a gives 10, 9, 8 and s is 27", async () => {
      const sql = "WITH a AS (SELECT x FROM t ORDER BY x DESC LIMIT 3), b AS (SELECT sum(x) s FROM a) SELECT s FROM b";
      expect((await given.rows(sql)).map(([s]) => Number(s))).toEqual([27]);
      const slices = sliceCtes(sql, parser);
      if (!slices.ok) throw new Error(slices.reason);
      const preview = slices.ctes.map((cte) => `${cte.prefix}\nSELECT * FROM ${cte.name}`);
      expect((await given.rows(preview[0] ?? "")).flat()).toEqual([10, 9, 8]);
      expect((await given.rows(preview[1] ?? "")).flat().map(Number)).toEqual([27]);
      const { steps } = await given.steps(
        ["a", "SELECT x FROM t ORDER BY x DESC LIMIT 3"],
        ["b", "SELECT sum(x) AS s FROM a"],
      );
      expect(steps.map((step) => [step.name, step.rowCount, step.why])).toEqual([
        ["a", 3, "7 beyond LIMIT 3"],
        ["b", 1, "3 rows folded into 1 group"],
      ]);
    });

    it("P3 recursive and nested steps run, WITHIN is a name, and a name used twice is refused clearly", async () => {
      const { steps } = await given.steps(
        ["n", "SELECT 1 AS x UNION ALL SELECT x + 1 FROM n WHERE x < 4"],
        ["within_5", "WITH q AS (SELECT x FROM t WHERE x <= 5) SELECT COUNT(*) AS c FROM q"],
      );
      expect(steps.map((step) => [step.name, step.rowCount])).toEqual([
        ["n", 4],
        ["within_5", 1],
      ]);
      expect(Number(steps[1]?.result.rows[0]?.[0])).toBe(5);
      expect(sliceCtes("SELECT 1 AS within_x FROM t", parser)).toMatchObject({ ok: true, ctes: [] });
      expect(sliceCtes("WITH a AS (SELECT 1), a AS (SELECT 2) SELECT * FROM a", parser)).toEqual({
        ok: false,
        reason: "Two steps are called a.",
      });
    });

    it("P4 five million rows are cut by rows and by bytes, and the next query runs", async () => {
      const five = `SELECT m.n FROM (${words.million}) AS m CROSS JOIN (SELECT x FROM t WHERE x <= 5) AS f`;
      const byRows = resultOf(await given.reader.read(five, limits));
      expect([byRows.rowCount, byRows.truncated]).toEqual([1000, true]);
      const byBytes = resultOf(await given.reader.read(five, { ...limits, maxRows: 100_000, maxBytes: 500 }));
      expect(byBytes.truncated).toBe(true);
      expect(byBytes.rowCount).toBeLessThan(501);
      expect(await given.rows("SELECT COUNT(*) FROM t")).toEqual([[10]]);
    });

    it("P4 one cell of 50 MB is cut and says how long it was, and the next query runs", async () => {
      const read = resultOf(await given.reader.read(`SELECT ${cell} AS v`, limits));
      expect(read.truncated).toBe(true);
      expect(String(read.rows[0]?.[0]).length).toBeLessThan(200_000);
      expect(String(read.rows[0]?.[0])).toMatch(/50,000,000 characters|50000000 characters/);
      expect(await given.rows("SELECT COUNT(*) FROM t")).toEqual([[10]]);
    });

    it("P5 Stop and the deadline end a query on the server within two seconds, and the next query runs", async () => {
      const clean = () => expect.poll(() => given.engine.running(), { timeout: 2_000, interval: 50 }).toBe(0);
      const stop = new AbortController();
      const running = given.reader.read(words.endless, { ...limits, signal: stop.signal });
      await expect.poll(() => given.engine.running(), { timeout: 20_000, interval: 20 }).toBeGreaterThan(0);
      stop.abort();
      expect(codeOf(await running)).toBe("stopped");
      await clean();
      expect(codeOf(await given.reader.read(words.endless, { ...limits, deadlineMs: 500 }))).toBe("timeout");
      await clean();
      expect(await given.rows("SELECT COUNT(*) FROM t")).toEqual([[10]]);
    });
  },
);
