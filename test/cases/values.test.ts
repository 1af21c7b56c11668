/** V: the words of a filter held against all stored values, dates as text, and digits that must not change. */
import { expect, it } from "vitest";
import { createValueIndex } from "../../src/catalog/value-index.ts";
import { filterOf } from "../../src/evidence/evidence-fixture.ts";
import { measureFilters } from "../../src/evidence/measure-filters.ts";
import { toCsv } from "../../src/protocol/csv.ts";
import { onEveryEngine } from "./on-every-engine.ts";

/** More than thirty, so that a cut list would show one spelling of Paris at most. */
const cities = Array.from({ length: 60 }, (_, index) => `City ${String(index).padStart(2, "0")}`);

onEveryEngine(
  (engine) => [
    "CREATE TABLE shop (id INTEGER NOT NULL PRIMARY KEY, city VARCHAR(20))",
    `INSERT INTO shop VALUES ${[...cities, "Paris", "Paris", "Paris", "paris", "paris"].map((city, at) => `(${at}, '${city}')`).join(", ")}`,
    "CREATE TABLE mutation (id INTEGER NOT NULL PRIMARY KEY, status VARCHAR(20), person VARCHAR(40))",
    "INSERT INTO mutation VALUES (1, 'GERMLINE', 'Frank Müller'), (2, 'Germline', 'Anna'), (3, 'GERMLINE', 'Ben'), (4, 'somatic', NULL)",
    `CREATE TABLE inv (id INTEGER NOT NULL PRIMARY KEY, d ${engine === "sqlite" ? "TEXT" : "VARCHAR(20)"})`,
    "INSERT INTO inv VALUES (1, '31/01/2024'), (2, '05/12/2023'), (3, '15/02/2024')",
    `CREATE TABLE big (id BIGINT NOT NULL PRIMARY KEY, exact ${engine === "sqlite" ? "TEXT" : "DECIMAL(38,10)"})`,
    "INSERT INTO big VALUES (2033735037361704962, '1234567890123456789012345678.0123456789')",
  ],
  (given) => {
    // MariaDB's usual collation takes both spellings for equal; the others compare letter by letter.
    const ignoresCase = given.engine.engine === "mysql";

    it("V1 value list truncated: all 62 cities are searched, and both spellings of Paris stand there with their rows", async () => {
      const { filters, findings } = await given.filters(
        filterOf("in paris", "shop.city", "=", ["paris"], "shop.city = 'paris'"),
      );
      expect(filters[0]).toMatchObject({ kept: ignoresCase ? 5 : 2, of: 65, searched: 62, partial: false });
      expect(filters[0]?.matches).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ value: "paris", rows: 2, inFilter: true }),
          expect.objectContaining({ value: "Paris", rows: 3, inFilter: ignoresCase }),
        ]),
      );
      expect(findings.map(({ code, waysOut }) => [code, waysOut.map((way) => way.text)])).toEqual(
        ignoresCase ? [] : [["spelling-left-out", ["Add 'Paris'"]]],
      );
    });

    it("V1 a list that is not complete says so", async () => {
      const part = createValueIndex(
        [{ table: "shop", column: "city", value: "paris", rows: 2 }],
        [{ table: "shop", column: "city", distinct: 1, partial: true }],
      );
      const found = await measureFilters(given.reader, given.opened.catalog, part, [
        filterOf("in paris", "shop.city", "=", ["paris"], "shop.city = 'paris'"),
      ]);
      expect("filters" in found ? found.filters[0] : found).toMatchObject({ searched: 1, partial: true });
    });

    it("V2 case: GERMLINE and Germline are both offered with their rows", async () => {
      const { filters, findings } = await given.filters(
        filterOf("germline", "mutation.status", "=", ["GERMLINE"], "mutation.status = 'GERMLINE'"),
      );
      expect(filters[0]?.kept).toBe(ignoresCase ? 3 : 2);
      expect(filters[0]?.matches.map(({ value, rows, inFilter }) => [value, rows, inFilter])).toEqual([
        ["GERMLINE", 2, true],
        ["Germline", 1, ignoresCase],
      ]);
      if (!ignoresCase) expect(findings[0]).toMatchObject({ waysOut: [{ text: "Add 'Germline'" }] });
      const both = await given.filters(
        filterOf("germline", "mutation.status", "IN", ["GERMLINE", "Germline"], "status IN ('GERMLINE', 'Germline')"),
      );
      expect([both.filters[0]?.kept, both.codes]).toEqual([3, []]);
    });

    it("V2 partial value: Frank keeps nothing, so the reviewer is asked about Frank Müller", async () => {
      const { filters, findings } = await given.filters(
        filterOf("Frank", "mutation.person", "=", ["Frank"], "mutation.person = 'Frank'"),
      );
      expect(filters[0]?.kept).toBe(0);
      expect(findings[0]).toMatchObject({
        code: "no-rows",
        severity: "warning",
        body: "Nearest: Frank Müller (1).",
        waysOut: [{ text: "Use 'Frank Müller' for mutation.person" }],
      });
    });

    it("V4 dates as text: the format is found, and the way out keeps rows 1 and 3", async () => {
      const { filters, findings } = await given.filters(
        filterOf("2024 onward", "inv.d", ">=", ["2024-01-01"], "inv.d >= '2024-01-01'"),
      );
      expect(filters[0]).toMatchObject({ kept: 1, of: 3, format: "DD/MM/YYYY" });
      expect(filters[0]?.range).toEqual({ min: "2023-12-05", max: "2024-02-15" });
      const warning = findings.find((finding) => finding.code === "date-text-order");
      expect(warning).toMatchObject({ severity: "warning", title: "inv.d stores dates as DD/MM/YYYY" });
      const condition = warning?.waysOut[0]?.text.replace(/^Use /, "") ?? "";
      expect(await given.rows(`SELECT id FROM inv WHERE ${condition} ORDER BY id`)).toEqual([[1], [3]]);
      const mended = await given.filters(filterOf("2024 onward", "inv.d", "other", [], condition));
      expect([mended.filters[0]?.kept, mended.codes]).toEqual([2, []]);
    });

    it("V7 big integers and decimals keep every digit in cells, in JSON and in the CSV, and their type", async () => {
      const result = await given.result("SELECT id, exact FROM big");
      const [id, exact] = ["2033735037361704962", "1234567890123456789012345678.0123456789"];
      expect(result.rows).toEqual([[id, exact]]);
      expect(JSON.parse(JSON.stringify(result.rows))).toEqual([[id, exact]]);
      expect(toCsv(result).split("\r\n")[1]).toBe(`${id},${exact}`);
      expect(result.columns[0]?.type).toMatch(/bigint/i);
      if (given.engine.engine !== "sqlite") expect(result.columns[1]?.type).toMatch(/^(decimal|numeric)/i);
      const literal = await given.result("SELECT 2033735037361704962 AS n, count(*) AS c FROM big");
      expect(literal.rows).toEqual([[id, 1]]);
      const kept = await given.filters(
        filterOf("that id", "big.id", "=", [id], "big.id = 2033735037361704962"),
        filterOf("its neighbour", "big.id", "=", [id], "big.id = 2033735037361704963"),
      );
      expect(kept.filters.map((filter) => filter.kept)).toEqual([1, 0]);
    });
  },
);
