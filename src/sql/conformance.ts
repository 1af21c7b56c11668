/**
 * Is this SQL what was accepted? Every table, join, filter and step of the final statement is held against the
 * decisions, and so are grain, output, order and limit where decisions say them as expressions; what differs, is
 * missing or stands there unasked becomes a deviation with its lines. A statement made of the accepted steps explains
 * itself: inside a step that was accepted nothing is "unasked", but an accepted join or filter that isn't there, or is
 * another one, is still named.
 */
import { createHash } from "node:crypto";
import type { Catalog, Conformance, ConformanceRow, Decision, Deviation } from "../protocol/index.ts";
import { type Accepted, readAccepted } from "./accepted.ts";
import type { DraftDeviation, Report } from "./conformance-report.ts";
import { sliceCtes } from "./cte-slices.ts";
import { findEqualTexts } from "./match-filters.ts";
import { parseStatements, type Tree, tokenize, unquote } from "./parser.ts";
import { readStatement } from "./read-statement.ts";
import { placeOf, reportFilters, textKey } from "./report-filters.ts";
import { reportJoins } from "./report-joins.ts";
import { reportShape } from "./report-shape.ts";
import { matchStep, reportSteps } from "./report-steps.ts";
import { reportColumns, reportTables } from "./report-tables.ts";
import { fold, plainColumns } from "./scope.ts";
import { createSnippets } from "./snippets.ts";

export function conform(
  sql: string,
  decisions: readonly { seq: number; decision: Decision }[],
  catalog: Catalog,
): Conformance {
  const accepted = readAccepted(decisions, catalog);
  const dialect = catalog.engine;
  const parsed = parseStatements(sql, dialect);
  const tokens = tokenize(sql, dialect);
  const root = parsed.ok ? parsed.value[0] : undefined;
  if (!parsed.ok || !tokens.ok || !root || parsed.value.length !== 1) {
    const reason = !parsed.ok ? parsed.reason : "It is not exactly one statement.";
    return finish(
      [],
      [
        {
          kind: "unparsed",
          title: "The SQL can't be read, so nothing of it is proven",
          body: reason.slice(0, 500),
          lines: [],
        },
      ],
      accepted,
    );
  }
  const tree = plainColumns(root, catalog) as Tree;
  const shown = new Set(accepted.shapes.flatMap((shape) => shape.forms.map((form) => form.replace(/ desc$/, ""))));
  const read = (context: {
    step(name: string): boolean;
    query(form: string): boolean;
    condition(form: string): boolean;
  }) =>
    readStatement(tree, {
      catalog,
      tableKey: accepted.tableKey,
      isAcceptedStep: context.step,
      isAcceptedQuery: context.query,
      isAcceptedCondition: context.condition,
      isAcceptedExpression: (form) => shown.has(form),
    });
  const acceptedForms = new Set(accepted.filters.flatMap((filter) => filter.ways.flat()));
  const slices = sliceCtes(sql, dialect);
  const never = () => false;
  const forms = accepted.steps.length === 0 ? [] : read({ step: never, query: never, condition: never }).forms;
  const steps = accepted.steps.map((step) =>
    matchStep(step, slices.ok ? slices.ctes : [], forms, accepted.stepForms, dialect),
  );
  const found = steps.filter((match) => match.status === "found");
  const foundNames = new Set(found.map((match) => fold(unquote(match.step.decision.name))));
  const foundForms = new Set(found.map((match) => match.form).filter((form) => form !== undefined));
  const facts = read({
    step: (name) => foundNames.has(name),
    query: (form) => foundForms.has(form),
    condition: (form) => acceptedForms.has(form),
  });
  const snippets = createSnippets(sql, tokens.value);
  const equalText = findEqualTexts(
    facts,
    accepted,
    (text) => textKey(text, dialect),
    (condition) => placeOf(condition, snippets).text,
  );
  // What an accepted condition reads inside is accepted with it.
  for (const condition of [...equalText.values()].flat()) {
    for (const fact of [...facts.tables, ...facts.edges, ...facts.conditions, ...facts.blocks])
      if (fact.at > condition.at && fact.at <= condition.end) fact.covered = true;
  }
  const report: Report = {
    tokens: tokens.value,
    facts,
    accepted,
    catalog,
    snippets,
    steps,
    equalText,
    rows: [],
    drafts: [],
  };
  const unexplainedEdges = reportJoins(report);
  reportTables(report);
  reportFilters(report, unexplainedEdges);
  reportSteps(report, slices.ok ? slices.ctes.map((cte) => ({ name: cte.name, line: cte.startLine })) : [], forms);
  reportColumns(report);
  reportShape(report);
  return finish(report.rows, report.drafts, accepted);
}

/** Gives ids, drops what was accepted earlier as a deviation, and puts rows in the order of the ledger. */
function finish(rows: ConformanceRow[], drafts: DraftDeviation[], accepted: Accepted): Conformance {
  const deviations = new Map<string, Deviation>();
  for (const { kind, ...draft } of drafts) {
    const known = accepted.deviations.find(({ decision }) => decision.text.includes(draft.title));
    if (known) {
      rows.push({ seq: known.seq, text: decisionText(known.decision.text), status: "found", lines: draft.lines });
      continue;
    }
    const id = createHash("sha256")
      .update(JSON.stringify([kind, draft.seq ?? 0, draft.title, draft.accepted ?? "", draft.inSql ?? "", draft.lines]))
      .digest("hex")
      .slice(0, 16);
    deviations.set(id, { id, ...draft });
  }
  return { rows: rows.sort((a, b) => a.seq - b.seq), deviations: [...deviations.values()] };
}

const decisionText = (text: string): string => (text.length > 300 ? `${text.slice(0, 299)}…` : text);
