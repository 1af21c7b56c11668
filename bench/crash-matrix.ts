/**
 * `npm run crash-matrix`: SIGKILL to the child and to the server at each point of a session's life, from a third
 * process at seeded times, then restart, Resume and the rest of the review. Each run is held against what the server
 * had acknowledged and against the rows that plain SQL gives.
 *
 *   node bench/crash-matrix.ts [--kills 12] [--random 200] [--seed 1] [--only gate] [--verbose]
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { LedgerEntry, QueryResult, SessionView } from "../src/protocol/index.ts";
import { childOf } from "../test/fixtures/child-of.ts";
import type { Killed, KillOrder } from "../test/fixtures/signal-sender.ts";

const { values: options } = parseArgs({
  options: {
    kills: { type: "string", default: "12" },
    random: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    only: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

const points = ["reasoning", "tool", "gate", "between gates", "ledger write", "resume"] as const;
type Point = (typeof points)[number] | "random";
const victims = ["child", "server"] as const;
type Victim = (typeof victims)[number];

const question = "Which customer has spent the most money? Give first name, last name and total spent.";
const expectedSql = `SELECT c.FirstName, c.LastName, SUM(i.Total) AS total FROM Customer c
  JOIN Invoice i ON i.CustomerId = c.CustomerId GROUP BY c.CustomerId ORDER BY total DESC LIMIT 1`;
const gatesOfARun = 6;
const patienceMs = 45_000;
/** A kill that missed its point is not counted; after this many tries per wanted kill the cell is given up. */
const triesPerKill = 5;

/** mulberry32: the same seed gives the same times. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const fixture = (name: string): string => fileURLToPath(new URL(`../test/fixtures/${name}`, import.meta.url));
const rowsOf = (rows: readonly (readonly unknown[])[]): string =>
  JSON.stringify(
    rows.map((row) => row.map((cell) => (Number.isNaN(Number(cell)) ? String(cell) : Number(cell).toFixed(2)))),
  );

interface Fault extends Error {}
const fault = (words: string): Fault => new Error(words);

/** The server as a process that comes back on the same home. */
class Backend {
  readonly home: string;
  #process: ChildProcess | undefined;
  #port = 0;
  #token = "";
  constructor(home: string) {
    this.home = home;
  }
  get pid(): number {
    return this.#process?.pid ?? 0;
  }
  get alive(): boolean {
    return this.#process !== undefined && this.#process.exitCode === null && this.#process.signalCode === null;
  }
  async start(): Promise<void> {
    const started = spawn(process.execPath, ["--no-warnings", fixture("crash-backend.ts"), this.home], {
      stdio: ["ignore", "pipe", options.verbose ? "inherit" : "ignore"],
      env: { ...process.env, THOTH_HOME: this.home },
    });
    this.#process = started;
    const [line] = (await Promise.race([
      once(started.stdout as NonNullable<typeof started.stdout>, "data"),
      once(started, "exit").then(() => Promise.reject(fault("the server did not start"))),
    ])) as [Buffer];
    ({ port: this.#port, token: this.#token } = JSON.parse(line.toString()) as { port: number; token: string });
  }
  /** Waits for an end that somebody else brought about, and starts anew. */
  async restart(): Promise<void> {
    const old = this.#process;
    if (old && this.alive) await once(old, "exit");
    await this.start();
  }
  async end(): Promise<void> {
    if (!this.#process || !this.alive) return;
    const gone = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await gone;
  }
  /** Null when the server was gone before it answered. */
  async call<T>(path: string, method = "GET", body?: unknown): Promise<{ status: number; body: T } | null> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.#port}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.#token}`,
          connection: "close",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as T };
    } catch {
      return null;
    }
  }
  /** Names of the events as they come, until the server or the stream ends. */
  async follow(id: string, onEvent: (event: string, data: string) => void, signal: AbortSignal): Promise<void> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.#port}/api/sessions/${id}/events`, {
        headers: { authorization: `Bearer ${this.#token}` },
        signal,
      });
      let text = "";
      const decoder = new TextDecoder();
      for await (const chunk of answer.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        const frames = text.split("\n\n");
        text = frames.pop() ?? "";
        for (const frame of frames) {
          const name = /^event: (\w+)$/m.exec(frame)?.[1];
          if (name) onEvent(name, /^data: (.*)$/m.exec(frame)?.[1] ?? "");
        }
      }
    } catch {
      // It ends with its server; the next one is followed anew.
    }
  }
}

