import type { InterpretationDecision } from "../../protocol/decisions.ts";

/** Terms of the list at F1. */
export const aspectNames: Record<InterpretationDecision["aspect"], string> = {
  restatement: "In other words",
  grain: "One row per",
  measure: "Measure",
  filter: "Filter",
  period: "Period",
  order: "Order",
  limit: "Limit",
  output: "Output",
};

/** Beside its term: what the term says isn't said again, and a sentence begins like one. */
export function toAspectText({ aspect, text }: InterpretationDecision): string {
  const grain = /^one row per\s+(.+?)\.?$/is.exec(text);
  if (aspect === "grain") return grain?.[1] ?? text;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** On a line of its own: a sentence stays as it is, a bare phrase gets its term. */
export function toAspectLine({ aspect, text }: InterpretationDecision): string {
  if (aspect === "restatement" || /^\p{Lu}/u.test(text)) return text;
  return aspect === "grain" ? `One row per ${text}` : `${aspectNames[aspect]}: ${text}`;
}
