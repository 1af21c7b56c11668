/** How queries end on MariaDB: at the caps, when stopped, at the deadline, with the connection; fingerprints and TLS. */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Database, Read } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { type MariadbUnderTest, startMariadb } from "../fixtures/mariadb-engine.ts";

const options = { maxRows: 100, maxBytes: 1_000_000, deadlineMs: 10_000 };
const endless = "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT COUNT(*) FROM c";
const crossed = "SELECT COUNT(*) FROM million a JOIN million b ON a.n + b.n < 0";
const certificate = mkdtempSync(join(tmpdir(), "thoth-certificate-"));
const tls = makeCertificate(certificate);
const started = await startMariadb(tls);
const server = started as MariadbUnderTest;
let reader: Database;

beforeAll(async () => {
  if (!started) return;
  await server.run([
    "CREATE TABLE million (n INT PRIMARY KEY, t VARCHAR(100))",
    "INSERT INTO million SELECT seq, REPEAT('x', 100) FROM seq_1_to_1000000",
  ]);
  reader = await server.open();
}, 180_000);
afterAll(async () => {
  await reader?.close();
  await server?.stop();
  rmSync(certificate, { recursive: true, force: true });
});

/** Arguments for a server with a certificate that nobody vouches for; none where openssl is absent. */
function makeCertificate(folder: string): string[] {
  if (!existsSync("/usr/bin/openssl")) return [];
  const [key, file] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=thoth", "-days", "2"];
  execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", file, ...subject], {
    stdio: "pipe",
  });
  for (const path of [folder, key, file]) chmodSync(path, path === folder ? 0o755 : 0o644);
  return [`--ssl-cert=${file}`, `--ssl-key=${key}`];
}

const result = (read: Read | undefined) => {
  if (!read?.ok) throw new Error(`${read?.error.code}: ${read?.error.message}`);
  return read.result;
};
const rows = async (sql: string) => result(await reader.read(sql, options)).rows;
const code = (read: Read) => (read.ok ? "no error" : read.error.code);

/** Nothing of ours runs on the server within two seconds. */
async function clean(): Promise<boolean> {
  for (let tries = 0; tries < 20; tries += 1) {
    if ((await server.running()) === 0) return true;
    await delay(100);
  }
  return false;
}

describe.skipIf(!started)("ends of queries", () => {
  afterEach(async () => expect(await clean()).toBe(true));

  test("a million rows keep memory flat, and a capped read ends at once", async () => {
    const before = process.memoryUsage().rss;
    const cut = result(await reader.read("SELECT a.* FROM million a", options));
    expect([cut.rowCount, cut.truncated, cut.rows[0]?.[0]]).toEqual([100, true, 1]);
    const whole = result(await reader.read("SELECT n FROM million LIMIT 100", options));
    expect([whole.rowCount, whole.truncated]).toEqual([100, false]);
    const bytes = result(
      await reader.read("SELECT t FROM million", { ...options, maxRows: 1_000_000, maxBytes: 1000 }),
    );
    expect([bytes.rowCount, bytes.truncated]).toEqual([10, true]);
    expect((process.memoryUsage().rss - before) / 1e6).toBeLessThan(150);
  });

  test.each([endless, crossed, "SELECT n, REPEAT(t, 1000) FROM million"])("stopped: %s", async (sql) => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    const begun = performance.now();
    const read = await reader.read(sql, {
      maxRows: 10_000_000,
      maxBytes: 1e9,
      deadlineMs: 60_000,
      signal: stop.signal,
    });
    expect(code(read)).toBe("stopped");
    expect(performance.now() - begun).toBeLessThan(2300);
    // The server's list may name a query for a moment after it has said that it was ended.
    expect(await clean()).toBe(true);
  });

  test.each([endless, crossed])("at the deadline, with the rest of the batch: %s", async (sql) => {
    const begun = performance.now();
    const reads = await reader.readAll(["SELECT 1", sql, "SELECT 2"], { ...options, deadlineMs: 700 });
    expect(reads.map(code)).toEqual(["no error", "timeout", "timeout"]);
    expect(performance.now() - begun).toBeLessThan(2700);
    expect(await rows("SELECT 3")).toEqual([[3]]);
  });

  test("a recursion deeper than the server's limit is counted whole", async () => {
    expect(
      await rows(
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 20000) SELECT COUNT(*) FROM c",
      ),
    ).toEqual([[20_000]]);
  });

  test("reads run side by side, more than there are connections", async () => {
    const reads = await Promise.all(
      Array.from({ length: 10 }, (_, index) => reader.read(`SELECT ${index}, COUNT(*) FROM million`, options)),
    );
    expect(reads.map((read) => result(read).rows[0])).toEqual(
      Array.from({ length: 10 }, (_, index) => [index, 1_000_000]),
    );
  });

  test("a kept connection that the server has dropped is replaced", async () => {
    await rows("SELECT 1");
    for (const [id] of await server.ask("SELECT ID FROM information_schema.PROCESSLIST WHERE USER = 'reader'"))
      await server.ask(`KILL ${id}`);
    expect(await rows("SELECT 2")).toEqual([[2]]);
  });

  test("close ends what runs and what waits", async () => {
    const own = await server.open();
    const running = own.read(endless, { ...options, deadlineMs: 60_000 });
    await delay(300);
    await own.close();
    expect(code(await running)).toBe("stopped");
    expect(result(await own.read("SELECT 1", options)).rows).toEqual([[1]]);
    await own.close();
  });

  test("an idle connection doesn't keep a process alive", async () => {
    const module = fileURLToPath(new URL("../../src/database/open-database.ts", import.meta.url));
    const script = `import { openDatabase } from ${JSON.stringify(module)};
      const d = await openDatabase(${JSON.stringify(server.connection())});
      const r = await d.read("SELECT 41 + 1", ${JSON.stringify(options)});
      console.log(r.result.rows[0][0]);`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
    const begun = performance.now();
    const exit = await new Promise((resolve) => child.once("exit", resolve));
    expect([exit, output.trim()]).toEqual([0, "42"]);
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  test("errors have a code and say where", async () => {
    const reads = await reader.readAll(
      [
        "SELECT * FROM nowhere",
        "SELECT nil FROM million",
        "SELECT 1\n FORM x y",
        "SELECT * FROM mysql.user",
        "SELECT ST_GeomFromText('x')",
        "SELECT ?",
        "SELECT 1",
      ],
      options,
    );
    expect(reads.map(code)).toEqual([
      "unknown-table",
      "unknown-column",
      "syntax",
      "permission",
      "no error",
      "refused",
      "no error",
    ]);
    expect(reads[2]?.ok ? "" : reads[2]?.error.message).toMatch(/at line 2 \(character 16 of the statement\)$/);
  });
});

