/** What holds for the steps, and what a reviewer should know about them, from their figures and texts. Pure. */
import type { Catalog, Check, Finding, StepEvidence } from "../protocol/index.ts";
import { cut, figure, listing, rowsOf, toCount } from "./ask.ts";
import { findIntegerDivisions, kindsOf, sayDivision } from "./find-divisions.ts";
import type { StepPlan, StepReads } from "./measure-steps.ts";

export function findSteps(
  plans: readonly StepPlan[],
  steps: readonly StepEvidence[],
  empty: ReadonlyMap<number, string[]>,
  catalog: Catalog,
  sql: string,
): Finding[] {
  return [...findEmpty(steps, empty), ...findDivisions(plans, steps, catalog, sql)];
}

export function checkSteps(
  steps: readonly StepEvidence[],
  plans: readonly StepPlan[],
  reads: readonly StepReads[],
  rowsBy: ReadonlyMap<string, number>,
  empty: ReadonlyMap<number, string[]>,
): Check[] {
  const checks: Check[] = [];
  const hollow = steps.filter((step) => step.rowCount === 0);
  if (hollow.length === 0 && empty.size === 0)
    checks.push({ ok: true, text: "No empty step, no column that is all NULL" });
  else {
    checks.push({
      ok: hollow.length === 0,
      text: hollow.length === 0 ? "No empty step" : `Empty: ${listing(hollow.map((step) => step.name))}`,
    });
    const names = [...empty].flatMap(([n, columns]) =>
      columns.map((column) => `${steps[n - 1]?.name ?? ""}.${column}`),
    );
    checks.push({
      ok: names.length === 0,
      text: names.length === 0 ? "No column that is all NULL" : cut(`All NULL: ${listing(names)}`, 300),
    });
  }
  plans.forEach((plan, index) => {
    const { shape } = plan;
    const [first] = shape.inputs;
    const rows = first === undefined ? undefined : rowsBy.get(first.toLowerCase());
    const onlyLeft = shape.joins.length > 0 && shape.joins.every((kind) => /^left/i.test(kind)) && !shape.filtered;
    const from = reads[index]?.from;
    const passed = from?.ok
      ? toCount(from)
      : shape.grouped || shape.distinct || shape.aggregated || shape.limit !== undefined
        ? undefined
        : steps[index]?.rowCount;
    if (!onlyLeft || rows === undefined || passed === undefined) return;
    const name = steps[index]?.name ?? "";
    checks.push({
      ok: passed === rows,
      text:
        passed === rows
          ? `LEFT JOIN in ${name} keeps all ${rowsOf(rows)} of ${first}, none twice`
          : `LEFT JOIN in ${name} makes ${rowsOf(passed)} out of ${figure(rows)} of ${first}`,
    });
  });
  const last = steps.at(-1);
  if (last)
    checks.push({
      ok: true,
      text: `${figure(steps.length)} ${steps.length === 1 ? "step was" : "steps were"} run on all rows; the last one has ${rowsOf(last.rowCount)}`,
    });
  return checks;
}

function findDivisions(
  plans: readonly StepPlan[],
  steps: readonly StepEvidence[],
  catalog: Catalog,
  sql: string,
): Finding[] {
  // A step may divide by what an earlier one counted.
  const kinds = kindsOf(catalog, sql);
  return plans.flatMap((plan, index) => {
    const n = steps[index]?.n ?? index + 1;
    return findIntegerDivisions(plan.slice.body, catalog.engine, kinds).map((division, at): Finding => {
      const { title, body, wayOut } = sayDivision(division);
      const way = { label: cut(wayOut, 120), text: cut(`${wayOut} in ${plan.decision.name}`, 400) };
      return {
        id: `integer-division-${n}-${at}`,
        code: "integer-division",
        severity: "warning",
        title,
        body,
        waysOut: [way],
        where: n,
      };
    });
  });
}

function findEmpty(steps: readonly StepEvidence[], empty: ReadonlyMap<number, string[]>): Finding[] {
  const findings: Finding[] = [];
  // Only the first empty step tells something: those that read it are empty because of it.
  const hollow = steps.find((step) => step.rowCount === 0);
  if (hollow) {
    const from = hollow.inputs
      .filter((input) => input.rows > 0)
      .map((input) => `${input.name} (${figure(input.rows)})`);
    findings.push({
      id: `step-empty-${hollow.n}`,
      code: "step-empty",
      severity: "warning",
      title: `Step ${hollow.name} has no rows`,
      where: hollow.n,
      body: from.length > 0 ? `It reads ${listing(from)}, and nothing passes.` : "What it reads is empty too.",
      waysOut: [
        {
          label: `Loosen the conditions of ${cut(hollow.name, 80)}`,
          text: `Loosen the conditions of ${cut(hollow.name, 200)}`,
        },
      ],
    });
  }
  for (const [n, names] of empty) {
    const step = steps[n - 1];
    if (!step) continue;
    findings.push({
      id: `column-null-${n}`,
      code: "column-null",
      severity: "notice",
      title: cut(`${listing(names)} in ${step.name} ${names.length === 1 ? "is" : "are"} NULL in every row`, 300),
      body: `All ${rowsOf(step.rowCount)} were looked at.`,
      waysOut: [
        { label: cut(`Without ${listing(names)}`, 120), text: cut(`Leave ${listing(names)} out of ${step.name}`, 400) },
      ],
      where: n,
    });
  }
  return findings;
}
