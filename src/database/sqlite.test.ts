import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database, Read } from "./database.ts";
import { openDatabase } from "./open-database.ts";

const folder = mkdtempSync(join(tmpdir(), "thoth-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const options = { maxRows: 100, maxBytes: 1_000_000, deadlineMs: 5000 };
const endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c";

function make(name: string, sql: string): string {
  const file = join(folder, name);
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  return file;
}
const open = (file: string) => openDatabase({ engine: "sqlite", file });
const result = (read: Read) => {
  if (!read.ok) throw new Error(`${read.error.code}: ${read.error.message}`);
  return read.result;
};
const problem = (read: Read) => (read.ok ? "no error" : read.error.code);

describe("results", () => {
  let database: Database;
  beforeAll(async () => {
    database = await open(
      make(
        "results.sqlite",
        `
      CREATE TABLE big(id INTEGER PRIMARY KEY, n BIGINT, d DECIMAL(10,2), t VARCHAR(20), b BLOB);
      INSERT INTO big VALUES (1, 2033735037361704962, 1.5, 'ä', x'0102'), (2, 9007199254740991, 2, NULL, zeroblob(1000)),
        (3, -9223372036854775808, 0.1, cast(x'ff41' AS TEXT), NULL);
      CREATE TABLE many AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5000) SELECT n FROM c;
      CREATE TABLE huge(v TEXT); INSERT INTO huge VALUES (cast(zeroblob(50000000) AS TEXT)), ('small');
    `,
      ),
    );
  });

  test("keep every digit of a big integer", async () => {
    const read = result(await database.read("SELECT n FROM big ORDER BY id", options));
    expect(read.rows).toEqual([["2033735037361704962"], [9007199254740991], ["-9223372036854775808"]]);
  });

  test("have declared types for columns and seen types for expressions", async () => {
    const read = result(
      await database.read("SELECT n, d, t AS text, b, count(*) OVER (), n || '', d * 1.5, NULL FROM big", options),
    );
    expect(read.columns.map((column) => column.type)).toEqual([
      "BIGINT",
      "DECIMAL(10,2)",
      "VARCHAR(20)",
      "BLOB",
      "INTEGER",
      "TEXT",
      "REAL",
      "",
    ]);
    expect(read.columns[2]?.name).toBe("text");
  });

  test("keep columns of the same name", async () => {
    const read = result(await database.read("SELECT 1 AS a, 2 AS a, 3 AS a", options));
    expect(read).toMatchObject({ columns: [{ name: "a" }, { name: "a" }, { name: "a" }], rows: [[1, 2, 3]] });
  });

  test("show blobs as hex and long ones with their length", async () => {
    const read = result(await database.read("SELECT b FROM big ORDER BY id", options));
    expect(read.rows[0]).toEqual(["x'0102'"]);
    expect(read.rows[1]?.[0]).toMatch(/^x'0{128}…' \(1,000 bytes\)$/);
    expect(read.rows[2]).toEqual([null]);
  });

  test("survive invalid UTF-8, NUL, infinities and emoji", async () => {
    const read = result(
      await database.read("SELECT cast(x'ff41' AS TEXT), 'a' || char(0) || 'b', 9e999, -9e999, '😀 \u2028'", options),
    );
    expect(read.rows).toEqual([["\ufffdA", "a\0b", "Inf", "-Inf", "😀 \u2028"]]);
  });

  test("say when the row cap cut them, and only then", async () => {
    const cut = result(await database.read("SELECT n FROM many ORDER BY n", { ...options, maxRows: 10 }));
    expect([cut.rows.length, cut.rowCount, cut.truncated, cut.rows[9]]).toEqual([10, 10, true, [10]]);
    const whole = result(await database.read("SELECT n FROM many WHERE n <= 10", { ...options, maxRows: 10 }));
    expect([whole.rowCount, whole.truncated]).toEqual([10, false]);
  });

  test("keep their own LIMIT and comments: the text passed is the text run", async () => {
    const read = result(await database.read("SELECT n FROM many ORDER BY n LIMIT 3 -- LIMIT 1", options));
    expect([read.rowCount, read.truncated]).toEqual([3, false]);
  });

  test("keep every digit of an integer beyond 2^53 that comes late, and every row before it once", async () => {
    const file = make(
      "late.sqlite",
      `CREATE TABLE late(n INTEGER, t TEXT);
       INSERT INTO late WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 3000) SELECT i, 'é' || i FROM c;
       INSERT INTO late VALUES (9007199254740993, 'last')`,
    );
    const late = await open(file);
    const read = result(await late.read("SELECT n, t FROM late", { ...options, maxRows: 5000 }));
    expect([read.rowCount, read.rows.length, read.rows[0]]).toEqual([3001, 3001, [1, "é1"]]);
    expect(read.rows.at(-1)).toEqual(["9007199254740993", "last"]);
    await late.close();
  });

  test("say when the byte cap cut them", async () => {
    const cut = result(
      await database.read("SELECT printf('%0100d', n) FROM many", { ...options, maxRows: 5000, maxBytes: 1000 }),
    );
    expect([cut.rowCount, cut.truncated]).toEqual([10, true]);
  });

  test("cut a huge cell and say so; the next query runs", async () => {
    const read = result(await database.read("SELECT v FROM huge", { ...options, maxBytes: 10_000_000 }));
    expect(read.truncated).toBe(true);
    expect(String(read.rows[0]?.[0]).length).toBeLessThan(100_100);
    expect(read.rows[0]?.[0]).toMatch(/… \(50,000,000 characters\)$/);
    expect(read.rows[1]).toEqual(["small"]);
    const small = result(await database.read("SELECT v FROM huge", { ...options, maxBytes: 100 }));
    expect([String(small.rows[0]?.[0]).length < 200, small.truncated]).toEqual([true, true]);
  });

  test("fail as data, with a code", async () => {
    const reads = await database.readAll(
      [
        "SELECT * FROM nowhere",
        "SELECT nil FROM big",
        "SELEC 1",
        "SELECT FROM",
        "SELECT count(*",
        "SELECT json_extract('{', '$')",
        'SELECT "nil" FROM big',
        "SELECT zeroblob(500000000)",
        "SELECT 1",
      ],
      options,
    );
    expect(reads.map(problem)).toEqual([
      "unknown-table",
      "unknown-column",
      "refused",
      "syntax",
      "syntax",
      "type",
      "unknown-column",
      "other",
      "no error",
    ]);
  });

  test("come one after another from one batch", async () => {
    const reads = await database.readAll(["SELECT 1", "DROP TABLE big", "SELECT 3"], options);
    expect(reads.map((read) => (read.ok ? read.result.rows : read.error.code))).toEqual([[[1]], "refused", [[3]]]);
  });
});

describe("stopping", () => {
  let database: Database;
  beforeAll(async () => {
    database = await open(
      make(
        "stopping.sqlite",
        `
      CREATE TABLE t AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3000) SELECT n FROM c;
    `,
      ),
    );
  });

  test.each([
    ["a runaway count", endless],
    ["a sort over a cross join", "SELECT a.n FROM t a, t b, t c ORDER BY a.n + b.n * c.n LIMIT 1"],
    [
      "rows without end that match nothing",
      "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c WHERE n < 0",
    ],
  ])("ends %s at the deadline", async (_, sql) => {
    expect(problem(await database.read(sql, { ...options, deadlineMs: 300 }))).toBe("timeout");
    expect(result(await database.read("SELECT 1", options)).rows).toEqual([[1]]);
  });

  test("keeps what a batch had read before its deadline", async () => {
    const reads = await database.readAll(["SELECT 1", endless, "SELECT 2"], { ...options, deadlineMs: 600 });
    expect(reads.map(problem)).toEqual(["no error", "timeout", "timeout"]);
  });

  test("ends by signal, before and while it runs", async () => {
    expect(problem(await database.read("SELECT 1", { ...options, signal: AbortSignal.abort() }))).toBe("stopped");
    expect(problem(await database.read(endless, { ...options, signal: AbortSignal.timeout(200) }))).toBe("stopped");
  });

  test("runs reads side by side", async () => {
    const reads = await Promise.all([1, 2, 3].map((n) => database.read(`SELECT ${n}`, options)));
    expect(reads.map((read) => result(read).rows)).toEqual([[[1]], [[2]], [[3]]]);
  });

  test.skipIf(process.platform !== "linux")(
    "leaves no process when its own is killed or ends",
    async () => {
      const entry = fileURLToPath(new URL("./open-database.ts", import.meta.url));
      const start = (after: string) =>
        spawn(
          process.execPath,
          [
            "--input-type=module-typescript",
            "-e",
            `
      import { openDatabase } from ${JSON.stringify(entry)};
      const database = await openDatabase({ engine: "sqlite", file: ${JSON.stringify(join(folder, "stopping.sqlite"))} });
      ${after}
    `,
          ],
          { stdio: ["ignore", "pipe", "inherit"] },
        );
      const children = (parent: ChildProcess) =>
        execFileSync("ps", ["-o", "pid=", "--ppid", String(parent.pid)], { encoding: "utf8" })
          .trim()
          .split(/\s+/)
          .filter(Boolean);
      const alive = (pid: string) => {
        try {
          process.kill(Number(pid), 0);
          return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
        } catch {
          return false;
        }
      };

      const busy = start(
        `console.log("open"); await database.read(${JSON.stringify(endless)}, { maxRows: 1, maxBytes: 100, deadlineMs: 60_000 });`,
      );
      await new Promise((resolve) => busy.stdout?.once("data", resolve));
      await delay(300);
      const pids = children(busy);
      expect(pids).toHaveLength(1);
      busy.kill("SIGKILL");
      for (let waited = 0; waited < 10_000 && pids.some(alive); waited += 100) await delay(100);
      expect(pids.filter(alive)).toEqual([]);

      // An idle reader doesn't keep its parent: this one ends by itself.
      const idle = start("");
      expect(await new Promise((resolve) => idle.once("exit", resolve))).toBe(0);
    },
    60_000,
  );
});

describe("introspection", () => {
  test("finds odd names, and they can be read when quoted", async () => {
    const database = await open(
      make(
        "names.sqlite",
        `
      CREATE TABLE "order"("3pointplay" INTEGER, "a.b" TEXT, "Unit Price" REAL, "say ""hi""" TEXT, "größe" TEXT, "数量" INT, "select" TEXT);
      INSERT INTO "order" VALUES (1, 'x', 2.5, 'hi', 'L', 3, 's');
      CREATE VIEW "my view" AS SELECT "a.b" FROM "order"; CREATE VIEW broken AS SELECT * FROM nowhere;
      CREATE VIRTUAL TABLE notes USING fts5(body);
    `,
      ),
    );
    const tables = await database.introspect();
    expect(tables.map((table) => [table.name, table.kind])).toEqual([
      ["my view", "view"],
      ["notes", "table"],
      ["order", "table"],
    ]);
    const names = tables[2]?.columns.map((column) => column.name) ?? [];
    expect(names).toEqual(["3pointplay", "a.b", "Unit Price", 'say "hi"', "größe", "数量", "select"]);
    expect(tables[1]?.columns.map((column) => column.name)).toEqual(["body"]);
    const read = result(
      await database.read(
        `SELECT ${names.map((name) => `o.${database.quote(name)}`).join(", ")} FROM ${database.quote("order")} o`,
        options,
      ),
    );
    expect(read).toMatchObject({ columns: names.map((name) => ({ name })), rows: [[1, "x", 2.5, "hi", "L", 3, "s"]] });
  });

  test("keeps composite keys whole and fills in the target's primary key", async () => {
    const database = await open(
      make(
        "keys.sqlite",
        `
      CREATE TABLE prog(camp TEXT, yr INT, title TEXT UNIQUE, PRIMARY KEY (yr, camp));
      CREATE TABLE enr(camp TEXT, yr INT NOT NULL, n INT, FOREIGN KEY (camp, yr) REFERENCES PROG(CAMP, yr));
      CREATE TABLE short(y INT, c TEXT, FOREIGN KEY (y, c) REFERENCES prog, FOREIGN KEY (c) REFERENCES gone);
      CREATE TABLE two(a INT REFERENCES one, b INT REFERENCES one(id)); CREATE TABLE one(id INTEGER PRIMARY KEY, x INT, y INT, UNIQUE (x, y));
    `,
      ),
    );
    const tables = Object.fromEntries((await database.introspect()).map((table) => [table.name, table]));
    expect(tables.prog).toMatchObject({ primaryKey: ["yr", "camp"], unique: [["title"]] });
    expect(tables.enr?.foreignKeys).toEqual([{ columns: ["camp", "yr"], table: "prog", tableColumns: ["camp", "yr"] }]);
    expect(tables.short?.foreignKeys).toEqual([{ columns: ["y", "c"], table: "prog", tableColumns: ["yr", "camp"] }]);
    expect(tables.two?.foreignKeys).toEqual([
      { columns: ["a"], table: "one", tableColumns: ["id"] },
      { columns: ["b"], table: "one", tableColumns: ["id"] },
    ]);
    expect(tables.one?.unique).toEqual([["x", "y"]]);
    expect(tables.enr?.columns).toEqual([
      { name: "camp", type: "TEXT", kind: "text", nullable: true },
      { name: "yr", type: "INT", kind: "integer", nullable: false },
      { name: "n", type: "INT", kind: "integer", nullable: true },
    ]);
  });
});

describe("the file", () => {
  const fault = async (file: string) => {
    const error = await open(file).then(
      () => undefined,
      (found: unknown) => found,
    );
    expect(error).toMatchObject({ name: "ThothError", action: expect.any(String) });
    const thrown = error as { code: string; message: string };
    expect(thrown.message).not.toContain(folder);
    return thrown.code;
  };

  test("is refused with a reason when it can't be read", async () => {
    mkdirSync(join(folder, "a-folder"));
    writeFileSync(join(folder, "empty.sqlite"), "");
    writeFileSync(join(folder, "text.sqlite"), "not a database, but long enough to hold a header");
    writeFileSync(
      join(folder, "broken.sqlite"),
      Buffer.concat([Buffer.from("SQLite format 3\0"), Buffer.alloc(5000, 7)]),
    );
    expect(await fault(join(folder, "none.sqlite"))).toBe("database-missing");
    expect(await fault(join(folder, "a-folder"))).toBe("database-not-sqlite");
    expect(await fault(join(folder, "empty.sqlite"))).toBe("database-empty");
    expect(await fault(join(folder, "text.sqlite"))).toBe("database-not-sqlite");
    expect(await fault(join(folder, "broken.sqlite"))).toBe("database-not-sqlite");
  });

  test.skipIf(process.getuid?.() === 0)("is refused without the right to read it", async () => {
    const file = make("private.sqlite", "CREATE TABLE t(a)");
    chmodSync(file, 0);
    expect(await fault(file)).toBe("database-permission");
  });

  test("is refused while another program holds it", async () => {
    const file = make("locked.sqlite", "CREATE TABLE t(a)");
    // Another process: within one, closing any handle on the file would drop the lock (POSIX).
    const writer = spawn(
      process.execPath,
      [
        "-e",
        `
      const { DatabaseSync } = require("node:sqlite");
      const database = new DatabaseSync(${JSON.stringify(file)});
      database.exec("BEGIN EXCLUSIVE");
      console.log("held");
      process.stdin.resume().on("end", () => process.exit(0));
    `,
      ],
      { stdio: ["pipe", "pipe", "inherit"] },
    );
    await new Promise((resolve) => writer.stdout.once("data", resolve));
    expect(await fault(file)).toBe("database-locked");
    writer.stdin.end();
    await new Promise((resolve) => writer.once("exit", resolve));
    expect(result(await (await open(file)).read("SELECT count(*) FROM t", options)).rows).toEqual([[0]]);
  });

  test("in WAL mode is read with and without a writer, and nothing is left beside it", async () => {
    const file = make("wal #1?.sqlite", "PRAGMA journal_mode = WAL; CREATE TABLE t(a); INSERT INTO t VALUES (1)");
    const beside = () => readdirSync(folder).filter((name) => name.startsWith("wal #1?"));
    expect(beside()).toEqual(["wal #1?.sqlite"]);
    const database = await open(file);
    expect(result(await database.read("SELECT count(*) FROM t", options)).rows).toEqual([[1]]);
    expect(beside()).toEqual(["wal #1?.sqlite"]);
    const quiet = await database.fingerprint();
    const writer = new DatabaseSync(file);
    writer.exec("INSERT INTO t VALUES (2)");
    expect(result(await database.read("SELECT count(*) FROM t", options)).rows).toEqual([[2]]);
    expect(await database.fingerprint()).not.toBe(quiet);
    writer.close();
  });

  test("has a fingerprint that changes with its rows and not with reading", async () => {
    const file = make("print.sqlite", "CREATE TABLE t(a); INSERT INTO t VALUES (1)");
    const database = await open(file);
    const first = await database.fingerprint();
    await database.read("SELECT * FROM t", options);
    expect(await database.fingerprint()).toBe(first);
    make("print.sqlite", "UPDATE t SET a = 2");
    const second = await database.fingerprint();
    expect(second).not.toBe(first);
    expect(second.split(":")[0]).toBe(first.split(":")[0]);
    rmSync(file);
    await expect(database.fingerprint()).rejects.toMatchObject({ code: "database-missing" });
    expect(problem(await database.read("SELECT 1", options))).toBe("missing");
    await expect(database.introspect()).rejects.toMatchObject({ code: "database-missing" });
  });
});
