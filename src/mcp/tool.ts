/**
 * This folder is what other agents may do here, over the Model Context Protocol: look things up, have SQL checked, and
 * put a question before the reviewer. It stands outside of all gates: no tool answers one, and none runs SQL freely.
 * Here is what a tool is; how the product is reached is for `thoth mcp` and for the server to say.
 */
import type { Static, TObject, TSchema } from "typebox";

/** The routes of a ThothII server, however they are reached. Both throw ThothError with the server's own words. */
export interface ThothApi {
  /** Address of the page without a path; never with a secret. */
  readonly page: string;
  get<S extends TSchema>(path: string, schema: S): Promise<Static<S>>;
  post<S extends TSchema>(path: string, body: unknown, schema: S): Promise<Static<S>>;
}

export interface ToolCall {
  api: ThothApi;
  /** Ends with the caller's interest in the answer. */
  signal: AbortSignal;
  started: StartedSessions;
}

/** Sessions that were asked for here, those that are being started among them. */
export interface StartedSessions {
  ids: Set<string>;
  starting: number;
}

export interface McpTool {
  name: string;
  title: string;
  description: string;
  input: TObject;
  /** Of the structured answer. */
  output: TObject;
  /** Without it a tool only reads. */
  startsWork?: true;
  /** What to do about arguments that don't fit. */
  fix: string;
  /** `input` fits the schema. Throws ThothError. */
  run(input: unknown, call: ToolCall): Promise<Record<string, unknown>>;
}

/** Gives `run` the types of its schemas. */
export function defineTool<I extends TObject, O extends TObject>(
  tool: Omit<McpTool, "input" | "output" | "run"> & {
    input: I;
    output: O;
    run(input: Static<I>, call: ToolCall): Promise<Static<O>>;
  },
): McpTool {
  return tool as unknown as McpTool;
}
