import { afterEach, describe, expect, test } from "vitest";
import type { JoinDecision } from "../protocol/index.ts";
import { joinOf, type Opened, openSmall } from "./evidence-fixture.ts";
import { type Measure, measureJoins } from "./measure-joins.ts";

let opened: Opened | undefined;
afterEach(() => opened?.close());

async function measure(sql: string, joins: JoinDecision[], measures: Measure[] = []) {
  opened = await openSmall(sql);
  const result = await measureJoins(opened.database, opened.catalog, joins, { measures });
  if ("problem" in result) throw new Error(result.problem.message);
  return { ...result, codes: result.findings.map((finding) => finding.code) };
}
const sum = (alias: string, column: string, words = column): Measure => ({ alias, column, words, aggregate: "SUM" });

describe("two to-many paths", () => {
  const tables =
    "CREATE TABLE parent (id INTEGER PRIMARY KEY); CREATE TABLE a (pid INTEGER REFERENCES parent(id)); CREATE TABLE b (pid INTEGER REFERENCES parent(id)); CREATE TABLE fact (pid INTEGER REFERENCES parent(id), v INTEGER);" +
    "INSERT INTO parent VALUES (1); INSERT INTO a VALUES (1),(1); INSERT INTO b VALUES (1),(1); INSERT INTO fact VALUES (1, 10);";
  const set = [
    joinOf("parent p", "INNER", "a a", "id=pid"),
    joinOf("parent p", "INNER", "b b", "id=pid"),
    joinOf("parent p", "INNER", "fact f", "id=pid"),
  ];

  test("multiply: 40 instead of 10 is shown", async () => {
    const { evidence, findings, codes } = await measure(tables, set, [sum("f", "v", "total v")]);
    expect(evidence.joins.map((join) => [join.cardinality, join.before, join.after])).toEqual([
      ["1:N", 1, 2],
      ["1:N", 2, 4],
      ["1:1", 4, 4],
    ]);
    expect(codes).toContain("fan-out");
    expect(findings.find((finding) => finding.code === "fan-out")).toMatchObject({
      severity: "warning",
      title: "Joins 1 and 2 multiply each other",
    });
    const doubled = findings.find((finding) => finding.code === "measure-doubled");
    expect(doubled).toMatchObject({ severity: "warning", title: "Join 1 would count total v more than once" });
    expect(doubled?.proof?.rows).toEqual([["total v SUM(f.v)", "10", "40", "30"]]);
    expect(doubled?.waysOut.length).toBeGreaterThan(0);
  });
  test("one of them alone doesn't", async () => {
    const { codes } = await measure(
      tables,
      set.filter((_, index) => index !== 1),
    );
    expect(codes).not.toContain("fan-out");
  });
  test("with SEMI nothing is repeated", async () => {
    const { evidence, codes } = await measure(
      tables,
      [
        joinOf("parent p", "SEMI", "a a", "id=pid"),
        joinOf("parent p", "SEMI", "b b", "id=pid"),
        joinOf("parent p", "INNER", "fact f", "id=pid"),
      ],
      [sum("f", "v")],
    );
    expect(evidence.joins.map((join) => join.after)).toEqual([1, 1, 1]);
    expect(codes).toEqual([]);
  });
});

describe("a sum of the one side through its lines", () => {
  const tables =
    "CREATE TABLE ord (id INTEGER PRIMARY KEY, freight INTEGER); CREATE TABLE line (oid INTEGER REFERENCES ord(id), amt INTEGER);" +
    "INSERT INTO ord VALUES (1,5),(2,7); INSERT INTO line VALUES (1,10),(1,20),(2,30);";
  const set = [joinOf("ord o", "INNER", "line l", "id=oid")];

  test("freight 17 instead of 12, sales safe at 60", async () => {
    const { findings, codes } = await measure(tables, set, [sum("o", "freight"), sum("l", "amt", "sales")]);
    expect(codes).toEqual(["measure-doubled"]);
    expect(findings[0]?.title).toBe("Join 1 would count freight twice");
    expect(findings[0]?.proof?.rows).toEqual([
      ["freight SUM(o.freight)", "12", "17", "5"],
      ["sales SUM(l.amt)", "60", "60", "none"],
    ]);
    expect(findings[0]?.body).toContain("1 of 2 rows of ord");
    expect(findings[0]?.where).toBe(1);
  });
  test.each(["COUNT DISTINCT", "COUNT(DISTINCT o.id)", "MIN", "MAX"])("%s raises nothing", async (aggregate) => {
    const { codes } = await measure(tables, set, [{ alias: "o", column: "id", words: "orders", aggregate }]);
    expect(codes).toEqual([]);
  });
  test("a plain COUNT of the one side does", async () => {
    const { findings } = await measure(tables, set, [
      { alias: "o", column: "id", words: "number of orders", aggregate: "COUNT" },
    ]);
    expect(findings[0]?.proof?.rows).toEqual([["number of orders COUNT(o.id)", "2", "3", "1"]]);
  });
  test("a chain of lookups raises nothing", async () => {
    const { evidence, codes } = await measure(
      "CREATE TABLE country (id INTEGER PRIMARY KEY); CREATE TABLE client (id INTEGER PRIMARY KEY, cid INTEGER REFERENCES country(id)); CREATE TABLE sales (client INTEGER REFERENCES client(id), v INTEGER);" +
        "INSERT INTO country VALUES (1),(2); INSERT INTO client VALUES (1,1),(2,1),(3,2); INSERT INTO sales VALUES (1,5),(1,6),(2,7),(3,8);",
      [joinOf("sales s", "INNER", "client c", "client=id"), joinOf("client c", "INNER", "country k", "cid=id")],
      [sum("s", "v")],
    );
    expect(codes).toEqual([]);
    expect(evidence.joins.map((join) => join.cardinality)).toEqual(["N:1", "N:1"]);
  });
});

