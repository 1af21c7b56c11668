/**
 * The command line and environment of a Pi child. The environment is built, not inherited: what the server was started
 * with (proxies, other providers' keys, `PI_*` settings) is none of a child's business.
 */
import { join } from "node:path";
import { type ChildEnvironment, type ThinkingLevel, toolNames } from "../protocol/index.ts";

export interface ChildCommand {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
}

/** Folders of one session's child, all below the session's own `pi` folder. */
export interface ChildDirs {
  /** Pi's settings, models and credentials: one per session, because Pi rewrites its settings. */
  agent: string;
  /** Pi's own session files. */
  sessions: string;
  /** Empty and always the same: Pi ties its session to it, and a project's files would be read as instructions. */
  work: string;
}

export const toChildDirs = (sessionDir: string): ChildDirs => {
  const root = join(sessionDir, "pi");
  return { agent: join(root, "agent"), sessions: join(root, "sessions"), work: join(root, "work") };
};

export interface ChildCommandInput {
  nodePath: string;
  piCli: string;
  /** Absolute path; null for a child without our tools. */
  extensionFile: string | null;
  /** One more extension, for a child that is asked something and thrown away. */
  probeFile?: string;
  /** Absolute path, or the prompt itself. */
  systemPromptFile: string | null;
  dirs: ChildDirs;
  sessionId: string;
  model: { provider: string; id: string; thinking: ThinkingLevel } | null;
  /** Search path for the child's own children. */
  path: string;
  /** V8's cache, shared by all children. */
  compileCacheDir: string;
  /** Variable name → secret: the chosen provider's, and no other. */
  keys: Record<string, string>;
  thoth: ChildEnvironment | null;
}

export function toChildCommand(input: ChildCommandInput): ChildCommand {
  const { dirs, model } = input;
  return {
    file: input.nodePath,
    args: [
      input.piCli,
      "--mode",
      "rpc",
      "--offline",
      "--no-approve",
      "--no-extensions",
      "--no-skills",
      "--no-prompt-templates",
      "--no-themes",
      "--no-context-files",
      ...(input.extensionFile === null ? [] : ["-e", input.extensionFile]),
      ...(input.probeFile === undefined ? [] : ["-e", input.probeFile]),
      "--tools",
      toolNames.join(","),
      "--session-dir",
      dirs.sessions,
      "--session-id",
      input.sessionId,
      ...(model === null ? [] : ["--model", `${model.provider}/${model.id}`, "--thinking", model.thinking]),
      ...(input.systemPromptFile === null ? [] : ["--system-prompt", input.systemPromptFile]),
    ],
    env: {
      PATH: input.path,
      HOME: dirs.agent,
      PI_CODING_AGENT_DIR: dirs.agent,
      PI_OFFLINE: "1",
      PI_TELEMETRY: "0",
      PI_SKIP_VERSION_CHECK: "1",
      NODE_COMPILE_CACHE: input.compileCacheDir,
      ...input.keys,
      ...(input.thoth ?? {}),
    },
    cwd: dirs.work,
  };
}
