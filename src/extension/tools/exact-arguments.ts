/**
 * A tool's arguments made ready for Pi, which would turn null and numbers into text where a text belongs. Forgiving
 * where nothing is lost: an object or list that was sent as text, null for something that may be left out, a fixed word
 * in other letters. Whatever isn't text where text belongs is refused, in words that name the place.
 */
import type { Static, TSchema } from "typebox";

/** The few keys of a JSON schema that say what kind of value belongs somewhere. */
interface Shape {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  required?: string[];
}

/**
 * Two fields of a tool: its schema and what prepares its arguments for it. `refuse` sees them raw, before anything else.
 * Both throw words for the model; what is wrong in other ways is left for Pi's own check.
 */
export function exactly<S extends TSchema>(
  parameters: S,
  refuse?: (raw: Record<string, unknown>) => void,
): { parameters: S; prepareArguments: (raw: unknown) => Static<S> } {
  return {
    parameters,
    prepareArguments(raw) {
      const read = readJsonText(raw);
      if (isRecord(read)) refuse?.(read);
      return toExact(parameters as Shape, read, "") as Static<S>;
    },
  };
}

/** A text that holds an object or a list as JSON, read; anything else as it is. */
export function readJsonText(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value; // a text like any other: whoever wants no text says so
  }
}

function toExact(shape: Shape, value: unknown, place: string): unknown {
  if (shape.anyOf) return toOneOf(shape.anyOf, value, place);
  if (shape.enum) return toOneWord(shape.enum, value, place);
  if (shape.const !== undefined) return toOneWord([shape.const], value, place);
  switch (shape.type) {
    case "object": {
      const read = readJsonText(value);
      return isRecord(read) ? toFields(shape, read, place) : refuseNull(read, place);
    }
    case "array": {
      const read = readJsonText(value);
      const { items = {} } = shape;
      refuseNull(read, place);
      // One thing where a list belongs is a list of one.
      return (Array.isArray(read) ? read : [read]).map((one, index) => toExact(items, one, below(place, index)));
    }
    case "string":
      if (typeof value !== "string")
        throw new Error(`${place || "The arguments"}: must be text in quotes, not ${describe(value)}.`);
      return value;
    default:
      return refuseNull(value, place);
  }
}

function toFields({ properties = {}, required = [] }: Shape, value: Record<string, unknown>, place: string): unknown {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const shape = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (shape === undefined) return [[name, one]]; // unknown: Pi refuses it
      if (one === null && !required.includes(name)) return [];
      return [[name, toExact(shape, one, below(place, name))]];
    }),
  );
}

function toOneOf(shapes: readonly Shape[], value: unknown, place: string): unknown {
  const objects = shapes.filter((shape) => shape.properties);
  if (objects.length > 0) {
    const read = readJsonText(value);
    if (!isRecord(read)) return refuseNull(read, place);
    const own = objects.find((shape) =>
      Object.values(shape.properties ?? {}).some((one) => one.const !== undefined && one.const === read.kind),
    );
    return own ? toFields(own, read, place) : read;
  }
  if (shapes.every((shape) => shape.const !== undefined))
    return toOneWord(
      shapes.map((shape) => shape.const),
      value,
      place,
    );
  const fits = shapes.some(
    (shape) => shape.type === typeof value || (shape.type === "integer" && Number.isInteger(value)),
  );
  if (!fits)
    throw new Error(`${place}: must be ${shapes.map(({ type }) => type).join(" or ")}, not ${describe(value)}.`);
  return value;
}

/** The word as the schema spells it. */
function toOneWord(words: readonly unknown[], value: unknown, place: string): unknown {
  const word = words.find((one) => sameWord(one, value));
  if (word === undefined) throw new Error(`${place}: must be one of ${words.join(", ")}, not ${describe(value)}.`);
  return word;
}

function refuseNull(value: unknown, place: string): unknown {
  if (value === null) throw new Error(`${place || "The arguments"}: must not be null.`);
  return value;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const below = (place: string, name: string | number): string => (place === "" ? String(name) : `${place}.${name}`);
const sameWord = (word: unknown, value: unknown): boolean =>
  word === value ||
  (typeof word === "string" && typeof value === "string" && word.toLowerCase() === value.trim().toLowerCase());

function describe(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  const kind = value === null ? "" : Array.isArray(value) ? "the list " : `the ${typeof value} `;
  return `${kind}${text.length > 60 ? `${text.slice(0, 60)}…` : text}`;
}
