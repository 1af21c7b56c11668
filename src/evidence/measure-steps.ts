/** Runs every step as it stands and says where the rows of its largest input went. */
import type { Database, Read } from "../database/database.ts";
import type { Catalog, Check, CteDecision, Finding, StepEvidence } from "../protocol/index.ts";
import { assembleSteps } from "../sql/assemble-steps.ts";
import { type CteSlice, sliceCtes } from "../sql/cte-slices.ts";
import { unquote } from "../sql/parser.ts";
import { findNamed } from "../sql/scope.ts";
import { type StepShape, toStepShape } from "../sql/step-shape.ts";
import { ask, cutResult, figure, type Measured, rowsOf, toCount } from "./ask.ts";
import { checkSteps, findSteps } from "./check-steps.ts";
import { same, toTableName } from "./join-graph.ts";

const previewRows = 20;

export interface StepPlan {
  slice: CteSlice;
  decision: CteDecision;
  shape: StepShape;
  /** Statements by purpose; the preview and the count always. */
  statements: { preview: string; count: string; from?: string; ungated?: string; unlimited?: string };
}

/**
 * Each step is read through the prefix of the assembled text that ends with it, so what is shown is what runs. A step
 * the database refuses is the problem of the whole set, and its message names the step.
 */
export async function measureSteps(
  database: Database,
  catalog: Catalog,
  ctes: readonly CteDecision[],
): Promise<Measured<{ sql: string; steps: StepEvidence[]; checks: Check[]; findings: Finding[] }>> {
  const sql = assembleSteps(ctes, undefined, database.engine);
  const slices = sliceCtes(sql, database.engine);
  if (!slices.ok) return { problem: { code: "syntax", message: slices.reason } };
  if (slices.ctes.length !== ctes.length)
    return { problem: { code: "syntax", message: "The steps don't form one statement: each must be one query." } };
  const plans = slices.ctes.flatMap((slice, index): StepPlan[] => {
    const decision = ctes[index];
    const shape = toStepShape(slice.body, database.engine);
    return decision ? [{ slice, decision, shape, statements: toStatements(slice, slices.ctes[index - 1], shape) }] : [];
  });

  const shadowing = plans.find((plan) => isShadowing(plan, catalog));
  if (shadowing)
    return {
      problem: {
        code: "syntax",
        message: `The step ${shadowing.decision.name} has the name of a table that it reads, so it would read itself: give it another name.`,
      },
    };

  const steps = new Set(plans.map((plan) => unquote(plan.slice.name).toLowerCase()));
  // By the name the SQL writes: one table may be called with and without its schema.
  const named = new Map(
    plans
      .flatMap((plan) => plan.shape.readsAll)
      .filter((name) => !steps.has(name.toLowerCase()))
      .flatMap((name) => {
        const table = findNamed(catalog, name);
        return table ? [[name.toLowerCase(), table] as const] : [];
      }),
  );
  const tables = [...new Set(named.values())];
  const reads = await runBatch(
    database,
    plans,
    tables.map((table) => `SELECT COUNT(*) FROM ${toTableName(table, (name) => database.quote(name))}`),
  );
  const rowsBy = new Map<string, number>(
    [...named].map(([name, table]) => [name, toCount(reads.tables[tables.indexOf(table)])]),
  );

  const evidence: StepEvidence[] = [];
  for (const [index, plan] of plans.entries()) {
    const own = reads.steps[index];
    if (!own?.preview.ok) return { problem: stepProblem(plan, own?.preview) };
    if (!own.count.ok) return { problem: stepProblem(plan, own.count) };
    const rowCount = toCount(own.count);
    const direct = plan.shape.inputs.length > 0 ? plan.shape.inputs : plan.shape.readsAll;
    const inputs = direct
      .filter((name) => !same(name, unquote(plan.slice.name)))
      .flatMap((name) => {
        const rows = rowsBy.get(name.toLowerCase());
        return rows === undefined ? [] : [{ name, rows, table: !steps.has(name.toLowerCase()) }];
      });
    rowsBy.set(unquote(plan.slice.name).toLowerCase(), rowCount);
    const flow = toFlow(
      plan.shape,
      inputs.map((input) => input.rows),
      rowCount,
      own,
    );
    evidence.push({
      n: index + 1,
      name: unquote(plan.slice.name),
      purpose: plan.decision.purpose,
      sql: sql.slice(plan.slice.start, plan.slice.end),
      startLine: plan.slice.startLine,
      inputs,
      result: cutResult(own.preview.result, previewRows),
      rowCount,
      ...flow,
      ms: Math.round(own.preview.ms + own.count.ms),
    });
  }
  const empty = await findEmptyColumns(database, plans, evidence);
  return {
    sql,
    steps: evidence,
    checks: checkSteps(evidence, plans, reads.steps, rowsBy, empty),
    findings: findSteps(plans, evidence, empty, catalog, sql),
  };
}

