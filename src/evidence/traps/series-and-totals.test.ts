/** Dates and periods, ties, sums of distinct counts, shares. */
import { describe, expect, it } from "vitest";
import { findingsOf, severitiesOf } from "./traps-fixture.ts";

const orders = `
  CREATE TABLE shipment (id INTEGER PRIMARY KEY, ordered_on DATE, shipped_on DATE, due_on DATE, worth REAL);
  INSERT INTO shipment VALUES (1,'2023-12-30','2024-01-02','2024-01-05',10),(2,'2024-02-01','2024-02-03','2024-02-05',20),(3,'2024-04-01','2025-01-03','2025-01-04',30);`;
const in2024 = "SELECT SUM(worth) FROM shipment WHERE ordered_on >= '2024-01-01' AND ordered_on < '2025-01-01'";

describe("several dates for one word", () => {
  it("warns when the question doesn't say which, and what another would give", async () => {
    const [found = []] = await findingsOf(orders, [{ sql: in2024, question: "What was our turnover in 2024?" }]);
    const finding = found.find(({ code }) => code === "date-ambiguous");
    expect(finding?.severity).toBe("warning");
    expect(finding?.body).toContain("now is 50; by shipped_on it would be 30");
  });

  it("is silent when a word chooses one, without a time, and with one date", async () => {
    const found = await severitiesOf(orders, [
      { sql: in2024, question: "Worth of shipments ordered in 2024" },
      { sql: "SELECT SUM(worth) FROM shipment", question: "What was our turnover?" },
      { sql: in2024 },
    ]);
    expect(found.map((each) => each["date-ambiguous"])).toEqual([undefined, undefined, undefined]);
  });
});

const visits = (months: string[]) => `
  CREATE TABLE visit (id INTEGER PRIMARY KEY, at DATE, branch TEXT, person TEXT, fee REAL);
  INSERT INTO visit VALUES ${months.map((month, at) => `(${at + 1},'${month}-15','b${at % 2}','p${at % 3}',${at + 1})`).join(",")};`;
const gap = visits(["2024-01", "2024-02", "2024-02", "2024-04", "2024-05"]);
const full = visits(["2024-01", "2024-02", "2024-02", "2024-03", "2024-04"]);
const monthly = "SELECT strftime('%Y-%m', at) AS month, SUM(fee) FROM visit GROUP BY 1 ORDER BY 1";

describe("gaps in a series", () => {
  it("warns about a missing month when every month is asked for", async () => {
    const [found = []] = await findingsOf(gap, [{ sql: monthly, question: "Show the fees per month" }]);
    const finding = found.find(({ code }) => code === "period-missing");
    expect(finding?.severity).toBe("warning");
    expect(finding?.title).toContain("2024-03");
  });

  it("is silent without a gap and for the best months only", async () => {
    const [whole] = await severitiesOf(full, [{ sql: monthly, question: "Show the fees per month" }]);
    const [best] = await severitiesOf(gap, [
      {
        sql: "SELECT strftime('%Y-%m', at) AS month, SUM(fee) FROM visit GROUP BY 1 ORDER BY 2 DESC LIMIT 2",
        question: "The two best months",
      },
    ]);
    expect([whole?.["period-missing"], best?.["period-missing"]]).toEqual([undefined, undefined]);
  });
});

describe("the period before", () => {
  const years = (list: string[]) => visits(list.flatMap((year) => [`${year}-01`, `${year}-12`]));
  const yearly = `WITH y AS (SELECT strftime('%Y', at) AS yr, SUM(fee) AS fees FROM visit GROUP BY strftime('%Y', at))
    SELECT yr, fees, fees - LAG(fees) OVER (ORDER BY yr) AS more FROM y ORDER BY yr`;

  it("warns when LAG steps over a missing year", async () => {
    const [found = []] = await findingsOf(years(["2019", "2020", "2022"]), [
      { sql: yearly, question: "growth per year" },
    ]);
    const finding = found.find(({ code }) => code === "period-before");
    expect(finding?.severity).toBe("warning");
    expect(finding?.title).toContain("2021");
  });

  it("warns about a year that isn't over, and is silent for whole years", async () => {
    const [open = []] = await findingsOf(visits(["2022-01", "2022-12", "2023-01", "2023-12", "2024-01", "2024-04"]), [
      { sql: yearly },
    ]);
    const [whole] = await severitiesOf(years(["2020", "2021", "2022"]).replaceAll("-12-15", "-12-31"), [
      { sql: yearly, question: "growth per year" },
    ]);
    const finding = open.find(({ code }) => code === "period-before");
    expect([finding?.severity, finding?.title.includes("2024")]).toEqual(["warning", true]);
    expect(whole?.["period-before"]).toBeUndefined();
  });
});

