import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Decision, Finding } from "../protocol/index.ts";
import { filterOf, joinOf, type Opened, openSmall } from "./evidence-fixture.ts";
import { measureAnswer } from "./measure-answer.ts";

let opened: Opened;
beforeAll(async () => {
  opened = await openSmall(`
    CREATE TABLE client (id INTEGER PRIMARY KEY, name TEXT, town TEXT);
    CREATE TABLE bill (id INTEGER PRIMARY KEY, client INTEGER REFERENCES client(id), amount NUMERIC, pieces INTEGER);
    CREATE TABLE visit (id INTEGER PRIMARY KEY, client INTEGER REFERENCES client(id));
    CREATE TABLE topic (bill INTEGER REFERENCES bill(id), word TEXT, PRIMARY KEY (bill, word));
    INSERT INTO client VALUES (1,'Ann','Ulm'),(2,'Bob','Ulm'),(3,'Cid','Bonn');
    INSERT INTO bill VALUES (1,1,10,1),(2,1,20.5,2),(3,2,40,1),(4,3,80,3);
    INSERT INTO visit VALUES (1,1),(2,1),(3,2);
    INSERT INTO topic VALUES (1,'tax'),(1,'car'),(2,'tax'),(3,'car'),(4,'car');`);
});
afterAll(() => opened?.close());

const bills = joinOf("client c", "INNER", "bill b", "id=client");
const visits = joinOf("client c", "INNER", "visit v", "id=client");
const topics = joinOf("bill b", "INNER", "topic t", "id=bill");

async function totals(sql: string, ...decisions: Decision[]): Promise<{ checks: string[]; finding?: Finding }> {
  const held = decisions.map((decision, index) => ({ seq: index + 1, decision }));
  const answer = await measureAnswer(opened.database, opened.catalog, sql, held);
  if ("problem" in answer) throw new Error(answer.problem.message);
  const finding = answer.findings.find(({ code }) => code.startsWith("total-"));
  const checks = answer.checks.filter(({ text }) => text.includes(" row of ")).map(({ ok, text }) => `${ok}: ${text}`);
  return { checks, ...(finding ? { finding } : {}) };
}

describe("totals of the answer", () => {
  it("agree when each row is summed once, over a join, a step and a rounding", async () => {
    const plain =
      "SELECT c.name, SUM(b.amount) AS revenue FROM client c JOIN bill b ON b.client = c.id GROUP BY c.name";
    const steps =
      "WITH joined AS (SELECT c.name AS who, b.amount AS a FROM client c JOIN bill b ON b.client = c.id), per AS (SELECT who, ROUND(SUM(a), 2) AS revenue FROM joined GROUP BY who) SELECT who, revenue FROM per ORDER BY revenue DESC";
    for (const sql of [plain, steps])
      expect(await totals(sql, bills)).toEqual({ checks: ["true: revenue adds up to 150.5: each row of bill once"] });
  });

  it("differ when another join repeats the rows that are summed", async () => {
    const sql =
      "WITH j AS (SELECT c.name, b.amount FROM client c JOIN bill b ON b.client = c.id JOIN visit v ON v.client = c.id) SELECT name, SUM(amount) AS revenue FROM j GROUP BY name";
    const { checks, finding } = await totals(sql, bills, visits);
    // Ann: (10 + 20.5) twice, Bob: 40 once; each bill once: 70.5.
    expect(checks).toEqual(["false: revenue adds up to 101, each row of bill once gives 70.5"]);
    expect(finding).toMatchObject({ code: "total-differs", severity: "warning" });
    expect(finding?.body).toContain("A join repeats rows");
  });

  it("of groups that share rows are told apart from repeated rows", async () => {
    const sql =
      "SELECT t.word, SUM(b.amount) AS revenue FROM bill b JOIN topic t ON t.bill = b.id GROUP BY t.word ORDER BY t.word";
    const { checks, finding } = await totals(sql, topics);
    expect(checks).toEqual(["true: revenue counts each row of bill once per group"]);
    expect(finding).toMatchObject({ code: "total-shared", severity: "notice" });
    expect(finding?.body).toContain("together give 160.5, each row once gives 150.5");
  });

  it("keep to the accepted filters, and read arithmetic over one table", async () => {
    const sql =
      "SELECT c.name, SUM(b.amount * b.pieces) AS value FROM client c JOIN bill b ON b.client = c.id WHERE c.town = 'Ulm' GROUP BY c.name";
    const filter = { ...filterOf("in Ulm", "client.town", "=", ["Ulm"], "c.town = 'Ulm'"), alias: "c" };
    expect(await totals(sql, bills, filter)).toEqual({
      checks: ["true: value adds up to 91: each row of bill once"],
    });
    const lost = await totals(sql.replace("'Ulm'", "'Ulm' AND b.id <> 3"), bills, filter);
    expect(lost.checks).toEqual(["false: value adds up to 51, each row of bill once gives 91"]);
    expect(lost.finding?.body).toContain("Rows are lost");
  });

  it("are held without joins too", async () => {
    const table: Decision = { kind: "table", table: "bill", use: "used", reason: "amounts" };
    expect((await totals("SELECT SUM(amount) AS revenue FROM bill", table)).checks).toEqual([
      "true: revenue adds up to 150.5: each row of bill once",
    ]);
  });

  it("say nothing where part of the groups is left out on purpose", async () => {
    const grouped = "SELECT c.name, SUM(b.amount) AS r FROM client c JOIN bill b ON b.client = c.id GROUP BY c.name";
    for (const end of ["ORDER BY r DESC LIMIT 1", "HAVING SUM(b.amount) > 35"])
      expect(await totals(`${grouped} ${end}`, bills)).toEqual({ checks: [] });
    const average = grouped.replace("SUM", "AVG");
    expect(await totals(average, bills)).toEqual({ checks: [] });
  });
});
