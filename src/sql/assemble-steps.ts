/** One statement out of accepted steps. Text only: nothing is parsed, and what stands in a step is not touched. */
import type { Engine } from "../protocol/index.ts";
import { dialectOf } from "./dialect.ts";
import { reservedWords } from "./reserved-words.ts";

const plainName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const quotedName = /^("([^"]|"")+"|`[^`]+`|\[[^\]]+\])$/;
const reserved = new Set(
  (
    "all and as asc between by case cast check collate column create cross current default delete desc distinct drop else end escape except exists " +
    "filter for foreign from full group having if in index inner insert intersect into is isnull join key left like limit natural not notnull null " +
    "of offset on or order outer over partition primary references right row rows select set table then to union unique update using values when " +
    "where window with without"
  ).split(" "),
);

/** The name of a step as it must stand in the text: left alone when it can, otherwise quoted. */
export function toStepName(name: string, engine: Engine = "sqlite"): string {
  if (quotedName.test(name)) return name;
  const refused = engine === "sqlite" ? reserved : reservedWords(engine);
  if (plainName.test(name) && !refused.has(name.toLowerCase())) return name;
  return dialectOf(engine).quote(name);
}

/**
 * `WITH a AS (\n…\n),\nb AS (\n…\n)\nSELECT * FROM b`; the last line is `final` when it is given. Each body stands on
 * lines of its own, so a comment at its end can't swallow the parenthesis. No steps and no final give an empty text.
 */
export function assembleSteps(
  ctes: readonly { name: string; sql: string }[],
  final?: string,
  engine: Engine = "sqlite",
): string {
  const last = ctes.at(-1);
  if (!last) return final ?? "";
  const parts = ctes.map((cte) => `${toStepName(cte.name, engine)} AS (\n${withoutEnd(cte.sql)}\n)`);
  const recursive = ctes.some((cte) => readsItself(cte.name, cte.sql));
  return `WITH ${recursive ? "RECURSIVE " : ""}${parts.join(",\n")}\n${final ?? `SELECT * FROM ${toStepName(last.name, engine)}`}`;
}

function withoutEnd(sql: string): string {
  return sql.replace(/^\s*\n/, "").replace(/[\s;]+$/, "");
}

function readsItself(name: string, sql: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`\\b(from|join)\\s+["\`[]?${escaped}(?![A-Za-z0-9_])`, "i").test(sql);
}
