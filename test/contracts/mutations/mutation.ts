/**
 * The faults that `npm run contracts:mutate` tries, by clause: each breaks one sentence with the smallest edit that
 * does. `find` stands exactly once in `file`; a fault whose text is gone must be written anew.
 */
export interface Mutation {
  clause: string;
  /** The sentence of the clause that no longer holds, in short. */
  sentence: string;
  /** What is done, in short. */
  fault: string;
  file: string;
  find: string;
  replace: string;
  /** Test files that are run. */
  tests: readonly string[];
  /** Regular expression for the tests' titles; by default the clause's number. */
  title?: string;
  /** The page has to be built with it. */
  page?: true;
}

/** Sources and tests that several clauses name. */
export const bridge = { file: "src/bridge/to-events.ts" };
export const bridgeTests = ["src/bridge/to-events.test.ts", "test/contracts/event-names.test.ts"];
export const rows = { file: "src/web/session/fold-session.ts" };
export const rowTests = ["src/web/session/fold-session.test.ts", "test/contracts/stream-client.test.ts"];
export const client = { file: "src/web/session/event-stream.ts" };
export const clientTests = ["src/web/session/event-stream.test.ts", "test/contracts/stream-client.test.ts"];
export const rules = { file: "src/workflow/gate-rules.ts" };
export const live = { file: "src/server/sessions/live-session.ts" };
export const cold = { file: "src/server/sessions/start-cold.ts" };
export const races = "test/flows/session-races.test.ts";
export const markers = "test/flows/markers.test.ts";
export const turnFlows = "test/flows/session-turns.test.ts";
export const writers = "test/contracts/ledger-writers.test.ts";
export const launch = { file: "src/server/sessions/launch-child.ts" };
export const stream = {
  file: "src/server/sessions/session-stream.ts",
  tests: ["src/server/sessions/session-stream.test.ts"],
};
export const page = { page: true, tests: ["test/browser/resume.test.ts"] } as const;
