/** `thoth workspace verify`: the verified queries, run again and marked. Needs no server. */
import { toChecksum } from "../catalog/checksum.ts";
import type { Connection } from "../database/connection.ts";
import { openDatabase } from "../database/open-database.ts";
import { type Fault, type Problem, ThothError } from "../protocol/index.ts";
import { homePath } from "../server/home.ts";
import { readKnowledge } from "../workspace/read-knowledge.ts";
import { type VerifiedState, verifyWorkspace } from "../workspace/verify-workspace.ts";
import { workspaceDir } from "../workspace/workspaces.ts";
import { exitCodes } from "./fault.ts";
import { toPlainText } from "./terminal-text.ts";
import { chooseWorkspaces } from "./workspace-lint.ts";

interface Verified {
  workspace: string;
  queries: VerifiedState[];
  /** Files of verified queries that can't be used. */
  faults: Fault[];
  /** Why none could be run. */
  problem: Problem | null;
}

export async function verifyWorkspaces(name: string | undefined, options: { json: boolean }): Promise<number> {
  const home = homePath();
  const verified: Verified[] = [];
  for (const { name: workspace, connection, problem } of await chooseWorkspaces(home, name)) {
    const folder = workspaceDir(home, workspace);
    const known = await readKnowledge(folder);
    const faults = known.faults.filter(({ file }) => file.startsWith("verified"));
    const one: Verified = { workspace, queries: [], faults, problem: known.verified.length > 0 ? problem : null };
    if (connection && known.verified.length > 0) Object.assign(one, await verify(folder, connection));
    verified.push(one);
  }
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ workspaces: verified }, null, 2)}\n`
      : toPlainText(verified.map(toReport).join("")),
  );
  const isWell = verified.every(
    ({ queries, faults, problem }) =>
      !problem && faults.length === 0 && queries.every(({ verdict }) => verdict.state === "holds"),
  );
  return isWell ? exitCodes.done : exitCodes.fault;
}

async function verify(folder: string, connection: Connection): Promise<Pick<Verified, "queries" | "problem">> {
  try {
    const database = await openDatabase(connection);
    try {
      const tables = await database.introspect();
      const structure = {
        checksum: toChecksum(tables),
        tables: new Map(tables.map((table) => [table.name, toChecksum([table])])),
      };
      const queries = await verifyWorkspace(folder, database, structure, new Date().toISOString());
      return { queries, problem: null };
    } finally {
      await database.close();
    }
  } catch (error) {
    if (!(error instanceof ThothError)) throw error;
    return { queries: [], problem: error.toProblem() };
  }
}

const marks = { set: ", marked as stale", cleared: ", no longer marked as stale", kept: "" };

function toReport({ workspace, queries, faults, problem }: Verified): string {
  const lines = queries.map(({ file, verdict, mark }) => {
    const about = verdict.state === "holds" ? (verdict.rows ?? "") : verdict.reason;
    return `${verdict.state.padEnd(7)}  ${file}${marks[mark]}${about ? `\n         ${about}` : ""}\n`;
  });
  for (const { file, line, message, fix } of faults)
    lines.push(`fault    ${file}, line ${line}: ${message}.\n         ${fix}\n`);
  if (problem) lines.push(`${problem.message}\n${problem.action ?? ""}\n`);
  const holds = queries.filter(({ verdict }) => verdict.state === "holds").length;
  return `${lines.join("")}${workspace}: ${queries.length === 0 ? "no verified query was run" : `${holds} of ${queries.length} verified queries hold`}.\n`;
}
