import type { Failure } from "../../protocol/errors.ts";

/** The fault alone, without its full stop: what is kept and what to press, the page says in its own place. */
export function toFailureTitle(failure: Failure | null): string {
  const message = (failure?.message ?? "").replace(/\s*Your decisions are kept\.?/i, "").trim();
  return message === "" ? "The turn failed" : message.replace(/\.$/, "");
}

/** What to do about it, unless that is only to press Resume, which stands below. */
export function toFailureAction(failure: Failure | null): string {
  const action = (failure?.action ?? "").trim();
  return /^(press )?resume\b[^.]*\.?$/i.test(action) ? "" : action;
}
