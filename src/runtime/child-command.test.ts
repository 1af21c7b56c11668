import { expect, it } from "vitest";
import { type ChildCommandInput, toChildCommand, toChildDirs } from "./child-command.ts";

const input: ChildCommandInput = {
  nodePath: "/bin/node",
  piCli: "/pi/cli.js",
  extensionFile: "/x/extension.ts",
  systemPromptFile: "/x/system.md",
  dirs: toChildDirs("/home/sessions/s1"),
  sessionId: "s1",
  model: { provider: "anthropic", id: "claude-x", thinking: "high" },
  path: "/usr/bin",
  compileCacheDir: "/home/cache",
  keys: { ANTHROPIC_API_KEY: "k" },
  thoth: {
    THOTH_SESSION_ID: "s1",
    THOTH_SESSION_DIR: "/home/sessions/s1",
    THOTH_CONNECTION: "{}",
    THOTH_CATALOG_DIR: "/home/catalogs",
  },
};

it("C2.1 the asked level is passed on, and everything of a project's or user's own is switched off", () => {
  const { file, args, cwd } = toChildCommand(input);
  expect(file).toBe("/bin/node");
  expect(args.join(" ")).toBe(
    "/pi/cli.js --mode rpc --offline --no-approve --no-extensions --no-skills --no-prompt-templates --no-themes --no-context-files" +
      " -e /x/extension.ts --tools catalog_search,describe_table,search_values,sample_rows,run_query,reviewer_decide,reviewer_ask,phase_summary,submit_sql,cannot_answer" +
      " --session-dir /home/sessions/s1/pi/sessions --session-id s1 --model anthropic/claude-x --thinking high --system-prompt /x/system.md",
  );
  expect(cwd).toBe("/home/sessions/s1/pi/work");
});

it("the environment is built: exactly these names, whatever the server itself was started with", () => {
  process.env.HTTPS_PROXY = "http://proxy";
  expect(Object.keys(toChildCommand(input).env).sort()).toEqual([
    "ANTHROPIC_API_KEY",
    "HOME",
    "NODE_COMPILE_CACHE",
    "PATH",
    "PI_CODING_AGENT_DIR",
    "PI_OFFLINE",
    "PI_SKIP_VERSION_CHECK",
    "PI_TELEMETRY",
    "THOTH_CATALOG_DIR",
    "THOTH_CONNECTION",
    "THOTH_SESSION_DIR",
    "THOTH_SESSION_ID",
  ]);
  delete process.env.HTTPS_PROXY;
});

it("a child that only lists models gets no model, prompt or extension", () => {
  const { args } = toChildCommand({ ...input, model: null, extensionFile: null, systemPromptFile: null });
  for (const flag of ["--model", "--thinking", "-e", "--system-prompt"]) expect(args).not.toContain(flag);
});
