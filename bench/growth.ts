/**
 * `node bench/growth.ts [--quick]`: how times grow with sizes. For each a power of the size is fitted through all points,
 * and the step between the two largest is held against what size × log(size) would give there. (The ledger's append
 * stands in `bench/ledger.ts`.)
 */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { initialBridge, toEvents } from "../src/bridge/to-events.ts";
import { openCatalog } from "../src/catalog/open-catalog.ts";
import { readCatalog } from "../src/catalog/read-catalog.ts";
import { openDatabase } from "../src/database/open-database.ts";
import { changeLedger, readLedger } from "../src/ledger/ledger.ts";
import { planQuestion } from "../src/planner/plan-question.ts";
import type { EventData, Frame, NewEntry } from "../src/protocol/index.ts";
import { createLineFramer } from "../src/runtime/framing.ts";
import { createSessionStream } from "../src/server/sessions/session-stream.ts";
import { createSessions } from "../src/server/sessions/sessions.ts";
import { emptySession, foldSession } from "../src/web/session/fold-session.ts";
import { foldLedger } from "../src/workflow/fold-ledger.ts";
import { type BenchOptions, type Row, runAlone, toRow } from "./bench-row.ts";
import { fitGrowth, type Point, quantile, toMs } from "./figures.ts";
import { processorMs } from "./processor-time.ts";
import { writeSession } from "./session-list.ts";
import { measureIndex } from "./value-index.ts";

const silent = () => undefined;
const log = { info: silent, warn: silent, error: silent };
const budget = "no worse than n log n";

/** Milliseconds by the clock: for work that other processes do. */
async function timed(work: () => unknown): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

async function worked(work: () => unknown): Promise<number> {
  const before = processorMs();
  await work();
  return processorMs() - before;
}

function toGrowthRow(what: string, unit: string, points: Point[]): Row {
  const { exponent, last, allowed, worse } = fitGrowth(points);
  const ends = [points[0], points.at(-1)].map(
    (point) => `${(point?.size ?? 0).toLocaleString("en-US")} ${unit} ${toMs(point?.ms ?? 0)}`,
  );
  return toRow({
    group: "growth",
    what,
    budget,
    figure: `n^${exponent.toFixed(2)}, n^${last.toFixed(2)} at the end (n log n: ${allowed.toFixed(2)})`,
    reference: ends.join(" to "),
    holds: !worse,
    values: { exponent, last, sizes: points.map(({ size }) => size), ms: points.map(({ ms }) => ms) },
  });
}

async function over(sizes: readonly number[], measure: (size: number) => Promise<number>): Promise<Point[]> {
  const points: Point[] = [];
  for (const size of sizes) {
    // The best of some: whatever else the machine did made the others longer.
    const times = [await measure(size)];
    while (times.length < 3 && Math.max(...times) < 500) times.push(await measure(size));
    points.push({ size, ms: Math.min(...times) });
  }
  return points;
}

const open: EventData<"stream_open"> = {
  ...{ epoch: "e", firstSeq: 1, lastSeq: 0, turn: "running", openGate: null, phase: "F1", phases: [] },
  ...{ outcome: null, thinking: "low", thinkingInForce: "low", failure: null },
};
/** As many as a model writes before it calls a tool. */
const perBlock = 400;

/** From the child's bytes to a reader's socket. */
async function sendDeltas(count: number): Promise<number> {
  const lines = Array.from({ length: Math.min(count, 10_000) }, (_, n) =>
    Buffer.from(
      `${JSON.stringify({
        type: "message_update",
        assistantMessageEvent: { type: "thinking_delta", contentIndex: Math.floor(n / perBlock), delta: ` word ${n}` },
      })}\n`,
    ),
  );
  const stream = createSessionStream({ now: Date.now });
  let bytes = 0;
  stream.subscribe(undefined, open, {
    write: (frame) => {
      bytes += frame.length;
      return true;
    },
    close: silent,
    bufferedBytes: () => 0,
  });
  let bridge = initialBridge;
  const framer = createLineFramer((line) => {
    const { state, events } = toEvents(bridge, JSON.parse(line));
    bridge = state;
    for (const event of events) stream.publish(event);
  }, silent);
  const ms = await worked(() => {
    for (let sent = 0; sent < count; sent += 1) framer.push(lines[sent % lines.length] as Buffer);
  });
  stream.close();
  if (bytes === 0) throw new Error("nothing was sent");
  return ms;
}

