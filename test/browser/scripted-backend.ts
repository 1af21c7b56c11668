/**
 * The server with the built page and a scripted model, in a process of its own: `node scripted-backend.ts HOME`. It
 * tells `{"port"}` when it answers. `PAGE_DIR` takes the page from elsewhere; `PUBLIC_PORT` is the port that browsers
 * see when something stands in between; `EXTENSION` names another file than the scripted model's.
 */
import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { createAccess, openToken } from "../../src/server/access.ts";
import { createApp } from "../../src/server/app.ts";
import { createEventStreams } from "../../src/server/event-streams.ts";
import { createHosts } from "../../src/server/hosts.ts";
import { listen } from "../../src/server/listen.ts";
import { createLog } from "../../src/server/log.ts";
import { pageDir } from "../../src/server/project.ts";
import { createSessions } from "../../src/server/sessions/sessions.ts";
import { readStaticFile } from "../../src/server/static-files.ts";

const home = process.argv[2] ?? "";
const folder = process.env.PAGE_DIR ?? pageDir;
const log = createLog({ level: "warn", short: false, home });
const token = await openToken(home, false);
const server = createServer();
const port = await listen(server, 0, "127.0.0.1");
const seen = Number(process.env.PUBLIC_PORT) || port;
const streams = createEventStreams();
const sessions = createSessions({
  home,
  log,
  extensionFile: process.env.EXTENSION ?? fileURLToPath(new URL("../fixtures/scripted-extension.ts", import.meta.url)),
  openWorkspace: async () => ({ connection: { engine: "sqlite", file: join(home, "none.sqlite") } }),
  ensureCatalog: async () => ({ checksum: "catalog-1" }),
  retry: { maxRetries: 1, baseDelayMs: 20 },
});
const app = createApp({
  home,
  address: `http://127.0.0.1:${seen}`,
  access: createAccess(token, seen),
  hosts: createHosts(seen),
  streams,
  sessions,
  page: (path) => readStaticFile(folder, path),
  readiness: async () => [],
  log,
});
server.on("request", getRequestListener(app.fetch, { overrideGlobalObjects: false }));
process.on("SIGTERM", async () => {
  streams.closeAll();
  await sessions.close();
  process.exit(0);
});
process.stdout.write(`${JSON.stringify({ port })}\n`);
