/** `thoth serve`: runs until it is told to stop. */
import { homePath } from "../server/home.ts";
import { mayOpenBrowser, openBrowser } from "../server/open-browser.ts";
import { defaultPort, startServer } from "../server/serve.ts";
import { exitCodes, printFault, UsageError } from "./fault.ts";

export interface ServeCommandOptions {
  port?: number;
  host: string;
  allowHost: string[];
  open: boolean;
  newToken: boolean;
  prestart: boolean;
  dev: boolean;
}

/** Whatever hangs, the process is gone by then: 5 s are promised. Milliseconds. */
const stopDeadline = 4300;
/** For what still runs in the background once everything is closed, such as the first look at a database. */
const drainGrace = 200;

export async function serve(options: ServeCommandOptions): Promise<number> {
  // Whoever read our output may be gone before we are.
  process.stdout.on("error", () => undefined);
  process.stderr.on("error", () => undefined);
  const stopped = waitForStop();
  const server = await startServer({
    home: homePath(),
    port: options.port ?? readPort(process.env.THOTH_PORT),
    host: options.host,
    allowHosts: options.allowHost,
    newToken: options.newToken,
    prestart: options.prestart && process.env.THOTH_PRESTART !== "0",
    dev: options.dev,
    logLevel: process.env.THOTH_LOG,
  });
  process.on("unhandledRejection", (error) =>
    server.log.error({ detail: String(error instanceof Error ? error.stack : error) }, "Something failed unnoticed."),
  );
  const entry = server.createEntry();
  process.stdout.write(
    `ThothII is running at ${server.address}\nOpen this address once, within ten minutes: ${entry}\nA fresh one: npx thoth open. Stop: Ctrl-C.\n`,
  );
  if (server.pageProblem) printFault(server.pageProblem.toProblem());
  else if (options.open && mayOpenBrowser()) openBrowser(entry);

  await stopped;
  const exitAfter = (ms: number) => setTimeout(() => process.exit(exitCodes.done), ms).unref();
  exitAfter(stopDeadline);
  await server.close();
  exitAfter(drainGrace);
  return exitCodes.done;
}

/** A second signal changes nothing: npm and the terminal both send one, and the deadline holds anyway. */
function waitForStop(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => resolve());
  });
}

export function readPort(text: string | undefined): number {
  if (text === undefined || text === "") return defaultPort;
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) {
    throw new UsageError(
      `THOTH_PORT is ${text}, which isn't a port.`,
      "Set it to a number from 0 to 65535, or unset it.",
    );
  }
  return port;
}
