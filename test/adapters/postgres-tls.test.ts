/** Encrypted connections: which are accepted, and that a query over one can be stopped. And that ours let us end. */
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { PostgresConnection } from "../../src/database/connection.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { startPostgres } from "../fixtures/postgres-engine.ts";

const options = { maxRows: 10, maxBytes: 10_000, deadlineMs: 60_000 };
const engine = await startPostgres();
const certifier = "openssl";
let encrypted = false;

beforeAll(async () => {
  if (!engine) return;
  const [[folder]] = (await engine.ask("SHOW data_directory")) as [[string]];
  const [key, certificate] = [join(folder, "server.key"), join(folder, "server.crt")];
  try {
    execFileSync(
      certifier,
      [
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=db.example.com",
        "-keyout",
        key,
        "-out",
        certificate,
      ],
      { stdio: "ignore" },
    );
  } catch {
    console.log("skipped: no openssl to make a certificate with");
    return;
  }
  // The server reads its key only when it is its own.
  const owner = statSync(folder);
  for (const file of [key, certificate]) chownSync(file, owner.uid, owner.gid);
  chmodSync(key, 0o600);
  const admin = await engine.admin();
  await admin.query("ALTER SYSTEM SET ssl = on");
  await admin.query("SELECT pg_reload_conf()");
  await admin.end();
  await sleep(500);
  encrypted = true;
});
afterAll(async () => {
  await engine?.stop();
});

describe.skipIf(!engine)("a connection", () => {
  test("is encrypted when asked, and a query over it is stopped on the server", async (context) => {
    if (!encrypted || !engine) return context.skip();
    const database = await openDatabase({ ...engine.connection(), tls: "require" });
    const ssl = await engine.ask(
      "SELECT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'thoth'",
    );
    expect(ssl).toEqual([[true]]);
    const stop = new AbortController();
    const sql = "SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 1000000) b";
    const reading = database.read(sql, { ...options, signal: stop.signal });
    while ((await engine.running()) === 0) await sleep(20);
    const started = performance.now();
    stop.abort();
    expect(await reading).toMatchObject({ error: { code: "stopped" } });
    while ((await engine.running()) > 0 && performance.now() - started < 10_000) await sleep(50);
    expect(performance.now() - started).toBeLessThan(2000);
    await database.close();
  });

  test("that must be verified isn't made to a certificate of its own", async (context) => {
    if (!encrypted || !engine) return context.skip();
    const opening = openDatabase({ ...engine.connection(), tls: "verify" });
    await expect(opening).rejects.toMatchObject({
      code: "database-connection",
      message: expect.stringContaining("certificate"),
      action: expect.stringContaining("NODE_EXTRA_CA_CERTS"),
    });
  });

  test("that idles doesn't keep the process from ending", async () => {
    if (!engine) return;
    const connection: PostgresConnection = engine.connection();
    const entry = join(import.meta.dirname, "../../src/database/open-database.ts");
    const program = join(import.meta.dirname, `idle-${process.pid}.ts`);
    writeFileSync(
      program,
      `import { openDatabase } from ${JSON.stringify(entry)};
       const database = await openDatabase(${JSON.stringify(connection)});
       const read = await database.read("SELECT 1", ${JSON.stringify(options)});
       process.stdout.write(String(read.ok) + " " + performance.now());`,
    );
    try {
      const child = spawn(process.execPath, [program], { stdio: ["ignore", "pipe", "inherit"] });
      let output = "";
      child.stdout.on("data", (chunk) => {
        output += String(chunk);
      });
      const started = performance.now();
      await new Promise((resolve) => child.once("close", resolve));
      const [ok, lived] = output.split(" ");
      expect(ok).toBe("true");
      expect(performance.now() - started - Number(lived)).toBeLessThan(15_000);
    } finally {
      rmSync(program);
    }
  });
});
