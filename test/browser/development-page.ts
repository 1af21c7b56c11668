/**
 * The page as it is built, with React's development build in it: StrictMode then runs every effect twice, and React
 * says on the console what it otherwise keeps to itself.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

export interface DevelopmentPage {
  dir: string;
  remove(): void;
}

export async function buildDevelopmentPage(): Promise<DevelopmentPage> {
  const dir = mkdtempSync(join(tmpdir(), "thoth-built-"));
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const args = [vite, "build", "--mode", "development", "--outDir", dir, "--emptyOutDir", "--logLevel", "error"];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, NODE_ENV: "development" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const code = await new Promise((done) => child.once("exit", done));
  if (code !== 0) throw new Error(`the page could not be built: ${code}`);
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
