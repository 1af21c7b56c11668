/**
 * What a statement does, as facts: the stored tables it reads, how they are joined, which conditions stand in WHERE,
 * HAVING and ON, and which columns its SELECT lists show. Every fact knows where in the text it stands.
 */
import type { Catalog } from "../protocol/index.ts";
import { buildEdges } from "./build-edges.ts";
import { toFactsForm } from "./facts-form.ts";
import { addLooseForms } from "./loose-forms.ts";
import { type NormalContext, toNormalForm } from "./normal-form.ts";
import type { Tree } from "./parser.ts";
import { addProjected } from "./projected-columns.ts";
import { type BlockReader, createBlockReader } from "./read-block.ts";
import {
  findTable,
  fold,
  mergeOutputs,
  namesOf,
  type Output,
  outputOf,
  resolveColumn,
  type Scope,
  type Source,
  tableOutput,
  throughStep,
} from "./scope.ts";
import {
  type ConditionFact,
  columnText,
  type EdgeFact,
  type EdgePair,
  emptyFacts,
  type Found,
  isOuterJoined,
  isTrivial,
  type JoinItem,
  nullTested,
  type ReadContext,
  type StatementFacts,
  withoutTextCast,
} from "./statement-facts.ts";
import { conjunctsOf, isTree, listOf, nameOf, spansOf, toNode, unwrap } from "./tree.ts";

interface Step {
  output: Output;
  form: string;
  single: boolean;
}
interface Visit {
  outer?: Scope;
  steps: Map<string, Step>;
  covered: boolean;
  /** Its steps are the statement's own. */
  top: boolean;
  /** What it puts out is the answer. */
  final?: boolean;
  /** A branch of a set operation. */
  branch?: boolean;
}

export function readStatement(root: Tree, context: ReadContext): StatementFacts {
  const facts = emptyFacts();
  new Reader(context, facts).query(root, { steps: new Map(), covered: false, top: true, final: true });
  return facts;
}

/** Steps that a condition which stands alone may read. */
export type KnownSteps = Map<string, Step>;

/** The steps of `WITH … SELECT 1`, and the normal form of each. */
export function readSteps(
  root: Tree,
  catalog: Catalog,
  tableKey: NormalContext["tableKey"],
): { steps: KnownSteps; forms: Map<string, string> } {
  const facts = emptyFacts();
  const steps: KnownSteps = new Map();
  const reader = new Reader({ catalog, tableKey, ...nothingAccepted }, facts);
  reader.query(root, { steps: new Map(), covered: false, top: true, final: true });
  const node = toNode(unwrap(root));
  if (isTree(node?.value.with))
    for (const [name, step] of reader.steps(node.value.with, { steps: new Map(), covered: false, top: true }).steps)
      steps.set(name, step);
  return { steps, forms: new Map(facts.forms.map(({ name, form }) => [name, form])) };
}

const nothingAccepted = {
  isAcceptedStep: () => false,
  isAcceptedQuery: () => false,
  isAcceptedCondition: () => false,
  isAcceptedExpression: () => false,
};

/** Normal form of a condition that stands alone, such as an accepted one; names are looked up in `scope`. */
export function formOf(
  condition: unknown,
  scope: Scope,
  catalog: Catalog,
  tableKey: NormalContext["tableKey"],
  steps: KnownSteps = new Map(),
): string {
  const reader = new Reader({ catalog, tableKey, ...nothingAccepted }, emptyFacts());
  return toNormalForm(condition, reader.normal(scope, { steps, covered: false, top: false }));
}

function holdsQuery(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsQuery);
  if (!isTree(value)) return false;
  return "select" in value || Object.values(value).some((child) => typeof child === "object" && holdsQuery(child));
}

/** Queries nested deeper are compared as written: each level is read twice, for its facts and for its form. */
const deepest = 4;

class Reader {
  readonly context: ReadContext;
  readonly facts: StatementFacts;
  private readonly depth: number;
  constructor(context: ReadContext, facts: StatementFacts, depth = 0) {
    this.context = context;
    this.facts = facts;
    this.depth = depth;
  }

