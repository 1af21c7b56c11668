/** The catalog and its values on every engine: counts, spellings, kinds, keys across schemas, whatever the collation. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openCatalog } from "../../src/catalog/open-catalog.ts";
import type { Engine } from "../../src/protocol/index.ts";
import { dialectOf } from "../../src/sql/dialect.ts";
import { startDuckdb } from "../fixtures/duckdb-engine.ts";
import type { EngineUnderTest } from "../fixtures/engine-under-test.ts";
import { startMariadb } from "../fixtures/mariadb-engine.ts";
import { startPostgres } from "../fixtures/postgres-engine.ts";
import { startSqlite } from "../fixtures/sqlite-engine.ts";

const starts: [name: string, start: () => Promise<EngineUnderTest | null>][] = [
  ["sqlite", startSqlite],
  ["duckdb", startDuckdb],
  ["postgres", startPostgres],
  ["mariadb", startMariadb],
];
const kind: Record<Engine, string> = {
  sqlite: "TEXT",
  duckdb: "ENUM ('Red', 'green')",
  postgres: "kind",
  mysql: "ENUM ('Red', 'green')",
};
const id: Record<Engine, string> = { sqlite: "TEXT", duckdb: "UUID", postgres: "uuid", mysql: "char(36)" };
const first = "00000000-0000-0000-0000-0000000000a1";
const second = "00000000-0000-0000-0000-0000000000b2";

const hasSchemas = (engine: Engine): boolean => engine === "duckdb" || engine === "postgres";

function toStatements(engine: Engine): string[] {
  const { quote } = dialectOf(engine);
  return [
    ...(engine === "postgres" ? ["CREATE TYPE kind AS ENUM ('Red', 'green')"] : []),
    `CREATE TABLE town(town_id INTEGER PRIMARY KEY, ${quote("Town Name")} varchar(100), uid ${id[engine]}, colour ${kind[engine]}, founded date, share decimal(6,2))`,
    `INSERT INTO town VALUES (1, 'Paris', '${first}', 'Red', '2024-01-31', 1.5), (2, 'paris', '${second}', 'green', '2024-01-31', 2.5), (3, 'Ångström', NULL, 'Red', NULL, NULL), (4, 'Paris', '${first}', NULL, '2023-05-06', 2.5), (5, 'back\\slash', NULL, NULL, NULL, NULL)`.replace(
      "back\\slash",
      engine === "mysql" ? "back\\\\slash" : "back\\slash",
    ),
    "CREATE TABLE visit(visit_id INTEGER PRIMARY KEY, town_id INTEGER, uid varchar(40), note varchar(300))",
    ...(hasSchemas(engine)
      ? [
          "CREATE SCHEMA sales",
          "CREATE TABLE sales.stop(stop_id INTEGER PRIMARY KEY, town_id INTEGER, label varchar(20))",
          "INSERT INTO sales.stop VALUES (1, 1, 'North Pier'), (2, 5, 'North Pier')",
        ]
      : []),
    `INSERT INTO visit VALUES (1, 1, '${first}', '${"y".repeat(250)}'), (2, 2, '${second}', 'short'), (3, 2, '${first}', NULL)`,
  ];
}

describe.each(starts)("%s", (_, start) => {
  const folder = mkdtempSync(join(tmpdir(), "thoth-catalog-"));
  let engine: EngineUnderTest | null = null;
  afterAll(async () => {
    await engine?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("what a catalog and its values tell", async (context) => {
    engine = await start();
    if (!engine) return context.skip();
    await engine.run(toStatements(engine.engine));
    const database = await engine.open("owner");
    const opened = await openCatalog(database, folder, { waitMs: 30_000, caps: { page: 2 } });
    await opened.ready;
    const { catalog, values } = opened;
    const town = catalog.tables.find(({ name }) => name === "town");
    const columns = Object.fromEntries(town?.columns.map((column) => [column.name, column]) ?? []);
    expect(town).toMatchObject({ rows: 5 });
    expect(columns["Town Name"]).toMatchObject({ kind: "text", distinct: 4, nulls: 0 });
    expect(columns["Town Name"]?.samples[0]).toBe("Paris");
    expect(columns.colour).toMatchObject({ distinct: 2, nulls: 2, samples: ["Red", "green"] });
    expect(columns.uid).toMatchObject({ kind: "text", distinct: 2, nulls: 2, samples: [first, second] });
    expect(columns.founded).toMatchObject({
      kind: "date",
      distinct: 2,
      nulls: 2,
      samples: ["2024-01-31", "2023-05-06"],
    });
    expect(columns.share).toMatchObject({ distinct: 2, nulls: 2 });
    expect(columns.share?.samples.map(Number)).toEqual([2.5, 1.5]);
    expect(values.lookup("paris").map(({ value, rows, how }) => [value, rows, how])).toEqual([
      ["paris", 1, "exact"],
      ["Paris", 2, "case"],
    ]);
    expect(values.lookup("angstrom")).toMatchObject([{ table: "town", column: "Town Name", value: "Ångström" }]);
    expect(values.lookup("back\\slash")).toHaveLength(1);
    expect(values.lookup("GREEN")).toMatchObject([{ column: "colour", rows: 1 }]);
    expect(values.search(first, { table: "town" })).toMatchObject([{ column: "uid", rows: 2, how: "exact" }]);
    expect(values.coverage("town", "Town Name")).toEqual({ distinct: 4, partial: false });
    expect(values.coverage("visit", "note")).toEqual({ distinct: 1, partial: true });
    expect(values.coverage("visit", "town_id")).toEqual({ distinct: 0, partial: false });
    expect(opened.progress().done).toBe(opened.progress().columns);
    expect(catalog.relations).toContainEqual(
      expect.objectContaining({ from: "visit", fromColumns: ["town_id"], to: "town", origin: "inferred" }),
    );
    if (hasSchemas(engine.engine)) {
      expect(catalog.tables.find(({ name }) => name === "sales.stop")).toMatchObject({ schema: "sales", rows: 2 });
      expect(values.lookup("north pier")).toMatchObject([{ table: "sales.stop", column: "label", rows: 2 }]);
      expect(catalog.relations).toContainEqual(expect.objectContaining({ from: "sales.stop", to: "town" }));
    }
    opened.close();
    await database.close();
  });
});
