#!/usr/bin/env node
/**
 * The command line: one file per command, loaded when it is used. Here stand only names, options and the exit codes:
 * 0 done, 1 a fault, 2 used wrongly; `thoth ask` adds 3 (cannot be answered from the data) and 4 (failed).
 */
import { enableCompileCache } from "node:module";
import { checkNodeVersion } from "../server/node-version.ts";
import { exitCodes, printFault } from "./fault.ts";

const node = checkNodeVersion();
if (node) {
  printFault(node);
  process.exitCode = exitCodes.fault;
} else {
  // Types are stripped and scripts compiled once per file, not once per start.
  enableCompileCache();
  // Loaded only now: on an older Node these would fail with words that help nobody.
  const { runCommandLine } = await import("./command-line.ts");
  process.exitCode = await runCommandLine(process.argv.slice(2));
}