/** The process that sends the signals. */
class Sender {
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, (killed: Killed) => void>();
  #n = 0;
  constructor() {
    this.#process = spawn(process.execPath, ["--no-warnings", fixture("signal-sender.ts")], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    createInterface({ input: this.#process.stdout as NonNullable<ChildProcess["stdout"]> }).on("line", (line) => {
      if (!line.startsWith("{")) return;
      const killed = JSON.parse(line) as Killed;
      this.#waiting.get(killed.n)?.(killed);
      this.#waiting.delete(killed.n);
    });
  }
  send(order: Omit<KillOrder, "n">): Promise<Killed> {
    const n = ++this.#n;
    this.#process.stdin?.write(`${JSON.stringify({ n, ...order })}\n`);
    return new Promise((resolve) => this.#waiting.set(n, resolve));
  }
  end(): void {
    this.#process.stdin?.end();
  }
}

interface Run {
  /** The signal hit a process that was alive, at the wanted point. */
  inPoint: boolean;
  problems: string[];
}

/** One question from start to end, with one kill on the way. */
class Session {
  readonly #backend: Backend;
  readonly #sender: Sender;
  readonly #random: () => number;
  id = "";
  /** What the server said yes to: gate → numbers of its decisions. */
  readonly #acknowledged = new Map<string, number[]>();
  readonly #events: { event: string; data: string; at: number }[] = [];
  readonly #stop = new AbortController();

  constructor(backend: Backend, sender: Sender, random: () => number) {
    this.#backend = backend;
    this.#sender = sender;
    this.#random = random;
  }

  get dir(): string {
    return join(this.#backend.home, "sessions", this.id);
  }

  async run(point: Point, victim: Victim): Promise<Run> {
    const made = await this.#backend.call<{ id: string }>("/api/sessions", "POST", { workspace: "demo", question });
    if (made?.status !== 201) throw fault(`create: ${made?.status}`);
    this.id = made.body.id;
    void this.#follow();
    try {
      const inPoint = await this.#kill(point, victim);
      await this.#recover(victim, point, inPoint);
      await this.#toEnd();
      return { inPoint, problems: await this.#examine() };
    } finally {
      this.#stop.abort();
    }
  }

  async #follow(): Promise<void> {
    await this.#backend.follow(
      this.id,
      (event, data) => this.#events.push({ event, data, at: performance.timeOrigin + performance.now() }),
      this.#stop.signal,
    );
  }

