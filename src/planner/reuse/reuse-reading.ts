/**
 * Two questions in other words that the planner reads the same way are the same question, values apart: then what was
 * verified for one answers the other. Every word that is tied to nothing must stand in both. Pure.
 */
import type { Catalog, VerifiedPiece } from "../../protocol/index.ts";
import { tokenize } from "../../sql/parser.ts";
import type { Trial } from "./knowledge-learned.ts";
import { findLiterals } from "./reuse-literals.ts";
import type { Swap } from "./reuse-match.ts";

interface Reading {
  /** The plan's SQL without its values and without the names it made up. */
  key: string;
  literals: { value: string; kind: "text" | "number" }[];
  loose: Set<string>;
}

export function toReading({ plan, loose }: Trial, catalog: Catalog): Reading | undefined {
  const tokens = plan ? tokenize(plan.sql, catalog.engine) : undefined;
  if (!plan || !tokens?.ok) return undefined;
  const names = new Set(
    catalog.tables
      .flatMap(({ name, columns }) => [name, ...columns.map((column) => column.name)])
      .map((name) => name.toLowerCase()),
  );
  const made = new Map<string, string>();
  const steps = new Set(plan.steps.map(({ name }) => name.toLowerCase()));
  const parts = tokens.value.map(({ type, start, end }) => {
    const text = plan.sql.slice(start, end);
    const lower = text.toLowerCase();
    if (type === "STRING" || type === "NUMBER") return "?";
    if (!/^[a-z_]\w*$/.test(text) || (names.has(lower) && !steps.has(lower))) return lower;
    if (!made.has(text)) made.set(text, `#${made.size}`);
    return made.get(text);
  });
  const literals = findLiterals(plan.sql, catalog.engine).map(({ value, kind }) => ({ value, kind }));
  return { key: parts.join(" "), literals, loose: new Set(loose.flatMap(({ keys }) => keys.slice(0, 1))) };
}

/** The values to swap in the verified SQL, or undefined when the questions are read in different ways. */
export function matchReadings(verified: Reading, asked: Reading, piece: VerifiedPiece): Swap[] | undefined {
  if (verified.key !== asked.key || verified.literals.length !== asked.literals.length) return undefined;
  if (verified.loose.size !== asked.loose.size || [...verified.loose].some((word) => !asked.loose.has(word)))
    return undefined;
  const held = findLiterals(piece.sql, piece.engine);
  const swaps = new Map<string, Swap>();
  for (const [at, { value: from, kind }] of verified.literals.entries()) {
    const to = asked.literals[at]?.value ?? "";
    const known = swaps.get(from);
    if (known && known.value.to !== to) return undefined;
    if (from === to && !known) continue;
    const places = held.filter(({ value }) => value.toLowerCase() === from.toLowerCase()).length;
    // A number that the SQL holds twice may be two things.
    if (places === 0 || (kind === "number" && places > 1)) return undefined;
    if (from !== to) swaps.set(from, { from, to, value: { from, to }, kind: kind === "text" ? "value" : "number" });
  }
  return [...swaps.values()];
}