describe("a key of two columns", () => {
  const tables =
    "CREATE TABLE prog (camp INTEGER, yr INTEGER, PRIMARY KEY (camp, yr)); CREATE TABLE enr (camp INTEGER, yr INTEGER, n INTEGER, FOREIGN KEY (camp, yr) REFERENCES prog (camp, yr));" +
    "INSERT INTO prog VALUES (1,2023),(1,2024); INSERT INTO enr VALUES (1,2023,5),(1,2024,7);";
  test("both pairs: declared, total 12", async () => {
    const { evidence, codes } = await measure(
      tables,
      [joinOf("prog p", "INNER", "enr e", "yr", "camp")],
      [sum("e", "n")],
    );
    expect(evidence.joins[0]).toMatchObject({ cardinality: "1:1", before: 2, after: 2, maxRight: 1, maxLeft: 1 });
    expect(evidence.joins[0]?.pairs.map((pair) => [pair.left, pair.right, pair.origin])).toEqual([
      ["yr", "yr", "declared"],
      ["camp", "camp", "declared"],
    ]);
    expect(codes).toEqual([]);
  });
  test("one pair: 24, and the key is named", async () => {
    const { evidence, findings } = await measure(tables, [joinOf("prog p", "INNER", "enr e", "camp")], [sum("e", "n")]);
    expect(evidence.joins[0]).toMatchObject({ cardinality: "N:M", after: 4 });
    expect(findings.find((finding) => finding.code === "measure-doubled")?.proof?.rows).toEqual([
      ["n SUM(e.n)", "12", "24", "12"],
    ]);
    const partial = findings.find((finding) => finding.code === "key-partial");
    expect(partial).toMatchObject({ severity: "warning", title: "Join 1 uses 1 of 2 pairs of a key" });
    expect(partial?.waysOut[0]?.text).toBe("Use enr.camp = prog.camp and enr.yr = prog.yr in 1");
    expect(evidence.checks.filter((check) => !check.ok).map((check) => check.text)).toEqual([
      "A declared key is not used as it stands",
    ]);
  });
});

describe("roles", () => {
  const tables =
    "CREATE TABLE addr (id INTEGER PRIMARY KEY, city TEXT); CREATE TABLE ordr (id INTEGER PRIMARY KEY, ship INTEGER REFERENCES addr(id), bill INTEGER REFERENCES addr(id));" +
    "INSERT INTO addr VALUES (1,'Rome'),(2,'Oslo'); INSERT INTO ordr VALUES (1,1,2);";
  test("named: no finding, the check says which", async () => {
    const { evidence, codes } = await measure(tables, [
      joinOf("ordr o", "INNER", "addr s shipping", "ship=id"),
      joinOf("ordr o", "INNER", "addr b billing", "bill=id"),
    ]);
    expect(codes.filter((code) => code !== "partners-unused")).toEqual([]);
    expect(evidence.tables.map((table) => [table.table, table.alias, table.role])).toEqual([
      ["ordr", "o", undefined],
      ["addr", "s", "shipping"],
      ["addr", "b", "billing"],
    ]);
    expect(evidence.checks.map((check) => check.text)).toContain("Joined more than once: addr as shipping and billing");
    expect(evidence.joins.map((join) => join.after)).toEqual([1, 1]);
  });
  test("not named: a notice", async () => {
    const { findings } = await measure(tables, [
      joinOf("ordr o", "INNER", "addr s", "ship=id"),
      joinOf("ordr o", "INNER", "addr b", "bill=id"),
    ]);
    expect(findings.find((finding) => finding.code === "joined-twice")).toMatchObject({
      severity: "notice",
      title: "addr is joined twice without different roles",
    });
  });
  test("one alias for two tables is a problem", async () => {
    const { codes } = await measure(tables, [
      joinOf("ordr o", "INNER", "addr s", "ship=id"),
      joinOf("addr s", "INNER", "ordr s", "id=bill"),
    ]);
    expect(codes[0]).toBe("alias-conflict");
  });
});

