/** `thoth workspace lint`: what can't be used in the files of a workspace. Needs no server. */
import { openDatabase } from "../database/open-database.ts";
import { type Fault, ThothError } from "../protocol/index.ts";
import { homePath } from "../server/home.ts";
import { findUnknownNames } from "../workspace/match-catalog.ts";
import { readKnowledge } from "../workspace/read-knowledge.ts";
import { type ListedWorkspace, listWorkspaces, openWorkspace, workspaceDir } from "../workspace/workspaces.ts";
import { exitCodes } from "./fault.ts";
import { toPlainText } from "./terminal-text.ts";

interface Linted {
  workspace: string;
  /** How many pieces can be used. */
  pieces: number;
  faults: Fault[];
}

/** `database`: names are held against the database, too. Exit code 1 as soon as there is a fault. */
export async function lintWorkspaces(
  name: string | undefined,
  options: { database: boolean; json: boolean },
): Promise<number> {
  const home = homePath();
  const linted: Linted[] = [];
  for (const workspace of await chooseWorkspaces(home, name))
    linted.push(await lint(home, workspace, options.database));
  process.stdout.write(options.json ? `${JSON.stringify({ workspaces: linted }, null, 2)}\n` : toReport(linted));
  return linted.some(({ faults }) => faults.length > 0) ? exitCodes.fault : exitCodes.done;
}

/** The one of that name, or all. Throws ThothError `workspace-unknown`. */
export async function chooseWorkspaces(home: string, name: string | undefined): Promise<ListedWorkspace[]> {
  const all = await listWorkspaces(home);
  if (name === undefined) return all;
  const found = all.find((workspace) => workspace.name === name);
  // Says which there are.
  if (!found) await openWorkspace(home, name);
  return found ? [found] : [];
}

async function lint(home: string, workspace: ListedWorkspace, withDatabase: boolean): Promise<Linted> {
  const knowledge = await readKnowledge(workspaceDir(home, workspace.name));
  const { descriptions, relations, synonyms, evidence, verified, faults } = knowledge;
  const pieces = [descriptions, relations, synonyms, evidence, verified].reduce((sum, { length }) => sum + length, 0);
  const found = [...faults];
  const tell = (message: string, fix = ""): void => {
    found.push({ file: "workspace.yaml", line: 1, message: message.replace(/\.$/, ""), fix });
  };
  if (workspace.problem && !faults.some(({ file }) => file === "workspace.yaml")) {
    const { line, message } = splitPlace(workspace.problem.message);
    found.push({ file: "workspace.yaml", line, message, fix: workspace.problem.action ?? "" });
  } else if (withDatabase && workspace.connection && pieces > 0) {
    try {
      const database = await openDatabase(workspace.connection);
      try {
        found.push(...findUnknownNames(knowledge, { tables: await database.introspect() }));
      } finally {
        await database.close();
      }
    } catch (error) {
      if (!(error instanceof ThothError)) throw error;
      tell(
        `its database can't be read, so that names weren't compared: ${error.message}`,
        `${error.action ?? ""} With --no-database names aren't compared.`.trim(),
      );
    }
  }
  return { workspace: workspace.name, pieces, faults: found };
}

/** A problem of the connection names its file and line in words. */
function splitPlace(text: string): { line: number; message: string } {
  const found = /^\S+?(?:, line (\d+))?: (.*?)\.?$/s.exec(text);
  return { line: Number(found?.[1] ?? 1), message: found?.[2] ?? text };
}

function toReport(linted: readonly Linted[]): string {
  const lines = linted.flatMap(({ workspace, pieces, faults }) => [
    ...faults.map(
      ({ file, line, message, fix }) =>
        `workspaces/${workspace}/${file}, line ${line}: ${message}.\n${fix ? `  ${fix}\n` : ""}`,
    ),
    `${workspace}: ${count(pieces, "piece")} that can be used, ${faults.length === 0 ? "no fault" : count(faults.length, "fault")}.\n`,
  ]);
  return toPlainText(lines.join(""));
}

export const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? "" : "s"}`;
