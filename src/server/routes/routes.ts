/** The HTTP interface: every route there is, once. */
import { knowledgeRoutes } from "./knowledge-routes.ts";
import { mcpRoutes } from "./mcp-route.ts";
import { modelRoutes } from "./model-routes.ts";
import type { Route } from "./route.ts";
import { sessionRoutes } from "./session-routes.ts";
import { systemRoutes } from "./system-routes.ts";
import { workspaceRoutes } from "./workspace-routes.ts";

export const routes: readonly Route[] = [
  ...systemRoutes,
  ...modelRoutes,
  ...workspaceRoutes,
  ...sessionRoutes,
  ...knowledgeRoutes,
  ...mcpRoutes,
];
