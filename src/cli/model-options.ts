/** Options about a model that more than one command takes. */
import { type Budget, parseBudget, thinkingLevels } from "../protocol/index.ts";
import { UsageError } from "./fault.ts";

export function toThinking(level: string | undefined): (typeof thinkingLevels)[number] | undefined {
  const found = thinkingLevels.find((one) => one === level);
  if (level !== undefined && !found)
    throw new UsageError(`There is no thinking level ${level}.`, `Use one of: ${thinkingLevels.join(", ")}.`);
  return found;
}

/** `none` takes it away. */
export function toBudgetOption(words: string): Budget | null {
  if (words === "none") return null;
  const budget = parseBudget(words);
  if (!budget)
    throw new UsageError(
      `--budget ${words} names no amount.`,
      "Write tokens, dollars or both: --budget 200k, --budget '$0.50', --budget '200k $0.50', or none.",
    );
  return budget;
}
