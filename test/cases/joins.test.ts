/** J: what a join does to the rows, as a reviewer sees it before Continue. */
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { joinOf } from "../../src/evidence/evidence-fixture.ts";
import { toFrame } from "../../src/extension/gate-frame.ts";
import type { Finding } from "../../src/protocol/index.ts";
import { GateView } from "../../src/web/widgets/gate-view.tsx";
import { joinGate } from "../../src/web/widgets/review.fixture.ts";
import { foldLedger } from "../../src/workflow/fold-ledger.ts";
import { onEveryEngine, sum } from "./on-every-engine.ts";

const tables = (): string[] => [
  "CREATE TABLE parent (id INTEGER NOT NULL PRIMARY KEY)",
  ...["a", "b"].map((name) => `CREATE TABLE ${name} (pid INTEGER NOT NULL, FOREIGN KEY (pid) REFERENCES parent(id))`),
  "CREATE TABLE fact (pid INTEGER NOT NULL PRIMARY KEY, v INTEGER NOT NULL, FOREIGN KEY (pid) REFERENCES parent(id))",
  "INSERT INTO parent VALUES (1)",
  "INSERT INTO a VALUES (1), (1)",
  "INSERT INTO b VALUES (1), (1)",
  "INSERT INTO fact VALUES (1, 10)",
  "CREATE TABLE ord (id INTEGER NOT NULL PRIMARY KEY, freight INTEGER NOT NULL)",
  "CREATE TABLE line (oid INTEGER NOT NULL, amt INTEGER NOT NULL, FOREIGN KEY (oid) REFERENCES ord(id))",
  "INSERT INTO ord VALUES (1, 5), (2, 7)",
  "INSERT INTO line VALUES (1, 10), (1, 20), (2, 30)",
  "CREATE TABLE country (id INTEGER NOT NULL PRIMARY KEY)",
  "CREATE TABLE client (id INTEGER NOT NULL PRIMARY KEY, cid INTEGER NOT NULL, FOREIGN KEY (cid) REFERENCES country(id))",
  "CREATE TABLE sales (id INTEGER NOT NULL PRIMARY KEY, client INTEGER NOT NULL, v INTEGER, FOREIGN KEY (client) REFERENCES client(id))",
  "INSERT INTO country VALUES (1), (2)",
  "INSERT INTO client VALUES (1, 1), (2, 1), (3, 2)",
  "INSERT INTO sales VALUES (1, 1, 5), (2, 1, 6), (3, 2, 7), (4, 3, 8)",
  "CREATE TABLE prog (camp INTEGER NOT NULL, yr INTEGER NOT NULL, PRIMARY KEY (camp, yr))",
  "CREATE TABLE enr (camp INTEGER NOT NULL, yr INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (camp, yr), FOREIGN KEY (camp, yr) REFERENCES prog(camp, yr))",
  "INSERT INTO prog VALUES (1, 2023), (1, 2024)",
  "INSERT INTO enr VALUES (1, 2023, 5), (1, 2024, 7)",
  "CREATE TABLE addr (id INTEGER NOT NULL PRIMARY KEY, city VARCHAR(20))",
  "CREATE TABLE ordr (id INTEGER NOT NULL PRIMARY KEY, ship INTEGER, bill INTEGER, FOREIGN KEY (ship) REFERENCES addr(id), FOREIGN KEY (bill) REFERENCES addr(id))",
  "INSERT INTO addr VALUES (1, 'Rome'), (2, 'Oslo')",
  "INSERT INTO ordr VALUES (1, 1, 2)",
  "CREATE TABLE dim (id INTEGER NOT NULL PRIMARY KEY)",
  "CREATE TABLE fct (ref INTEGER)",
  "INSERT INTO dim VALUES (10)",
  "INSERT INTO fct VALUES (10), (10), (99)",
];

const find = (findings: readonly Finding[], code: string) => findings.find((finding) => finding.code === code);
const alarms = (findings: readonly Finding[]) =>
  findings.filter(({ severity }) => severity === "warning" || severity === "problem").map(({ code }) => code);

