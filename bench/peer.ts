/**
 * `node bench/peer.ts [--quick]`: `@assistant-ui/react-pi` on the same delta stream in the same browser. It is no
 * dependency of ours: it is installed from the registry into a temporary folder, or the row says that it wasn't. The same
 * Pi child with the same model writes the same records; a route turns them into what its HTTP client expects, which is
 * the whole message with every delta.
 */
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import react from "@vitejs/plugin-react";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { offlineModel, offlineProvider } from "../src/protocol/index.ts";
import { toChildCommand, toChildDirs } from "../src/runtime/child-command.ts";
import { createRpcClient, type PiRecord } from "../src/runtime/rpc-client.ts";
import { childProgram } from "../src/server/sessions/child-program.ts";
import { prepareChildDirs } from "../src/server/sessions/launch-child.ts";
import { launch } from "../test/browser/scripted-page.ts";
import { watch } from "./activity.ts";
import { type BenchOptions, notRun, type Row, runAlone, toRow } from "./bench-row.ts";
import { quantile, toMs } from "./figures.ts";
import type { StreamPlan } from "./stream-extension.ts";
import { lastSeen, readWatched, startWatching, watchCommits } from "./watch-page.ts";

const version = "0.0.20";
const packages = [`@assistant-ui/react-pi@${version}`, "@assistant-ui/react@0.15", "react@19", "react-dom@19"];
const thread = "t1";

/** The least that its documentation makes of a thread; nothing is styled, folded or left out of the DOM. */
const page = `
import { AssistantRuntimeProvider, MessagePrimitive, ThreadPrimitive } from "@assistant-ui/react";
import { createPiHttpClient, usePiRuntime } from "@assistant-ui/react-pi";
import { useMemo } from "react";
import { createRoot } from "react-dom/client";
const Words = ({ text }) => <p>{text}</p>;
const Message = () => (
  <MessagePrimitive.Root><MessagePrimitive.Parts components={{ Text: Words, Reasoning: Words }} /></MessagePrimitive.Root>
);
function App() {
  const client = useMemo(() => createPiHttpClient(), []);
  const runtime = usePiRuntime({ client, initialThreadId: "${thread}" });
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <ThreadPrimitive.Root>
        <ThreadPrimitive.Viewport role="log" style={{ height: 900, overflow: "auto" }}>
          <ThreadPrimitive.Messages components={{ UserMessage: Message, AssistantMessage: Message }} />
        </ThreadPrimitive.Viewport>
      </ThreadPrimitive.Root>
    </AssistantRuntimeProvider>
  );
}
createRoot(document.getElementById("root")).render(<App />);
`;

async function install(folder: string): Promise<void> {
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
  const flags = ["--no-audit", "--no-fund", "--ignore-scripts", "--legacy-peer-deps", "--fetch-retries=0"];
  await promisify(execFile)("npm", ["install", ...flags, ...packages], { cwd: folder, timeout: 60_000 });
  mkdirSync(join(folder, "src"));
  writeFileSync(
    join(folder, "index.html"),
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Peer</title></head><body><div id="root"></div><script type="module" src="/src/main.tsx"></script></body></html>',
  );
  writeFileSync(join(folder, "src/main.tsx"), page);
  await build({ root: folder, configFile: false, plugins: [react()], logLevel: "error" });
}

interface Message {
  role: string;
  content: Record<string, unknown>[];
}
type Event = { type: string } & Record<string, unknown>;

/** What its own host would keep of the thread: the messages, put together from deltas. */
function createThread() {
  const messages: Message[] = [];
  let live: Message | null = null;
  const add = (update: Event): void => {
    const at = Number(update.contentIndex);
    const kind = /^(text|thinking)_/.exec(update.type)?.[1];
    if (!live || !kind) return;
    if (update.type.endsWith("_start")) live.content[at] = { type: kind, [kind]: "" };
    const part = live.content[at];
    if (part && update.type.endsWith("_delta")) part[kind] = String(part[kind]) + String(update.delta);
  };
  return {
    messages,
    /** The events that a record becomes; none for what the contract doesn't know. */
    take(record: PiRecord): Event[] {
      const { message } = record as { message?: Message };
      switch (record.type) {
        case "agent_start":
        case "agent_end":
        case "agent_settled":
          return [{ type: record.type }];
        case "message_start":
          if (!message) return [];
          live = message.role === "assistant" ? { ...message, content: [] } : message;
          messages.push(live);
          return [{ type: "message_start", message: live }];
        case "message_update": {
          const update = record.assistantMessageEvent as Event;
          add(update);
          return live
            ? [{ type: "message_update", message: live, assistantMessageEvent: { ...update, partial: live } }]
            : [];
        }
        case "message_end":
          if (message) messages[messages.length - 1] = message;
          return message ? [{ type: "message_end", message }] : [];
        default:
          return [];
      }
    },
  };
}

const types: Record<string, string> = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html" };