  normal(scope: Scope, visit: Visit): NormalContext {
    return {
      scope,
      tableKey: this.context.tableKey,
      query: (query, outer, use) => {
        return this.aside(query, { steps: visit.steps, covered: false, top: false, final: true, outer }, use).form;
      },
    };
  }

  /** Reads a query without leaving facts here. */
  private aside(query: unknown, visit: Visit, use: "values" | "rows" | "exists" = "values"): Step {
    if (this.depth >= deepest) {
      const text = JSON.stringify(query, (key, value) => (key === "span" ? undefined : value));
      return { output: [], form: `deep(${text})`, single: false };
    }
    const facts = emptyFacts();
    const reader = new Reader({ ...this.context, ...nothingAccepted }, facts, this.depth + 1);
    const output = reader.query(query, visit);
    const final = facts.blocks.filter((block) => block.final);
    const form = toFactsForm(facts, (origin) => this.context.tableKey(origin), use);
    return { output, form, single: final.length === 1 && final[0]?.single === true };
  }

  /** Visits a query and says what it puts out. */
  query(value: unknown, visit: Visit): Output {
    const node = toNode(unwrap(value));
    if (!node) return [];
    const inner = isTree(node.value.with) ? this.steps(node.value.with, visit) : visit;
    switch (node.kind) {
      case "subquery":
        return this.query(node.value.this, inner);
      case "union":
      case "intersect":
      case "except": {
        const branch = { ...inner, branch: true };
        const left = this.query(node.value.left, branch);
        const output = mergeOutputs(left, this.query(node.value.right, branch));
        this.facts.blocks.push(this.blockReader(inner).ofSet(node.kind, node.value, left));
        return output;
      }
      case "select":
        return this.select(node.value, inner);
      default:
        return [];
    }
  }

  steps(value: Tree, visit: Visit): Visit {
    const steps = new Map(visit.steps);
    for (const cte of listOf(value.ctes)) {
      if (!isTree(cte)) continue;
      const name = fold(nameOf(cte.alias) ?? "");
      const names = namesOf(cte.columns);
      // A recursive step reads itself: its anchor gives the columns.
      const body = toNode(unwrap(cte.this));
      const self = new Map(steps);
      const outer = visit.outer ? { outer: visit.outer } : {};
      if (body?.kind === "union") {
        const anchor = this.aside(body.value.left, { ...visit, steps, top: false, final: false });
        self.set(name, { output: throughStep(anchor.output, names), form: "itself", single: false });
      }
      const { form, single } = this.aside(cte.this, { steps: self, covered: false, top: false, final: true, ...outer });
      this.facts.forms.push({ name, form });
      const covered =
        visit.covered || (visit.top && this.context.isAcceptedStep(name)) || this.context.isAcceptedQuery(form);
      const output = this.query(cte.this, { steps: self, covered, top: false, ...outer });
      steps.set(name, { output: throughStep(output, names), form, single });
    }
    return { ...visit, steps, top: false };
  }

  private select(select: Tree, visit: Visit): Output {
    const { facts } = this;
    const before = [facts.tables, facts.edges, facts.conditions, facts.reads].map((list) => list.length);
    const { scope, joins } = this.sources(select, visit);
    const found: Found[] = [];
    for (const join of joins) this.conditions(join.on, scope, visit, join, found);
    for (const clause of ["where_clause", "having", "qualify"]) {
      const condition = isTree(select[clause]) ? select[clause].this : undefined;
      if (condition !== undefined)
        this.conditions(condition, scope, visit, clause === "where_clause" ? "where" : "having", found);
    }
    facts.edges.push(...buildEdges(scope, joins, found, visit.covered));
    for (const key of ["expressions", "group_by", "order_by", "distinct_on", "windows"])
      this.shown(select[key], scope, visit);
    addProjected(this.facts.projected, select.expressions, scope);
    const { expressions, joins: on, where_clause, group_by, having, order_by, qualify } = select;
    addProjected(this.facts.used, [expressions, on, where_clause, group_by, having, order_by, qualify], scope);
    for (const { left, right, name } of joins.flatMap((join) => join.using))
      for (const origin of [left, right].flatMap(
        (side) => side.output.find((column) => column.name === name)?.origins ?? [],
      ))
        this.facts.used.set(`${fold(origin.table)}.${origin.column}`, [right.at]);
    if (visit.covered) addLooseForms(facts.loose, select, (value) => toNormalForm(value, this.normal(scope, visit)));
    // Nested SELECTs have numbered theirs by now.
    const block = ++facts.count;
    [facts.tables, facts.edges, facts.conditions, facts.reads].forEach((list, index) => {
      for (const fact of list.slice(before[index])) fact.block ??= block;
    });
    facts.blocks.push({ ...this.blockReader(visit).ofSelect(select, scope), block });
    return outputOf(select.expressions, scope, (expression) => toNormalForm(expression, this.normal(scope, visit)));
  }