  #between(low: number, high: number): number {
    return low + this.#random() * (high - low);
  }
  #one(count: number): number {
    return Math.floor(this.#random() * count);
  }
  /** `pid` when it is known before: looking for a child takes longer than a point may last. */
  #order(victim: Victim, delayMs: number, more: { onWrite?: boolean; pid?: number } = {}): Promise<Killed> {
    const pid = victim === "server" ? this.#backend.pid : more.pid;
    return this.#sender.send({
      dir: this.dir,
      delayMs,
      onWrite: more.onWrite ?? false,
      ...(pid ? { pid } : {}),
    });
  }
  async #child(): Promise<number> {
    let pid = 0;
    await this.#until(() => {
      pid = childOf(this.dir);
      return pid > 0;
    });
    return pid;
  }

  /** Brings the session to the point, orders the kill, and says whether it came there. */
  async #kill(point: Point, victim: Victim): Promise<boolean> {
    switch (point) {
      case "reasoning": {
        await this.#answerGates(this.#one(4));
        const pid = await this.#child();
        const before = this.#events.length;
        const seen = await this.#until(() =>
          this.#events.slice(before).some(({ event }) => event === "activity_delta"),
        );
        const killed = await this.#order(victim, this.#between(0, 100), { pid });
        return seen && killed.pid > 0 && this.#lastBefore(killed.at, /_delta|tool|gate/)?.event === "activity_delta";
      }
      case "tool": {
        const pid = await this.#child();
        const wanted = 1 + this.#one(3);
        const running = () => this.#events.filter(({ event, data }) => event === "tool" && isLookup(data)).length;
        const seen = await this.#until(() => running() >= wanted);
        const killed = await this.#order(victim, this.#between(0, 60), { pid });
        return seen && killed.pid > 0 && isLookup(this.#lastBefore(killed.at, /^tool$/)?.data ?? "");
      }
      case "gate": {
        await this.#answerGates(this.#one(gatesOfARun));
        await this.#gate();
        const killed = await this.#order(victim, this.#between(0, 200));
        return killed.pid > 0 && this.#lastBefore(killed.at, /^gate/)?.event === "gate_opened";
      }
      case "between gates": {
        const pid = await this.#child();
        await this.#answerGates(1 + this.#one(gatesOfARun - 2));
        const killed = await this.#order(victim, this.#between(0, 150), { pid });
        return killed.pid > 0 && this.#lastBefore(killed.at, /^gate/)?.event === "gate_closed";
      }
      case "ledger write": {
        await this.#answerGates(this.#one(gatesOfARun - 1));
        await this.#gate();
        // The order is heard before the answer is sent, so that its own write is the one that is met.
        const killing = this.#order(victim, this.#between(0, 3), {
          onWrite: true,
          pid: await this.#child(),
        });
        await pause(40);
        await this.#answer();
        const killed = await killing;
        return killed.pid > 0 && killed.wrote;
      }
      case "resume": {
        await this.#answerGates(this.#one(gatesOfARun - 1));
        await this.#gate();
        await this.#order("child", 0);
        await this.#until(async () => (await this.#view())?.turn === "failed");
        let resumed = 0;
        const resuming = this.#backend.call(`/api/sessions/${this.id}/resume`, "POST", {}).then(() => {
          resumed = performance.timeOrigin + performance.now();
        });
        const killed = await this.#order(victim, this.#between(0, victim === "child" ? 500 : 900));
        await resuming;
        return killed.pid > 0 && (resumed === 0 || killed.at <= resumed);
      }
      case "random": {
        const killing = this.#order(victim, this.#between(0, 6000));
        let done = false;
        void killing.then(() => (done = true));
        while (!done && this.#backend.alive) {
          const view = await this.#view();
          if (!view || view.outcome !== null || view.turn === "failed") break;
          if (view.openGate) await this.#answer();
          else await pause(20);
        }
        return (await killing).pid > 0;
      }
    }
  }

  #lastBefore(at: number, name: RegExp): { event: string; data: string } | undefined {
    return this.#events.findLast((seen) => seen.at <= at && name.test(seen.event));
  }

  async #view(): Promise<SessionView | null> {
    const answer = await this.#backend.call<SessionView>(`/api/sessions/${this.id}`);
    return answer?.status === 200 ? answer.body : null;
  }

  async #until(holds: () => boolean | Promise<boolean>): Promise<boolean> {
    for (const until = performance.now() + patienceMs; performance.now() < until; await pause(3))
      if (await holds()) return true;
    return false;
  }

  async #gate(): Promise<NonNullable<SessionView["openGate"]>> {
    let gate: SessionView["openGate"] = null;
    await this.#until(async () => {
      const view = await this.#view();
      if (view?.turn === "failed") throw fault(`failed before the gate: ${view.failure?.code}`);
      gate = view?.openGate ?? null;
      return gate !== null;
    });
    if (gate === null) throw fault("no gate came");
    return gate;
  }

  async #answerGates(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      await this.#gate();
      if (!(await this.#answer())) throw fault("an answer was not taken");
    }
  }

  /** Continue to the open gate; the same answer whenever it is sent again. False when the server was gone. */
  async #answer(): Promise<boolean> {
    const gate = (await this.#view())?.openGate;
    if (!gate) return false;
    const body = { answerId: `a-${gate.gateId}`, hash: gate.hash, answer: "continue" };
    const said = await this.#backend.call<{ seqs: number[] }>(
      `/api/sessions/${this.id}/gates/${gate.gateId}`,
      "POST",
      body,
    );
    if (said === null) return false;
    if (said.status !== 200) throw fault(`answer: ${said.status} ${JSON.stringify(said.body)}`);
    this.#acknowledged.set(gate.gateId, said.body.seqs);
    return true;
  }

  /** After the kill: the server comes back if it was hit, what is open is still open, and Resume is pressed. */
  async #recover(victim: Victim, point: Point, hit: boolean): Promise<void> {
    const open = this.#openInLedger();
    if (victim === "server" || !this.#backend.alive) await this.#backend.restart();
    // Resume is for a session that stands: pressed before the server has seen the child's end, it would only say "kept".
    else if (hit) await this.#until(async () => (await this.#view())?.live !== true || point === "resume");
    void this.#follow();
    const view = await this.#view();
    if (view === null) throw fault("the session can't be read");
    if (open !== null && view.openGate?.gateId !== open && this.#openInLedger() === open)
      throw fault("the open gate did not come back");
    if (view.outcome !== null) return;
    for (let left = 20; ; left -= 1) {
      const resumed = await this.#backend.call(`/api/sessions/${this.id}/resume`, "POST", {});
      if (resumed?.status === 200) return;
      if (left === 0) throw fault(`resume: ${resumed?.status} ${JSON.stringify(resumed?.body)}`);
      await pause(200); // an orphan may hold its session for a moment yet
    }
  }

  #ledger(): LedgerEntry[] {
    const file = join(this.dir, "ledger.json");
    return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { entries: LedgerEntry[] }).entries : [];
  }

  #openInLedger(): string | null {
    const entries = this.#ledger();
    const ended = new Set(
      entries.flatMap((entry) =>
        entry.type === "gate-answered" || entry.type === "gate-closed" ? [entry.gateId] : [],
      ),
    );
    const open = entries.findLast((entry) => entry.type === "gate-opened" && !ended.has(entry.gateId));
    return open?.type === "gate-opened" ? open.gateId : null;
  }

  async #toEnd(): Promise<void> {
    for (const until = performance.now() + patienceMs; performance.now() < until; ) {
      const view = await this.#view();
      if (view?.outcome) return;
      if (view?.turn === "failed") throw fault(`failed after Resume: ${view.failure?.code}`);
      if (view?.openGate) await this.#answer();
      else await pause(15);
    }
    throw fault("the question was not answered in time");
  }

  async #examine(): Promise<string[]> {
    const problems: string[] = [];
    const entries = this.#ledger();
    if (entries.some((entry, index) => entry.seq !== index + 1)) problems.push("the numbers have a gap");
    for (const [gateId, seqs] of this.#acknowledged) {
      const answers = entries.filter((entry) => entry.type === "gate-answered" && entry.gateId === gateId);
      if (answers.length !== 1) problems.push(`an acknowledged answer stands there ${answers.length} times`);
      for (const seq of seqs) {
        const entry = entries[seq - 1];
        if (entry?.type !== "decision" || entry.gateId !== gateId)
          problems.push(`acknowledged decision ${seq} is lost`);
      }
    }
    const gone = new Set(entries.flatMap((entry) => (entry.type === "superseded" ? entry.seqs : [])));
    const held = entries.flatMap((entry) =>
      entry.type === "decision" && !gone.has(entry.seq) ? [`${entry.phase} ${JSON.stringify(entry.decision)}`] : [],
    );
    if (new Set(held).size !== held.length) problems.push("a decision holds twice");
    const delivered = entries.flatMap((entry) => (entry.type === "gate-delivered" ? [entry.gateId] : []));
    if (new Set(delivered).size !== delivered.length) problems.push("a delivery is noted twice");
    const result = await this.#backend.call<QueryResult>(`/api/sessions/${this.id}/result?format=json`);
    if (result?.status !== 200) problems.push(`no result: ${result?.status}`);
    else if (rowsOf(result.body.rows) !== expectedRows)
      problems.push(`other rows: ${JSON.stringify(result.body.rows)}`);
    return problems;
  }
}