async function startPeer(dist: string, home: string) {
  const state = createThread();
  const listeners = new Set<ServerResponse>();
  let seq = 0;
  let status = "idle";
  const metadata = () => ({ id: thread, status });
  const snapshot = () => ({ metadata: metadata(), messages: state.messages });
  const send = (to: Iterable<ServerResponse>, event: Event): void => {
    const frame = `data: ${JSON.stringify({ ...event, threadId: thread, seq })}\n\n`;
    for (const one of to) one.write(frame);
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
    const json = (body: unknown) => response.setHeader("content-type", "application/json").end(JSON.stringify(body));
    if (pathname === "/api/pi/threads") return json([metadata()]);
    if (pathname === `/api/pi/threads/${thread}`) return json(snapshot());
    if (pathname === "/api/pi/models") return json([]);
    if (pathname === `/api/pi/threads/${thread}/events`) {
      response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
      listeners.add(response);
      response.on("close", () => listeners.delete(response));
      if (searchParams.get("snapshot") !== "false") send([response], { type: "snapshot", snapshot: snapshot() });
      return;
    }
    const file = pathname === "/" ? "index.html" : pathname.slice(1);
    try {
      const body = readFileSync(join(dist, file));
      response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream").end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));

  const program = childProgram(home, process.env);
  const dir = join(home, "sessions", "peer");
  const dirs = toChildDirs(dir);
  await prepareChildDirs(program, dirs, offlineProvider);
  const command = toChildCommand({
    ...program,
    extensionFile: fileURLToPath(new URL("stream-extension.ts", import.meta.url)),
    dirs,
    sessionId: "peer",
    model: { provider: offlineProvider, id: offlineModel, thinking: "medium" },
    path: process.env.PATH ?? "",
    compileCacheDir: join(home, "cache"),
    keys: {},
    thoth: {
      THOTH_SESSION_ID: "peer",
      THOTH_SESSION_DIR: dir,
      THOTH_CONNECTION: "{}",
      THOTH_CATALOG_DIR: home,
    },
  });
  const child = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const rpc = createRpcClient({
    stdin: child.stdin,
    stdout: child.stdout,
    onRecord(record) {
      for (const event of state.take(record)) {
        seq += 1;
        if (event.type === "agent_start") status = "running";
        if (event.type === "agent_settled") status = "idle";
        send(listeners, event);
      }
    },
    onFault: () => undefined,
  });
  await rpc.send({ type: "prompt", message: "How fast?" }, 60_000);
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      const gone = new Promise((done) => child.once("exit", done));
      child.kill("SIGKILL");
      await gone;
      server.closeAllConnections();
      server.close();
    },
  };
}

async function watchPeer(browser: Browser, dist: string, plan: StreamPlan) {
  const home = mkdtempSync(join(tmpdir(), "thoth-peer-home-"));
  writeFileSync(join(home, "stream.json"), JSON.stringify(plan));
  const peer = await startPeer(dist, home);
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    await watchCommits(context);
    const tab = await context.newPage();
    await tab.goto(peer.address);
    await tab.getByText(`Row ${plan.rows - 1} stands here`, { exact: false }).waitFor({ timeout: 60_000 });
    await tab.waitForTimeout(1_500);
    await startWatching(tab);
    const from = performance.now();
    writeFileSync(join(home, "go"), "");
    const patience = from + (plan.deltas / plan.perSecond) * 1000 * 3 + 20_000;
    while ((await lastSeen(tab)) < plan.deltas - 1 && performance.now() < patience) await tab.waitForTimeout(250);
    const seconds = (performance.now() - from) / 1000;
    const seen = await readWatched(tab);
    await context.close();
    return { seen, seconds };
  } finally {
    await peer.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

export async function measure({ quick }: BenchOptions): Promise<{ rows: Row[] }> {
  const what = `@assistant-ui/react-pi ${version} on the same stream`;
  const folder = mkdtempSync(join(tmpdir(), "thoth-peer-"));
  try {
    try {
      await install(folder);
    } catch (error) {
      const reason = error instanceof Error ? (error.message.split("\n").at(0) ?? "") : String(error);
      return { rows: [notRun({ group: "peer", what, budget: "" }, `it could not be installed: ${reason}`)] };
    }
    const plan: StreamPlan = { rows: 500, deltas: quick ? 600 : 2000, perSecond: 200, perBlock: 400 };
    const browser = await launch();
    try {
      const ours = await watch(browser, plan);
      const { seen, seconds } = await watchPeer(browser, join(folder, "dist"), plan);
      const p99 = quantile(seen.ages, 0.99);
      const came = seen.ages.length;
      return {
        rows: [
          toRow({
            group: "peer",
            what: `record to DOM, ${plan.perSecond} deltas/s beside ${plan.rows} blocks: ${what}`,
            budget: "",
            figure: `p50 ${toMs(quantile(seen.ages, 0.5))}, p99 ${toMs(p99)}${came < plan.deltas ? `, ${came} of ${plan.deltas} came in time` : ""}`,
            reference: `ThothII p50 ${toMs(ours.p50)}, p99 ${toMs(ours.p99)}`,
            ratio: p99 / ours.p99,
            holds: null,
            values: { p99Ms: p99, oursP99Ms: ours.p99, came },
          }),
          toRow({
            group: "peer",
            what: `React commits and longest task: ${what}`,
            budget: "",
            figure: `${Math.round(seen.commits / seconds)}/s, ${Math.max(0, ...seen.longTasks)} ms`,
            reference: `ThothII ${ours.commitsPerSecond}/s, ${ours.longestTaskMs} ms`,
            holds: null,
            values: { commits: seen.commits, seconds, longTasks: seen.longTasks.length },
          }),
        ],
      };
    } finally {
      await browser.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) await runAlone(measure);