describe("references to nothing", () => {
  const tables =
    "CREATE TABLE dim (id INTEGER PRIMARY KEY); CREATE TABLE fct (ref INTEGER); INSERT INTO dim VALUES (10); INSERT INTO fct VALUES (10),(10),(99);";
  const set = [joinOf("fct f", "INNER", "dim d", "ref=id")];
  test("3 facts become 2, said as a warning", async () => {
    const { evidence, findings } = await measure(tables, set);
    expect(evidence.joins[0]).toMatchObject({
      before: 3,
      after: 2,
      leftRows: 3,
      leftMatched: 2,
      leftNullKeys: 0,
      cardinality: "N:1",
    });
    expect(findings.find((finding) => finding.code === "dangling")).toMatchObject({
      severity: "warning",
      title: "1 row of fct refers to no row of dim",
    });
    expect(findings.find((finding) => finding.code === "rows-left-out")?.waysOut).toEqual([
      { label: "Use LEFT JOIN in 1", text: "Use LEFT JOIN in 1" },
    ]);
  });
  test("LEFT keeps them", async () => {
    const { evidence, codes } = await measure(tables, [joinOf("fct f", "LEFT", "dim d", "ref=id")]);
    expect(evidence.joins[0]).toMatchObject({ before: 3, after: 3 });
    expect(codes).not.toContain("rows-left-out");
  });
  test("ANTI finds them, SEMI the others; null keys are counted apart and never match", async () => {
    opened = await openSmall(`${tables} INSERT INTO fct VALUES (NULL);`);
    const joined = async (type: "ANTI" | "SEMI") => {
      const result = await measureJoins(opened?.database as Opened["database"], opened?.catalog as Opened["catalog"], [
        joinOf("fct f", type, "dim d", "ref=id"),
      ]);
      return "problem" in result ? undefined : result.evidence.joins[0];
    };
    expect(await joined("ANTI")).toMatchObject({ before: 4, after: 2, leftNullKeys: 1, leftMatched: 2 });
    expect(await joined("SEMI")).toMatchObject({ before: 4, after: 2 });
  });
  test("the figures follow the rows, not the cached catalog", async () => {
    const first = await measure(tables, set);
    opened?.run("INSERT INTO dim VALUES (99); INSERT INTO fct VALUES (99);");
    const second = await measureJoins(
      opened?.database as Opened["database"],
      opened?.catalog as Opened["catalog"],
      set,
    );
    expect(first.evidence.joins[0]?.after).toBe(2);
    expect("evidence" in second ? second.evidence.joins[0] : undefined).toMatchObject({
      before: 4,
      after: 4,
      rightRows: 2,
    });
    expect("findings" in second ? second.findings.map((finding) => finding.code) : []).not.toContain("dangling");
  });
});

describe("other keys than the declared one", () => {
  const tables =
    "CREATE TABLE album (id INTEGER PRIMARY KEY, code TEXT); CREATE TABLE track (id INTEGER PRIMARY KEY, album INTEGER REFERENCES album(id), code INTEGER);" +
    "INSERT INTO album VALUES (1,'7'),(2,'8'); INSERT INTO track VALUES (1,1,7),(2,1,8),(3,2,9);";
  test("skipped, types differ, inferred with what speaks for it", async () => {
    const { evidence, findings } = await measure(tables, [joinOf("track t", "INNER", "album a", "code")]);
    expect(findings.map((finding) => finding.code)).toEqual(
      expect.arrayContaining(["key-skipped", "type-mismatch", "pair-inferred"]),
    );
    expect(findings.find((finding) => finding.code === "key-skipped")?.waysOut[0]?.text).toBe(
      "Use track.album = album.id in 1",
    );
    expect(evidence.joins[0]?.pairs[0]).toMatchObject({ origin: "inferred", leftType: "INTEGER", rightType: "TEXT" });
    expect(evidence.checks.map((check) => check.ok)).toEqual([true, false, true, false]);
  });
  test("disconnected: a problem with the size of the product", async () => {
    const { evidence, findings } = await measure(tables, [joinOf("track t", "CROSS", "album a")]);
    expect(evidence.joins[0]).toMatchObject({ before: 3, after: 6 });
    expect(findings[0]).toMatchObject({
      code: "disconnected",
      severity: "problem",
      title: "album is joined to nothing",
    });
    expect(findings[0]?.body).toContain("6 rows");
  });
  test("unknown names are a problem, not a throw", async () => {
    opened = await openSmall(tables);
    expect(
      await measureJoins(opened.database, opened.catalog, [joinOf("track t", "INNER", "nix n", "id")]),
    ).toMatchObject({ problem: { code: "unknown-table" } });
    expect(
      await measureJoins(opened.database, opened.catalog, [joinOf("track t", "INNER", "album a", "nix=id")]),
    ).toMatchObject({ problem: { code: "unknown-column" } });
  });
});