function isLookup(data: string): boolean {
  const { name, status } = JSON.parse(data || "{}") as { name?: string; status?: string };
  return status === "running" && !/^(reviewer_|phase_summary|submit_sql|cannot_answer)/.test(name ?? "");
}

const database = new DatabaseSync(fileURLToPath(new URL("../demo/chinook.sqlite", import.meta.url)), {
  readOnly: true,
});
const expectedRows = rowsOf(
  database
    .prepare(expectedSql)
    .all()
    .map((row) => Object.values(row)),
);
database.close();

const home = mkdtempSync(join(tmpdir(), "thoth-crash-"));
const backend = new Backend(home);
const sender = new Sender();
const seed = Number(options.seed);
const cells = points
  .filter((point) => options.only === undefined || point === options.only)
  .flatMap((point) => victims.map((victim) => ({ point: point as Point, victim, wanted: Number(options.kills) })));
if (options.only === undefined || options.only === "random")
  for (const victim of victims) cells.push({ point: "random", victim, wanted: Math.ceil(Number(options.random) / 2) });

let failed = 0;
let kills = 0;
const lines: string[] = [];
await backend.start();
try {
  for (const [index, { point, victim, wanted }] of cells.entries()) {
    const random = createRandom(seed * 1000 + index);
    let hits = 0;
    let tries = 0;
    let bad = 0;
    for (; hits < wanted && tries < wanted * triesPerKill; tries += 1) {
      if (!backend.alive) await backend.start();
      const session = new Session(backend, sender, random);
      let run: Run;
      try {
        run = await session.run(point, victim);
      } catch (error) {
        run = { inPoint: true, problems: [error instanceof Error ? error.message : String(error)] };
      }
      kills += 1;
      if (run.inPoint) hits += 1;
      if (run.problems.length > 0) bad += 1;
      if (run.problems.length > 0 || options.verbose)
        console.log(
          `  ${point} × ${victim}, ${session.id}: ${run.problems.join("; ") || (run.inPoint ? "ok" : "missed")}`,
        );
    }
    failed += bad;
    const line = `${point.padEnd(14)} ${victim.padEnd(7)} ${String(hits).padStart(4)} of ${wanted} kills at the point, ${tries} runs, ${bad} with a fault`;
    lines.push(line);
    console.log(line);
    if (hits < wanted) failed += 1;
  }
} finally {
  sender.end();
  await backend.end();
  if (failed === 0) rmSync(home, { recursive: true, force: true });
  else console.log(`What is left of it: ${home}`);
}
console.log(`seed ${seed}: ${kills} runs with a kill, ${failed} faults`);
process.exit(failed === 0 ? 0 : 1);
