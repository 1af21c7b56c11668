/** What the finder says about keys that a join goes past, and about sets too large to count. */
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
  const find = (code: string) => result.findings.find((finding) => finding.code === code);
  return { ...result, find, codes: result.findings.map((finding) => finding.code) };
}

describe("a missing bridge table", () => {
  const tables =
    "CREATE TABLE student (id INTEGER PRIMARY KEY, n INTEGER); CREATE TABLE course (id INTEGER PRIMARY KEY, n INTEGER);" +
    "CREATE TABLE takes (student INTEGER REFERENCES student(id), course INTEGER REFERENCES course(id));" +
    "INSERT INTO student VALUES (1,1),(2,2); INSERT INTO course VALUES (1,1),(2,2),(3,3); INSERT INTO takes VALUES (1,3),(2,1);";
  test("is a warning on that join, with the declared way as the way out", async () => {
    const { find } = await measure(tables, [joinOf("student s", "INNER", "course c", "id")]);
    expect(find("bridge-missing")).toMatchObject({
      severity: "warning",
      title: "Join 1 goes past takes, which connects student and course",
      waysOut: [
        {
          text: "Join student and course through takes: takes.student = student.id, then takes.course = course.id",
        },
      ],
      where: 1,
    });
  });
  test("and on a cross product", async () => {
    const { find } = await measure(tables, [joinOf("student s", "CROSS", "course c")]);
    expect(find("bridge-missing")?.body).toContain("compares nothing");
    expect(find("disconnected")?.severity).toBe("problem");
  });
  test("not where the bridge is used, nor where no declared way leads", async () => {
    const through = await measure(tables, [
      joinOf("student s", "INNER", "takes t", "id=student"),
      joinOf("takes t", "INNER", "course c", "course=id"),
    ]);
    expect(through.codes).not.toContain("bridge-missing");
    const apart = await measure(
      "CREATE TABLE a (n INTEGER); CREATE TABLE b (n INTEGER); INSERT INTO a VALUES (1); INSERT INTO b VALUES (1);",
      [joinOf("a a", "INNER", "b b", "n")],
    );
    expect(apart.codes).not.toContain("bridge-missing");
  });
  test("not for a pair that names and values speak for", async () => {
    const { codes, evidence } = await measure(
      "CREATE TABLE region (region_id INTEGER PRIMARY KEY); CREATE TABLE shop (shop_id INTEGER PRIMARY KEY, region_id INTEGER);" +
        "CREATE TABLE visit (shop INTEGER REFERENCES shop(shop_id), region INTEGER REFERENCES region(region_id));" +
        "INSERT INTO region VALUES (1),(2); INSERT INTO shop VALUES (1,1),(2,2); INSERT INTO visit VALUES (1,1);",
      [joinOf("shop s", "INNER", "region r", "region_id")],
    );
    expect(codes).not.toContain("bridge-missing");
    expect(evidence.joins[0]?.pairs[0]).toMatchObject({
      origin: "inferred",
      why: "same name, same type and 100 % of the values in shop are in region",
    });
  });
});

test("a declared pair that is not used is named, and the pair that is used says what speaks for it", async () => {
  const { find, evidence } = await measure(
    "CREATE TABLE boss (id INTEGER PRIMARY KEY, code INTEGER); CREATE TABLE team (id INTEGER PRIMARY KEY, boss INTEGER REFERENCES boss(id), code INTEGER);" +
      "INSERT INTO boss VALUES (1,5),(2,6); INSERT INTO team VALUES (1,1,5),(2,2,7),(3,2,5),(4,1,8);",
    [joinOf("team t", "INNER", "boss b", "code")],
  );
  expect(find("key-skipped")).toMatchObject({
    severity: "warning",
    waysOut: [{ text: "Use team.boss = boss.id in 1" }],
    where: 1,
  });
  // One of three codes of teams is a boss's, one of two the other way round.
  expect(evidence.joins[0]?.pairs[0]?.why).toBe("same name, same type and 50 % of the values in boss are in team");
});

test("a total that the joins leave rows out of is held against the total of all rows", async () => {
  const { find, codes } = await measure(
    "CREATE TABLE ord (id INTEGER PRIMARY KEY, freight INTEGER); CREATE TABLE line (oid INTEGER REFERENCES ord(id));" +
      "INSERT INTO ord VALUES (1,5),(2,7),(3,100); INSERT INTO line VALUES (1),(2);",
    [joinOf("ord o", "INNER", "line l", "id=oid")],
    [{ alias: "o", column: "freight", words: "freight", aggregate: "SUM" }],
  );
  expect(find("total-differs")).toMatchObject({
    severity: "notice",
    proof: { rows: [["freight SUM(o.freight)", "112", "12", "-100"]] },
    waysOut: [{ text: "Use LEFT JOIN in 1" }],
  });
  expect(codes).not.toContain("measure-doubled");
});

describe("a set too large to count", () => {
  const rows = 240_000;
  const tables = `CREATE TABLE ord (id INTEGER PRIMARY KEY, code TEXT, freight INTEGER); CREATE TABLE line (oid INTEGER, code TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows / 2}) INSERT INTO ord SELECT i * 10, 'o-' || i, 1 FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
      INSERT INTO line SELECT CASE WHEN i % 100 = 0 THEN NULL WHEN i % 100 = 1 THEN -i ELSE (i % 60000) * 10 END, 'o-' || (i % 60000) FROM n;`;
  const near = (value: number | undefined, expected: number) => {
    expect(value).toBeGreaterThan(expected * 0.9);
    expect(value).toBeLessThan(expected * 1.1);
  };
  test("is measured on a sample of its keys, and marked", async () => {
    const { evidence, find } = await measure(
      tables,
      [joinOf("ord o", "INNER", "line l", "id=oid")],
      [{ alias: "o", column: "freight", words: "freight", aggregate: "SUM" }],
    );
    expect(evidence.exact).toBe(false);
    const [join] = evidence.joins;
    // Known from how the rows were made.
    expect(join).toMatchObject({ estimated: true, cardinality: "1:N", leftRows: rows / 2, rightNullKeys: rows / 100 });
    near(join?.rightMatched, rows * 0.98);
    near(join?.leftMatched, 60_000 * 0.98);
    near(join?.after, rows * 0.98);
    expect(join?.maxRight).toBe(4);
    expect(find("dangling")?.title).toMatch(/^About [\d,]+ rows of line refer to no row of ord$/);
    expect(find("measure-doubled")?.body).toMatch(/^About [\d,]+ of 120,000 rows of ord stand up to 4 times/);
    expect(find("measure-doubled")).not.toHaveProperty("proof");
  });
  test("also on texts, where neither side is unique", async () => {
    const { evidence } = await measure(tables, [joinOf("line l", "LEFT", "ord o", "code")]);
    const [join] = evidence.joins;
    expect(join).toMatchObject({ estimated: true, cardinality: "N:1", maxLeft: 4 });
    near(join?.leftMatched, rows - 4);
    near(join?.after, rows);
  });
});
