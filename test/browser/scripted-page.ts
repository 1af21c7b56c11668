/** A browser at a server whose model follows a script: what the tests of this folder share. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import type { LedgerEntry, SessionView } from "../../src/protocol/index.ts";
import { portOf, send } from "../fixtures/backend-process.ts";
import type { Script } from "../fixtures/scripted-extension.ts";

/** Milliseconds; a run that expects failures has less patience. */
export const patience = Number(process.env.THOTH_TEST_PATIENCE_MS) || 60_000;
const root = fileURLToPath(new URL("../..", import.meta.url));

export const launch = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env.THOTH_CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });

export class ScriptedPage {
  readonly home = mkdtempSync(join(tmpdir(), "thoth-page-"));
  log = "";
  /** Where the server listens; `publicPort` differs when something stands before it. */
  port = 0;
  #publicPort = 0;
  #child: ChildProcess | undefined;

  /** `setUp` may write into the home before the server sees it. */
  static async start(
    options: { pageDir?: string; publicPort?: number; extension?: string; setUp?: (home: string) => void } = {},
  ): Promise<ScriptedPage> {
    const page = new ScriptedPage();
    page.play({});
    options.setUp?.(page.home);
    await page.serve(options);
    return page;
  }

  async serve(options: { pageDir?: string; publicPort?: number; extension?: string }): Promise<void> {
    const { pageDir, publicPort, extension } = options;
    const child = spawn(process.execPath, ["test/browser/scripted-backend.ts", this.home], {
      cwd: root,
      env: {
        ...process.env,
        THOTH_HOME: this.home,
        ...(pageDir ? { PAGE_DIR: pageDir } : {}),
        ...(publicPort ? { PUBLIC_PORT: String(publicPort) } : {}),
        ...(extension ? { EXTENSION: extension } : {}),
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child = child;
    this.port = await portOf(child, (text) => {
      this.log += text;
    });
    this.#publicPort = publicPort ?? this.port;
  }

  get base(): string {
    return `http://127.0.0.1:${this.#publicPort}`;
  }

  play(script: Script): void {
    writeFileSync(join(this.home, "script.json"), JSON.stringify(script));
  }

  headers(): Record<string, string> {
    const token = readFileSync(join(this.home, "token"), "utf8").trim();
    return { authorization: `Bearer ${token}`, host: `127.0.0.1:${this.#publicPort}` };
  }

  /** Straight to the server, past whatever stands between it and the browser. */
  call<T>(path: string, method = "GET", body?: unknown): Promise<{ status: number; body: T }> {
    return send({ port: this.port, headers: this.headers(), path, method, body });
  }

  async create(question: string): Promise<string> {
    const made = await this.call<{ id: string }>("/api/sessions", "POST", { workspace: "demo", question });
    if (made.status !== 201) throw new Error(`create: ${made.status} ${JSON.stringify(made.body)}`);
    return made.body.id;
  }

  view = async (id: string): Promise<SessionView> => (await this.call<SessionView>(`/api/sessions/${id}`)).body;

  entries = (id: string): LedgerEntry[] =>
    JSON.parse(readFileSync(join(this.home, "sessions", id, "ledger.json"), "utf8")).entries;

  /** Lets a fresh context in: its pages have the cookie. */
  async enter(browser: Browser): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const { body } = await this.call<{ address: string }>("/api/codes", "POST", {});
    const page = await context.newPage();
    await page.goto(body.address);
    await page.waitForURL(`${this.base}/`);
    await page.close();
    return context;
  }

  async open(context: BrowserContext, id: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${this.base}/s/${id}`);
    return page;
  }

  async remove(): Promise<void> {
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) {
      const gone = new Promise((done) => child.once("exit", done));
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
      await gone;
      clearTimeout(timer);
    }
    // The last child may still be writing its own files as it ends.
    rmSync(this.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

/** What the page throws or writes to its console as an error. */
export function watchFaults(page: Page): string[] {
  const faults: string[] = [];
  page.on("pageerror", (fault) => faults.push(fault.message));
  page.on("console", (line) => line.type() === "error" && faults.push(line.text()));
  return faults;
}

export const turn = (page: Page, state: string): Promise<void> =>
  expect
    .poll(() => page.getByRole("status", { name: `Turn: ${state}` }).count(), { timeout: patience, message: state })
    .toBe(1);

export const activity = (page: Page) => page.getByRole("log", { name: "Activity" });

/** Notes each EventSource that a page makes, to be read by `sourcesOf`; before the page is opened. */
export async function noteSources(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const made: EventSource[] = [];
    const Original = window.EventSource;
    Object.assign(window, { made });
    window.EventSource = class extends Original {
      constructor(url: string | URL) {
        super(url);
        made.push(this);
      }
    };
  });
}

/** Paths of the sources made so far, with whether each is still open. */
export const sourcesOf = (page: Page): Promise<[string, boolean][]> =>
  page.evaluate(() =>
    (window as unknown as { made: EventSource[] }).made.map((source): [string, boolean] => [
      new URL(source.url).pathname,
      source.readyState !== EventSource.CLOSED,
    ]),
  );

/** Shows another session as back and forward do, without loading the page again. */
export const visit = (page: Page, id: string): Promise<void> =>
  page.evaluate((path) => {
    window.history.pushState(null, "", path);
    window.dispatchEvent(new PopStateEvent("popstate"));
  }, `/s/${id}`);
