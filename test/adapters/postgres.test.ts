import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PostgresConnection } from "../../src/database/connection.ts";
import type { Database, Read } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { type PostgresUnderTest, startPostgres } from "../fixtures/postgres-engine.ts";

const options = { maxRows: 100, maxBytes: 1_000_000, deadlineMs: 30_000 };
const engine: PostgresUnderTest | null = await startPostgres();
let database: Database;
const pg = (): PostgresUnderTest => {
  if (!engine) throw new Error("no server");
  return engine;
};

function result(read: Read) {
  if (!read.ok) throw new Error(`${read.error.code}: ${read.error.message}`);
  return read.result;
}
const rows = async (sql: string, more: Partial<typeof options> = {}) =>
  result(await database.read(sql, { ...options, ...more })).rows;
const error = async (sql: string) => {
  const read = await database.read(sql, options);
  return read.ok ? undefined : read.error.code;
};
/** Until the server runs none of our statements; how long that took. */
async function untilQuiet(): Promise<number> {
  const started = performance.now();
  while ((await pg().running()) > 0 && performance.now() - started < 10_000) await sleep(50);
  return performance.now() - started;
}
const endless = "SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 1000000) b";

beforeAll(async () => {
  if (!engine) return;
  await engine.run([
    "CREATE TYPE mood AS ENUM ('sad', 'ok')",
    "CREATE DOMAIN cents AS bigint CHECK (VALUE >= 0)",
    "CREATE DOMAIN price AS cents NOT NULL",
    "CREATE TABLE series (n int PRIMARY KEY, label text)",
    "INSERT INTO series SELECT n, 'row ' || n FROM generate_series(1, 1000000) n",
    "ANALYZE series",
  ]);
  database = await engine.open();
});
afterAll(async () => {
  await engine?.stop();
});

