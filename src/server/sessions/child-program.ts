/** The program that each child runs: this Node, the Pi beside it, our extension and our prompt. */
import { fileURLToPath } from "node:url";
import { systemPromptFile } from "../../workflow/phase-prompts.ts";
import { piCli } from "../pi-cli.ts";
import type { ChildProgram } from "./launch-child.ts";

export const childProgram = (home: string, environment: NodeJS.ProcessEnv): ChildProgram => ({
  home,
  environment,
  systemPromptFile,
  extensionFile: fileURLToPath(new URL("../../extension/index.ts", import.meta.url)),
  nodePath: process.execPath,
  piCli,
  retry: { maxRetries: 2, baseDelayMs: 2000 },
});