describe.skipIf(!started)("fingerprint", () => {
  test("changes with every committed write, by any engine, and not without", async () => {
    await server.run([
      "CREATE DATABASE other",
      "CREATE TABLE other.t (v INT)",
      "CREATE TABLE ino (v INT) ENGINE=InnoDB",
      "CREATE TABLE isam (v INT) ENGINE=MyISAM",
      "INSERT INTO ino VALUES (1)",
      "INSERT INTO isam VALUES (1)",
    ]);
    // InnoDB tidies up for some seconds after a write.
    await expect
      .poll(async () => (await reader.fingerprint()) === (await delay(1500, await reader.fingerprint())), {
        timeout: 30_000,
      })
      .toBe(true);
    const seen = new Set([await reader.fingerprint()]);
    const writes = [
      "UPDATE ino SET v = 2",
      "UPDATE ino SET v = 3",
      "UPDATE isam SET v = 2",
      "UPDATE isam SET v = 3",
      "DELETE FROM ino",
      "TRUNCATE isam",
      "ALTER TABLE ino ADD w INT",
      "INSERT INTO other.t VALUES (1)",
    ];
    for (const write of writes) {
      await server.run([write]);
      seen.add(await reader.fingerprint());
    }
    // Written before this look, seen by others only after it.
    await server.ask("START TRANSACTION");
    await server.ask("INSERT INTO thoth.ino VALUES (5, 5)");
    seen.add(await reader.fingerprint());
    await server.ask("COMMIT");
    seen.add(await reader.fingerprint());
    expect(seen.size).toBe(writes.length + 3);
    expect([...seen].every((print) => /^mysql-[0-9a-f]{16}:[0-9a-f]{32}$/.test(print))).toBe(true);
    expect(new Set([...seen].map((print) => print.split(":")[0])).size).toBe(1);
  });
});

describe.skipIf(!started || tls.length === 0)("TLS", () => {
  test("require encrypts whoever answers, verify doesn't trust a certificate that nobody vouches for", async () => {
    const required = await openDatabase({ ...server.connection(), tls: "require" });
    const status =
      "SELECT VARIABLE_VALUE <> '' FROM information_schema.SESSION_STATUS WHERE VARIABLE_NAME = 'Ssl_cipher'";
    expect(result(await required.read(status, options)).rows).toEqual([[1]]);
    expect(await rows(status)).toEqual([[0]]);
    await required.close();
    const verified = openDatabase({ ...server.connection(), tls: "verify" });
    await expect(verified).rejects.toMatchObject({
      code: "database-connection",
      message: expect.stringContaining("certificate"),
    });
  });
});
