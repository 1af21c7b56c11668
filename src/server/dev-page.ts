/** The page while it is being worked on: Vite inside this server, so that there is one origin, one cookie and no proxy. */
import type { Server } from "node:http";
import { join } from "node:path";
import { ThothError } from "../protocol/index.ts";
import type { Access } from "./access.ts";
import type { Page } from "./app.ts";
import type { Hosts } from "./hosts.ts";
import { projectRoot } from "./project.ts";
import { alreadySent } from "./routes/already-sent.ts";
import { developmentHeaders } from "./security-headers.ts";

export interface DevPage {
  page: Page;
  close(): Promise<void>;
}

export async function openDevPage(server: Server, guard: { hosts: Hosts; access: Access }): Promise<DevPage> {
  // An upgrade doesn't pass through the app. Whoever may not come in loses the socket before Vite sees it.
  server.prependListener("upgrade", (request, socket) => {
    const { host, origin, authorization, cookie } = request.headers;
    const known = guard.hosts.allowsHost(host) && (origin === undefined || guard.hosts.allowsOrigin(origin));
    if (!known || !guard.access.allows(authorization, cookie)) socket.destroy();
  });
  const { createServer } = await import("vite").catch((cause: unknown) => {
    throw new ThothError(
      "dev-tools-missing",
      "What development mode needs isn't installed.",
      "Run `npm ci`, or start without --dev.",
      cause,
    );
  });
  const vite = await createServer({
    configFile: join(projectRoot, "vite.config.ts"),
    appType: "spa",
    // Hosts were checked already, and no other origin may read anything.
    server: { middlewareMode: true, hmr: { server }, allowedHosts: true, cors: false },
  });
  return {
    close: () => vite.close(),
    async page(_path, context) {
      const { incoming, outgoing } = context.env;
      if (!incoming || !outgoing) return null;
      for (const [name, value] of Object.entries(developmentHeaders)) outgoing.setHeader(name, value);
      const handled = await new Promise<boolean>((resolve) => {
        outgoing.once("close", () => resolve(true));
        vite.middlewares(incoming, outgoing, () => resolve(false));
      });
      return handled ? alreadySent() : null;
    },
  };
}
