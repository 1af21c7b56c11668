/**
 * When a reading finds no row at all, the near ties among its choices are tried out: a word may have been taken for the
 * wrong one of two columns. Nothing that the question says is given up for it, and of several the nearest tie wins.
 */
import type { Read } from "../database/database.ts";
import { type Choice, nearTies } from "./frame/candidates.ts";

/** How much worse than the best an option may be to be tried. */
const margin = 0.45;
const most = 4;

export interface Reading {
  sql: string;
  choices: Choice[];
}

/** The forced choice under which `plan` gives a reading with rows; undefined when the first one has some, or none has. */
export async function choiceWithRows<T>(
  first: Reading,
  plan: (key: string, label: string) => { sql: string; outcome: T } | undefined,
  run: (sqls: string[]) => Promise<Read[]>,
): Promise<T | undefined> {
  const ties = nearTies(first.choices, margin).filter(({ choice }) => /^(value|column|date):/.test(choice.key));
  if (ties.length === 0) return undefined;
  const [own] = await run([first.sql]);
  if (!isEmpty(own)) return undefined;
  const others = ties.slice(0, most).flatMap(({ choice }) => {
    const other = choice.options.find((option) => option.label !== choice.chosen);
    const made = other && plan(choice.key, other.label);
    return made && made.sql !== first.sql ? [made] : [];
  });
  if (others.length === 0) return undefined;
  const results = await run(others.map((other) => other.sql));
  return others.find((_, index) => results[index]?.ok && !isEmpty(results[index]))?.outcome;
}

/** No row, or a single one that says nothing. */
function isEmpty(read: Read | undefined): boolean {
  if (!read?.ok) return false;
  const { rows } = read.result;
  return (
    rows.length === 0 || (rows.length === 1 && (rows[0] ?? []).every((cell) => cell === null || Number(cell) === 0))
  );
}