/** A recursive step is a UNION; any other that reads its own name means the table. */
function isShadowing({ slice, shape }: StepPlan, catalog: Catalog): boolean {
  const name = unquote(slice.name);
  return (
    !shape.setOperation && shape.readsAll.some((read) => same(read, name)) && findNamed(catalog, name) !== undefined
  );
}

function toStatements(slice: CteSlice, before: CteSlice | undefined, shape: StepShape): StepPlan["statements"] {
  const head = before ? `${before.prefix}\n` : "";
  const gated = shape.grouped || shape.aggregated || shape.distinct || shape.limit !== undefined || shape.having;
  // A recursive step can't be counted in pieces: they would read a name that isn't there yet.
  const readsItself = shape.readsAll.some((name) => same(name, unquote(slice.name)));
  const pieces = !readsItself && !shape.setOperation;
  return {
    preview: `${slice.prefix}\nSELECT * FROM ${slice.name}`,
    count: `${slice.prefix}\nSELECT COUNT(*) FROM ${slice.name}`,
    ...(pieces && gated && shape.from ? { from: `${head}SELECT COUNT(*) ${shape.from}` } : {}),
    ...(pieces && shape.having && shape.ungated
      ? { ungated: `${head}SELECT COUNT(*) FROM (\n${shape.ungated}\n) AS counted` }
      : {}),
    ...(pieces && shape.limit !== undefined && shape.unlimited
      ? { unlimited: `${head}SELECT COUNT(*) FROM (\n${shape.unlimited}\n) AS counted` }
      : {}),
  };
}

export interface StepReads {
  preview: Read;
  count: Read;
  from?: Read;
  ungated?: Read;
  unlimited?: Read;
}

async function runBatch(
  database: Database,
  plans: readonly StepPlan[],
  tables: readonly string[],
): Promise<{ tables: Read[]; steps: StepReads[] }> {
  const statements = [...tables];
  const positions = plans.map((plan) =>
    Object.entries(plan.statements).map(([purpose, statement]): [string, number] => [
      purpose,
      statements.push(statement) - 1,
    ]),
  );
  const reads = await ask(database, statements, { maxRows: previewRows });
  return {
    tables: reads.slice(0, tables.length),
    steps: positions.map(
      (entries) => Object.fromEntries(entries.map(([purpose, at]) => [purpose, reads[at]])) as unknown as StepReads,
    ),
  };
}

function stepProblem(
  plan: StepPlan,
  read: Read | undefined,
): { code: "other" | "syntax"; message: string } | Extract<Read, { ok: false }>["error"] {
  if (read && !read.ok) return { code: read.error.code, message: `Step ${plan.decision.name}: ${read.error.message}` };
  return { code: "other", message: `Step ${plan.decision.name} was not run.` };
}

