/** What the backend and the extension inside the Pi child agree on: environment names and the dialog's title. */
import { type Static, Type } from "typebox";
import type { FailureCode } from "./errors.ts";

/** Environment of a child, beside what Pi itself needs; all absolute paths. */
export const ChildEnvironment = Type.Object({
  THOTH_SESSION_ID: Type.String(),
  /** Folder of manifest.json and ledger.json. */
  THOTH_SESSION_DIR: Type.String(),
  /** JSON of a `Connection`. */
  THOTH_CONNECTION: Type.String(),
  /** Folder of cached catalogs. */
  THOTH_CATALOG_DIR: Type.String(),
  /** The workspace's own files; its descriptions stand before the database's comments. */
  THOTH_WORKSPACE_DIR: Type.Optional(Type.String()),
  /** Set for a child that is kept ready: it may use its waiting to warm up. */
  THOTH_WAITS: Type.Optional(Type.String()),
});
export type ChildEnvironment = Static<typeof ChildEnvironment>;

/** Title of a gate's dialog is this prefix and the gate's id; the placeholder is a GateRequest as JSON. */
export const gateDialogPrefix = "gate:v1:";

/** The planner that needs no key, registered by the extension. */
export const offlineProvider = "thoth";
export const offlineModel = "offline";
/** Tools the child may call; nothing else is active. */
export const toolNames = [
  "catalog_search",
  "describe_table",
  "search_values",
  "sample_rows",
  "run_query",
  "reviewer_decide",
  "reviewer_ask",
  "phase_summary",
  "submit_sql",
  "cannot_answer",
] as const;
export type ToolName = (typeof toolNames)[number];
/** Those that stop for the reviewer. */
export const gateTools = [
  "reviewer_decide",
  "reviewer_ask",
  "phase_summary",
  "submit_sql",
  "cannot_answer",
] as const satisfies ToolName[];

/** Ids of the two options of a budget's gate. */
export const budgetOptions = { raise: "raise", stop: "stop" } as const;

/** Custom entries by which the extension tells the backend something that is no gate. */
export const childNotes = {
  /** `data.code` is one of `gaveUpCodes`: the run ends here, and has failed. */
  gaveUp: "thoth.gave-up",
  /** The model was told to use its tools. */
  nudged: "thoth.nudged",
  /** `data.providers`: every provider there is, with its number of models. */
  providers: "thoth.providers",
} as const;
export const gaveUpCodes = ["malformed-calls", "no-tools", "no-progress"] as const satisfies FailureCode[];

/** Words that wrap the machine-readable state in every prompt we send (see workflow/briefing). */
export const stateOpen = "<thoth-state>";
export const stateClose = "</thoth-state>";
