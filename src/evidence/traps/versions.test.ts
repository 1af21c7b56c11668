/** Old versions, deleted rows, snapshots and shares. */
import { describe, expect, it } from "vitest";
import { findingsOf, severitiesOf } from "./traps-fixture.ts";

const prices = `
CREATE TABLE product (product_id INTEGER PRIMARY KEY, title TEXT NOT NULL);
CREATE TABLE price_list (product_id INTEGER NOT NULL REFERENCES product, valid_from DATE NOT NULL, valid_to DATE, unit_price REAL);
CREATE TABLE sale (sale_id INTEGER PRIMARY KEY, product_id INTEGER NOT NULL REFERENCES product, sold_on DATE, pieces INTEGER);
INSERT INTO product VALUES (1,'Pen'),(2,'Ink');
INSERT INTO price_list VALUES (1,'2023-01-01','2023-12-31',2.0),(1,'2024-01-01',NULL,3.0),(2,'2023-01-01',NULL,10.0);
INSERT INTO sale VALUES (1,1,'2024-02-01',5),(2,1,'2023-02-01',4),(3,2,'2024-03-01',1);`;

describe("validity ranges", () => {
  it("warns when every period of a key is joined, and tells the figures", async () => {
    const [found = []] = await findingsOf(prices, [
      {
        sql: "SELECT SUM(s.pieces * p.unit_price) AS revenue FROM sale s JOIN price_list p ON p.product_id = s.product_id",
      },
    ]);
    const finding = found.find(({ code }) => code === "validity-range");
    expect(finding?.severity).toBe("warning");
    // Both periods: 5·2+5·3+4·2+4·3+1·10; the newest alone: 5·3+4·3+1·10.
    expect(finding?.body).toContain("55");
    expect(finding?.body).toContain("37");
    expect(finding?.waysOut.length).toBeGreaterThan(0);
  });

  it("is silent when the dates are looked at, when history is asked for and when there is one period per key", async () => {
    const join = "FROM sale s JOIN price_list p ON p.product_id = s.product_id";
    const found = await severitiesOf(prices, [
      {
        sql: `SELECT SUM(s.pieces * p.unit_price) ${join} AND s.sold_on >= p.valid_from AND (p.valid_to IS NULL OR s.sold_on <= p.valid_to)`,
      },
      {
        sql: `SELECT t.title, p.unit_price FROM product t JOIN price_list p ON p.product_id = t.product_id`,
        question: "the price history of each product",
      },
      { sql: `SELECT COUNT(DISTINCT s.sale_id) ${join}` },
      { sql: "SELECT title FROM product" },
    ]);
    expect(found.map((each) => each["validity-range"])).toEqual([undefined, undefined, undefined, undefined]);
    const [single] = await severitiesOf(prices.replace("(1,'2024-01-01',NULL,3.0),", ""), [
      { sql: `SELECT SUM(s.pieces * p.unit_price) ${join}` },
    ]);
    expect(single?.["validity-range"]).toBeUndefined();
  });

  it("warns about one rate per currency and day", async () => {
    const [found, own] = await severitiesOf(
      `CREATE TABLE fx (currency TEXT, rate_date TEXT, rate REAL, PRIMARY KEY (currency, rate_date));
       CREATE TABLE charge (id INTEGER PRIMARY KEY, currency TEXT, amount REAL);
       INSERT INTO fx VALUES ('USD','2024-01-01',1.1),('USD','2024-01-02',1.2); INSERT INTO charge VALUES (1,'USD',10);`,
      [
        { sql: "SELECT SUM(c.amount * f.rate) FROM charge c JOIN fx f ON f.currency = c.currency" },
        { sql: "SELECT SUM(rate) FROM fx" },
      ],
    );
    expect([found?.["validity-range"], own?.["validity-range"]]).toEqual(["warning", undefined]);
  });

  it("takes start and end for the life of a thing, unless other rows are repeated", async () => {
    const [listed, summed] = await severitiesOf(
      `CREATE TABLE worker (id INTEGER PRIMARY KEY, name TEXT, bonus REAL);
       CREATE TABLE contract (id INTEGER PRIMARY KEY, workerId INTEGER REFERENCES worker, startDate DATE, endDate DATE);
       INSERT INTO worker VALUES (1,'Ada',100),(2,'Bo',50);
       INSERT INTO contract VALUES (1,1,'2020-01-01','2021-01-01'),(2,1,'2021-01-02','2022-01-01'),(3,2,'2020-01-01','2021-01-01');`,
      [
        { sql: "SELECT w.name, c.id FROM worker w JOIN contract c ON c.workerId = w.id" },
        { sql: "SELECT SUM(w.bonus) FROM worker w JOIN contract c ON c.workerId = w.id" },
      ],
    );
    expect(listed?.["validity-range"]).toBeUndefined();
    expect(summed?.["validity-range"]).toBe("warning");
  });
});

