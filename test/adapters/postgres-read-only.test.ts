/** Statements that would write or reach out, as a role that could; and harmless ones that only look like them. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../src/database/database.ts";
import { type PostgresUnderTest, startPostgres } from "../fixtures/postgres-engine.ts";
import { harmless, writes } from "./postgres-statements.ts";

const options = { maxRows: 100, maxBytes: 100_000, deadlineMs: 20_000 };
const engine: PostgresUnderTest | null = await startPostgres();
let database: Database;
let before: { rows: string | undefined };

/** Everything that an attempt could have left behind. */
async function readTraces() {
  const count = (from: string) => engine?.ask(`SELECT count(*)::int FROM ${from}`);
  return {
    rows: await engine?.checksum(),
    relations: await count("pg_class WHERE relnamespace = 'public'::regnamespace"),
    sequence: await engine?.ask("SELECT last_value, is_called FROM counter"),
    locks: await count("pg_locks WHERE locktype = 'advisory'"),
    objects: await count("pg_largeobject_metadata"),
    settings: await count("pg_db_role_setting"),
  };
}

beforeAll(async () => {
  if (!engine) return;
  const plpgsql = (name: string, body: string, words = "") =>
    `CREATE FUNCTION ${name}() RETURNS int LANGUAGE plpgsql ${words} AS $$ BEGIN ${body}; RETURN 1; END $$`;
  await engine.run([
    `CREATE TABLE emp (id int PRIMARY KEY, name text, "delete" text, salary numeric(10,2), boss int, info jsonb)`,
    `INSERT INTO emp VALUES (1, 'Ada', 'no', 10, NULL, '{"a": 5, "b": [1, 2]}'),
      (2, 'Grace -- not a comment; DROP', 'yes', 20, 1, NULL), (3, 'Edsger', NULL, 30, 1, '{"a": 7}')`,
    "CREATE SEQUENCE counter",
    "CREATE VIEW rich AS SELECT * FROM emp WHERE salary > 15",
    "CREATE FUNCTION raise_all() RETURNS int LANGUAGE sql AS 'UPDATE emp SET salary = 0; SELECT 1'",
    plpgsql("wipe", "DELETE FROM emp", "SECURITY DEFINER"),
    plpgsql("sneak", "PERFORM set_config('transaction_read_only', 'off', false); DELETE FROM emp"),
    plpgsql("leave", "COMMIT; DELETE FROM emp"),
    plpgsql("calm", "DELETE FROM emp", "STABLE"),
    "CREATE VIEW trap AS SELECT wipe() AS w",
    "CREATE FUNCTION count_all() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM emp'",
    "CREATE PROCEDURE go() LANGUAGE sql AS 'DELETE FROM emp'",
  ]);
  database = await engine.open("owner");
  before = await readTraces();
});
afterAll(async () => {
  await engine?.stop();
});

describe.skipIf(!engine)("writing", () => {
  test.each(writes)("refuses %j", async (sql) => {
    const started = performance.now();
    const read = await database.read(sql, options);
    expect(read.ok).toBe(false);
    // What doesn't parse, or what the server itself ends, is as good as refused; "other" is a write in a STABLE function.
    if (!read.ok) expect(["refused", "syntax", "other"]).toContain(read.error.code);
    expect(performance.now() - started).toBeLessThan(20_000);
    expect(await engine?.checksum()).toBe(before.rows);
  });

  test("leaves no trace, and the connection reads on", async () => {
    expect(await readTraces()).toEqual(before);
    const [count, show, settings] = await database.readAll(
      [
        "SELECT count_all()",
        "SHOW transaction_read_only",
        "SELECT current_setting('transaction_read_only'), current_setting('TimeZone')",
      ],
      options,
    );
    expect(count).toMatchObject({ ok: true, result: { rows: [[3]] } });
    expect(show).toMatchObject({ error: { code: "refused" } });
    expect(settings).toMatchObject({ result: { rows: [["on", "UTC"]] } });
  });

  test("names the function and the place of a mistake", async () => {
    const error = async (sql: string) => {
      const read = await database.read(sql, options);
      return read.ok ? undefined : read.error.message;
    };
    expect(await error("SELECT pg_read_file('x')")).toContain("pg_read_file");
    expect(await error("SELECT '🙂é',\n  id FRM emp x")).toContain("line 2, column 10");
    expect(await error("SELECT '🙂é'\nFROM emp WHERE nix = 1")).toContain("line 2, column 16");
    expect(await error("DELETE FROM emp")).toContain("DELETE");
  });

  test("refuses an extension's functions by the server's catalogue", async () => {
    const admin = await engine?.admin();
    try {
      // A name of our own for dblink's code: no list of names can know it.
      await admin?.query(
        "CREATE FUNCTION public.fetch_it(text) RETURNS text AS '$libdir/dblink', 'dblink_connect' LANGUAGE C STRICT",
      );
    } catch (error) {
      console.log(`skipped: no dblink here (${(error as Error).message})`);
      return;
    } finally {
      await admin?.end();
    }
    const [called, column] = await database.readAll(
      ["SELECT fetch_it('dbname=app')", "SELECT x.fetch_it FROM unnest(ARRAY['dbname=app']) x"],
      options,
    );
    for (const read of [called, column])
      expect(read).toMatchObject({ error: { code: "refused", message: expect.stringContaining("fetch_it") } });
  });
});

describe.skipIf(!engine)("reading", () => {
  test.each(harmless)("runs %j", async (sql, rows) => {
    const read = await database.read(sql, options);
    expect(read.ok ? read.result.rows : read.error).toEqual(rows);
  });

  test("explains without running", async () => {
    const read = await database.read("EXPLAIN (COSTS off) SELECT * FROM emp", options);
    expect(read).toMatchObject({ ok: true, result: { rows: [["Seq Scan on emp"]] } });
  });
});
