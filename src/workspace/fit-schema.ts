/** Holds what a file says against the schema of its kind, and says what is wrong in words for people. Pure. */
import type { Static, TSchema } from "typebox";
import { Decision, validator } from "../protocol/index.ts";
import { nearestName } from "./nearest-name.ts";
import type { LineFault, Spot } from "./yaml-spots.ts";

export type Fitted<T> = { ok: true; value: T } | { ok: false; faults: LineFault[] };

/** What of a schema's own words is looked at. */
interface Shape {
  type?: string;
  enum?: readonly string[];
  const?: unknown;
  properties?: Record<string, Shape>;
  required?: readonly string[];
  items?: Shape;
  anyOf?: readonly Shape[];
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  pattern?: string;
}

/** `what` names the whole in messages: `a relation`. */
export function fitSchema<S extends TSchema>(schema: S, spot: Spot, what: string): Fitted<Static<S>> {
  const faults: LineFault[] = [];
  const value = readAs(schema as Shape, spot, "", what, faults);
  // Whatever the walk doesn't know of is the schema's own to refuse.
  if (faults.length === 0 && !validator(schema).Check(value))
    faults.push({ line: spot.line, message: `it doesn't fit as ${what}`, fix: "Compare it with docs/knowledge.md." });
  return faults.length === 0 ? { ok: true, value: value as Static<S> } : { ok: false, faults };
}

function readAs(shape: Shape, spot: Spot, path: string, what: string, faults: LineFault[]): unknown {
  const where = path === "" ? what : `\`${path}\``;
  const tell = (message: string, fix: string): unknown => {
    faults.push({ line: spot.line, message: `${where} ${message}`, fix });
    return undefined;
  };
  if (shape.anyOf) {
    const branch = chooseBranch(shape, spot);
    if (branch) return readAs(branch, spot, path, what, faults);
    return tell(`must be ${toWords(shape)}${given(spot)}`, `Write ${toWords(shape)}.`);
  }
  if (shape.enum) {
    const text = toText(spot);
    if (text !== undefined && shape.enum.includes(text)) return text;
    const near = text === undefined ? undefined : nearestName(text, shape.enum);
    return tell(`must be ${toWords(shape)}${given(spot)}`, near ? `Did you mean ${near}?` : `Write ${toWords(shape)}.`);
  }
  if (shape.const !== undefined)
    return spot.value === shape.const || toText(spot) === shape.const
      ? shape.const
      : tell(`must be ${String(shape.const)}${given(spot)}`, `Write ${String(shape.const)}.`);
  switch (shape.type) {
    case "object":
      return fitObject(shape, spot, path, what, faults);
    case "array": {
      if (!Array.isArray(spot.value))
        return tell(`must be a list${given(spot)}`, "Write its items below, each with -.");
      if (spot.value.length < (shape.minItems ?? 0)) return tell("is an empty list", "Write at least one item.");
      if (spot.value.length > (shape.maxItems ?? Infinity))
        return tell(`has more than ${shape.maxItems} items`, "Take some out.");
      return [...spot.below].map(([index, item]) => readAs(shape.items ?? {}, item, `${path}[${index}]`, what, faults));
    }
    case "string":
      return fitText(shape, spot, tell);
    case "integer":
    case "number":
      if (typeof spot.value !== "number" || (shape.type === "integer" && !Number.isSafeInteger(spot.value)))
        return tell(`must be ${toWords(shape)}${given(spot)}`, "Write a number, without quotes.");
      return spot.value < (shape.minimum ?? -Infinity)
        ? tell(`must be at least ${shape.minimum}`, `Write ${shape.minimum} or more.`)
        : spot.value;
    case "boolean":
      return typeof spot.value === "boolean" ? spot.value : tell(`must be true or false${given(spot)}`, "Write one.");
    default:
      return spot.value;
  }
}

