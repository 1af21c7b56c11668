/** Start and stop of the whole server: home, lock, port, sessions, app. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { ThothError } from "../protocol/index.ts";
import { openWorkspace } from "../workspace/workspaces.ts";
import { createAccess, openToken } from "./access.ts";
import { createApp, type Page, wrongHost } from "./app.ts";
import { type Catalogs, createCatalogs } from "./catalogs.ts";
import { type DevPage, openDevPage } from "./dev-page.ts";
import { createEventStreams } from "./event-streams.ts";
import { openHome } from "./home.ts";
import { createHosts, type Hosts } from "./hosts.ts";
import { listen, toAddress } from "./listen.ts";
import { createLog, type Log } from "./log.ts";
import { checkNodeVersion } from "./node-version.ts";
import { piCli } from "./pi-cli.ts";
import { toErrorResponse } from "./problems.ts";
import { pageDir } from "./project.ts";
import { checkReadiness, demoWorkspace, requirePage } from "./readiness.ts";
import { maxConnections, requestLimits } from "./request-limits.ts";
import { securityHeaders } from "./security-headers.ts";
import { lockServer } from "./server-lock.ts";
import { createSessions } from "./sessions/sessions.ts";
import { readStaticFile } from "./static-files.ts";

export const defaultPort = 4817;
const loopback = "127.0.0.1";
/** Milliseconds that children get to end before the server goes without them. */
const closeGrace = 3500;
/** Milliseconds of quiet, after the start as well, before a child is started for the next session. */
const prestartMs = 3000;

export interface ServeOptions {
  home: string;
  /** 0 takes any free one. */
  port: number;
  host?: string;
  allowHosts?: readonly string[];
  newToken?: boolean;
  /** Keeps one session with a started child ready, for a server that stays. */
  prestart?: boolean;
  /** The page from its sources, by Vite, instead of the built one. */
  dev?: boolean;
  page?: string;
  logLevel?: string | undefined;
}

export interface RunningServer {
  readonly address: string;
  readonly token: string;
  readonly log: Log;
  /** Why the page can't be shown, or null. */
  readonly pageProblem: ThothError | null;
  /** An address that lets one browser in. */
  createEntry(): string;
  close(): Promise<void>;
}

/** Throws ThothError: `node-too-old`, `home-not-writable`, `server-running`, `port-busy`, … */
export async function startServer(options: ServeOptions): Promise<RunningServer> {
  const { home, host = loopback, allowHosts = [], dev = false, page = pageDir } = options;
  const node = checkNodeVersion();
  if (node) throw new ThothError(node.code, node.message, node.action);
  await openHome(home);
  // What has to be undone, newest first; also when the start itself fails half-way.
  const undo: (() => Promise<unknown> | unknown)[] = [];
  // One stretch of grace for all of them together: each by itself would add up to more than a stop may take.
  let until: number | undefined;
  const graceLeft = () => {
    until ??= performance.now() + closeGrace;
    return Math.max(0, until - performance.now());
  };
  const close = async () => {
    for (let step = undo.pop(); step; step = undo.pop()) await step();
  };
  try {
    const lock = await lockServer(home);
    undo.push(() => lock.release());
    const token = await openToken(home, options.newToken ?? false);
    const log = createLog({ level: options.logLevel, secrets: [token], home });

    // Requests may come as soon as the port is taken: they wait until there is an app.
    const ready = Promise.withResolvers<Listener>();
    const server = createServer({ requireHostHeader: false, ...requestLimits }, (incoming, outgoing) => {
      void ready.promise.then((listener) => listener(incoming, outgoing));
    });
    server.maxConnections = maxConnections;
    const port = await listen(server, options.port, host);
    undo.push(() => stopServer(server));
    const address = toAddress(host, port);
    const hosts = createHosts(port, host === loopback ? allowHosts : [new URL(address).host, ...allowHosts]);
    const access = createAccess(token, port);
    const streams = createEventStreams();
    const catalogs = createCatalogs(home);
    undo.push(() => withinGrace(catalogs.close(), graceLeft(), log));
    const sessions = createSessions({
      home,
      log,
      piCli,
      ensureCatalog: catalogs.read,
      ...(options.prestart ? { prestartMs } : {}),
    });
    undo.push(() => withinGrace(sessions.close(), graceLeft(), log));
    undo.push(() => streams.closeAll());
    const devPage: DevPage | null = dev ? await openDevPage(server, { hosts, access }) : null;
    if (devPage) undo.push(() => devPage.close());
    const serveBuilt: Page = (path, { req }) =>
      readStaticFile(page, path, {
        acceptEncoding: req.header("accept-encoding"),
        ifNoneMatch: req.header("if-none-match"),
      });

    const app = createApp({
      home,
      address,
      hosts,
      access,
      streams,
      sessions,
      catalogs,
      log,
      page: devPage?.page ?? serveBuilt,
      readiness: () => checkReadiness({ home, piCli, builtPage: !dev, page }),
    });
    const answer = getRequestListener(app.fetch, {
      overrideGlobalObjects: false,
      errorHandler: () => toErrorResponse(malformedAddress, securityHeaders),
    });
    ready.resolve(guardHost(hosts, answer));
    undo.push(() => {
      server.close();
      server.closeIdleConnections();
    });
    await lock.announce(address);
    void warmDemo(home, catalogs, log);
    return {
      address,
      token,
      log,
      close,
      pageProblem: dev ? null : await faultOf(requirePage(page)),
      createEntry: () => `${address}/?code=${access.createCode()}`,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown;

const malformedAddress = {
  code: "address-malformed",
  message: "This address can't be read.",
  action: "Check it for stray characters.",
};

/** Once more in front of everything: requests without a Host, or with two, would never reach the app. */
function guardHost(hosts: Hosts, next: Listener): Listener {
  return (incoming, outgoing) => {
    const given = incoming.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === "host").length;
    if (given === 1 && hosts.allowsHost(incoming.headers.host)) return next(incoming, outgoing);
    outgoing.writeHead(421, {
      ...securityHeaders,
      "Content-Type": "application/json",
      "Cache-Control": "no-store",
      Connection: "close",
    });
    return outgoing.end(JSON.stringify({ error: wrongHost }));
  };
}

async function stopServer(server: Server): Promise<void> {
  server.closeAllConnections();
  // No longer listening when everything went its way; a start that failed half-way still is.
  if (server.listening) await new Promise<void>((resolve) => server.close(() => resolve()));
}

async function withinGrace(work: Promise<void>, grace: number, log: Log): Promise<void> {
  const aborted = new AbortController();
  const done = work.catch((error: unknown) =>
    log.error({ detail: String(error) }, "Something could not be closed properly."),
  );
  await Promise.race([done, pause(grace, undefined, { signal: aborted.signal }).catch(() => undefined)]);
  aborted.abort();
}

/** The first question shouldn't wait for the first look at the demo database. */
async function warmDemo(home: string, catalogs: Catalogs, log: Log): Promise<void> {
  try {
    await catalogs.read((await openWorkspace(home, demoWorkspace)).connection);
  } catch (error) {
    log.warn({ detail: String(error) }, "The demo's catalog could not be read in advance.");
  }
}

async function faultOf(work: Promise<void>): Promise<ThothError | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof ThothError) return error;
    throw error;
  }
}
