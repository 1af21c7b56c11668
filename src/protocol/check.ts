/** Holding an unknown value against a schema at an edge: child stdout, HTTP, ledger read, SSE receive. */
import type { Static, TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";

const compiled = new WeakMap<object, Validator>();

/** Compiled once per schema object. */
export function validator<S extends TSchema>(schema: S): Validator {
  let found = compiled.get(schema);
  if (!found) {
    found = Compile(schema) as unknown as Validator;
    compiled.set(schema, found);
  }
  return found;
}

/** What TypeBox says of a field that a closed object doesn't list. */
const unknownField = "schema is false";

export type Checked<T> = { ok: true; value: T } | { ok: false; problem: string };

/** No coercion, no defaults: the value itself or the first few faults in words, e.g. `answer: must be string`. */
export function check<S extends TSchema>(schema: S, value: unknown): Checked<Static<S>> {
  const checker = validator(schema);
  if (checker.Check(value)) return { ok: true, value: value as Static<S> };
  const faults = [...checker.Errors(value)].map(({ instancePath, message }) => {
    const where = instancePath.replace(/^\//, "").replaceAll("/", ".") || "body";
    return message === unknownField ? `${where}: unknown field` : `${where}: ${message}`;
  });
  const said = faults.some((fault) => fault.endsWith("unknown field"))
    ? faults.filter((fault) => !fault.endsWith("must not have additional properties"))
    : faults;
  return { ok: false, problem: said.slice(0, 5).join("; ") };
}
