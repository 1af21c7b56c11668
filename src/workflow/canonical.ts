/** One spelling per value, so that a hash recognises it: keys sorted, nothing undefined. */
import { createHash } from "node:crypto";

export function toCanonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => toCanonical(item ?? null)).join(",")}]`;
  if (value !== null && typeof value === "object") {
    const fields = Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${toCanonical(field)}`).join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/** SHA-256 in hex over the canonical spelling. */
export const hashOf = (value: unknown): string => createHash("sha256").update(toCanonical(value)).digest("hex");