  private blockReader(visit: Visit): BlockReader {
    return createBlockReader(
      (value, scope) => toNormalForm(value, this.normal(scope, visit)),
      (origin) => this.context.tableKey(origin),
      { covered: visit.covered, final: visit.final === true, branch: visit.branch === true },
    );
  }

  /** FROM and JOIN as sources; tables are facts at once, derived tables are visited. */
  sources(select: Tree, visit: Visit): { scope: Scope; joins: JoinItem[] } {
    const scope: Scope = { sources: [], aliases: new Map(), ...(visit.outer ? { outer: visit.outer } : {}) };
    const joins: JoinItem[] = [];
    const from = isTree(select.from) ? listOf(select.from.expressions) : [];
    for (const [index, item] of from.entries())
      this.source(item, scope, visit, joins, index > 0 ? "Implicit" : undefined);
    for (const join of listOf(select.joins)) this.join(join, scope, visit, joins);
    for (const expression of listOf(select.expressions)) {
      const node = toNode(unwrap(expression));
      const alias = node?.kind === "alias" ? nameOf(node.value.alias) : undefined;
      if (alias !== undefined) scope.aliases.set(fold(alias), node?.value.this);
    }
    return { scope, joins };
  }

  private join(value: unknown, scope: Scope, visit: Visit, joins: JoinItem[]): void {
    if (!isTree(value)) return;
    const before = scope.sources.length;
    const item = this.source(value.this, scope, visit, joins, String(value.kind ?? "Inner"));
    if (!item) return;
    item.on = value.on;
    const right = scope.sources.slice(before);
    const using = namesOf(value.using);
    if (/natural/i.test(item.kind)) {
      const shared = right.flatMap((source) => source.output.map((column) => column.name));
      using.push(
        ...shared.filter((name) =>
          scope.sources.slice(0, before).some((source) => source.output.some((column) => column.name === name)),
        ),
      );
    }
    for (const name of using.map(fold)) {
      const left = scope.sources
        .slice(0, before)
        .find((source) => source.output.some((column) => column.name === name));
      const partner = right.find((source) => source.output.some((column) => column.name === name));
      if (!left || !partner) continue;
      const also = joins.flatMap((known) => known.using.filter((pair) => pair.name === name).map((pair) => pair.right));
      item.using.push({ left, right: partner, name, also });
    }
  }

  /** Adds the sources of one FROM item; gives a join item when it is joined to what stands before it. */
  private source(
    value: unknown,
    scope: Scope,
    visit: Visit,
    joins: JoinItem[],
    kind: string | undefined,
  ): JoinItem | undefined {
    const first = scope.sources.length;
    const outer = toNode(unwrap(value));
    const alias = outer ? nameOf(outer.value.alias) : undefined;
    const node = outer?.kind === "alias" ? toNode(unwrap(outer.value.this)) : outer;
    const spans = spansOf(value);
    const at = spans[0]?.start ?? -1;
    if (node?.kind === "table") this.table(node.value, alias, scope, visit, at);
    else if (node?.kind === "subquery" || node?.kind === "select" || node?.kind === "union") {
      const query = unwrap(outer?.kind === "alias" ? outer.value.this : value);
      const around = { steps: visit.steps, top: false, ...(visit.outer ? { outer: visit.outer } : {}) };
      const { form, single } = this.aside(query, { ...around, covered: false, final: true });
      this.facts.forms.push({ name: "", form });
      this.facts.reads.push({ form });
      const output = this.query(query, {
        ...around,
        covered: visit.covered || this.context.isAcceptedQuery(form),
      });
      scope.sources.push({
        alias: fold(alias ?? ""),
        output: throughStep(output, namesOf(outer?.value.column_aliases)),
        at,
        single,
      });
    } else if (node?.kind === "joined_table") {
      this.source(node.value.left, scope, visit, joins, undefined);
      for (const join of listOf(node.value.joins)) this.join(join, scope, visit, joins);
    } else if (node) scope.sources.push({ alias: fold(alias ?? ""), output: [], at });
    if (kind === undefined) return undefined;
    const item: JoinItem = { kind, on: undefined, using: [], first, last: scope.sources.length - 1, at };
    joins.push(item);
    return item;
  }

