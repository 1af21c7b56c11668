/** What a reconciled total says to the reviewer. Pure. */
import type { Check, Severity } from "../protocol/index.ts";
import { cut } from "./ask.ts";
import type { Reconciled } from "./reconcile-totals.ts";

interface Said {
  check: Check;
  finding?: { code: string; severity: Severity; title: string; body: string; waysOut: string[] };
}

const amount = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 2 });

/** Sums of floating numbers, and of groups that were rounded one by one, differ in their last digits. */
const isEqual = (one: number, other: number): boolean =>
  Math.abs(one - other) <= Math.max(0.01, Math.abs(other) * 1e-6);

export function sayTotal({ column, table, shown, once, perGroup }: Reconciled): Said {
  const name = cut(column, 80);
  if (isEqual(shown, once))
    return { check: { ok: true, text: `${name} adds up to ${amount(shown)}: each row of ${table} once` } };
  if (isEqual(shown, perGroup))
    return {
      check: { ok: true, text: `${name} counts each row of ${table} once per group` },
      finding: {
        code: "total-shared",
        severity: "notice",
        title: `The groups' ${name} must not be added up`,
        body: `Rows of ${table} belong to several groups: all groups together give ${amount(shown)}, each row once gives ${amount(once)}. Each group by itself is right.`,
        waysOut: [],
      },
    };
  const more = Math.abs(shown) > Math.abs(perGroup);
  return {
    check: {
      ok: false,
      text: `${name} adds up to ${amount(shown)}, each row of ${table} once gives ${amount(perGroup)}`,
    },
    finding: {
      code: "total-differs",
      severity: "warning",
      title: `${name} is not the total of the rows of ${table}`,
      body: `The answer adds up to ${amount(shown)}. Each row of ${table} that the accepted joins and filters keep, taken once per group, gives ${amount(perGroup)}. ${more ? "A join repeats rows before they are summed." : "Rows are lost on the way to the sum."}`,
      waysOut: [more ? `Sum ${table} before it is joined` : `Keep all rows of ${table}`],
    },
  };
}
