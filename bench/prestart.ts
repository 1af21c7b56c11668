/**
 * `node bench/prestart.ts [--quick]`: from a question to the first `activity_delta` or `tool` event, three ways by turns
 * in one run: a bare Pi child that is given the question on its stdin at once, a session whose child is started for it,
 * and one whose child was ready.
 */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { changeLedger } from "../src/ledger/ledger.ts";
import { writeManifest } from "../src/ledger/manifest.ts";
import { createSessionId, toSessionDir } from "../src/ledger/session-dirs.ts";
import { offlineModel, offlineProvider } from "../src/protocol/index.ts";
import { toChildCommand, toChildDirs } from "../src/runtime/child-command.ts";
import { catalogDir } from "../src/server/home.ts";
import { childProgram } from "../src/server/sessions/child-program.ts";
import { prepareChildDirs } from "../src/server/sessions/launch-child.ts";
import { createSessions, type Sessions } from "../src/server/sessions/sessions.ts";
import { toStartPrompt } from "../src/workflow/briefing.ts";
import { openWorkspace, workspaceDir } from "../src/workspace/workspaces.ts";
import { childPids } from "../test/fixtures/scripted-sessions.ts";
import { type BenchOptions, type Row, runAlone, toRow } from "./bench-row.ts";
import { median, toMs } from "./figures.ts";

const quiet = { info: () => undefined, warn: () => undefined, error: console.error };
const question = "How many artists are there?";

/** Milliseconds from the question to the first sign of work. */
async function timeSession(sessions: Sessions): Promise<number> {
  const begun = performance.now();
  const { id } = await sessions.create({ workspace: "demo", question });
  const first = await new Promise<number>((resolve, reject) => {
    void sessions.stream(id, undefined, {
      write(frame) {
        if (/^event: (activity_delta|tool)\n/.test(frame)) resolve(performance.now() - begun);
        if (frame.startsWith("event: turn\n") && frame.includes('"turn":"failed"')) reject(new Error(frame));
        return true;
      },
      close: () => undefined,
      bufferedBytes: () => 0,
    });
  });
  await sessions.abort(id);
  await sessions.remove(id);
  return first;
}

/**
 * The same command, folders and catalog as a session's child, and nothing of the server: spawned, given the prompt, read
 * until the record that the bridge makes the event of.
 */
async function timeBare(home: string): Promise<number> {
  const program = childProgram(home, process.env);
  const id = createSessionId(Date.now());
  const dir = toSessionDir(home, id);
  const at = new Date().toISOString();
  await writeManifest(dir, {
    ...{ version: 1, id, workspace: "demo", question, provider: offlineProvider, model: offlineModel },
    ...{ thinking: "medium", review: "every-phase", promptVersion: "bare", catalogChecksum: "" },
    ...{ createdAt: at, updatedAt: at },
  });
  await changeLedger(dir, id, () => ({ entries: [{ type: "prompt", text: question, kind: "question" }], value: null }));
  const dirs = toChildDirs(dir);
  await prepareChildDirs(program, dirs, offlineProvider);
  const { connection } = await openWorkspace(home, "demo");
  const command = toChildCommand({
    ...program,
    dirs,
    sessionId: id,
    model: { provider: offlineProvider, id: offlineModel, thinking: "medium" },
    path: process.env.PATH ?? "",
    compileCacheDir: join(home, "cache", "pi"),
    keys: {},
    thoth: {
      THOTH_SESSION_ID: id,
      THOTH_SESSION_DIR: dir,
      THOTH_CONNECTION: JSON.stringify(connection),
      THOTH_CATALOG_DIR: catalogDir(home),
      THOTH_WORKSPACE_DIR: workspaceDir(home, "demo"),
    },
  });
  const begun = performance.now();
  const child = spawn(command.file, command.args, { cwd: command.cwd, env: command.env });
  try {
    child.stdin.write(`${JSON.stringify({ id: "1", type: "prompt", message: toStartPrompt(question) })}\n`);
    return await new Promise<number>((resolve, reject) => {
      let text = "";
      child.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString("latin1");
        if (/"type":"(thinking_delta|tool_execution_start)"/.test(text)) resolve(performance.now() - begun);
      });
      child.once("exit", () => reject(new Error(`the bare child ended: ${text.slice(-500)}`)));
    });
  } finally {
    child.removeAllListeners("exit");
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    await rm(dir, { recursive: true, force: true });
  }
}

async function waitUntilReady(sessions: Sessions): Promise<void> {
  for (const deadline = performance.now() + 120_000; (await sessions.count()).children.reserved === 0; await pause(50))
    if (performance.now() > deadline) throw new Error("No child became ready: the machine is too busy to measure.");
  await pause(1500); // what the start stirred up has settled, and the child has warmed itself
}

async function readyMemory(home: string): Promise<number> {
  const [pid] = await childPids(home);
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

export async function measure({ quick }: BenchOptions): Promise<{ rows: Row[] }> {
  const rounds = quick ? 2 : 11;
  const home = await mkdtemp(join(tmpdir(), "thoth-prestart-"));
  const other = await mkdtemp(join(tmpdir(), "thoth-prestart-"));
  const cold = createSessions({ home, log: quiet });
  const ready = createSessions({ home: other, log: quiet, prestartMs: 200 });
  try {
    // The first round fills caches: the catalog, the values' index, V8's.
    await timeSession(cold);
    await timeBare(home);
    await waitUntilReady(ready);
    await timeSession(ready);
    const figures: Record<"bare" | "cold" | "ready" | "memory", number[]> = {
      bare: [],
      cold: [],
      ready: [],
      memory: [],
    };
    for (let round = 1; round <= rounds; round += 1) {
      await waitUntilReady(ready);
      figures.memory.push(await readyMemory(other));
      figures.bare.push(await timeBare(home));
      figures.cold.push(await timeSession(cold));
      figures.ready.push(await timeSession(ready));
    }
    const [bareMs, coldMs, readyMs] = [median(figures.bare), median(figures.cold), median(figures.ready)];
    const group = "budget" as const;
    return {
      rows: [
        toRow({
          group,
          what: "question to first event",
          budget: "at most 1.3 × the bare child",
          figure: toMs(coldMs),
          reference: `bare child ${toMs(bareMs)}`,
          ratio: coldMs / bareMs,
          holds: coldMs / bareMs <= 1.3,
          values: { coldMs: figures.cold, bareMs: figures.bare },
        }),
        toRow({
          group,
          what: "question to first event with a child that was ready",
          budget: "below 0.2 × a cold start",
          figure: toMs(readyMs),
          reference: `cold ${toMs(coldMs)}`,
          ratio: readyMs / coldMs,
          holds: readyMs / coldMs < 0.2,
          values: { readyMs: figures.ready },
        }),
        toRow({
          group,
          what: "memory of the child that is kept ready",
          budget: "",
          figure: `${Math.round(median(figures.memory))} MiB resident`,
          holds: null,
          values: { mebibytes: figures.memory },
        }),
      ],
    };
  } finally {
    await Promise.all([cold.close(), ready.close()]);
    await rm(home, { recursive: true, force: true });
    await rm(other, { recursive: true, force: true });
  }
}

if (import.meta.main) await runAlone(measure);