onEveryEngine(tables, (given) => {
  const threeBranches = [
    joinOf("parent p", "INNER", "a a", "id=pid"),
    joinOf("parent p", "INNER", "b b", "id=pid"),
    joinOf("parent p", "INNER", "fact f", "id=pid"),
  ];
  const orders = [joinOf("ord o", "INNER", "line l", "id=oid")];

  it("J1 two independent one-to-many paths multiply the measure: 40 stands beside 10, and each edge shows its side", async () => {
    const joined =
      "SELECT SUM(f.v) FROM parent p JOIN a ON a.pid = p.id JOIN b ON b.pid = p.id JOIN fact f ON f.pid = p.id";
    expect(Number((await given.rows(joined))[0]?.[0])).toBe(40);
    const { evidence, findings } = await given.joins(threeBranches, [sum("f", "v", "total v")]);
    expect(evidence.joins.map((join) => [join.cardinality, join.before, join.after])).toEqual([
      ["1:N", 1, 2],
      ["1:N", 2, 4],
      ["1:1", 4, 4],
    ]);
    expect(find(findings, "fan-out")).toMatchObject({
      severity: "warning",
      title: "Joins 1 and 2 multiply each other",
    });
    const doubled = find(findings, "measure-doubled");
    expect(doubled?.proof?.rows).toEqual([["total v SUM(f.v)", "10", "40", "30"]]);
    expect(doubled?.waysOut.map((way) => way.text).join()).toContain("in its own step");
  });

  it("J1 control: EXISTS multiplies nothing, and COUNT DISTINCT, MIN and MAX raise no alarm", async () => {
    const semi = [
      joinOf("parent p", "SEMI", "a a", "id=pid"),
      joinOf("parent p", "SEMI", "b b", "id=pid"),
      joinOf("parent p", "INNER", "fact f", "id=pid"),
    ];
    const exists = await given.joins(semi, [sum("f", "v")]);
    expect([exists.evidence.joins.map((join) => join.after), exists.findings]).toEqual([[1, 1, 1], []]);
    for (const aggregate of ["COUNT DISTINCT", "MIN", "MAX"]) {
      const { findings } = await given.joins(threeBranches, [sum("f", "v", "v", aggregate)]);
      expect([aggregate, alarms(findings)]).toEqual([aggregate, []]);
    }
  });

  it("J1 right way: each branch aggregated in its own step keeps the total at 10", async () => {
    const { steps } = await given.steps(
      ["a_per", "SELECT pid, COUNT(*) AS n FROM a GROUP BY pid"],
      ["b_per", "SELECT pid, COUNT(*) AS n FROM b GROUP BY pid"],
      [
        "total",
        "SELECT SUM(f.v) AS v FROM parent p JOIN a_per ON a_per.pid = p.id JOIN b_per ON b_per.pid = p.id JOIN fact f ON f.pid = p.id",
      ],
    );
    expect(Number(steps[2]?.result.rows[0]?.[0])).toBe(10);
  });

  it("J2 a sum of the one side through its lines: freight 17 instead of 12 is shown, sales stay at 60", async () => {
    const { findings } = await given.joins(orders, [sum("o", "freight")]);
    expect(find(findings, "measure-doubled")).toMatchObject({
      severity: "warning",
      title: "Join 1 would count freight twice",
      where: 1,
      proof: { rows: [["freight SUM(o.freight)", "12", "17", "5"]] },
    });
    const lines = await given.joins(orders, [sum("l", "amt", "sales")]);
    expect(lines.findings).toEqual([]);
    expect((await given.rows("SELECT SUM(amt) FROM line")).map(([total]) => Number(total))).toEqual([60]);
  });

  it.each(["COUNT DISTINCT", "COUNT(DISTINCT o.id)", "MIN", "MAX"])(
    "J2 control: %s raises nothing",
    async (aggregate) => {
      expect((await given.joins(orders, [sum("o", "id", "orders", aggregate)])).findings).toEqual([]);
    },
  );

  it("J2 control: sales to client to country, a chain of lookups, raises nothing", async () => {
    const { evidence, findings } = await given.joins(
      [joinOf("sales s", "INNER", "client c", "client=id"), joinOf("client c", "INNER", "country k", "cid=id")],
      [sum("s", "v", "sales")],
    );
    expect(findings).toEqual([]);
    expect(evidence.joins.map((join) => [join.cardinality, join.after])).toEqual([
      ["N:1", 4],
      ["N:1", 4],
    ]);
  });

  it("J3 a composite key is one relation with two ordered pairs, and the join on both has total 12", async () => {
    const between = given.opened.catalog.relations.filter((one) => [one.from, one.to].sort().join() === "enr,prog");
    expect(between).toEqual([
      {
        from: "enr",
        fromColumns: ["camp", "yr"],
        to: "prog",
        toColumns: ["camp", "yr"],
        origin: "declared",
      },
    ]);
    const whole = await given.joins([joinOf("prog p", "INNER", "enr e", "camp", "yr")], [sum("e", "n")]);
    expect(whole.findings).toEqual([]);
    expect(whole.evidence.joins[0]?.pairs.map((pair) => [pair.left, pair.right, pair.origin])).toEqual([
      ["camp", "camp", "declared"],
      ["yr", "yr", "declared"],
    ]);
  });

  it("J3 half of a composite key doubles the total to 24: the missing pair is named", async () => {
    const { evidence, findings } = await given.joins([joinOf("prog p", "INNER", "enr e", "camp")], [sum("e", "n")]);
    expect(evidence.joins[0]).toMatchObject({ cardinality: "N:M", before: 2, after: 4 });
    expect(find(findings, "measure-doubled")?.proof?.rows).toEqual([["n SUM(e.n)", "12", "24", "12"]]);
    expect(find(findings, "key-partial")).toMatchObject({
      severity: "warning",
      waysOut: [{ text: "Use enr.camp = prog.camp and enr.yr = prog.yr in 1" }],
    });
  });

  it("J5 two roles of one table: two aliases, two cities, and the page names both roles", async () => {
    const decisions = [
      joinOf("ordr o", "INNER", "addr s shipping", "ship=id"),
      joinOf("ordr o", "INNER", "addr b billing", "bill=id"),
    ];
    const { evidence, findings } = await given.joins(decisions);
    expect(evidence.tables.slice(1)).toMatchObject([
      { table: "addr", alias: "s", role: "shipping" },
      { table: "addr", alias: "b", role: "billing" },
    ]);
    expect(alarms(findings)).toEqual([]);
    expect(
      await given.rows("SELECT s.city, b.city FROM ordr o JOIN addr s ON o.ship = s.id JOIN addr b ON o.bill = b.id"),
    ).toEqual([["Rome", "Oslo"]]);
    const gate = { ...joinGate, payload: { frame: { ...joinGate.payload.frame, findings }, decisions, evidence } };
    const html = renderToStaticMarkup(
      createElement(GateView, { gate, live: true, sending: false, onAnswer: () => undefined }),
    );
    for (const role of ["shipping", "billing"]) expect(html).toContain(role);
    expect(evidence.checks.map((check) => check.text)).toContain("Joined more than once: addr as shipping and billing");
  });

  it("J5 one join used for both roles, or roles without names, is said", async () => {
    const unnamed = await given.joins([
      joinOf("ordr o", "INNER", "addr s", "ship=id"),
      joinOf("ordr o", "INNER", "addr b", "bill=id"),
    ]);
    expect(find(unnamed.findings, "joined-twice")?.severity).toBe("notice");
    const both = await given.joins([joinOf("ordr o", "INNER", "addr s", "ship=id", "bill=id")]);
    expect([both.evidence.joins[0]?.after, both.evidence.joins[0]?.cardinality]).toEqual([0, "none"]);
  });

  it("J7 a dangling reference drops rows: 3 before, 2 after, and Continue accepts that by name", async () => {
    const { evidence, findings } = await given.joins([joinOf("fct f", "INNER", "dim d", "ref=id")]);
    expect(evidence.joins[0]).toMatchObject({ before: 3, after: 2, leftRows: 3, leftMatched: 2, leftNullKeys: 0 });
    const dangling = find(findings, "dangling");
    expect(dangling).toMatchObject({
      severity: "warning",
      title: "1 row of fct refers to no row of dim",
      waysOut: [{ text: "Use LEFT JOIN in 1" }],
    });
    const frame = toFrame(foldLedger([]), {
      phase: "F3",
      title: "Joins",
      intro: "",
      writes: [],
      consequence: "Writes the join",
      otherConsequence: "Writes nothing",
      findings,
    });
    expect(frame.writes).toEqual(["accepts warning: 1 row of fct refers to no row of dim"]);
    expect(frame.consequence).toContain("your acceptance of 1 warning");
    const left = await given.joins([joinOf("fct f", "LEFT", "dim d", "ref=id")]);
    expect(left.evidence.joins[0]).toMatchObject({ before: 3, after: 3 });
  });
});