describe.skipIf(!engine)("values", () => {
  test.each([
    ["2033735037361704962::int8", "2033735037361704962", "bigint"],
    ["9007199254740991::int8", 9007199254740991, "bigint"],
    ["(-5)::int2", -5, "smallint"],
    ["1234567890123456789.0123456789::numeric(38,10)", "1234567890123456789.0123456789", "numeric(38,10)"],
    ["12::numeric", "12", "numeric"],
    ["0.1::float8", 0.1, "double precision"],
    ["1.1::float4", 1.1, "real"],
    ["'NaN'::float8", "NaN", "double precision"],
    ["'-Infinity'::float8", "-Infinity", "double precision"],
    ["true", true, "boolean"],
    ["NULL::text", null, "text"],
    ["DATE '2024-02-29'", "2024-02-29", "date"],
    ["DATE '0044-03-15 BC'", "0044-03-15 BC", "date"],
    ["TIMESTAMP '2024-01-01 00:00:00.123456'", "2024-01-01 00:00:00.123456", "timestamp without time zone"],
    ["TIMESTAMPTZ '2024-07-01 00:30:00+02'", "2024-06-30 22:30:00+00", "timestamp with time zone"],
    ["TIME '23:59:59'", "23:59:59", "time without time zone"],
    ["INTERVAL '1 year 2 mons 3 days 04:05:06'", "1 year 2 mons 3 days 04:05:06", "interval"],
    ["'infinity'::timestamp", "infinity", "timestamp without time zone"],
    ["ARRAY[1, NULL, 3]", "{1,NULL,3}", "integer[]"],
    [`'{"a":  1}'::json`, '{"a":  1}', "json"],
    [`'{"a":  1}'::jsonb`, '{"a": 1}', "jsonb"],
    ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11", "uuid"],
    ["'\\x00ff10'::bytea", "x'00ff10'", "bytea"],
    ["decode(repeat('ab', 100), 'hex')", `x'${"ab".repeat(64)}…' (100 bytes)`, "bytea"],
    ["'ok'::mood", "ok", "mood"],
    ["int4range(1, 5)", "[1,5)", "int4range"],
    ["'x'::varchar(7)", "x", "character varying(7)"],
    ["'192.168.0.1'::inet", "192.168.0.1", "inet"],
    ["ROW(1, 'a b')", '(1,"a b")', "record"],
    ["B'101'::bit(3)", "101", "bit(3)"],
    ["'{{1,2},{3,4}}'::text[]", "{{1,2},{3,4}}", "text[]"],
    ["'ünïcødé 🙂'::text", "ünïcødé 🙂", "text"],
  ])("reads %s", async (expression, value, type) => {
    const { columns, rows } = result(await database.read(`SELECT ${expression} AS v`, options));
    expect([rows[0]?.[0], columns]).toEqual([value, [{ name: "v", type }]]);
  });

  test("keep columns of one name apart, and say when rows or bytes were left out", async () => {
    const twins = result(await database.read("SELECT 1 AS a, 2 AS a", options));
    expect([twins.columns.map((column) => column.name), twins.rows]).toEqual([["a", "a"], [[1, 2]]]);
    const few = result(await database.read("SELECT n FROM series ORDER BY n", { ...options, maxRows: 3 }));
    expect(few).toMatchObject({ rows: [[1], [2], [3]], rowCount: 3, truncated: true });
    const all = "SELECT n FROM series WHERE n <= 40 ORDER BY n";
    expect(result(await database.read(all, { ...options, maxRows: 40 }))).toMatchObject({
      rowCount: 40,
      truncated: false,
    });
    const bytes = result(await database.read("SELECT label FROM series ORDER BY n", { ...options, maxBytes: 60 }));
    expect(bytes).toMatchObject({ rowCount: 11, truncated: true });
    const [[first]] = (await rows("SELECT repeat('x', 500)", { maxBytes: 50 })) as [[string]];
    expect(first).toBe(`${"x".repeat(50)}… (500 characters)`);
  });

  test("cap a cell of 50 MB, and the connection reads on", async () => {
    const read = result(await database.read("SELECT repeat(repeat('x', 5000), 10000) FROM series LIMIT 1", options));
    expect(read.truncated).toBe(true);
    expect(read.rows[0]?.[0]).toMatch(/^x{100000}… \(50,000,000 characters\)$/);
    const long = await database.readAll(["SELECT repeat(repeat('x', 10000), 15000)", "SELECT 1"], options);
    expect(long).toMatchObject([
      { ok: false, error: { code: "other" } },
      { ok: true, result: { rows: [[1]] } },
    ]);
  });

  test("keep memory flat over a million rows", async () => {
    const before = process.memoryUsage().rss;
    const page = await rows("SELECT * FROM series", { maxRows: 50 });
    expect(page).toHaveLength(50);
    const every = result(
      await database.read("SELECT n FROM series ORDER BY n", {
        maxRows: 2_000_000,
        maxBytes: 200_000,
        deadlineMs: 60_000,
      }),
    );
    expect(every.truncated).toBe(true);
    expect(every.rows.length).toBeLessThan(60_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
  });
});

describe.skipIf(!engine)("problems", () => {
  test.each([
    ["SELECT * FROM nowhere", "unknown-table"],
    ["SELECT * FROM nowhere.series", "unknown-table"],
    ["SELECT nothing FROM series", "unknown-column"],
    ["SELECT FROM WHERE", "syntax"],
    ["SELECT 'x'::int", "type"],
    ["SELECT DATE '2023-02-30'", "type"],
    ["SELECT label > 5 FROM series", "type"],
    ["SELECT n FROM series GROUP BY label", "syntax"],
    ["SELECT * FROM hidden", "permission"],
  ])("%s → %s", async (sql, code) => {
    await pg().ask("CREATE TABLE IF NOT EXISTS hidden (a int)");
    await pg().ask("REVOKE ALL ON hidden FROM PUBLIC, reader");
    expect(await error(sql)).toBe(code);
  });

  test("a failed statement doesn't stop the rest", async () => {
    const reads = await database.readAll(
      ["SELECT 1", "SELECT nix", "DROP TABLE series", "SELECT 1/0", "SELECT 2"],
      options,
    );
    expect(reads.map((read) => (read.ok ? read.result.rows[0]?.[0] : read.error.code))).toEqual([
      1,
      "unknown-column",
      "refused",
      "type",
      2,
    ]);
  });
});

describe.skipIf(!engine)("ending a query", () => {
  test("at its deadline", async () => {
    const started = performance.now();
    const reads = await database.readAll(["SELECT 1", endless, "SELECT 2"], { ...options, deadlineMs: 1000 });
    expect(performance.now() - started).toBeLessThan(8000);
    expect(reads.map((read) => (read.ok ? "ok" : read.error.code))).toEqual(["ok", "timeout", "timeout"]);
    expect(await untilQuiet()).toBeLessThan(2000);
  });

  test("when its reader stops it", async () => {
    const stop = new AbortController();
    const reading = database.read(endless, { ...options, signal: stop.signal });
    while ((await pg().running()) === 0) await sleep(20);
    stop.abort();
    expect(await reading).toMatchObject({ ok: false, error: { code: "stopped" } });
    expect(await untilQuiet()).toBeLessThan(2000);
    expect(await database.read("SELECT 1", { ...options, signal: stop.signal })).toMatchObject({
      error: { code: "stopped" },
    });
    expect(await rows("SELECT 7")).toEqual([[7]]);
  });

  test("by close, which a later read undoes", async () => {
    const reading = database.readAll([endless, "SELECT 1"], options);
    while ((await pg().running()) === 0) await sleep(20);
    await database.close();
    const stopped = { ok: false, error: { code: "stopped" } };
    expect(await reading).toMatchObject([stopped, stopped]);
    expect(await untilQuiet()).toBeLessThan(2000);
    expect(await rows("SELECT 8")).toEqual([[8]]);
  });

  test("of six at once, at most four run", async () => {
    const reads = Promise.all(
      Array.from({ length: 6 }, () => database.read(endless, { ...options, deadlineMs: 1500 })),
    );
    let most = 0;
    const watching = setInterval(async () => {
      most = Math.max(most, await pg().running());
    }, 100);
    const codes = (await reads).map((read) => (read.ok ? "ok" : read.error.code));
    clearInterval(watching);
    expect(codes).toEqual(Array(6).fill("timeout"));
    expect(most).toBeLessThanOrEqual(4);
    expect(await untilQuiet()).toBeLessThan(2000);
  });

  test("a connection that the server closed meanwhile is replaced", async () => {
    expect(await rows("SELECT 1")).toEqual([[1]]);
    await pg().ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'thoth'");
    expect(await rows("SELECT 2")).toEqual([[2]]);
  });
});

describe.skipIf(!engine)("fingerprint", () => {
  test("changes with rows and not with reading", async () => {
    const first = await database.fingerprint();
    await rows("SELECT count(*) FROM series");
    expect(await database.fingerprint()).toBe(first);
    await pg().ask("UPDATE series SET label = 'x' WHERE n = 1");
    const second = await database.fingerprint();
    expect(second).not.toBe(first);
    expect(second.split(":")[0]).toBe(first.split(":")[0]);
    // A transaction that wrote, but isn't finished, counts when it is.
    const admin = await pg().admin();
    await admin.query("BEGIN; UPDATE series SET label = 'y' WHERE n = 1");
    const open = await database.fingerprint();
    await admin.query("COMMIT");
    await admin.end();
    expect(await database.fingerprint()).not.toBe(open);
  });
});

describe.skipIf(!engine)("who may come in", () => {
  const fault = async (change: Partial<PostgresConnection>) => {
    try {
      await openDatabase({ ...pg().connection(), ...change });
    } catch (caught) {
      const { code, message, action } = caught as { code: string; message: string; action: string };
      expect(action).toBeTruthy();
      expect(`${message} ${action}`).not.toMatch(/secret|wrong-word|SASL|ECONN|FATAL|thoth-postgres-/);
      return code;
    }
  };

  test("in words for each way to fail", async () => {
    const wrong = join(tmpdir(), `thoth-wrong-${process.pid}`);
    writeFileSync(wrong, "wrong-word\n", { mode: 0o600 });
    expect(await fault({ password: { file: wrong } })).toBe("database-login");
    expect(await fault({ password: undefined })).toBe("database-login");
    expect(await fault({ user: "nobody" })).toBe("database-login");
    expect(await fault({ database: "nowhere" })).toBe("database-missing");
    expect(await fault({ port: 1 })).toBe("database-connection");
    expect(await fault({ host: "no-such-host.invalid" })).toBe("database-connection");
    expect(await fault({ host: "/tmp/thoth-postgres-none" })).toBe("database-connection");
    expect(await fault({ tls: "require" })).toBe("database-connection");
    expect(await fault({ tls: "verify" })).toBe("database-connection");
    await pg().createDatabase("closed");
    await pg().ask("REVOKE CONNECT ON DATABASE closed FROM PUBLIC");
    expect(await fault({ database: "closed" })).toBe("database-permission");
    const other = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")).listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    expect(await fault({ port: (other.address() as { port: number }).port })).toBe("database-connection");
    other.close();
    rmSync(wrong);
  });

  test("a role that could write is told how to make one that can't", async () => {
    const owner = await (await pg().open("owner")).inspect();
    expect(owner.product).toMatch(/^PostgreSQL \d+\.\d+$/);
    expect(owner.warnings).toHaveLength(1);
    const remedy = owner.warnings[0]?.remedy ?? "";
    expect((await database.inspect()).warnings).toEqual([]);
    // The statements work as they are, and make a role without a warning.
    const admin = await pg().admin();
    await admin.query(remedy.replace("…", "word"));
    const found = await admin.query("SELECT has_table_privilege('thoth_reader', 'series', 'SELECT') AS may");
    expect(found.rows).toEqual([{ may: true }]);
    await admin.end();
    const file = join(tmpdir(), `thoth-word-${process.pid}`);
    writeFileSync(file, "word", { mode: 0o600 });
    const reader = await openDatabase({ ...pg().connection(), user: "thoth_reader", password: { file } });
    expect((await reader.inspect()).warnings).toEqual([]);
    await reader.close();
    rmSync(file);
  });
});
