/** Starting one child: its folders, its settings and keys, its process, and the proof that it is what was asked for. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Connection } from "../../database/connection.ts";
import { type ThinkingLevel, ThothError, thinkingLevels } from "../../protocol/index.ts";
import { type Child, startChild } from "../../runtime/child.ts";
import { type ChildDirs, toChildCommand, toChildDirs } from "../../runtime/child-command.ts";
import { type PiRecord, RpcError, type RpcFault } from "../../runtime/rpc-client.ts";
import { workspaceDir } from "../../workspace/workspaces.ts";
import { catalogDir } from "../home.ts";
import { readModelsFile } from "../models/home-files.ts";

export interface ChildProgram {
  home: string;
  nodePath: string;
  piCli: string;
  extensionFile: string;
  systemPromptFile: string;
  /** Pi's own retries of a failed request. */
  retry: { maxRetries: number; baseDelayMs: number };
  environment: NodeJS.ProcessEnv;
}

export interface ChildWish {
  sessionId: string;
  sessionDir: string;
  workspace: string;
  connection: Connection;
  provider: string;
  model: string;
  thinking: ThinkingLevel;
  keys: Record<string, string>;
  /** There is no question yet: the child may use the time. */
  waits?: boolean;
}

export interface Launched {
  child: Child;
  thinkingInForce: ThinkingLevel;
}

/** Milliseconds; a child that ends is noticed at once, so that only a very busy machine ever waits so long. */
const startTimeoutMs = 60_000;

/** A password in a variable of ours is the one thing besides the provider's key that a child needs of them. */
function toDatabaseSecret(connection: Connection, environment: NodeJS.ProcessEnv): Record<string, string> {
  const place = "password" in connection ? connection.password : undefined;
  const value = place && "env" in place ? environment[place.env] : undefined;
  return place && "env" in place && value !== undefined ? { [place.env]: value } : {};
}

/**
 * Pi rewrites its settings when it is told to change one, so each session has its own folder with all of them given.
 * Of models.json a child gets the entry of its own provider alone, because a key may stand in it; null means all.
 */
export async function prepareChildDirs(program: ChildProgram, dirs: ChildDirs, provider: string | null): Promise<void> {
  for (const dir of [dirs.agent, dirs.sessions, dirs.work]) await mkdir(dir, { recursive: true, mode: 0o700 });
  const settings = { retry: { enabled: true, ...program.retry }, compaction: { enabled: true } };
  await writeFile(join(dirs.agent, "settings.json"), `${JSON.stringify(settings)}\n`, { mode: 0o600 });
  const models = await readModelsFile(program.home);
  const shown = Object.entries(models.providers).filter(([name]) => provider === null || name === provider);
  const file = join(dirs.agent, "models.json");
  if (shown.length === 0) await rm(file, { force: true });
  else
    await writeFile(file, `${JSON.stringify({ ...models, providers: Object.fromEntries(shown) })}\n`, { mode: 0o600 });
}

/**
 * Resolves when the child answers with the asked provider and model. Throws ThothError `child-start` or
 * `child-differs`, with the child's own words as the cause; no child is left behind then.
 */
export async function launchChild(
  program: ChildProgram,
  wish: ChildWish,
  on: {
    record: (record: PiRecord) => void;
    fault: (fault: RpcFault, detail: string) => void;
    spawned: (child: Child) => Promise<void>;
  },
  signal: AbortSignal,
): Promise<Launched> {
  const dirs = toChildDirs(wish.sessionDir);
  await prepareChildDirs(program, dirs, wish.provider);
  signal.throwIfAborted();
  const child = startChild(
    toChildCommand({
      nodePath: program.nodePath,
      piCli: program.piCli,
      extensionFile: program.extensionFile,
      systemPromptFile: program.systemPromptFile,
      dirs,
      sessionId: wish.sessionId,
      model: { provider: wish.provider, id: wish.model, thinking: wish.thinking },
      path: program.environment.PATH ?? "",
      compileCacheDir: join(program.home, "cache", "pi"),
      keys: { ...wish.keys, ...toDatabaseSecret(wish.connection, program.environment) },
      thoth: {
        THOTH_SESSION_ID: wish.sessionId,
        THOTH_SESSION_DIR: wish.sessionDir,
        THOTH_CONNECTION: JSON.stringify(wish.connection),
        THOTH_CATALOG_DIR: catalogDir(program.home),
        THOTH_WORKSPACE_DIR: workspaceDir(program.home, wish.workspace),
        ...(wish.waits ? { THOTH_WAITS: "1" } : {}),
      },
    }),
    { onRecord: on.record, onFault: on.fault },
  );
  const stop = () => void child.kill();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await on.spawned(child);
    return { child, thinkingInForce: await proveChild(child, wish) };
  } catch (error) {
    await child.kill();
    const { stderr } = await child.exited;
    signal.throwIfAborted();
    if (error instanceof ThothError) throw error;
    const detail = error instanceof RpcError ? `${error.message}: ${error.detail}` : String(error);
    throw new ThothError(
      "child-start",
      "The model's process could not be started.",
      "Try again; the server's log says more.",
      new Error(`${detail}\n${stderr}`),
    );
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

/** The level in force. Throws ThothError `child-differs` and RpcError. */
export async function proveChild(
  child: Child,
  wish: Pick<ChildWish, "provider" | "model" | "thinking">,
): Promise<ThinkingLevel> {
  // The wish is sent again: Pi's own file keeps a clamped level, and would start the next time with that.
  await child.rpc.send({ type: "set_thinking_level", level: wish.thinking }, startTimeoutMs);
  const state = parseState(await child.rpc.send({ type: "get_state" }, startTimeoutMs));
  if (state.provider === wish.provider && state.model === wish.model) return state.thinking;
  throw new ThothError(
    "child-differs",
    "The model's process started with another model than the one asked for.",
    "Choose the model again.",
  );
}

/** Level, provider and model as `get_state` reports them. */
export function parseState(data: unknown): { provider: string | null; model: string | null; thinking: ThinkingLevel } {
  const { model, thinkingLevel } = (data ?? {}) as {
    model?: { provider?: unknown; id?: unknown } | null;
    thinkingLevel?: unknown;
  };
  return {
    provider: typeof model?.provider === "string" ? model.provider : null,
    model: typeof model?.id === "string" ? model.id : null,
    thinking: thinkingLevels.find((level) => level === thinkingLevel) ?? "off",
  };
}
