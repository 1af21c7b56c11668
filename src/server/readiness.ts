/** What a session needs before it can begin, looked at one by one; shared by the readiness route and `thoth doctor`. */
import { access } from "node:fs/promises";
import { join } from "node:path";
import { openDatabase } from "../database/open-database.ts";
import { type Problem, ThothError } from "../protocol/index.ts";
import { openWorkspace } from "../workspace/workspaces.ts";
import { openHome } from "./home.ts";
import { checkNodeVersion } from "./node-version.ts";
import { toProblem } from "./problems.ts";
import { pageDir } from "./project.ts";
import { pageNotBuilt } from "./static-files.ts";

export const demoWorkspace = "demo";

export interface ReadinessOptions {
  home: string;
  piCli: string;
  /** False in development, where the page is made as it is asked for. */
  builtPage: boolean;
  page?: string;
}

/** Everything that is wrong, in an order in which it can be mended. */
export async function checkReadiness({ home, piCli, builtPage, page = pageDir }: ReadinessOptions): Promise<Problem[]> {
  const node = checkNodeVersion();
  const found = await Promise.all([
    problemOf(() => openHome(home)),
    problemOf(() => requirePi(piCli)),
    builtPage ? problemOf(() => requirePage(page)) : null,
    problemOf(async () => openDatabase((await openWorkspace(home, demoWorkspace)).connection)),
  ]);
  return [node, ...found].filter((problem) => problem !== null);
}

export async function requirePage(page: string = pageDir): Promise<void> {
  if (!(await isThere(join(page, "index.html")))) throw pageNotBuilt();
}

export async function requirePi(piCli: string): Promise<void> {
  if (await isThere(piCli)) return;
  throw new ThothError(
    "pi-missing",
    "The agent that does the thinking (Pi) isn't installed.",
    "Run `npm ci` in ThothII's folder.",
  );
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

export async function problemOf(work: () => Promise<unknown>): Promise<Problem | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return toProblem(error);
  }
}
