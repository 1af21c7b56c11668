#!/usr/bin/env node
// Starts ThothII on the Node that it brings, whatever Node this is. Plain JavaScript, so that an old one can read it too.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
// A checkout runs its sources as they are; a package holds compiled files only.
const source = join(root, "src", "cli", "main.ts");
const program = existsSync(source) ? source : join(root, "lib", "cli", "main.js");

/** The Node of the platform's package, which npm may have put beside this package or above it. */
function findNode() {
  const system = process.platform === "win32" ? "win" : process.platform;
  const file = join(`node-${system}-${process.arch}`, "bin", process.platform === "win32" ? "node.exe" : "node");
  for (let folder = root; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", file);
    if (existsSync(found)) return found;
    if (dirname(folder) === folder) return process.execPath;
  }
}

const child = spawn(findNode(), [program, ...process.argv.slice(2)], { stdio: "inherit" });
// The terminal sends Ctrl-C to both: the child decides when it is done.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`ThothII could not start its Node: ${error.message}`);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  process.exitCode = signal ? 1 : (code ?? 1);
});