describe("ties", () => {
  const schema = `CREATE TABLE runner (id INTEGER PRIMARY KEY, name TEXT, medals INTEGER);
    INSERT INTO runner VALUES (1,'a',9),(2,'b',7),(3,'c',7),(4,'d',1);`;
  it("warns when equal values are cut, also when the value isn't shown", async () => {
    const found = await severitiesOf(schema, [
      { sql: "SELECT name, medals FROM runner ORDER BY medals DESC LIMIT 2" },
      { sql: "SELECT name FROM runner ORDER BY medals DESC LIMIT 2" },
      { sql: "SELECT name, SUM(medals) AS total FROM runner GROUP BY name ORDER BY total DESC LIMIT 2" },
      { sql: "SELECT name FROM runner GROUP BY name ORDER BY SUM(medals) DESC LIMIT 2" },
    ]);
    expect(found.map((each) => each["tie-cut"])).toEqual(Array(4).fill("warning"));
  });
  it("is silent between different values and where a second column decides", async () => {
    const found = await severitiesOf(schema, [
      { sql: "SELECT name FROM runner ORDER BY medals DESC LIMIT 1" },
      { sql: "SELECT name FROM runner ORDER BY medals DESC LIMIT 3" },
      { sql: "SELECT name FROM runner ORDER BY medals DESC, name LIMIT 2" },
      { sql: "SELECT name FROM runner LIMIT 2" },
    ]);
    expect(found.map((each) => each["tie-cut"])).toEqual(Array(4).fill(undefined));
  });
});

describe("distinct counts that are added up", () => {
  const sum = (inner: string) => `SELECT SUM(n) FROM (${inner}) AS g`;
  it("warns with both figures, and is silent when nothing is in two groups", async () => {
    const [found = [], step = [], plain = [], alone = []] = await findingsOf(full, [
      { sql: sum("SELECT branch, COUNT(DISTINCT person) AS n FROM visit GROUP BY branch") },
      {
        sql: "WITH m AS (SELECT branch, COUNT(DISTINCT person) AS n FROM visit GROUP BY branch) SELECT SUM(m.n) FROM m",
      },
      { sql: sum("SELECT branch, COUNT(*) AS n FROM visit GROUP BY branch") },
      { sql: sum("SELECT branch, COUNT(DISTINCT id) AS n FROM visit GROUP BY branch") },
    ]);
    const of = (findings: typeof found) => findings.find(({ code }) => code === "distinct-summed");
    expect([of(found)?.severity, of(step)?.severity]).toEqual(["warning", "warning"]);
    // b0: p0, p2, p1; b1: p1, p0.
    expect(of(found)?.body).toContain("There are 3 different person, but the groups add up to 5");
    expect([of(plain), of(alone)]).toEqual([undefined, undefined]);
  });
});

describe("percent of the wrong total", () => {
  const schema = `CREATE TABLE pupil (id INTEGER PRIMARY KEY, school TEXT, grant_sum REAL);
    CREATE TABLE club (id INTEGER PRIMARY KEY, pupil_id INTEGER REFERENCES pupil, kind TEXT);
    INSERT INTO pupil VALUES (1,'x',10),(2,'x',20),(3,'y',30),(4,'y',40);
    INSERT INTO club VALUES (1,1,'chess'),(2,1,'judo'),(3,2,'chess');`;
  it("warns about totals that are repeated, narrowed or filtered away", async () => {
    const found = await severitiesOf(schema, [
      {
        sql: "SELECT SUM(CASE WHEN c.kind = 'chess' THEN p.grant_sum END) * 100.0 / SUM(p.grant_sum) FROM pupil p JOIN club c ON c.pupil_id = p.id",
      },
      {
        sql: "SELECT COUNT(DISTINCT c.pupil_id) * 100.0 / COUNT(DISTINCT p.id) FROM pupil p JOIN club c ON c.pupil_id = p.id",
      },
      { sql: "SELECT SUM(CASE WHEN school = 'x' THEN 1 ELSE 0 END) * 100.0 / COUNT(*) FROM pupil WHERE school = 'x'" },
      {
        sql: "SELECT school, COUNT(*) * 100.0 / (SELECT COUNT(*) FROM pupil) FROM pupil WHERE grant_sum > 15 GROUP BY school",
      },
    ]);
    expect(found.map((each) => each["total-wrong"] ?? each["total-narrowed"])).toEqual(Array(4).fill("warning"));
  });
  it("notes a window total after HAVING", async () => {
    const share = "SELECT school, SUM(grant_sum) * 100.0 / SUM(SUM(grant_sum)) OVER () FROM pupil GROUP BY school";
    const [cut, whole] = await severitiesOf(schema, [{ sql: `${share} HAVING SUM(grant_sum) > 40` }, { sql: share }]);
    expect([cut?.["total-narrowed"], whole?.["total-narrowed"]]).toEqual(["notice", undefined]);
  });
  it("is silent for shares of the whole", async () => {
    const found = await severitiesOf(schema, [
      {
        sql: "SELECT COUNT(DISTINCT c.pupil_id) * 100.0 / COUNT(DISTINCT p.id) FROM pupil p LEFT JOIN club c ON c.pupil_id = p.id",
      },
      { sql: "SELECT SUM(CASE WHEN school = 'x' THEN 1 ELSE 0 END) * 100.0 / COUNT(*) FROM pupil" },
      { sql: "SELECT school, COUNT(*) * 100.0 / (SELECT COUNT(*) FROM pupil) FROM pupil GROUP BY school" },
      { sql: "SELECT COUNT(*) * 100.0 / (SELECT COUNT(*) FROM pupil) FROM pupil WHERE school = 'x'" },
    ]);
    expect(found.map((each) => each["total-wrong"] ?? each["total-narrowed"])).toEqual(Array(4).fill(undefined));
  });
});
