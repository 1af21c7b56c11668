/**
 * What the list of workspaces says of each. A server that doesn't answer must not make the whole list wait, so what it
 * said last is shown while it is asked again; files are looked at each time.
 */
import { basename } from "node:path";
import type { Connection } from "../database/connection.ts";
import { type ConnectionTest, ThothError, type WorkspaceItem } from "../protocol/index.ts";
import { type ListedWorkspace, listWorkspaces, type TriedConnection, tryConnection } from "../workspace/workspaces.ts";
import type { Log } from "./log.ts";
import { toProblem } from "./problems.ts";

/** How long a list waits for the slowest server. */
const patienceMs = 2_500;
/** What a server said is believed for so long. */
const freshMs = 5_000;

export interface WorkspaceStates {
  list(): Promise<WorkspaceItem[]>;
}

interface Known {
  /** Of the connection, so that an edited file is read anew. */
  key: string;
  at: number;
  item: Promise<WorkspaceItem>;
  last: WorkspaceItem | null;
}

export function createWorkspaceStates(home: string, log: Log): WorkspaceStates {
  const known = new Map<string, Known>();

  function ask(workspace: ListedWorkspace): Known {
    const key = JSON.stringify(workspace.connection);
    const before = known.get(workspace.name);
    if (before?.key === key && performance.now() - before.at < freshMs) return before;
    const state: Known = {
      key,
      at: performance.now(),
      item: toItem(workspace, log),
      last: before?.key === key ? before.last : null,
    };
    known.set(workspace.name, state);
    void state.item.then((item) => {
      state.last = item;
      // Counted from the answer: one that took long is not asked again at once.
      state.at = performance.now();
    });
    return state;
  }

  return {
    async list() {
      const found = await listWorkspaces(home);
      for (const name of known.keys()) if (!found.some((one) => one.name === name)) known.delete(name);
      const late = new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null).unref());
      return await Promise.all(
        found.map(async (workspace) => {
          if (!workspace.connection || "file" in workspace.connection) return await toItem(workspace, log);
          const state = ask(workspace);
          return (await Promise.race([state.item, late])) ?? state.last ?? toSlow(workspace);
        }),
      );
    },
  };
}

const nothing = { product: "", tables: 0, warnings: [] };

async function toItem(workspace: ListedWorkspace, log: Log): Promise<WorkspaceItem> {
  const { name, engine, demo, connection, problem } = workspace;
  const item = { name, engine, demo, place: connection ? toPlace(connection) : "" };
  if (!connection) return { ...item, ...nothing, problem };
  try {
    return { ...item, ...toConnectionTest(await tryConnection(connection)), problem: null };
  } catch (error) {
    if (!(error instanceof ThothError))
      log.error({ workspace: name, detail: String(error) }, "A workspace could not be opened.");
    return { ...item, ...nothing, problem: toProblem(error) };
  }
}

const toSlow = ({ name, engine, demo, connection }: ListedWorkspace): WorkspaceItem => ({
  name,
  engine,
  demo,
  place: connection ? toPlace(connection) : "",
  ...nothing,
  problem: {
    code: "database-slow",
    message: "The database has not answered yet.",
    action: "Look again in a moment; if it stays so, check that its server runs.",
  },
});

export const toConnectionTest = ({ connection, report, tables }: TriedConnection): ConnectionTest => ({
  engine: connection.engine,
  place: toPlace(connection),
  product: report.product,
  tables,
  warnings: report.warnings,
});

/** For people: never a path, a user or a password. */
function toPlace(connection: Connection): string {
  return "file" in connection
    ? basename(connection.file)
    : `${connection.database} on ${connection.host.startsWith("/") ? "a local socket" : connection.host}:${connection.port}`;
}