describe("soft deletes", () => {
  const table = (column: string, values: string[]) =>
    `CREATE TABLE client (id INTEGER PRIMARY KEY, name TEXT, ${column}); INSERT INTO client VALUES ${values.map((value, at) => `(${at + 1}, 'c${at}', ${value})`).join(",")};`;
  const count = { sql: "SELECT COUNT(*) FROM client", question: "How many clients are there?" };

  it.each([
    ["deleted_at TIMESTAMP", ["NULL", "'2024-01-01 10:00:00'", "NULL"]],
    ["isDeleted INTEGER", ["0", "1", "0"]],
    ["is_deleted TEXT", ["'N'", "'Y'", "'N'"]],
    ["record_status TEXT", ["'live'", "'DELETED'", "'live'"]],
    ["geloescht_am DATE", ["NULL", "'2024-01-01'", "NULL"]],
    ["is_active BOOLEAN", ["1", "0", "1"]],
    ["eliminato INTEGER", ["0", "1", "0"]],
  ])("warns about %s", async (column, values) => {
    const [found = []] = await findingsOf(table(column, values), [count]);
    const finding = found.find(({ code }) => code === "soft-deleted");
    expect(finding?.severity).toBe("warning");
    expect(finding?.body).toContain("now is 3; without them it would be 2");
  });

  it("is silent when the mark is looked at, asked for, or on no row", async () => {
    const schema = table("deleted_at TIMESTAMP", ["NULL", "'2024-01-01 10:00:00'", "NULL"]);
    const found = await severitiesOf(schema, [
      { sql: "SELECT COUNT(*) FROM client WHERE deleted_at IS NULL" },
      { sql: "WITH live AS (SELECT * FROM client) SELECT COUNT(*) FROM live WHERE deleted_at IS NULL" },
      { sql: "SELECT COUNT(*) FROM client", question: "How many clients, including deleted ones?" },
      { sql: "SELECT name FROM client WHERE id = 1" },
    ]);
    expect(found.map((each) => each["soft-deleted"])).toEqual([undefined, undefined, undefined, undefined]);
    const [none] = await severitiesOf(table("deleted_at TIMESTAMP", ["NULL", "NULL"]), [count]);
    expect(none?.["soft-deleted"]).toBeUndefined();
  });

  it("only notes a deleted name of something that is counted, and cancelled rows", async () => {
    const [lookup, cancelled] = await severitiesOf(
      `${table("deleted_at TIMESTAMP", ["NULL", "'2024-01-01 10:00:00'", "NULL"])}
       CREATE TABLE bill (id INTEGER PRIMARY KEY, client_id INTEGER REFERENCES client, amount REAL, status TEXT);
       INSERT INTO bill VALUES (1,1,10,'paid'),(2,2,20,'paid'),(3,3,30,'cancelled');`,
      [
        {
          sql: "SELECT c.name, SUM(b.amount) FROM bill b JOIN client c ON c.id = b.client_id WHERE b.status = 'paid' GROUP BY c.name",
        },
        { sql: "SELECT SUM(amount) FROM bill" },
      ],
    );
    expect([lookup?.["soft-deleted"], cancelled?.["soft-deleted"]]).toEqual(["notice", "notice"]);
  });
});

const stock = `
CREATE TABLE warehouse_stock (item_id INTEGER, snapshot_date DATE, on_hand INTEGER, PRIMARY KEY (item_id, snapshot_date));
INSERT INTO warehouse_stock VALUES (1,'2024-01-01',10),(1,'2024-01-02',11),(1,'2024-01-03',9),(2,'2024-01-01',5),(2,'2024-01-02',5),(2,'2024-01-03',6);
CREATE TABLE shop_sales (shop_id INTEGER, day DATE, sold INTEGER, PRIMARY KEY (shop_id, day));
INSERT INTO shop_sales VALUES (1,'2024-01-01',10),(1,'2024-01-02',11),(2,'2024-01-01',5),(2,'2024-01-02',5);`;

