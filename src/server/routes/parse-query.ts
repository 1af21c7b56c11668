/** A query string against its schema: integers come as decimal digits, everything else as it stands. */
import type { Static, TObject } from "typebox";
import { check, ThothError } from "../../protocol/index.ts";

export function parseQuery<Q extends TObject>(schema: Q, found: Record<string, string>): Static<Q> {
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = found[name];
    if (text === undefined) continue;
    values[name] = isInteger(property) && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  }
  const checked = check(schema, values);
  if (checked.ok) return checked.value;
  throw new ThothError(
    "query-invalid",
    `The address doesn't fit: ${checked.problem}.`,
    `It takes ${Object.entries(schema.properties).map(describe).join("; ")}.`,
  );
}

const isInteger = (property: object): boolean => "type" in property && property.type === "integer";

function describe([name, property]: [string, object]): string {
  const options =
    "anyOf" in property && Array.isArray(property.anyOf)
      ? property.anyOf.map((option: { const?: unknown }) => option.const)
      : [];
  if (options.length > 0) return `${name}=${options.join("|")}`;
  const { minimum, maximum } = property as { minimum?: number; maximum?: number };
  return maximum === undefined ? name : `${name} from ${minimum ?? 0} to ${maximum}`;
}
