/** `thoth mcp`: the tools for other agents over standard input and output. Nothing but the protocol goes to stdout. */
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { createMcpServer } from "../mcp/mcp-server.ts";
import { homePath } from "../server/home.ts";
import { version } from "../server/project.ts";
import { exitCodes } from "./fault.ts";
import { createServerLink } from "./server-link.ts";

/** Whatever hangs, the process is gone by then. Milliseconds. */
const stopDeadline = 5_000;

export async function mcp(): Promise<number> {
  const link = createServerLink(homePath());
  const stop = new AbortController();
  const server = createMcpServer({
    version,
    started: { ids: new Set(), starting: 0 },
    signal: stop.signal,
    async open() {
      const client = await link.open();
      return {
        page: client.address,
        get: client.get,
        post: (path, body, schema) => client.send("POST", path, body, schema),
      };
    },
    onFault: (error) => process.stderr.write(`thoth mcp: ${error instanceof Error ? error.stack : String(error)}\n`),
  });
  const ended = Promise.withResolvers<void>();
  // Whoever read our output may be gone before we are.
  process.stdout.on("error", () => ended.resolve());
  process.stdin.on("end", () => ended.resolve());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => ended.resolve());
  server.onclose = () => ended.resolve();
  await server.connect(new StdioServerTransport());
  await ended.promise;
  setTimeout(() => process.exit(exitCodes.done), stopDeadline).unref();
  stop.abort();
  await server.close();
  await link.close();
  return exitCodes.done;
}