describe("snapshots", () => {
  it("warns when levels are added up over days", async () => {
    const [found = [], account] = await findingsOf(
      `${stock} CREATE TABLE kontostand (konto_nr TEXT, stichtag TEXT, saldo REAL, PRIMARY KEY (konto_nr, stichtag));
       INSERT INTO kontostand VALUES ('a','2024-01-31',1),('a','2024-02-29',2),('b','2024-01-31',3),('b','2024-02-29',4);`,
      [
        { sql: "SELECT SUM(on_hand) FROM warehouse_stock" },
        { sql: "SELECT konto_nr, SUM(saldo) FROM kontostand GROUP BY konto_nr" },
      ],
    );
    const finding = found.find(({ code }) => code === "snapshot-summed");
    expect(finding?.severity).toBe("warning");
    expect(finding?.body).toContain("now is 46; for the last snapshot_date alone it would be 15");
    expect(account?.find(({ code }) => code === "snapshot-summed")?.severity).toBe("warning");
  });

  it("is silent for one day, for groups by day, for averages and for what flows", async () => {
    const found = await severitiesOf(stock, [
      { sql: "SELECT SUM(on_hand) FROM warehouse_stock WHERE snapshot_date = '2024-01-03'" },
      {
        sql: "SELECT SUM(on_hand) FROM warehouse_stock WHERE snapshot_date = (SELECT MAX(snapshot_date) FROM warehouse_stock)",
      },
      { sql: "SELECT snapshot_date, SUM(on_hand) FROM warehouse_stock GROUP BY snapshot_date" },
      { sql: "SELECT AVG(on_hand) FROM warehouse_stock" },
      { sql: "SELECT SUM(sold) FROM shop_sales" },
    ]);
    expect(found.map((each) => each["snapshot-summed"])).toEqual(Array(5).fill(undefined));
  });
});

describe("shares on a bridge", () => {
  const schema = `
    CREATE TABLE project (id INTEGER PRIMARY KEY, budget REAL);
    CREATE TABLE department (id INTEGER PRIMARY KEY, name TEXT);
    CREATE TABLE project_department (project_id INTEGER REFERENCES project, department_id INTEGER REFERENCES department, cost_share REAL);
    INSERT INTO project VALUES (1, 100), (2, 50);
    INSERT INTO department VALUES (1, 'A'), (2, 'B');
    INSERT INTO project_department VALUES (1,1,0.6),(1,2,0.4),(2,1,0.5),(2,2,0.5);`;
  const from =
    "FROM project p JOIN project_department pd ON pd.project_id = p.id JOIN department d ON d.id = pd.department_id";

  it("warns when the whole is counted for each part", async () => {
    const [found = []] = await findingsOf(schema, [{ sql: `SELECT d.name, SUM(p.budget) ${from} GROUP BY d.name` }]);
    const finding = found.find(({ code }) => code === "share-ignored");
    expect(finding?.severity).toBe("warning");
    expect(finding?.body).toContain("2 of 2 project_id");
  });

  it("is silent when the share is used, nothing is summed, or no whole is split", async () => {
    const found = await severitiesOf(schema, [
      { sql: `SELECT d.name, SUM(p.budget * pd.cost_share) ${from} GROUP BY d.name` },
      { sql: `SELECT d.name, COUNT(DISTINCT p.id) ${from} GROUP BY d.name` },
      {
        sql: `SELECT d.name, SUM(p.budget) ${from} GROUP BY d.name`,
        question: "the full amount of all projects per department",
      },
    ]);
    expect(found.map((each) => each["share-ignored"])).toEqual([undefined, undefined, undefined]);
    const [whole] = await severitiesOf(schema.replace("(1,1,0.6),(1,2,0.4),(2,1,0.5),(2,2,0.5)", "(1,1,1),(2,2,1)"), [
      { sql: `SELECT d.name, SUM(p.budget) ${from} GROUP BY d.name` },
    ]);
    expect(whole?.["share-ignored"]).toBeUndefined();
  });
});