  private table(value: Tree, alias: string | undefined, scope: Scope, visit: Visit, at: number): void {
    const name = nameOf(value.name) ?? "";
    const schema = nameOf(value.schema);
    const step = schema === undefined ? visit.steps.get(fold(name)) : undefined;
    if (step) {
      scope.sources.push({ alias: fold(alias ?? name), output: step.output, at, single: step.single });
      this.facts.reads.push({ form: step.form });
      return;
    }
    const table = findTable(this.context.catalog, name, schema === "main" ? undefined : schema);
    const known = table !== undefined;
    const seen = fold(alias ?? name);
    scope.sources.push({ alias: seen, table: table?.name ?? name, output: table ? tableOutput(table, seen) : [], at });
    this.facts.tables.push({ table: table?.name ?? name, alias: seen, known, at, end: at, covered: visit.covered });
  }

  private conditions(
    condition: unknown,
    scope: Scope,
    visit: Visit,
    origin: JoinItem | "where" | "having",
    found: Found[],
  ): void {
    for (const conjunct of conjunctsOf(condition)) {
      const form = toNormalForm(conjunct, this.normal(scope, visit));
      const accepted = this.context.isAcceptedCondition(form);
      const spans = spansOf(conjunct);
      const place = { at: spans[0]?.start ?? -1, end: spans.at(-1)?.end ?? -1, covered: visit.covered };
      if (accepted && typeof origin !== "string") origin.explained = true;
      const pair = accepted ? undefined : this.pairOf(conjunct, scope);
      if (pair && !(origin === "where" && isOuterJoined(pair, found))) {
        found.push({ ...pair, origin, place });
        continue;
      }
      const edge = this.subqueries(conjunct, scope, { ...visit, covered: visit.covered || accepted });
      const fact: ConditionFact = {
        ...place,
        form,
        kind: toNode(conjunct)?.kind ?? "",
        trivial: isTrivial(conjunct),
        clause: typeof origin === "string" ? origin : "on",
        near: Math.max(0, ...scope.sources.map((source) => source.at)),
        ...(edge ? { edge } : {}),
      };
      const missing = nullTested(conjunct, scope);
      if (missing) found.push({ nullTest: missing, place, origin });
      this.facts.conditions.push(fact);
    }
  }

  /** `a.x = b.y` between two sources; undefined for anything else. */
  private pairOf(
    conjunct: unknown,
    scope: Scope,
  ): { left: Source; right: Source; pair: EdgePair; outer: boolean } | undefined {
    const node = toNode(conjunct);
    if (node?.kind !== "eq") return undefined;
    const [first, second] = [withoutTextCast(node.value.left), withoutTextCast(node.value.right)];
    const left = resolveColumn(first, scope);
    const right = resolveColumn(second, scope);
    if (!left || !right || left.source === right.source) return undefined;
    if (!left.inner && !right.inner) return undefined;
    const text = `${columnText(first)} = ${columnText(second)}`;
    if (!left.inner || !right.inner) {
      const [outside, inside] = left.inner ? [right, left] : [left, right];
      return {
        left: outside.source,
        right: inside.source,
        pair: { left: outside.origins, right: inside.origins, text },
        outer: true,
      };
    }
    return {
      left: left.source,
      right: right.source,
      pair: { left: left.origins, right: right.origins, text },
      outer: false,
    };
  }