/** The split of the largest input: kept, folded by grouping, left out by conditions, joins or LIMIT; they add up. */
function toFlow(
  shape: StepShape,
  inputs: readonly number[],
  rowCount: number,
  reads: StepReads,
): Pick<StepEvidence, "base" | "folded" | "leftOut" | "why"> {
  const base = Math.max(rowCount > 0 && inputs.length === 0 ? rowCount : 0, ...inputs);
  const counted = (read: Read | undefined) => (read?.ok ? toCount(read) : undefined);
  const folds = shape.grouped || shape.aggregated || shape.distinct;
  const joined = counted(reads.from);
  const beforeLimit = counted(reads.unlimited) ?? rowCount;
  const groups = counted(reads.ungated) ?? beforeLimit;
  // Rows after FROM and WHERE: counted when they are folded later, otherwise what comes out before HAVING and LIMIT.
  const passed = joined ?? (folds ? base : groups);
  const dropped = Math.max(0, base - passed);
  const folded = folds || (shape.setOperation && shape.distinct) ? Math.max(0, Math.min(base, passed) - groups) : 0;
  const rest = Math.max(0, base - rowCount - folded);
  const parts: string[] = [];
  if (dropped > 0 && shape.setOperation) parts.push(`${figure(dropped)} left out by comparing the queries`);
  else if (dropped > 0) parts.push(`${figure(dropped)} left out by ${dropper(shape)}`);
  if (passed > base && base > 0)
    parts.push(`${figure(base)} ${base === 1 ? "row" : "rows"} became ${figure(passed)} by the joins`);
  if (folded > 0)
    parts.push(
      `${rowsOf(Math.min(base, passed))} folded into ${shape.grouped || shape.aggregated ? groupsOf(groups) : `${figure(groups)} different ${groups === 1 ? "row" : "rows"}`}`,
    );
  if (groups > beforeLimit) parts.push(`${figure(groups - beforeLimit)} left out by HAVING`);
  if (beforeLimit > rowCount)
    parts.push(
      `${figure(beforeLimit - rowCount)} beyond LIMIT${shape.limit === undefined ? "" : ` ${figure(shape.limit)}`}`,
    );
  if (parts.length === 0) parts.push(base === 0 ? "reads no table" : "all rows kept");
  return {
    base,
    folded: Math.min(folded, Math.max(0, base - rowCount)),
    leftOut: rowCount >= base ? 0 : rest,
    why: parts.join(", "),
  };
}

const groupsOf = (count: number): string => `${figure(count)} ${count === 1 ? "group" : "groups"}`;

function dropper(shape: StepShape): string {
  const joins = shape.joins.some((kind) => !/left|full/i.test(kind));
  if (shape.filtered && joins) return "the filter and the joins";
  return shape.filtered ? "the filter" : joins ? "the joins" : "the step";
}

/** Columns that are NULL in every row of a step that has rows: step number → names. */
async function findEmptyColumns(
  database: Database,
  plans: readonly StepPlan[],
  evidence: readonly StepEvidence[],
): Promise<Map<number, string[]>> {
  const wanted = evidence.flatMap((step, index) => {
    const plan = plans[index];
    if (!plan || step.rowCount === 0) return [];
    // Columns that show a value in the first rows need no count.
    const blank = step.result.columns
      .map((column, at) => ({ name: column.name, at }))
      .filter(({ at }) => step.result.rows.every((row) => row[at] === null));
    if (blank.length === 0) return [];
    return [
      {
        step,
        blank,
        statement: `${plan.slice.prefix}\nSELECT ${blank.map(({ name }) => `COUNT(${database.quote(name)})`).join(", ")} FROM ${plan.slice.name}`,
      },
    ];
  });
  const reads = await ask(
    database,
    wanted.map((entry) => entry.statement),
    { maxRows: 1 },
  );
  const empty = new Map<number, string[]>();
  wanted.forEach(({ step, blank }, index) => {
    const read = reads[index];
    const names = read?.ok ? blank.filter((_, at) => toCount(read, at) === 0).map(({ name }) => name) : [];
    if (names.length > 0) empty.set(step.n, names);
  });
  return empty;
}
