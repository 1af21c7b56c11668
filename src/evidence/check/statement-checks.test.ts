/** Faults that show in the statement and the rows alone: each with a statement that has it and one that hasn't. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openShop, type Shop } from "./check-fixture.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const cases: [code: string, wrong: string, right: string][] = [
  [
    "bridge-missing",
    "SELECT product.title FROM product JOIN orders ON product.id = orders.id",
    "SELECT product.title FROM product JOIN line ON line.product_id = product.id JOIN orders ON orders.id = line.order_id",
  ],
  [
    "key-skipped",
    "SELECT c.name FROM customer c JOIN orders o ON o.id = c.id",
    "SELECT c.name FROM customer c JOIN orders o ON o.customer_id = c.id",
  ],
  [
    "cross-product",
    "SELECT c.name, p.title FROM customer c, product p WHERE p.price > 20",
    "SELECT c.name, s.most FROM customer c, (SELECT MAX(price) AS most FROM product) s",
  ],
  [
    "cross-product",
    "SELECT c.name FROM customer c JOIN orders o ON c.city = (SELECT city FROM customer x WHERE x.id = c.id)",
    "SELECT c.name FROM customer c JOIN orders o ON o.total > c.age",
  ],
  [
    "join-meets-nothing",
    "SELECT c.name FROM customer c JOIN product p ON p.title = c.city",
    "SELECT c.name FROM customer c JOIN customer b ON b.city = c.city",
  ],
  [
    "value-spelling",
    "SELECT name FROM customer WHERE city = 'oslo'",
    "SELECT name FROM customer WHERE LOWER(city) = 'oslo'",
  ],
  [
    "value-spelling",
    "SELECT name FROM customer WHERE city IN ('Oslo ', 'Rome')",
    "SELECT name FROM customer WHERE city IN ('Oslo', 'Rome')",
  ],
  ["value-elsewhere", "SELECT name FROM customer WHERE city = 'Acme'", "SELECT title FROM product WHERE make = 'Acme'"],
  ["value-unknown", "SELECT city FROM customer WHERE name <> 'Zoe'", "SELECT city FROM customer WHERE name <> 'Ann'"],
  ["equals-null", "SELECT name FROM customer WHERE city = NULL", "SELECT name FROM customer WHERE city IS NULL"],
  [
    "not-in-null",
    "SELECT name FROM customer WHERE id NOT IN (SELECT boss_id FROM customer)",
    "SELECT name FROM customer WHERE id NOT IN (SELECT boss_id FROM customer WHERE boss_id IS NOT NULL)",
  ],
  [
    "integer-division",
    "SELECT SUM(parcels) / COUNT(*) FROM orders",
    "SELECT 1.0 * SUM(parcels) / COUNT(*) FROM orders",
  ],
  ["number-as-text", "SELECT MAX(rating) FROM customer", "SELECT MAX(CAST(rating AS INTEGER)) FROM customer"],
  ["number-as-text", "SELECT name FROM customer ORDER BY rating", "SELECT year FROM orders ORDER BY year"],
  ["year-as-date", "SELECT strftime('%Y', year) FROM orders", "SELECT strftime('%Y', placed) FROM orders"],
  [
    "date-edge",
    "SELECT id FROM orders WHERE placed BETWEEN '2023-01-01' AND '2023-02-01'",
    "SELECT id FROM orders WHERE placed >= '2023-01-01' AND placed < '2023-02-02'",
  ],
  [
    "measure-repeated",
    "SELECT c.name, SUM(o.total) FROM customer c JOIN orders o ON o.customer_id = c.id JOIN line l ON l.order_id = o.id GROUP BY c.id",
    "SELECT c.name, SUM(o.total) FROM customer c JOIN orders o ON o.customer_id = c.id GROUP BY c.id",
  ],
  [
    "measure-repeated",
    "SELECT AVG(p.price) FROM product p JOIN line l ON l.product_id = p.id",
    "SELECT o.id, AVG(p.price) FROM product p JOIN line l ON l.product_id = p.id JOIN orders o ON o.id = l.order_id GROUP BY o.id",
  ],
  [
    "ungrouped-column",
    "SELECT city, name, COUNT(*) FROM customer WHERE city IS NOT NULL GROUP BY city",
    "SELECT id, name, COUNT(*) FROM customer GROUP BY id",
  ],
  ["group-missing", "SELECT city, COUNT(*) FROM customer", "SELECT city, MIN(age) FROM customer"],
  [
    "limit-tie",
    "SELECT customer_id FROM orders ORDER BY total DESC LIMIT 1",
    "SELECT customer_id FROM orders ORDER BY total LIMIT 1",
  ],
  [
    "limit-tie",
    "SELECT status, COUNT(*) AS n FROM orders WHERE id > 1 AND id < 4 GROUP BY status ORDER BY n DESC LIMIT 1",
    "SELECT status, COUNT(*) AS n FROM orders GROUP BY status ORDER BY n DESC LIMIT 1",
  ],
  ["result-empty", "SELECT name FROM customer WHERE age > 99", "SELECT name FROM customer WHERE age > 60"],
  ["column-null", "SELECT city FROM customer WHERE id = 5", "SELECT city FROM customer WHERE id > 3"],
  ["no-data-read", "SELECT name FROM sqlite_master", "SELECT name FROM customer"],
  ["does-not-run", "SELECT nothing FROM customer", "SELECT name FROM customer"],
  ["refused", "DELETE FROM customer", "SELECT name FROM customer"],
];

describe("a statement without a question", () => {
  it.each(cases.filter(([code]) => code !== "no-data-read"))("%s: %s", async (code, wrong, right) => {
    expect(await shop.alarms(wrong)).toContain(code);
    expect(await shop.alarms(right)).toEqual([]);
  });

  it("says what often stands in right queries as information", async () => {
    const like = await shop.check("SELECT name FROM customer WHERE name LIKE 'Ann'");
    expect(like).toMatchObject({ ok: true, warnings: [{ code: "like-without-wildcard", severity: "notice" }] });
    const twice = await shop.check("SELECT city FROM customer WHERE city IS NOT NULL");
    expect(twice).toMatchObject({ ok: true, warnings: [{ code: "rows-repeated", severity: "info" }] });
    const undeclared = await shop.check("SELECT c.name FROM customer c JOIN orders o ON o.parcels = c.id");
    expect(undeclared.warnings.map(({ code }) => code)).toContain("key-skipped");
  });

  it("is quiet about steps, derived tables and correlated queries that are right", async () => {
    for (const sql of [
      "WITH spent AS (SELECT customer_id, SUM(total) AS sum FROM orders GROUP BY customer_id) SELECT c.name, s.sum FROM customer c JOIN spent s ON s.customer_id = c.id",
      "SELECT name FROM customer c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)",
      "SELECT name, (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id) FROM customer c",
      "SELECT name FROM customer WHERE id IN (SELECT customer_id FROM orders)",
      "SELECT a.name, b.name FROM customer a JOIN customer b ON a.city = b.city AND a.id < b.id",
      "SELECT c.name FROM customer c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL",
      "SELECT name FROM customer UNION SELECT title FROM product ORDER BY 1",
      "SELECT name, RANK() OVER (ORDER BY age DESC) FROM customer",
    ])
      expect([sql, await shop.alarms(sql)]).toEqual([sql, []]);
  });

  it("gives one warning per place, worst first, each with all four fields", async () => {
    const { ok, warnings } = await shop.check("SELECT name FROM customer WHERE city = 'oslo' AND name LIKE 'Ann'");
    expect(ok).toBe(false);
    expect(warnings[0]).toEqual({
      code: "value-spelling",
      severity: "problem",
      message: expect.stringContaining("'Oslo'"),
      where: "customer.city",
    });
    const order = ["problem", "warning", "notice", "info"];
    const ranks = warnings.map(({ severity }) => order.indexOf(severity));
    expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
  });
});