  /** Visits the queries inside a condition; gives the join that IN or EXISTS stands for. */
  private subqueries(conjunct: unknown, scope: Scope, visit: Visit): EdgeFact | undefined {
    let node = toNode(unwrap(conjunct));
    let negated = false;
    while (node?.kind === "not") {
      negated = !negated;
      node = toNode(unwrap(node.value.this));
    }
    if (!node) return undefined;
    const inner: Visit = { outer: scope, steps: visit.steps, covered: visit.covered, top: false };
    if (node.kind === "exists") return this.exists(node.value, negated, scope, inner);
    if (node.kind === "in" && node.value.query) {
      const output = this.query(node.value.query, inner);
      const subjects =
        toNode(unwrap(node.value.this))?.kind === "tuple"
          ? listOf(toNode(unwrap(node.value.this))?.value.expressions)
          : [node.value.this];
      for (const subject of subjects) this.expressions(subject, scope, visit);
      const left = resolveColumn(subjects[0], scope);
      if (!left) return undefined;
      const pairs = subjects.map((subject, index) => ({
        left: resolveColumn(subject, scope)?.origins ?? [],
        right: output[index]?.origins ?? [],
        text: `${columnText(subject)} = ${output[index]?.name ?? "?"}`,
      }));
      const spans = spansOf(conjunct);
      const right: Source = { alias: output[0]?.origins[0]?.alias ?? "", output, at: -1 };
      const table = output[0]?.origins[0];
      if (table && !table.through) right.table = table.table;
      const edge: EdgeFact = {
        left: left.source,
        right,
        kind: negated !== (node.value.not === true) ? "ANTI" : "SEMI",
        alsoAnti: false,
        pairs,
        overSteps: left.source.table === undefined || right.table === undefined,
        at: spans[0]?.start ?? -1,
        end: spans.at(-1)?.end ?? -1,
        covered: visit.covered,
      };
      this.facts.edges.push(edge);
      return edge;
    }
    this.expressions(conjunct, scope, visit);
    return undefined;
  }

  /** The join that EXISTS stands for; `inner` is how its query is visited. */
  private exists(value: Tree, negated: boolean, scope: Scope, inner: Visit): EdgeFact | undefined {
    const before = this.facts.edges.length;
    this.query(value.this, inner);
    const edges = this.facts.edges.slice(before).filter((candidate) => scope.sources.includes(candidate.left));
    for (const edge of edges) edge.kind = negated !== (value.not === true) ? "ANTI" : "SEMI";
    return edges[0];
  }

  /** Visits the queries in a list of expressions; what an accepted one reads inside is accepted with it. */
  private shown(value: unknown, scope: Scope, visit: Visit): void {
    const list = isTree(value) && Array.isArray(value.expressions) ? value.expressions : listOf(value);
    for (const item of list) {
      const node = toNode(unwrap(item));
      const inner =
        node?.kind === "alias" || (isTree(item) && "desc" in item) ? (node?.value ?? (item as Tree)).this : item;
      const covered =
        visit.covered ||
        (holdsQuery(inner) && this.context.isAcceptedExpression(toNormalForm(inner, this.normal(scope, visit))));
      this.expressions(item, scope, { ...visit, covered });
    }
  }

  /** Visits queries that stand somewhere in expressions. */
  private expressions(value: unknown, scope: Scope, visit: Visit): void {
    if (Array.isArray(value)) for (const item of value) this.expressions(item, scope, visit);
    else if (isTree(value)) {
      const node = toNode(value);
      if (
        node &&
        (node.kind === "select" || node.kind === "union" || node.kind === "intersect" || node.kind === "except")
      ) {
        this.query(value, { outer: scope, steps: visit.steps, covered: visit.covered, top: false });
        return;
      }
      if (node?.kind === "exists") {
        this.exists(node.value, false, scope, { outer: scope, steps: visit.steps, covered: visit.covered, top: false });
        return;
      }
      for (const child of Object.values(value)) if (typeof child === "object") this.expressions(child, scope, visit);
    }
  }
}
