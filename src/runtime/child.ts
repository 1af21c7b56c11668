/**
 * This folder owns one Pi child: how it is started, spoken to, watched and stopped, and what its turn's state is.
 * Here stands the process itself.
 */
import { spawn } from "node:child_process";
import type { ChildCommand } from "./child-command.ts";
import { createRpcClient, type PiRecord, type RpcClient, type RpcFault } from "./rpc-client.ts";

export interface ChildExit {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Somebody asked for it with `stop` or `kill`; otherwise the child left by itself, which is a failure whatever its code. */
  intended: boolean;
  /** Last words on stderr: for the server's log only. */
  stderr: string;
}

export interface Child {
  readonly pid: number | undefined;
  readonly rpc: RpcClient;
  /** Resolves once, when the process is gone; never rejects. */
  readonly exited: Promise<ChildExit>;
  /** Closes stdin, then asks, then forces; resolves when the process is gone. */
  stop(): Promise<ChildExit>;
  /** At once. */
  kill(): Promise<ChildExit>;
}

export interface ChildOptions {
  onRecord: (record: PiRecord) => void;
  /** The child can't be spoken to any more; it is being killed, and `exited` follows. */
  onFault?: (fault: RpcFault, detail: string) => void;
  grace?: { afterEofMs: number; afterTermMs: number };
}

const defaultGrace = { afterEofMs: 1000, afterTermMs: 2000 };
const stderrTailBytes = 8192;

export function startChild(command: ChildCommand, { onRecord, onFault, grace = defaultGrace }: ChildOptions): Child {
  const process = spawn(command.file, command.args, {
    cwd: command.cwd,
    env: command.env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: false,
    windowsHide: true,
  });
  let intended = false;
  let gone = false;
  let stderr = "";
  process.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-stderrTailBytes);
  });

  const rpc = createRpcClient({
    stdin: process.stdin,
    stdout: process.stdout,
    onRecord,
    onFault: (fault, detail) => {
      // A closed pipe mostly means that the exit event is on its way; an over-long line means that it never would be.
      onFault?.(fault, detail);
      process.kill("SIGKILL");
    },
  });

  const exited = new Promise<ChildExit>((resolve) => {
    const finish = (code: number | null, signal: NodeJS.Signals | null): void => {
      if (gone) return;
      gone = true;
      rpc.close("the child is gone");
      resolve({ code, signal, intended, stderr });
    };
    // `close` comes after the last of stdout was read, so that no record follows the exit.
    process.once("close", finish);
    process.once("exit", (code, signal) => {
      // A grandchild may hold the pipes open: the exit counts, and late output is nobody's.
      setTimeout(() => {
        process.stdout.destroy();
        finish(code, signal);
      }, 500).unref();
    });
    process.once("error", (error) => {
      stderr = `${stderr}${error.message}`;
      if (process.pid === undefined) finish(null, null);
    });
  });

  const within = (ms: number): Promise<boolean> => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms);
    });
    return Promise.race([exited.then(() => true), late]).finally(() => clearTimeout(timer));
  };

  let stopping: Promise<ChildExit> | undefined;
  const stop = async (): Promise<ChildExit> => {
    intended = true;
    process.stdin.end();
    if (await within(grace.afterEofMs)) return exited;
    process.kill("SIGTERM");
    if (await within(grace.afterTermMs)) return exited;
    process.kill("SIGKILL");
    return exited;
  };

  return {
    pid: process.pid,
    rpc,
    exited,
    stop: () => (stopping ??= stop()),
    kill: () => {
      intended = true;
      process.kill("SIGKILL");
      return exited;
    },
  };
}
