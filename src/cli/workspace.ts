/** `thoth workspace add` and `thoth workspace list`. */
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { type AddWorkspace, WorkspaceItem, WorkspaceList } from "../protocol/index.ts";
import { exitCodes, UsageError } from "./fault.ts";
import { toTable } from "./terminal-text.ts";
import { withServer } from "./with-server.ts";

interface AddOptions {
  file?: string;
  url?: string;
  passwordEnv?: string;
  passwordStdin: boolean;
  json: boolean;
}

export async function addWorkspace(name: string, options: AddOptions): Promise<number> {
  const { file, url, passwordEnv } = options;
  if ((file === undefined) === (url === undefined))
    throw new UsageError("Say where the database is.", "Give --file PATH or --url ADDRESS, one of the two.");
  const password = options.passwordStdin ? (await text(process.stdin)).replace(/\r?\n$/, "") : undefined;
  const wish: AddWorkspace = {
    name,
    ...(file === undefined ? {} : { file: resolve(file) }),
    ...(url === undefined ? {} : { url }),
    ...(passwordEnv === undefined ? {} : { passwordEnv }),
    ...(password === undefined ? {} : { password }),
  };
  const added = await withServer((client) => client.send("POST", "/api/workspaces", wish, WorkspaceItem));
  if (options.json) process.stdout.write(`${JSON.stringify(added, null, 2)}\n`);
  else {
    const warnings = added.warnings.map(({ message, remedy }) => `\n${message}\n${remedy}\n`).join("");
    process.stdout.write(
      `Added ${added.name}: ${added.product}, ${added.tables} ${added.tables === 1 ? "table" : "tables"}.\n${warnings}Ask it: thoth ask "…" --workspace ${added.name}\n`,
    );
  }
  return exitCodes.done;
}

export async function listWorkspaces(options: { json: boolean }): Promise<number> {
  const { workspaces } = await withServer((client) => client.get("/api/workspaces", WorkspaceList));
  if (options.json) process.stdout.write(`${JSON.stringify({ workspaces }, null, 2)}\n`);
  else {
    const rows = workspaces.map((item) => [
      item.name,
      item.product || item.engine,
      item.place,
      String(item.tables),
      item.problem ? item.problem.message : "ok",
    ]);
    process.stdout.write(`${toTable(["workspace", "engine", "where", "tables", "state"], rows, 80)}\n`);
  }
  return exitCodes.done;
}
