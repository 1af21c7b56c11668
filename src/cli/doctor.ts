/** `thoth doctor`: everything ThothII needs, looked at one by one. Exit code 1 if anything fails, 2 when used wrongly. */
import { statfs } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { type Problem, ThothError } from "../protocol/index.ts";
import { homePath, openHome } from "../server/home.ts";
import { listen } from "../server/listen.ts";
import { createModels, modelMissing } from "../server/models/model-list.ts";
import { readProviderKeys } from "../server/models/provider-keys.ts";
import { checkNodeVersion } from "../server/node-version.ts";
import { piCli } from "../server/pi-cli.ts";
import { probePi, readPiVersion } from "../server/pi-probe.ts";
import { toProblem } from "../server/problems.ts";
import { projectRoot, version } from "../server/project.ts";
import { requirePage, requirePi } from "../server/readiness.ts";
import { findServer } from "../server/server-lock.ts";
import { childProgram } from "../server/sessions/child-program.ts";
import { listWorkspaces, tryConnection } from "../workspace/workspaces.ts";
import { exitCodes } from "./fault.ts";
import { readPort } from "./serve.ts";
import { toPlainText } from "./terminal-text.ts";

interface Finding {
  name: string;
  ok: boolean;
  detail: string;
  problem?: Problem;
}

export async function doctor(options: { json: boolean }): Promise<number> {
  const home = homePath();
  const findings: Finding[] = [];
  const look = async (name: string, work: () => Promise<string>) => {
    const finding = await lookAt(name, work);
    findings.push(finding);
    if (!options.json) process.stdout.write(`${toPlainText(toText(finding))}\n`);
  };

  await look("ThothII", async () => `${version} in ${projectRoot}`);
  await look("Node", async () => {
    const problem = checkNodeVersion();
    if (problem) throw new ThothError(problem.code, problem.message, problem.action);
    return `${process.versions.node} at ${process.execPath}`;
  });
  await look("Folder", async () => {
    await openHome(home);
    return `${home} can be written to`;
  });
  await look("Disk", () => checkDisk(home));
  await look("Pi", async () => {
    await requirePi(piCli);
    return `${await readPiVersion(piCli)}, first answer after ${Math.round(await probePi(piCli, join(home, "cache", "pi")))} ms`;
  });
  await look("Page", async () => {
    await requirePage();
    return "built";
  });
  await look("Port", () => checkPort(home));
  await look("Models", () => checkModels(home));
  const workspaces = await listWorkspaces(home).catch((error: unknown) => {
    findings.push({ name: "Workspaces", ok: false, detail: "can't be listed", problem: toProblem(error) });
    return [];
  });
  for (const workspace of workspaces) {
    await look(`Workspace ${workspace.name}`, async () => {
      const { connection, problem } = workspace;
      if (!connection)
        throw new ThothError(
          problem?.code ?? "workspace-broken",
          problem?.message ?? "It can't be read.",
          problem?.action,
        );
      return `opens, ${(await tryConnection(connection)).tables} tables`;
    });
  }

  const ok = findings.every((finding) => finding.ok);
  if (options.json) process.stdout.write(`${JSON.stringify({ ok, checks: findings }, null, 2)}\n`);
  else process.stdout.write(ok ? "\nEverything is there.\n" : "\nSomething is missing, see above.\n");
  return ok ? exitCodes.done : exitCodes.fault;
}

async function lookAt(name: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return { name, ok: true, detail: await work() };
  } catch (error) {
    const problem = toProblem(error);
    return { name, ok: false, detail: problem.message, problem };
  }
}

function toText({ name, ok, detail, problem }: Finding): string {
  return `${ok ? "ok  " : "FAIL"}  ${name}: ${detail}${problem?.action ? `\n      What to do: ${problem.action}` : ""}`;
}

/** Catalogs, value indexes and Pi's own files grow; a ledger that can't be written stops a session. Bytes. */
const leastFree = 200 * 1024 * 1024;

async function checkDisk(home: string): Promise<string> {
  const { bavail, bsize } = await statfs(home).catch((cause: unknown) => {
    throw new ThothError("disk-unknown", "The folder's disk can't be looked at.", "Make the folder first.", cause);
  });
  const free = bavail * bsize;
  const text = free >= 1e9 ? `${(free / 1e9).toFixed(1)} GB` : `${Math.round(free / 1e6)} MB`;
  if (free < leastFree)
    throw new ThothError(
      "disk-full",
      `Only ${text} are free for ${home}.`,
      "Make room there, or set THOTH_HOME to a folder on another disk.",
    );
  return `${text} free for ${home}`;
}

/** What a session could use now; no provider is asked anything. */
async function checkModels(home: string): Promise<string> {
  const faults: string[] = [];
  const models = createModels(childProgram(home, process.env), {
    problem: (detail) => void faults.push(detail),
    secrets: () => undefined,
  });
  await readProviderKeys(home, process.env); // a damaged file is told here, the list would leave it out
  const { providers, default: usual } = await models.list();
  if (faults.length > 0)
    throw new ThothError(
      "models-unknown",
      "The models can't be listed.",
      "See what Pi says above, or run with THOTH_DEBUG=1.",
    );
  if (!(await models.has(usual.provider, usual.model))) {
    const { code, message, action } = modelMissing(usual.provider, usual.model);
    throw new ThothError(code, message, action);
  }
  const usable = providers.filter(({ auth }) => auth !== "none").map(({ name, models: count }) => `${name} (${count})`);
  return `${usable.join(", ")}; a new session takes ${usual.provider}/${usual.model}`;
}

/** Our own server on its port is as good as a free one. */
async function checkPort(home: string): Promise<string> {
  const port = readPort(process.env.THOTH_PORT);
  const running = await findServer(home);
  if (running?.address?.endsWith(`:${port}`)) return `${port} is used by the running server (process ${running.pid})`;
  const server = createServer();
  try {
    await listen(server, port, "127.0.0.1");
  } finally {
    server.close();
  }
  return `${port} is free`;
}
