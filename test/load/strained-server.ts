/**
 * A real server whose model follows a script, in a process of its own with less than it wants: a small or read-only disk
 * of its own, few open files, a clock that jumps. Nothing outside that process is changed.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { GateAnswer, LedgerEntry, Problem, SessionList, SessionView } from "../../src/protocol/index.ts";
import { portOf, send } from "../fixtures/backend-process.ts";
import type { Script } from "../fixtures/scripted-extension.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const patienceMs = Number(process.env.THOTH_TEST_PATIENCE_MS) || 60_000;

export interface Strain {
  /** Size of a disk of its own for the home, as `mount` writes it: `4m`. Needs a system that lets us mount. */
  disk?: string;
  /** Most files that the server's process may have open. */
  files?: number;
  /** Modules loaded before the server. */
  preload?: string;
  environment?: NodeJS.ProcessEnv;
}

/** Whether this machine lets a process have mounts of its own. */
export function canMount(): boolean {
  try {
    execFileSync("unshare", ["--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
}

export class StrainedServer {
  readonly folder = mkdtempSync(join(tmpdir(), "thoth-load-"));
  /** Where the server's process has it. */
  readonly home = join(this.folder, "home");
  log = "";
  port = 0;
  #child: ChildProcess | undefined;
  #token = "";

  static async start(script: Script, strain: Strain = {}): Promise<StrainedServer> {
    const server = new StrainedServer();
    mkdirSync(server.home);
    await server.serve(script, strain);
    return server;
  }

  async serve(script: Script, { disk, files, preload, environment = {} }: Strain = {}): Promise<void> {
    writeFileSync(join(this.folder, "script.json"), JSON.stringify(script));
    const steps = [
      ...(disk ? [`mount -t tmpfs -o size=${disk} none "$HOME_DIR"`] : []),
      `cp "$SCRIPT" "$HOME_DIR/script.json"`,
      ...(files ? [`ulimit -n ${files}`] : []),
      `exec "$NODE" test/browser/scripted-backend.ts "$HOME_DIR"`,
    ];
    const shell = ["bash", "-c", steps.join(" && ")];
    const [program = "", ...args] = disk ? ["unshare", "--map-root-user", "--mount", ...shell] : shell;
    const child = spawn(program, args, {
      cwd: root,
      env: {
        ...process.env,
        HOME_DIR: this.home,
        SCRIPT: join(this.folder, "script.json"),
        NODE: process.execPath,
        THOTH_HOME: this.home,
        ...(preload ? { NODE_OPTIONS: `--import ${preload}` } : {}),
        ...environment,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    this.port = await portOf(child, (text) => {
      this.log += text;
    });
    this.#token = readFileSync(this.inside("token"), "utf8").trim();
  }

  /** What the model says from its next request on. */
  play = (script: Script): void => writeFileSync(this.inside("script.json"), JSON.stringify(script));

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** A file of the home as the server's process sees it. */
  inside = (...path: string[]): string => `/proc/${this.pid}/root${join(this.home, ...path)}`;

  /** Runs a command where the server's disk is mounted. */
  atDisk(...command: string[]): void {
    const enter = ["--target", String(this.pid), "--user", "--mount", "--preserve-credentials"];
    execFileSync("nsenter", [...enter, ...command], { stdio: "ignore" });
  }

  headers = (): Record<string, string> => ({
    authorization: `Bearer ${this.#token}`,
    host: `127.0.0.1:${this.port}`,
  });

  call<T>(path: string, method = "GET", body?: unknown): Promise<{ status: number; body: T }> {
    return send({ port: this.port, headers: this.headers(), path, method, body });
  }

  /** Asks; what was refused comes back as its problem. */
  async ask(question: string): Promise<{ id: string } | { status: number; problem: Problem }> {
    const { status, body } = await this.call<{ id: string } & { error: Problem }>("/api/sessions", "POST", {
      workspace: "demo",
      question,
    });
    return status === 201 ? { id: body.id } : { status, problem: body.error };
  }

  async create(question: string): Promise<string> {
    const made = await this.ask(question);
    if (!("id" in made)) throw new Error(`create: ${made.status} ${JSON.stringify(made.problem)}`);
    return made.id;
  }

  view = async (id: string): Promise<SessionView> => (await this.call<SessionView>(`/api/sessions/${id}`)).body;
  list = async (): Promise<SessionList> => (await this.call<SessionList>("/api/sessions")).body;

  /** Answers the session's open gate with Continue. */
  async answer(id: string): Promise<{ status: number; body: { error?: Problem } }> {
    const { openGate } = await this.view(id);
    if (!openGate) throw new Error("no gate is open");
    const { gateId, hash } = openGate;
    const body: GateAnswer = { answerId: `${gateId}-1`, hash, answer: "continue" };
    return this.call(`/api/sessions/${id}/gates/${gateId}`, "POST", body);
  }

  entries = (id: string): LedgerEntry[] =>
    JSON.parse(readFileSync(this.inside("sessions", id, "ledger.json"), "utf8")).entries;

  async until(holds: () => Promise<boolean>, what: string, ms = patienceMs): Promise<void> {
    for (const deadline = performance.now() + ms; !(await holds()); await pause(50))
      if (performance.now() > deadline) throw new Error(`never came: ${what}\n${this.log}`);
  }
  async turn(id: string, turn: SessionView["turn"]): Promise<void> {
    await this.until(async () => (await this.view(id)).turn === turn, `turn ${turn}`).catch(async (error: Error) => {
      const { turn: now, failure, live, phase, startPlace } = await this.view(id);
      throw new Error(`${error.message}\n${JSON.stringify({ id, turn: now, failure, live, phase, startPlace })}`);
    });
  }

  /** Ends the server as an administrator would, or as a power cut. */
  async end(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once("exit", done));
    child.kill(signal);
    const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
    await gone;
    clearTimeout(timer);
  }

  async remove(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}
