/** How a command ends: exit codes, and errors in two lines on stderr without a stack. */
import { type Problem, ThothError } from "../protocol/errors.ts";

export const exitCodes = { done: 0, fault: 1, usage: 2, cannotAnswer: 3, failed: 4 } as const;

/** The command was used wrongly: exit code 2. */
export class UsageError extends ThothError {
  constructor(message: string, action?: string) {
    super("usage", message, action);
  }
}

export function printFault(problem: Problem): void {
  process.stderr.write(`thoth: ${problem.message}\n${problem.action ? `What to do: ${problem.action}\n` : ""}`);
}

/** Prints any thrown value and gives the exit code for it. */
export function reportError(error: unknown): number {
  const known = error instanceof ThothError;
  printFault(
    known
      ? error.toProblem()
      : {
          code: "internal",
          message: "Something went wrong that ThothII didn't expect.",
          action: "Run it again with THOTH_DEBUG=1 to see the details.",
        },
  );
  if (process.env.THOTH_DEBUG === "1")
    process.stderr.write(`${error instanceof Error ? describe(error) : String(error)}\n`);
  return error instanceof UsageError ? exitCodes.usage : exitCodes.fault;
}

function describe(error: Error): string {
  const own = error.stack ?? error.message;
  return error.cause instanceof Error ? `${own}\ncaused by ${describe(error.cause)}` : own;
}