/** In the page, without React: what its store holds after each frame. */
async function foldDeltas(count: number): Promise<number> {
  let state = foldSession(emptySession, { event: "stream_open", at: 0, data: open } as Frame);
  const ms = await worked(() => {
    for (let seq = 1; seq <= count; seq += 1)
      state = foldSession(state, {
        ...{ event: "activity_delta", id: `e-${seq}`, at: seq },
        data: { block: `b${Math.floor(seq / perBlock)}`, delta: ` word ${seq}` },
      } as Frame);
  });
  if (state.entries.length < count / perBlock) throw new Error("rows are missing");
  return ms;
}

const query: NewEntry = { type: "query", tool: "run_query", sql: "SELECT 1", ok: true, rowCount: 1, ms: 1 };

/** A session that is opened: its ledger read, checked and folded, as another process finds it. */
async function readEntries(count: number, folder: string): Promise<number> {
  const dir = mkdtempSync(join(folder, "ledger-"));
  await changeLedger(dir, "s", () => ({ entries: Array.from({ length: count }, () => query), value: null }));
  const times: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    // Under another name: what this process has just written it still has in memory.
    const other = mkdtempSync(join(folder, "read-"));
    copyFileSync(join(dir, "ledger.json"), join(other, "ledger.json"));
    times.push(await worked(async () => foldLedger((await readLedger(other, "s")).entries)));
  }
  return Math.min(...times);
}

const syllables = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we xi yo zu".split(" ");
/** Another word for each table, since a question names few of them. */
const nameOf = (n: number): string =>
  [n, Math.floor(n / 20), Math.floor(n / 400)].map((at) => syllables[at % syllables.length]).join("");

interface Tables {
  read: number;
  open: number;
  plan: number;
}

async function measureTables(count: number, folder: string): Promise<Tables> {
  const file = join(folder, `${count}.sqlite`);
  const owner = new DatabaseSync(file);
  owner.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
  for (let n = 0; n < count; n += 1) {
    const key = n === 0 ? "" : `, FOREIGN KEY (parent_id) REFERENCES ${nameOf(n - 1)}(id)`;
    const columns = Array.from({ length: 8 }, (_, at) => `field_${at} VARCHAR(40)`).join(", ");
    owner.exec(`CREATE TABLE ${nameOf(n)}(id INTEGER PRIMARY KEY, parent_id INTEGER, name TEXT, ${columns}${key})`);
    owner.exec(`INSERT INTO ${nameOf(n)}(id, parent_id, name) VALUES (1, 1, 'first of ${n}')`);
  }
  owner.exec("COMMIT");
  owner.close();
  const database = await openDatabase({ engine: "sqlite", file });
  try {
    const read = await timed(() => readCatalog(database));
    const cache = join(folder, "catalogs");
    (await openCatalog(database, cache)).close();
    let opened = await openCatalog(database, cache);
    const openMs = await timed(async () => {
      opened.close();
      opened = await openCatalog(database, cache);
    });
    const { catalog, values } = opened;
    const question = `How many ${nameOf(Math.floor(count / 2))} are there per name?`;
    const plan = () => planQuestion({ question, catalog, values, corrections: [], choices: {}, run: async () => [] });
    const planMs = await worked(plan);
    opened.close();
    return { read, open: openMs, plan: planMs };
  } finally {
    await database.close();
  }
}

interface Served {
  opened: number;
  list: number;
  view: number;
}

