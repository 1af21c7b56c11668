/** Any SQL checked without a session: the same faults are found on every engine, and right statements raise nothing. */
import { describe, expect, it } from "vitest";
import { checkStatement } from "../../src/evidence/check/check-statement.ts";
import { onEveryEngine } from "./on-every-engine.ts";

onEveryEngine(
  () => [
    "CREATE TABLE town (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(40) NOT NULL)",
    "CREATE TABLE client (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(40) NOT NULL, town_id INTEGER NOT NULL, FOREIGN KEY (town_id) REFERENCES town (id))",
    "CREATE TABLE bill (id INTEGER NOT NULL PRIMARY KEY, client_id INTEGER NOT NULL, amount DECIMAL(10, 2) NOT NULL, made DATE NOT NULL, FOREIGN KEY (client_id) REFERENCES client (id))",
    "CREATE TABLE visit (id INTEGER NOT NULL PRIMARY KEY, client_id INTEGER NOT NULL, FOREIGN KEY (client_id) REFERENCES client (id))",
    "INSERT INTO town VALUES (1, 'Ulm'), (2, 'Bonn'), (3, 'Köln')",
    "INSERT INTO client VALUES (1, 'Ann', 1), (2, 'Bob', 1), (3, 'Cid', 2), (4, 'Dot', 3)",
    "INSERT INTO bill VALUES (1, 1, 10.00, '2024-01-05'), (2, 1, 20.50, '2024-02-05'), (3, 2, 30.50, '2024-03-05'), (4, 3, 80.00, '2025-01-05')",
    "INSERT INTO visit VALUES (1, 1), (2, 1), (3, 2), (4, 3)",
  ],
  (given) => {
    const check = async (sql: string, question?: string) => {
      const { reader, opened } = given;
      const { warnings } = await checkStatement(reader, opened.catalog, opened.values, sql, question);
      return warnings
        .filter(({ severity }) => severity === "warning" || severity === "problem")
        .map(({ code }) => code);
    };

    describe("faults", () => {
      it.each([
        ["cross-product", "SELECT c.name, b.amount FROM client c, bill b WHERE b.amount > 20", undefined],
        [
          "measure-repeated",
          "SELECT c.name, SUM(b.amount) AS revenue FROM client c JOIN bill b ON b.client_id = c.id JOIN visit v ON v.client_id = c.id GROUP BY c.name",
          undefined,
        ],
        [
          "limit-tie",
          "SELECT c.name, SUM(b.amount) AS revenue FROM client c JOIN bill b ON b.client_id = c.id WHERE c.town_id = 1 GROUP BY c.name ORDER BY revenue DESC LIMIT 1",
          undefined,
        ],
        ["result-empty", "SELECT name FROM client WHERE name = 'Zed'", undefined],
        ["key-skipped", "SELECT c.name, t.name AS town FROM client c JOIN town t ON t.id = c.id", undefined],
        ["refused", "DELETE FROM client", undefined],
        ["does-not-run", "SELECT nothing_here FROM client", undefined],
        [
          "value-ignored",
          "SELECT COUNT(*) AS clients FROM client c JOIN town t ON t.id = c.town_id",
          "How many clients live in Ulm?",
        ],
        ["negation-ignored", "SELECT name FROM client WHERE town_id = 1", "Which clients do not live in Ulm?"],
      ])("%s", async (code, sql, question) => {
        expect(await check(sql, question)).toContain(code);
      });
    });

    it("rows that a join leaves out, broken references and counted rows are information, not alarms", async () => {
      const { reader, opened } = given;
      const told = async (sql: string) => {
        const { ok, warnings } = await checkStatement(reader, opened.catalog, opened.values, sql);
        return [ok, ...warnings.map(({ code, severity, message }) => `${severity} ${code}: ${message}`)];
      };
      expect(await told("SELECT c.name, b.amount FROM client c JOIN bill b ON b.client_id = c.id")).toEqual([
        true,
        "info rows-lost: 1 of 4 rows of client has no partner in bill and is left out.",
      ]);
      const counted = "SELECT COUNT(*) AS n FROM client c JOIN visit v ON v.client_id = c.id WHERE c.town_id = 1";
      expect(await told(counted)).toContain(
        "info count-repeated: COUNT(*) counts joined rows: 1 row of client stands there up to 2 times.",
      );
    });

    it("right statements raise nothing", async () => {
      const found = await Promise.all([
        check(
          "SELECT t.name, COUNT(*) AS clients FROM client c JOIN town t ON t.id = c.town_id GROUP BY t.name ORDER BY t.name",
          "How many clients are in each town?",
        ),
        check(
          "SELECT SUM(b.amount) AS total FROM bill b JOIN client c ON c.id = b.client_id JOIN town t ON t.id = c.town_id WHERE t.name = 'Ulm'",
          "What is the total amount of the bills of clients in Ulm?",
        ),
        check(
          "SELECT c.name FROM client c WHERE NOT EXISTS (SELECT 1 FROM bill b WHERE b.client_id = c.id)",
          "Which clients have no bill?",
        ),
      ]);
      expect(found).toEqual([[], [], []]);
    });
  },
);
