/** Faults that only show against the question: each with a statement that has it and one that hasn't. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openShop, type Shop } from "./check-fixture.ts";
import { nameWords, readQuestion } from "./read-question.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

const cases: [code: string, question: string, wrong: string, right: string][] = [
  [
    "quote-ignored",
    'Who bought the "Lamp"?',
    "SELECT name FROM customer",
    "SELECT c.name FROM customer c JOIN orders o ON o.customer_id = c.id JOIN line l ON l.order_id = o.id JOIN product p ON p.id = l.product_id WHERE p.title = 'Lamp'",
  ],
  [
    "number-ignored",
    "Customers older than 40",
    "SELECT name FROM customer",
    "SELECT name FROM customer WHERE age > 40",
  ],
  [
    "number-ignored",
    "Customers aged at least 45",
    "SELECT name FROM customer WHERE age > 30",
    "SELECT name FROM customer WHERE age > 44",
  ],
  [
    "number-unasked",
    "Customers older than 40",
    "SELECT name FROM customer WHERE age > 35",
    "SELECT name FROM customer WHERE age > 40",
  ],
  [
    "value-ignored",
    "Names of the customers in Rome",
    "SELECT name FROM customer",
    "SELECT name FROM customer WHERE city = 'Rome'",
  ],
  [
    "negation-ignored",
    "Customers who have not ordered",
    "SELECT name FROM customer WHERE id IN (SELECT customer_id FROM orders)",
    "SELECT name FROM customer WHERE id NOT IN (SELECT customer_id FROM orders)",
  ],
  [
    "superlative-ignored",
    "Which customer is the oldest?",
    "SELECT name FROM customer",
    "SELECT name FROM customer ORDER BY age DESC LIMIT 1",
  ],
  [
    "superlative-turned",
    "Who is the youngest customer?",
    "SELECT name FROM customer ORDER BY age DESC LIMIT 1",
    "SELECT name FROM customer ORDER BY age LIMIT 1",
  ],
  [
    "superlative-turned",
    "The product with the lowest price",
    "SELECT title FROM product ORDER BY price DESC LIMIT 1",
    "SELECT title FROM product ORDER BY price LIMIT 1",
  ],
  [
    "each-ignored",
    "Average age for each city",
    "SELECT AVG(age) FROM customer",
    "SELECT city, AVG(age) FROM customer GROUP BY city",
  ],
  [
    "rate-ignored",
    "What is the percentage of paid orders?",
    "SELECT COUNT(*) FROM orders WHERE status = 'paid'",
    "SELECT 100.0 * SUM(status = 'paid') / COUNT(*) FROM orders",
  ],
  [
    "average-ignored",
    "What is the average age of the customers?",
    "SELECT SUM(age) FROM customer",
    "SELECT AVG(age) FROM customer",
  ],
  [
    "distinct-ignored",
    "List the different cities of customers",
    "SELECT city FROM customer WHERE city IS NOT NULL",
    "SELECT DISTINCT city FROM customer WHERE city IS NOT NULL",
  ],
  [
    "time-ignored",
    "What was ordered in the last month?",
    "SELECT product_id FROM line",
    "SELECT id FROM orders WHERE placed >= date('2024-02-20')",
  ],
  [
    "now-missing",
    "How many years ago was the first order?",
    "SELECT MIN(year) FROM orders",
    "SELECT strftime('%Y', 'now') - MIN(year) FROM orders",
  ],
  [
    "time-of-event",
    "Age of Ann at the time of her first order",
    "SELECT age FROM customer WHERE name = 'Ann'",
    "SELECT age - (strftime('%Y', 'now') - 2023) AS age_then FROM customer WHERE name = 'Ann'",
  ],
  [
    "count-missing",
    "How many customers are in Rome?",
    "SELECT name FROM customer WHERE city = 'Rome'",
    "SELECT COUNT(*) FROM customer WHERE city = 'Rome'",
  ],
  [
    "list-for-one",
    "How much did Ann spend?",
    "SELECT o.total FROM orders o JOIN customer c ON c.id = o.customer_id WHERE c.name = 'Ann'",
    "SELECT SUM(o.total) FROM orders o JOIN customer c ON c.id = o.customer_id WHERE c.name = 'Ann'",
  ],
  [
    "count-for-list",
    "List the customers in Rome",
    "SELECT COUNT(*) FROM customer WHERE city = 'Rome'",
    "SELECT name FROM customer WHERE city = 'Rome'",
  ],
  [
    "asked-column-unused",
    "The make of the product that is cheaper than 20",
    "SELECT title FROM product WHERE price < 20",
    "SELECT make FROM product WHERE price < 20",
  ],
  ["no-data-read", "Which customers are there?", "SELECT name FROM sqlite_master", "SELECT name FROM customer"],
  [
    "zero-groups",
    "Number of orders per customer",
    "SELECT c.name, COUNT(o.id) FROM customer c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id",
    "SELECT c.name, COUNT(*) FROM customer c JOIN orders o ON o.customer_id = c.id GROUP BY c.id",
  ],
];

describe("a statement with its question", () => {
  it.each(cases)("%s: %s", async (code, question, wrong, right) => {
    expect(await shop.alarms(wrong, question)).toContain(code);
    expect(await shop.alarms(right, question)).toEqual([]);
  });

  it("wants groups of zero when the question does", async () => {
    const sql = "SELECT c.name, COUNT(o.id) FROM customer c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id";
    expect(await shop.alarms(sql, "Number of orders of all customers, including those without any")).toEqual([]);
  });

  it("says nothing about words that only look like more", async () => {
    for (const [question, sql] of [
      ["Customers aged at most 45", "SELECT name FROM customer WHERE age <= 45"],
      [
        "Total per customer, highest first",
        "SELECT customer_id, SUM(total) FROM orders GROUP BY customer_id ORDER BY 2 DESC",
      ],
      ["Show city and age of Ann", "SELECT city, age FROM customer WHERE name = 'Ann'"],
      ["How many customers are no older than 45?", "SELECT COUNT(*) FROM customer WHERE age <= 45"],
      ["Products of constructor Brio", "SELECT title FROM product WHERE make = 'Brio'"],
    ] as const)
      expect([question, await shop.alarms(sql, question)]).toEqual([question, []]);
  });
});

it("reads quotes, numbers and names", () => {
  const asked = readQuestion("Show the 3 songs by 'Ann's Band' and “Bob” with more than 1,200 plays or twice 2.5");
  expect(asked.quoted).toEqual(["Bob", "Ann's Band"]);
  expect(asked.numbers.map(({ value }) => value)).toEqual([3, 1200, 2.5, 2]);
  expect(nameWords("Song_release_year")).toEqual(["song", "release", "year"]);
  expect(nameWords("sbCustName")).toEqual(["sb", "cust", "name"]);
});
