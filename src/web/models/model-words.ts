/** What the page says of a model and its provider. */
import type { ModelItem } from "../../protocol/api.ts";
import type { AuthState, ModelTest, ProviderItem } from "../../protocol/models.ts";
import { toDollars, tokensOf } from "../../protocol/usage.ts";
import { toCount, toDuration } from "../elements/numbers.ts";
import type { Tone } from "../elements/tone.ts";

export const modelKey = (provider: string, id: string) => `${provider}/${id}`;

/** `131k`, `1M`: the exact number says no more. */
export function toContextWords(tokens: number): string {
  if (tokens <= 0) return "–";
  if (tokens >= 1_000_000) return `${Math.round(tokens / 100_000) / 10}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : toCount(tokens);
}

export function toPriceWords({ price, local }: Pick<ModelItem, "price" | "local">): string {
  if (price) return `$${price.input} / $${price.output}`;
  return local ? "free" : "–";
}

const authTones: Record<AuthState, Tone> = { environment: "ok", stored: "ok", "not-needed": "ok", none: "notice" };

export function toAuthWords({ auth, variable }: Pick<ProviderItem, "auth" | "variable">): { tone: Tone; text: string } {
  const words = {
    environment: `Key from ${variable}`,
    stored: "Key stored",
    "not-needed": "No key needed",
    none: "No key",
  };
  return { tone: authTones[auth], text: words[auth] };
}

/** `First word after 0.4 s, done after 0.9 s. 24 tokens, $0.0001.` */
export function toTestWords({ firstTokenMs, totalMs, usage }: ModelTest): string {
  const first = firstTokenMs === null ? "Done" : `First word after ${toDuration(firstTokenMs)}, done`;
  const used = usage ? ` ${toCount(tokensOf(usage))} tokens${usage.cost > 0 ? `, ${toDollars(usage.cost)}` : ""}.` : "";
  return `${first} after ${toDuration(totalMs)}.${used}`;
}
