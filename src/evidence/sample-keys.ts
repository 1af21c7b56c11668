/**
 * Which keys are looked at when a join is too large to count within a second or two. Both sides keep the same key
 * values, so what meets in the whole also meets in the sample, and shares of it can be scaled up. Pure.
 */
import type { Column, Engine } from "../protocol/index.ts";
import { dialectOf } from "../sql/dialect.ts";

/** Rows of a join's larger side up to which every row is counted. */
const countedUpTo: Record<Engine, number> = {
  sqlite: 200_000,
  mysql: 200_000,
  postgres: 400_000,
  duckdb: 500_000,
};
const sampleRows = 20_000;

/** Every how many keys one is looked at; 1 when all rows are counted. */
export function toRate(engine: Engine, rows: number): number {
  return rows <= countedUpTo[engine] ? 1 : toForcedRate(rows);
}

/** For a join that proved too slow to count. */
export const toForcedRate = (rows: number): number => Math.min(500, Math.max(2, Math.ceil(rows / sampleRows)));

/**
 * A condition that is true for about one in `rate` key values. Integers are scattered over a prime first,
 * because keys that rise in steps would otherwise all be kept or all be left out. Texts go by a hash that ignores nothing but letter case.
 */
export function keepsKey(engine: Engine, column: string, kind: Column["kind"] | undefined, rate: number): string {
  // Small enough that the product fits into 32 bits, which DuckDB and PostgreSQL hold it in.
  if (kind === "integer") return `(${column} % 65521) * 32749 % 65521 % ${rate} = 0`;
  const text = dialectOf(engine).asText(column);
  switch (engine) {
    case "sqlite": {
      const letter = (from: number) => `coalesce(unicode(lower(substr(${column}, ${from}, 1))), 0)`;
      return `(length(${column}) * 7 + ${letter(-1)} * 31 + ${letter(-2)} * 173 + ${letter(-3)} * 1019) % 65521 % ${rate} = 0`;
    }
    case "duckdb":
      return `hash(lower(${text})) % ${rate} = 0`;
    case "postgres":
      return `hashtext(lower(${text})) % ${rate} = 0`;
    case "mysql":
      return `crc32(lower(${text})) % ${rate} = 0`;
  }
}
