/** What sessions are built from, and what belongs to one child only. */
import type { BridgeState } from "../../bridge/to-events.ts";
import type { Connection } from "../../database/connection.ts";
import type { Child } from "../../runtime/child.ts";
import type { PiRecord } from "../../runtime/rpc-client.ts";
import type { Models } from "../models/model-list.ts";
import type { ChildProgram } from "./launch-child.ts";
import type { LiveSession } from "./live-session.ts";
import type { StartQueue } from "./start-queue.ts";

/** Detail is raw and for the log alone; secrets are taken out before it is written. */
export interface SessionLog {
  info(detail: object, message: string): void;
  warn(detail: object, message: string): void;
  error(detail: object, message: string): void;
}

export interface SessionParts {
  program: ChildProgram;
  log: SessionLog;
  models: Models;
  /** Through which every start of a child goes that somebody waits for. */
  starts: StartQueue;
  openWorkspace(name: string): Promise<{ connection: Connection }>;
  ensureCatalog(connection: Connection): Promise<{ checksum: string }>;
  now: () => number;
  watchdogMs: number;
  /** From now on these are taken out of the log too. */
  learnSecrets(secrets: readonly string[]): void;
  /** What a child's dialog asks; set by the registry, so that this file needs no verb. */
  onDialog(session: LiveSession, runtime: Runtime, record: PiRecord): void;
}

/** One child and what is known only as long as it lives. */
export interface Runtime {
  child: Child;
  /** Its start isn't over: its end is then the start's failure, told by the one who starts it. */
  starting: boolean;
  bridge: BridgeState;
  /** Gates whose dialog waits in this child: gate → dialog. */
  dialogs: Map<string, string>;
  /** Gates asked for, whose request hasn't been dealt with yet; with the reviewer's words, if they came in between. */
  asked: Map<string, string | null>;
  /** An answered gate whose tool hasn't ended yet. */
  unacknowledged: string | null;
}

/** For the log: the error, its cause and where it came from. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return `${error.stack ?? error.message}${error.cause === undefined ? "" : `\ncaused by ${describe(error.cause)}`}`;
}
