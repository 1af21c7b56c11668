/** Keys that would meet if blanks, case or zeros in front were written the same way on both sides. */
import type { Read } from "../../database/database.ts";
import { cellOf, figure, rowsOf, toCount, toText } from "../ask.ts";
import { bare, change, differ, nameOf } from "./amend.ts";
import type { Side } from "./block.ts";
import { rewriteColumns } from "./block-text.ts";
import { isUnique } from "./column-words.ts";
import type { Suspicion, Trap, TrapContext } from "./trap.ts";

type Stored = Side & Required<Pick<Side, "table" | "column">>;
const isStored = (side: Side): side is Stored => side.table !== undefined && side.column !== undefined;
/** Comparing all keys of bigger tables takes too long. */
const maxRows = 300_000;

const foldings = {
  spelling: (_: TrapContext, key: string) => `LOWER(TRIM(${key}))`,
  zeros: ({ dialect }: TrapContext, key: string) =>
    dialect.parser === "mysql" ? `TRIM(LEADING '0' FROM ${key})` : `LTRIM(${key}, '0')`,
};

export const paddedKeys: Trap = { code: "key-spelling", look: (context) => toSuspicions(context, "spelling") };
export const zeroKeys: Trap = { code: "key-zeros", look: (context) => toSuspicions(context, "zeros") };

function toSuspicions(context: TrapContext, how: keyof typeof foldings): Suspicion[] {
  const seen = new Set<string>();
  return context.statement.blocks.flatMap((block) =>
    block.pairs.flatMap(({ left, right, nodes }) => {
      if (!isStored(left) || !isStored(right) || left.table === right.table) return [];
      if (left.column.kind !== "text" || right.column.kind !== "text") return [];
      if (left.table.rows > maxRows || right.table.rows > maxRows) return [];
      if (how === "zeros" && ![left, right].some(({ column }) => column.samples.some((value) => /^\s*\d/.test(value))))
        return [];
      const key = [left, right]
        .map(({ table, column }) => `${table.name}.${column.name}`)
        .sort()
        .join("=");
      if (seen.has(key)) return [];
      seen.add(key);
      return [toSuspicion(context, left, right, nodes, how)];
    }),
  );
}

function toSuspicion(
  context: TrapContext,
  left: Stored,
  right: Stored,
  nodes: unknown[],
  how: keyof typeof foldings,
): Suspicion {
  const quoted = (side: Stored) => context.dialect.quote(side.column.name);
  /** Rows of `one` that meet no row of `other` as they are, but would if both were folded. */
  const lost = (one: Stored, other: Stored) => {
    const folded = (side: Stored) => foldings[how](context, quoted(side));
    const far = nameOf(context, other.table);
    return `SELECT SUM(n), COUNT(*), MIN(example) FROM (SELECT ${folded(one)} AS f, COUNT(*) AS n, MIN(${quoted(one)}) AS example FROM ${nameOf(context, one.table)} WHERE ${quoted(one)} IS NOT NULL AND ${quoted(one)} NOT IN (SELECT ${quoted(other)} FROM ${far} WHERE ${quoted(other)} IS NOT NULL) GROUP BY ${folded(one)}) AS g WHERE f <> '' AND f IN (SELECT ${folded(other)} FROM ${far})`;
  };
  const folded =
    nodes.length === 0 ? undefined : rewriteColumns(context, nodes, (text) => foldings[how](context, text));
  return {
    asks: [lost(left, right), lost(right, left), ...(folded === undefined ? [] : [bare(context.sql), folded])],
    judge(reads) {
      const differs = differ(reads[2], reads[3]);
      if (differs === false) return undefined;
      const sides: [Stored, Stored, Read | undefined][] = [
        [left, right, reads[0]],
        [right, left, reads[1]],
      ];
      // The side whose keys repeat refers to the other one.
      const [worst] = sides
        .filter(([, , read]) => toCount(read) > 0)
        .sort(([a], [b]) => Number(isUnique(a.table, [a.column.name])) - Number(isUnique(b.table, [b.column.name])));
      if (!worst) return undefined;
      const [one, other, read] = worst;
      const rows = toCount(read);
      const example = toText(cellOf(read, 2));
      const why = how === "zeros" ? "zeros in front" : "blanks or upper and lower case";
      const fold = how === "zeros" ? "without zeros in front" : "trimmed and in lower case";
      return {
        severity: differs || rows * 50 >= one.table.rows ? "warning" : "notice",
        title: `${rowsOf(rows)} of ${one.table.name} find no ${other.table.name} only because of ${why}`,
        body: `${figure(toCount(read, 1))} different ${one.table.name}.${one.column.name} such as “${example}” equal no ${other.table.name}.${other.column.name} as they are written, but would ${fold}; the join leaves these rows out.${differs ? change(reads[2], reads[3]).replace("it would", "with them it would") : ""}`,
        waysOut: [`Compare ${one.column.name} and ${other.column.name} ${fold}`, `Leave these ${rowsOf(rows)} out`],
      };
    },
  };
}
