/**
 * `node bench/ledger.ts [--quick]`: one appended entry, as every process but the first has it (the file is at hand and
 * parsed), beside a bare write, fsync, rename and folder fsync of a file of the same size, in turns on the same disk.
 */
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { open, readFile, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { changeLedger } from "../src/ledger/ledger.ts";
import type { NewEntry } from "../src/protocol/index.ts";
import { type BenchOptions, type Row, runAlone, toRow } from "./bench-row.ts";
import { fitGrowth, median, toMs } from "./figures.ts";

const query: NewEntry = {
  ...{ type: "query", tool: "run_query", ok: true, rowCount: 12, ms: 3 },
  sql: `SELECT ${"name, ".repeat(30)}id FROM customer WHERE country = 'Norway'`,
};

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

async function replaceBare(path: string, content: Buffer): Promise<void> {
  const next = `${path}.${randomUUID()}`;
  const file = await open(next, "wx", 0o600);
  await file.writeFile(content);
  await file.sync();
  await file.close();
  await rename(next, path);
  const folder = await open(join(path, ".."), "r");
  await folder.sync();
  await folder.close();
}

interface Appended {
  entries: number;
  bytes: number;
  ours: number;
  bare: number;
}

/** One append to a ledger of so many entries; each round has a ledger of its own, so that all are of one size. */
async function compare(entries: number, rounds: number): Promise<Appended> {
  const folder = mkdtempSync(join(tmpdir(), "thoth-ledger-"));
  const append = (dir: string, count: number) =>
    changeLedger(dir, "s", () => ({ entries: Array.from({ length: count }, () => query), value: null }));
  try {
    const times = { ours: [] as number[], bare: [] as number[] };
    let bytes = 0;
    for (let round = 0; round <= rounds; round += 1) {
      const [dir, other] = [join(folder, `s${round}`), join(folder, `bare${round}`)];
      for (const one of [dir, other]) mkdirSync(one);
      await append(dir, entries);
      const ours = await timed(() => append(dir, 1));
      const content = await readFile(join(dir, "ledger.json"));
      await replaceBare(join(other, "ledger.json"), content); // there is a file to be replaced, as in the other
      const bare = await timed(() => replaceBare(join(other, "ledger.json"), content));
      for (const one of [dir, other]) rmSync(one, { recursive: true });
      bytes = content.length;
      if (round === 0) continue;
      times.bare.push(bare);
      times.ours.push(ours);
    }
    return { entries, bytes, ours: median(times.ours), bare: median(times.bare) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function measure({ quick }: BenchOptions): Promise<{ rows: Row[] }> {
  const sizes: Appended[] = [];
  for (const entries of [10, 100, 1000, 10_000]) sizes.push(await compare(entries, quick ? 40 : 100));
  const growth = fitGrowth(sizes.map(({ entries, ours }) => ({ size: entries, ms: ours })));
  return {
    rows: [
      ...sizes.map(({ entries, bytes, ours, bare }) =>
        toRow({
          group: "budget",
          what: `ledger append with fsync, ${entries.toLocaleString("en-US")} entries (${Math.round(bytes / 1000)} kB)`,
          budget: "within 1.5 × bare write, fsync, rename, folder fsync",
          figure: toMs(ours),
          reference: `bare ${toMs(bare)}`,
          ratio: ours / bare,
          holds: ours / bare <= 1.5,
          values: { oursMs: ours, bareMs: bare, bytes },
        }),
      ),
      toRow({
        group: "growth",
        what: "one ledger append, 10 to 10,000 entries",
        budget: "at most linear in the ledger's size",
        figure: `entries^${growth.exponent.toFixed(2)}, ^${growth.last.toFixed(2)} at the end`,
        holds: growth.last < 1.15,
        values: { exponent: growth.exponent, last: growth.last, ms: sizes.map((one) => one.ours) },
      }),
    ],
  };
}

if (import.meta.main) await runAlone(measure);
