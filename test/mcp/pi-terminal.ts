/** Pi itself with our package installed, and somebody who answers its dialogs: its RPC mode shows the terminal's as JSON. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readLedger } from "../../src/ledger/ledger.ts";
import type { LedgerEntry } from "../../src/protocol/index.ts";
import { piCli } from "../../src/server/pi-cli.ts";
import { foldLedger, type SessionState } from "../../src/workflow/fold-ledger.ts";

const packageDir = fileURLToPath(new URL("../../src/pi-package", import.meta.url));

export interface PiRecord {
  type: string;
  id?: string;
  method?: string;
  title?: string;
  message?: unknown;
  options?: string[];
  [name: string]: unknown;
}
export interface Dialog {
  id: string;
  method: "select" | "input";
  title: string;
  options: string[];
}

export class PiTerminal {
  readonly home = mkdtempSync(join(tmpdir(), "thoth-pi-"));
  readonly records: PiRecord[] = [];
  errors = "";
  #child: ChildProcess | null = null;
  #wake: () => void = () => undefined;
  #read = 0;

  constructor() {
    const agent = join(this.home, "agent");
    mkdirSync(agent, { recursive: true });
    writeFileSync(join(agent, "settings.json"), JSON.stringify({ packages: [packageDir] }));
  }

  get thothHome(): string {
    return join(this.home, "thoth");
  }

  start(more: Record<string, string> = {}, model: string[] = []): void {
    this.records.length = 0;
    this.#read = 0;
    const args = [piCli, "--mode", "rpc", "--offline", "--session-id", "one", ...model];
    const child = spawn(process.execPath, args, {
      cwd: this.home,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: this.home,
        PI_CODING_AGENT_DIR: join(this.home, "agent"),
        PI_OFFLINE: "1",
        THOTH_HOME: this.thothHome,
        ...more,
      },
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#child = child;
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      this.records.push(...lines.map((line) => JSON.parse(line) as PiRecord));
      this.#wake();
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      this.errors += chunk;
    });
  }

  send(command: object): void {
    this.#child?.stdin?.write(`${JSON.stringify(command)}\n`);
  }

  type(text: string): void {
    this.send({ type: "prompt", id: "typed", message: text });
  }

  /** The next record that fits, among those that weren't waited for yet. */
  async next(fits: (record: PiRecord) => boolean): Promise<PiRecord> {
    const deadline = Date.now() + 110_000;
    for (;;) {
      const found = this.records[this.#read];
      if (found) {
        this.#read += 1;
        if (fits(found)) return found;
        continue;
      }
      if (Date.now() > deadline)
        throw new Error(`nothing came: ${JSON.stringify(this.records.slice(-3)).slice(0, 1_500)} ${this.errors}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 500);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** The next dialog, or null when the run ended before there was one. */
  async dialog(): Promise<Dialog | null> {
    const record = await this.next(
      ({ type, method }) =>
        type === "agent_settled" || (type === "extension_ui_request" && (method === "select" || method === "input")),
    );
    if (record.type === "agent_settled") return null;
    const { id = "", method, title = "", options = [] } = record;
    return { id, method: method as Dialog["method"], title, options };
  }

  async notice(): Promise<string> {
    const { message } = await this.next(({ type, method }) => type === "extension_ui_request" && method === "notify");
    return String(message);
  }

  answer({ id }: Dialog, value: string | null): void {
    this.send({ type: "extension_ui_response", id, ...(value === null ? { cancelled: true } : { value }) });
  }

  get sessionIds(): string[] {
    try {
      return readdirSync(join(this.thothHome, "sessions"));
    } catch {
      return [];
    }
  }

  async ledger(): Promise<{ dir: string; id: string; entries: LedgerEntry[]; state: SessionState }> {
    const id = this.sessionIds[0] ?? "";
    const dir = join(this.thothHome, "sessions", id);
    const { entries } = await readLedger(dir, id);
    return { dir, id, entries, state: foldLedger(entries) };
  }

  async end(signal: NodeJS.Signals | "input" = "input"): Promise<void> {
    const child = this.#child;
    this.#child = null;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((done) => child.once("exit", done));
    if (signal === "input") child.stdin?.end();
    else child.kill(signal);
    await gone;
  }

  async remove(): Promise<void> {
    await this.end("SIGKILL");
    rmSync(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}