function fitObject(shape: Shape, spot: Spot, path: string, what: string, faults: LineFault[]): unknown {
  const where = path === "" ? what : `\`${path}\``;
  const properties = shape.properties ?? {};
  const names = Object.keys(properties);
  if (typeof spot.value !== "object" || spot.value === null || Array.isArray(spot.value)) {
    faults.push({
      line: spot.line,
      message: `${where} must have names below it${given(spot)}`,
      fix: `Write ${names
        .slice(0, 4)
        .map((name) => `\`${name}:\``)
        .join(", ")}.`,
    });
    return undefined;
  }
  const missing = (shape.required ?? []).filter((name) => !spot.below.has(name));
  const meant = new Set<string>();
  const value: [string, unknown][] = [];
  for (const [name, below] of spot.below) {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (known) {
      value.push([name, readAs(known, below, path === "" ? name : `${path}.${name}`, what, faults)]);
      continue;
    }
    const near = nearestName(name, missing) ?? nearestName(name, names);
    if (near !== undefined) meant.add(near);
    faults.push({
      line: below.line,
      message: `${where} knows no \`${cut(name)}\``,
      fix: near ? `Did you mean \`${near}\`?` : `Known here: ${names.join(", ")}.`,
    });
  }
  for (const name of missing)
    if (!meant.has(name))
      faults.push({
        line: spot.line,
        message: `${where} has no \`${name}\``,
        fix: `Add \`${name}:\` with ${toWords(properties[name] ?? {})}.`,
      });
  return Object.fromEntries(value);
}

function fitText(shape: Shape, spot: Spot, tell: (message: string, fix: string) => unknown): unknown {
  const text = toText(spot);
  if (text === undefined)
    return spot.value === null
      ? tell("is empty", "Write a text, or take the line out.")
      : tell(`must be text${given(spot)}`, "Write one text; put it in quotes where it holds : or #.");
  if (text.trim() === "" && shape.minLength !== undefined)
    return tell("is empty", "Write a text, or take the line out.");
  // Counted as the schema counts: by characters, not by halves of them.
  if (shape.maxLength !== undefined && [...text].length > shape.maxLength)
    return tell(`has more than ${shape.maxLength} characters`, "Say it in fewer words.");
  if (shape.pattern !== undefined && !new RegExp(shape.pattern).test(text))
    return shape.pattern.startsWith("^\\d{4}")
      ? tell(`must be a moment${given(spot)}`, "Write it like 2026-11-30T09:15:00Z.")
      : tell(`doesn't fit${given(spot)}`, "Copy it as it was written by ThothII.");
  return text;
}

/** By kind where the branches are decisions, else by the type of what stands there. */
function chooseBranch(shape: Shape, spot: Spot): Shape | undefined {
  if ((shape as unknown) === Decision || shape.anyOf?.every((branch) => branch.properties?.kind)) {
    const kind = spot.below.get("kind")?.value;
    return shape.anyOf?.find((branch) => branch.properties?.kind?.const === kind);
  }
  if (shape.anyOf?.every((branch) => branch.const !== undefined)) {
    return shape.anyOf.find((branch) => branch.const === spot.value || branch.const === toText(spot));
  }
  return shape.anyOf?.find((branch) =>
    branch.type === "array"
      ? Array.isArray(spot.value)
      : branch.type === "object"
        ? typeof spot.value === "object" && spot.value !== null && !Array.isArray(spot.value)
        : branch.type === "integer"
          ? Number.isSafeInteger(spot.value)
          : typeof spot.value === branch.type,
  );
}

/** A single value as text; a quoted one as it is read, a plain one as it stands. */
function toText(spot: Spot): string | undefined {
  if (typeof spot.value === "string") return spot.value;
  if (typeof spot.value === "number" || typeof spot.value === "boolean") return spot.source ?? String(spot.value);
  return undefined;
}

function toWords(shape: Shape): string {
  if (shape.enum) return `one of ${shape.enum.join(", ")}`;
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.anyOf) {
    const kinds = shape.anyOf.flatMap((branch) => branch.properties?.kind?.const ?? []);
    if (kinds.length > 0) return `a decision whose \`kind\` is one of ${kinds.join(", ")}`;
    return shape.anyOf.map(toWords).join(" or ");
  }
  switch (shape.type) {
    case "object":
      return `${Object.keys(shape.properties ?? {})
        .slice(0, 4)
        .map((name) => `\`${name}:\``)
        .join(", ")} below it`;
    case "array":
      return "a list";
    case "integer":
      return "a whole number";
    case "number":
      return "a number";
    case "boolean":
      return "true or false";
    default:
      return "a text";
  }
}

function given({ value }: Spot): string {
  if (value === null) return ", and nothing stands there";
  if (Array.isArray(value)) return ", not a list";
  if (typeof value === "object") return ", not names with values";
  return `, not ${cut(JSON.stringify(value) ?? "")}`;
}

const cut = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);
