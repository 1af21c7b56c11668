/** One error shape for HTTP and one for what a runtime tells about a failed turn. */
import { type Static, Type } from "typebox";

export const Problem = Type.Object({
  code: Type.String(),
  message: Type.String(),
  action: Type.Optional(Type.String()),
});
export type Problem = Static<typeof Problem>;

export const ErrorBody = Type.Object({ error: Problem });
export type ErrorBody = Static<typeof ErrorBody>;

/** An expected fault with a closed code, a friendly sentence and what to do; `cause` stays on the server. */
export class ThothError extends Error {
  readonly code: string;
  readonly action: string | undefined;
  constructor(code: string, message: string, action?: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "ThothError";
    this.code = code;
    this.action = action;
  }
  toProblem(): Problem {
    return { code: this.code, message: this.message, ...(this.action ? { action: this.action } : {}) };
  }
}

/** Why a turn failed, in fixed words: no provider text, path, header or stack ever stands here. */
export const failureCodes = [
  "no-key",
  "wrong-key",
  "no-credit",
  "rate-limited",
  "overloaded",
  "context-overflow",
  "refused",
  "network",
  "endpoint-missing",
  "model-missing",
  "stalled",
  "tools-unsupported",
  "malformed-calls",
  "no-tools",
  "no-progress",
  "child-exited",
  "child-start",
  "database",
  "storage",
  "unknown",
] as const;
export const Failure = Type.Object({
  code: Type.Enum(failureCodes),
  message: Type.String(),
  action: Type.String(),
});
export type Failure = Static<typeof Failure>;
export type FailureCode = (typeof failureCodes)[number];