/** Sessions that are all open in one server, each with a reader. */
async function serveSessions(count: number, folder: string): Promise<Served> {
  const home = mkdtempSync(join(folder, "home-"));
  for (let index = 0; index < count; index += 1) writeSession(home, index);
  const sessions = createSessions({ home, log });
  try {
    while ((await sessions.list()).total < count) await new Promise((done) => setTimeout(done, 50));
    const ids = (await sessions.list()).sessions.map(({ id }) => id);
    const opened = await worked(async () => {
      for (const id of ids)
        await sessions.stream(id, undefined, { write: () => true, close: silent, bufferedBytes: () => 0 });
    });
    const list: number[] = [];
    for (let round = 0; round < 30; round += 1) list.push(await worked(() => sessions.list()));
    const view: number[] = [];
    for (let round = 0; round < Math.max(100, 2 * count); round += 1)
      view.push(await worked(() => sessions.view(ids[round % ids.length] ?? "")));
    return { opened, list: quantile(list, 0.25), view: quantile(view, 0.5) };
  } finally {
    await sessions.close();
  }
}

export async function measure({ quick, keep }: BenchOptions): Promise<{ rows: Row[] }> {
  const folder = mkdtempSync(join(tmpdir(), "thoth-growth-"));
  try {
    const deltas = quick ? [1000, 10_000, 100_000] : [1000, 10_000, 100_000, 1_000_000];
    await sendDeltas(5000);
    await foldDeltas(5000); // compiled by now
    const rows = [
      toGrowthRow("deltas from the child's bytes to a reader", "deltas", await over(deltas, sendDeltas)),
      toGrowthRow("deltas folded into the page's state", "deltas", await over(deltas, foldDeltas)),
      toGrowthRow(
        "a session's ledger read and folded",
        "entries",
        await over([10, 100, 1000, 10_000], (n) => readEntries(n, folder)),
      ),
    ];
    keep?.(rows);
    const counts = quick ? [10, 100, 500] : [10, 100, 1000, 3000];
    await measureTables(3, folder); // the language model is loaded by now
    const tables: [number, Tables][] = [];
    for (const count of counts) tables.push([count, await measureTables(count, folder)]);
    const ofTables = (key: keyof Tables): Point[] => tables.map(([size, figures]) => ({ size, ms: figures[key] }));
    rows.push(
      toGrowthRow("catalog read from the database", "tables", ofTables("read")),
      toGrowthRow("catalog opened from its file", "tables", ofTables("open")),
      toGrowthRow("question planned offline over the catalog", "tables", ofTables("plan")),
    );
    keep?.(rows);
    const indexes = (quick ? [10_000, 100_000] : [10_000, 100_000, 1_000_000]).map(
      (size) => [size, measureIndex(size, quick ? 20 : 100)] as const,
    );
    rows.push(
      toGrowthRow(
        "value index built",
        "values",
        indexes.map(([size, { buildMs: ms }]) => ({ size, ms })),
      ),
      toGrowthRow(
        "value search, p99",
        "values",
        indexes.map(([size, { worked }]) => ({ size, ms: quantile(worked, 0.99) })),
      ),
    );
    keep?.(rows);
    const served: [number, Served][] = [];
    // The two largest are both beyond the ledgers that are kept parsed.
    for (const count of [1, 10, 100, 200]) {
      const times: Served[] = [];
      while (times.length < 3) times.push(await serveSessions(count, folder));
      const best = (key: keyof Served) => Math.min(...times.map((one) => one[key]));
      served.push([count, { opened: best("opened"), list: best("list"), view: best("view") }]);
    }
    const ofServed = (key: keyof Served): Point[] => served.map(([size, figures]) => ({ size, ms: figures[key] }));
    rows.push(
      toGrowthRow("sessions opened, each with a reader", "sessions", ofServed("opened")),
      toGrowthRow("list of open sessions", "sessions", ofServed("list")),
      toGrowthRow("one session's view beside others", "sessions", ofServed("view")),
    );
    return { rows };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await runAlone(measure);
