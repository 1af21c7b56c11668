/** What a model has used, and how much it may use before it asks. */
import { type Static, Type } from "typebox";

/** Tokens as the provider counted them; `cost` in US dollars by Pi's price list, 0 where a model has no price. */
export const Usage = Type.Object({
  input: Type.Integer({ minimum: 0 }),
  output: Type.Integer({ minimum: 0 }),
  cacheRead: Type.Integer({ minimum: 0 }),
  cacheWrite: Type.Integer({ minimum: 0 }),
  cost: Type.Number({ minimum: 0 }),
});
export type Usage = Static<typeof Usage>;

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 };
export const addUsage = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  cost: a.cost + b.cost,
});
/** Everything the provider read or wrote. */
export const tokensOf = (usage: Usage): number => usage.input + usage.output + usage.cacheRead + usage.cacheWrite;

/** Pi's count of an answer; null when nothing was counted, as for a request that never got through. */
export function toUsage(value: unknown): Usage | null {
  const { input, output, cacheRead, cacheWrite, cost } = (value ?? {}) as Record<string, unknown>;
  const count = (number: unknown) => (typeof number === "number" && number > 0 ? Math.round(number) : 0);
  const total = (cost as { total?: unknown } | null | undefined)?.total;
  const usage = {
    input: count(input),
    output: count(output),
    cacheRead: count(cacheRead),
    cacheWrite: count(cacheWrite),
    cost: typeof total === "number" && total > 0 ? total : 0,
  };
  return usage.input + usage.output + usage.cacheRead + usage.cacheWrite > 0 ? usage : null;
}

const tokens = Type.Integer({ minimum: 1, maximum: 1e12 });
const dollars = Type.Number({ exclusiveMinimum: 0, maximum: 1e6 });
/** The limit of a session: at whichever is reached first it pauses and asks. Null is no limit of that kind. */
export const Budget = Type.Object({
  tokens: Type.Union([tokens, Type.Null()]),
  cost: Type.Union([dollars, Type.Null()]),
});
export type Budget = Static<typeof Budget>;
export const BudgetWish = Type.Object(
  { tokens: Type.Optional(Type.Union([tokens, Type.Null()])), cost: Type.Optional(Type.Union([dollars, Type.Null()])) },
  { additionalProperties: false },
);
export type BudgetWish = Static<typeof BudgetWish>;

/** Null when the wish names no limit at all. */
export function toBudget(wish: BudgetWish | null | undefined): Budget | null {
  const budget = { tokens: wish?.tokens ?? null, cost: wish?.cost ?? null };
  return budget.tokens === null && budget.cost === null ? null : budget;
}

export const isUsedUp = (usage: Usage, budget: Budget): boolean =>
  (budget.tokens !== null && tokensOf(usage) >= budget.tokens) || (budget.cost !== null && usage.cost >= budget.cost);

const factors: Record<string, number> = { "": 1, k: 1e3, m: 1e6 };

/** `200k`, `1.5M tokens`, `$0.50`, `2 usd`, or both in one text; null when no amount stands there. */
export function parseBudget(text: string): Budget | null {
  const money = /(?:\$\s*(\d+(?:\.\d+)?))|(?:(\d+(?:\.\d+)?)\s*(?:usd|dollars?)\b)/i.exec(text);
  const rest = money ? text.replace(money[0], " ") : text;
  const counted = /(?<![\w.])(\d[\d,_]*(?:\.\d+)?)\s*([km]?)(?:\s*tokens?)?(?![\w.])/i.exec(rest);
  const cost = money ? Number(money[1] ?? money[2]) : null;
  const found = counted
    ? Math.round(Number((counted[1] ?? "").replace(/[,_]/g, "")) * (factors[(counted[2] ?? "").toLowerCase()] ?? 1))
    : null;
  return toBudget({ tokens: found && found > 0 ? found : null, cost: cost && cost > 0 ? cost : null });
}

/** `200,000 tokens`, `$0.50`, `200,000 tokens or $0.50`. */
export function toBudgetWords({ tokens: most, cost }: Budget): string {
  return [most === null ? "" : `${most.toLocaleString("en-US")} tokens`, cost === null ? "" : toDollars(cost)]
    .filter((part) => part !== "")
    .join(" or ");
}

/** Enough digits to see small sums: `$0.0042`, `$0.18`, `$12.40`. */
export function toDollars(cost: number): string {
  const most = cost >= 0.1 ? 2 : cost >= 0.0001 ? 4 : 6;
  return `$${cost.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: most })}`;
}
