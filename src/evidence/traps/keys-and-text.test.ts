/** Keys that are written differently, numbers and booleans as text, missing keys. */
import { describe, expect, it } from "vitest";
import { findingsOf, severitiesOf } from "./traps-fixture.ts";

const parts = (codes: string[]) => `
  CREATE TABLE part (code TEXT PRIMARY KEY, price REAL);
  CREATE TABLE usage_log (id INTEGER PRIMARY KEY, part_code TEXT, pieces INTEGER);
  INSERT INTO part VALUES ('A1',1),('B2',2),('0073',3);
  INSERT INTO usage_log VALUES ${codes.map((code, at) => `(${at + 1},'${code}',${at + 1})`).join(",")};`;
const join = "SELECT SUM(u.pieces * p.price) FROM usage_log u JOIN part p ON p.code = u.part_code";

describe("keys in two spellings", () => {
  it("warns about blanks, case and zeros in front with the rows lost", async () => {
    const [found = []] = await findingsOf(parts(["A1", "b2", "B2 ", "73"]), [{ sql: join }]);
    const spelling = found.find(({ code }) => code === "key-spelling");
    const zeros = found.find(({ code }) => code === "key-zeros");
    expect([spelling?.severity, zeros?.severity]).toEqual(["warning", "warning"]);
    expect(spelling?.title).toContain("2 rows of usage_log");
    // 1·1 as written; with b2 and B2 also 2·2 + 3·2.
    expect(spelling?.body).toContain("now is 1; with them it would be 11");
    expect(zeros?.title).toContain("1 row of usage_log");
  });

  it("is silent when all keys meet or miss anyway, and when both sides are folded", async () => {
    const [same] = await severitiesOf(parts(["A1", "B2", "0073", "ZZ"]), [{ sql: join }]);
    const [folded] = await severitiesOf(parts(["a1", "B2 "]), [
      { sql: "SELECT SUM(u.pieces) FROM usage_log u JOIN part p ON LOWER(TRIM(p.code)) = LOWER(TRIM(u.part_code))" },
    ]);
    expect([same?.["key-spelling"], same?.["key-zeros"], folded?.["key-spelling"]]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

const people = `
  CREATE TABLE person (id INTEGER PRIMARY KEY, zip TEXT, subscribed TEXT, score TEXT, fee TEXT, level TEXT);
  INSERT INTO person VALUES (1,'01067','Y','9','1.200,50','A1'),(2,'80331','N','10','80','B2'),(3,'01067','Y','100','90','C3');`;

describe("numbers and booleans as text", () => {
  it("warns about literals in another spelling", async () => {
    const found = await severitiesOf(people, [
      { sql: "SELECT COUNT(*) FROM person WHERE zip = '1067'" },
      { sql: "SELECT COUNT(*) FROM person WHERE zip = 1067" },
      { sql: "SELECT COUNT(*) FROM person WHERE subscribed = 'true'" },
      { sql: "SELECT COUNT(*) FROM person WHERE subscribed = 1" },
    ]);
    expect(found.map((each) => each["text-spelling"])).toEqual(Array(4).fill("warning"));
  });

  it("warns when text is ordered, compared and added as if it were numbers", async () => {
    const found = await severitiesOf(people, [
      { sql: "SELECT id FROM person ORDER BY score DESC LIMIT 1" },
      { sql: "SELECT MAX(score) FROM person" },
      { sql: "SELECT id FROM person WHERE score > '50'" },
      { sql: "SELECT SUM(fee) FROM person" },
    ]);
    expect(found.map((each) => each["text-number"])).toEqual(Array(4).fill("warning"));
  });

  it("is silent for the stored spelling, for words and for conversions", async () => {
    const found = await severitiesOf(people, [
      { sql: "SELECT COUNT(*) FROM person WHERE zip = '01067'" },
      { sql: "SELECT COUNT(*) FROM person WHERE subscribed = 'Y'" },
      { sql: "SELECT id FROM person ORDER BY CAST(score AS INTEGER) DESC LIMIT 1" },
      { sql: "SELECT MAX(level) FROM person" },
      { sql: "SELECT id FROM person ORDER BY level LIMIT 1" },
      { sql: "SELECT id FROM person ORDER BY zip LIMIT 1" },
      { sql: "SELECT COUNT(*) FROM person WHERE level = 'A1'" },
    ]);
    expect(found.map((each) => each["text-number"] ?? each["text-spelling"])).toEqual(Array(7).fill(undefined));
  });
});

const shop = `
  CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT);
  CREATE TABLE receipt (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, total REAL, voucher TEXT);
  INSERT INTO customer VALUES (1,'a'),(2,'b'),(3,'c');
  INSERT INTO receipt VALUES (1,1,10,NULL),(2,1,20,'x'),(3,NULL,40,NULL),(4,2,5,NULL);`;

describe("missing keys", () => {
  it("finds a NOT IN that NULL empties", async () => {
    const [found, safe, without] = await severitiesOf(shop, [
      { sql: "SELECT name FROM customer WHERE id NOT IN (SELECT customer_id FROM receipt)" },
      {
        sql: "SELECT name FROM customer WHERE id NOT IN (SELECT customer_id FROM receipt WHERE customer_id IS NOT NULL)",
      },
      { sql: "SELECT name FROM customer c WHERE NOT EXISTS (SELECT 1 FROM receipt r WHERE r.customer_id = c.id)" },
    ]);
    expect(found?.["not-in-null"]).toBe("problem");
    expect([safe?.["not-in-null"], without?.["not-in-null"]]).toEqual([undefined, undefined]);
  });

  it("warns about a join that only drops rows, and notes others", async () => {
    const [idle, named, kept] = await severitiesOf(shop, [
      { sql: "SELECT SUM(r.total) FROM receipt r JOIN customer c ON c.id = r.customer_id" },
      { sql: "SELECT c.name, SUM(r.total) FROM receipt r JOIN customer c ON c.id = r.customer_id GROUP BY c.name" },
      { sql: "SELECT SUM(r.total) FROM receipt r LEFT JOIN customer c ON c.id = r.customer_id" },
    ]);
    expect([idle?.["null-key"], named?.["null-key"], kept?.["null-key"]]).toEqual(["warning", "notice", undefined]);
  });

  it("tells COUNT(column) from COUNT(*), and rows of an outer join from partners", async () => {
    const group = "FROM customer c LEFT JOIN receipt r ON r.customer_id = c.id GROUP BY c.name";
    const [column, named, star, partner] = await severitiesOf(shop, [
      { sql: "SELECT COUNT(voucher) FROM receipt", question: "How many receipts are there?" },
      { sql: "SELECT COUNT(voucher) FROM receipt", question: "How many vouchers were used?" },
      { sql: `SELECT c.name, COUNT(*) ${group}`, question: "How many receipts per customer?" },
      { sql: `SELECT c.name, COUNT(r.id) ${group}`, question: "How many receipts per customer?" },
    ]);
    expect([column?.["null-key"], named?.["null-key"]]).toEqual(["notice", undefined]);
    expect([star?.["outer-row-counted"], partner?.["outer-row-counted"]]).toEqual(["warning", undefined]);
  });
});
