/** A compiled plan as decisions, and in words: reasoning per phase that a person can follow, summaries, the explanation. */
import type { ColumnDecision, InterpretationDecision, JoinDecision, TableDecision } from "../../protocol/index.ts";
import { unusedWords } from "../audit/audit.ts";
import { nearTies } from "../frame/candidates.ts";
import { type Condition, conditionColumns, countsGroups, type Frame, type Key, keyTable } from "../frame/frame.ts";
import type { Plan } from "../plan.ts";
import type { Attempt } from "../plan-question.ts";
import type { ColumnRef, Schema } from "../schema/schema.ts";
import type { FinalShape } from "../statement/final-shape.ts";
import type { Compiled } from "../statement/relational-tree.ts";
import {
  describeCondition,
  describeDirection,
  describeHaving,
  describeKey,
  describeMeasure,
  describeOutput,
  describeSeries,
  figureWords,
  joinWords,
  tableWords,
} from "../wording/describe.ts";
import { restate, rowsInWords } from "../wording/restate.ts";
import { otherColumns } from "./near-names.ts";

export function explainPlan(attempt: Attempt, compiled: Compiled, question: string): Plan {
  const { frame } = attempt.build;
  const { schema } = attempt;
  const interpretation = toInterpretation(frame, schema, compiled.shape);
  const tables = toTables(attempt, compiled);
  const columns = toColumns(frame, compiled, schema);
  const joins = compiled.joins.map(
    (join): JoinDecision => ({
      kind: "join",
      left: side(join.left),
      type: join.type,
      right: side(join.right),
      pairs: join.pairs,
      reason: join.reason,
    }),
  );
  const explanation = `${restate(frame, schema)}${rowsInWords(frame, schema)}`.slice(0, 2000);
  const open = openQuestions(attempt, compiled);
  const used = tables.filter((table) => table.use === "used").map((table) => table.table);
  const left = tables.filter((table) => table.use === "left-out");
  const summary = (title: string, text: string, questions: string[] = []) => ({
    title,
    summary: text,
    ...(questions.length > 0 ? { open_questions: questions } : {}),
  });
  const joinText =
    joins.length === 0
      ? "One table holds everything, so nothing is joined."
      : joins
          .map(
            (join) =>
              `${join.left.table} ${joinVerb(join.type)} ${join.right.table} on ${join.pairs.map(pairWords).join(" and ")}`,
          )
          .join("; ");
  const filterText =
    compiled.filters.length === 0
      ? "No condition: every row counts."
      : `${compiled.filters.map((filter) => `"${filter.words}" means ${filter.condition.replace(/\s+/g, " ")}`).join("; ")}.`;
  return {
    interpretation,
    tables,
    columns,
    joins,
    filters: compiled.filters,
    steps: compiled.steps,
    sql: compiled.sql,
    explanation,
    summaries: {
      F1: summary("What is asked", restate(frame, schema), open.F1),
      F2: summary(
        "Where the data is",
        `Read ${joinWords(used)}.${left.length > 0 ? ` Left out: ${joinWords(left.map((table) => table.table))}.` : ""}${otherColumns(used, columns, schema)}`.slice(
          0,
          2000,
        ),
        open.F2,
      ),
      F3: summary("How the tables meet", `${joinText}.`.replace("..", "."), open.F3),
      F4: summary("Which rows count", `${filterText}${patternWords(frame)}`, open.F4),
      F5: summary("The steps", `${compiled.steps.map((step) => `${step.name}: ${step.purpose}`).join("; ")}.`, []),
      F6: summary("The answer", explanation, []),
    },
    reasoning: toReasoning(attempt, compiled, question, joinText, filterText),
    lookups: toLookups(attempt, used),
  };
}

const side = (instance: { table: string; alias: string; role?: string }) => ({
  table: instance.table,
  alias: instance.alias,
  ...(instance.role ? { role: instance.role } : {}),
});
const pairWords = (pair: { left: string; right: string }): string =>
  pair.left === pair.right ? pair.left : `${pair.left} = ${pair.right}`;
const joinVerb = (type: string): string =>
  ({
    INNER: "joins",
    LEFT: "keeps all its rows and joins",
    ANTI: "must have no partner in",
    SEMI: "must have a partner in",
    FULL: "and",
    CROSS: "with every row of",
  })[type] ?? "joins";

/** One phrase per aspect; the aspect's name is said by whoever shows it. */
function toInterpretation(frame: Frame, schema: Schema, shape: FinalShape): InterpretationDecision[] {
  const made: InterpretationDecision[] = [];
  const say = (aspect: InterpretationDecision["aspect"], text: string, expressions: string[] = []) =>
    made.push({
      kind: "interpretation",
      aspect,
      text: text.slice(0, 2000),
      ...(expressions.length > 0 ? { expressions } : {}),
    });
  const sayGrain = (text: string) => say("grain", text, shape.grain);
  const keys = (list: Key[]) => joinWords([...new Set(list.map(describeKey))]);
  const measures = frame.outputs.flatMap((output) => (output.kind === "measure" ? [output.measure] : []));
  say("restatement", restate(frame, schema));
  if (frame.winner) sayGrain(`best within each ${keys(frame.winner.per)}; equal ones are all shown`);
  else if (frame.over?.outer) sayGrain(keys(frame.over.outer));
  else if (frame.over || countsGroups(frame) || (frame.share && frame.groups.length === 0))
    sayGrain("whole answer, a single figure");
  else if (frame.groups.length > 0) sayGrain(keys(frame.groups));
  else if (measures.length > 0) sayGrain("whole answer, a single row");
  else sayGrain(tableWords(frame.entity));
  for (const measure of measures) say("measure", describeMeasure(measure, schema));
  if (frame.series) say("measure", describeSeries(frame.series), shape.output.slice(-1));
  if (frame.share) {
    const part = frame.share.part.map((condition) => describeCondition(condition, schema, frame.entity));
    const figure = frame.share.percent ? "percentage" : "proportion";
    say("measure", part.length > 0 ? `${figure} where ${joinWords(part)}` : `each group's ${figure} of the whole`);
  }
  for (const condition of frame.conditions) {
    const text = describeCondition(condition, schema, frame.entity);
    if (condition.kind !== "period") say("filter", text);
    else say("period", condition.period.to ? `${text}, up to but not including ${condition.period.to}` : text);
  }
  for (const having of frame.having) say("filter", describeHaving(having, schema));
  if (frame.all) say("filter", `all of ${joinWords(frame.all.values.map(String))}, not just one`);
  say("output", outputWords(frame, schema), shape.output);
  const orders = frame.order.map(
    (order) =>
      `${describeOutput(order.by, schema, frame.entity)}, ${describeDirection(order.by, order.direction, schema)}`,
  );
  if (frame.winner) orders.push(keys(frame.winner.per));
  if (shape.order.length > 0) say("order", orders.join("; then ") || "as listed", shape.order);
  if (frame.limit && shape.limit.length > 0)
    say(
      "limit",
      `${frame.limit.count}${frame.limit.skip ? ` after the first ${frame.limit.skip}` : ""}, ties broken by ${frame.limit.count === 1 ? "key" : "name"}`,
      shape.limit,
    );
  return made;
}

/** What a row shows, in the order it is shown. */
function outputWords(frame: Frame, schema: Schema): string {
  if (frame.share)
    return joinWords([...frame.groups.map(describeKey), frame.share.percent ? "percentage" : "proportion"]);
  const shown = frame.outputs.map((output) => describeOutput(output, schema, frame.entity));
  if (frame.over?.outer) {
    const figure = figureWords[frame.over.fn];
    return joinWords(
      frame.outputs.map((output, at) => `${output.kind === "measure" ? `${figure} of the ` : ""}${shown[at] ?? ""}`),
    );
  }
  if (frame.over) return `${figureWords[frame.over.fn]} ${joinWords(shown)}`;
  if (frame.series) shown.push(describeSeries(frame.series));
  return joinWords([...new Set(shown)]) || tableWords(frame.entity);
}

function toTables(attempt: Attempt, compiled: Compiled): TableDecision[] {
  const { schema } = attempt;
  const { frame } = attempt.build;
  const used = compiled.tables.map(
    (table): TableDecision => ({ kind: "table", table, use: "used", reason: tableReason(table, attempt) }),
  );
  const plausible = new Map<string, string>();
  const add = (table: string, reason: string) => {
    if (!compiled.tables.includes(table) && !plausible.has(table)) plausible.set(table, reason);
  };
  for (const choice of attempt.picker.choices) {
    for (const option of choice.options.slice(1, 3)) {
      const table = schema.tables.find((info) => `${option.label}.`.startsWith(`${info.name}.`));
      if (table)
        add(
          table.name,
          `It also holds something called "${choice.words}", but ${choice.options[0]?.label} fits the rest of the question better.`,
        );
    }
  }
  for (const item of attempt.linked.items)
    if (item.kind === "table") add(item.table, "It is named, but the rows needed hang on another table already read.");
  for (const relation of schema.relations) {
    if (relation.from === frame.entity || relation.to === frame.entity)
      add(
        relation.from === frame.entity ? relation.to : relation.from,
        `It hangs on ${frame.entity}, but nothing asked for is stored in it.`,
      );
  }
  return [
    ...used,
    ...[...plausible]
      .slice(0, 3)
      .map(([table, reason]): TableDecision => ({ kind: "table", table, use: "left-out", reason })),
  ];
}

function tableReason(table: string, attempt: Attempt): string {
  const { frame } = attempt.build;
  const named = attempt.linked.items.find((item) => item.kind === "table" && item.table === table);
  const value = [...frame.conditions, ...(frame.share?.part ?? [])].find(
    (condition) => condition.kind !== "exists" && conditionColumns(condition).some((ref) => ref.table === table),
  );
  const measured = frame.outputs.find(
    (output) =>
      output.kind === "measure" &&
      (output.measure.kind === "count" ? output.measure.table === table : output.measure.of.column.table === table),
  );
  if (named) return `The question names it: "${named.text}".`;
  if (measured?.kind === "measure") return `It holds what is measured: "${measured.measure.words}".`;
  if (value) return `It holds the column behind "${value.words}".`;
  if (frame.groups.some((key) => keyTable(key) === table)) return "The result is grouped by it.";
  return "It connects tables that the question names.";
}

function toColumns(frame: Frame, compiled: Compiled, schema: Schema): ColumnDecision[] {
  const made: ColumnDecision[] = [];
  const add = (ref: ColumnRef, role: ColumnDecision["role"], reason: string) => {
    if (!made.some((known) => known.table === ref.table && known.column === ref.column && known.role === role))
      made.push({ kind: "column", table: ref.table, column: ref.column, role, reason: reason || "the question" });
  };
  for (const output of [
    ...frame.outputs,
    ...frame.order.map((order) => order.by),
    ...(frame.winner ? [frame.winner.by] : []),
  ]) {
    const role = frame.outputs.includes(output) ? "output" : "order";
    if (output.kind === "key")
      for (const ref of output.key.kind === "entity" ? schema.table(output.key.table).display : [output.key.ref])
        add(ref, role, `shows "${output.key.words}"`);
    if (output.kind === "column") add(output.ref, role, `answers "${output.words}"`);
    if (output.kind === "scalar")
      for (const ref of [output.of.column, ...(output.of.times ? [output.of.times] : [])])
        add(ref, role, `answers "${output.words}"`);
    if (output.kind === "measure" && output.measure.kind === "aggregate")
      for (const ref of [output.measure.of.column, ...(output.measure.of.times ? [output.measure.of.times] : [])])
        add(ref, "measure", `answers "${output.measure.words}"`);
    if (output.kind === "measure" && output.measure.kind === "count" && output.measure.distinct)
      add(output.measure.distinct, "measure", `answers "${output.measure.words}"`);
  }
  for (const having of frame.having)
    if (having.measure.kind === "aggregate") add(having.measure.of.column, "measure", `needed for "${having.words}"`);
  for (const key of [...frame.groups, ...(frame.winner?.per ?? [])]) {
    if (key.kind === "entity")
      for (const column of schema.table(key.table).table.primaryKey)
        add({ table: key.table, column }, "group", `keeps rows of "${key.words}" apart, even when names are equal`);
    else add(key.ref, "group", `one row per "${key.words}"`);
  }
  for (const filter of compiled.filters)
    add({ table: filter.table, column: filter.column }, "filter", `"${filter.words}"`);
  for (const join of compiled.joins)
    for (const pair of join.pairs) {
      add({ table: join.left.table, column: pair.left }, "key", `joins ${join.right.table}`);
      add({ table: join.right.table, column: pair.right }, "key", `joined from ${join.left.table}`);
    }
  return made;
}

function openQuestions(attempt: Attempt, compiled: Compiled): Record<"F1" | "F2" | "F3" | "F4", string[]> {
  const { frame } = attempt.build;
  const unused = unusedWords(attempt);
  const questions = {
    F1: [
      ...attempt.build.notes,
      ...(unused.length > 0
        ? [
            `Nothing stored answers to ${joinWords(unused.map((word) => `"${word}"`))}; the plan goes on without ${unused.length === 1 ? "it" : "them"}.`,
          ]
        : []),
    ],
    F2: [] as string[],
    F3: [...compiled.notes],
    F4: [] as string[],
  };
  for (const { choice } of nearTies(attempt.picker.choices, 0.1).slice(0, 2)) {
    const text = `"${choice.words}" could also mean ${choice.options[1]?.label}; ${choice.chosen} was taken.`;
    (choice.key.startsWith("value:") ? questions.F4 : questions.F2).push(text);
  }
  const group = frame.groups[0];
  const counting =
    frame.outputs.some((output) => output.kind === "measure") &&
    group?.kind === "entity" &&
    compiled.joins.length > 0 &&
    !frame.keepEmpty &&
    !frame.winner &&
    frame.having.length === 0 &&
    !frame.limit;
  if (counting && compiled.joins.every((join) => join.type === "INNER"))
    questions.F3.push(
      `Each ${tableWords(group.table)} that has none is left out. Say "include those with none" to keep it with 0.`,
    );
  return questions;
}

function toReasoning(
  attempt: Attempt,
  compiled: Compiled,
  question: string,
  joinText: string,
  filterText: string,
): Plan["reasoning"] {
  const { frame } = attempt.build;
  const { schema } = attempt;
  const links = attempt.linked.items.flatMap((item) => {
    if (item.kind === "table") return [`"${item.text}" is the table ${item.table}`];
    if (item.kind === "column")
      return [
        `"${item.text}" is a column (${item.options
          .slice(0, 2)
          .map((option) => `${option.table}.${option.column}`)
          .join(" or ")})`,
      ];
    if (item.kind === "value" && item.options[0]) {
      const { table, column, pattern } = item.options[0];
      const choice = attempt.picker.choices.find((known) => known.key === `value:${item.text.toLowerCase()}`);
      const place = choice?.chosen.split(" = ")[0] ?? `${table}.${column}`;
      return [`"${item.text}" is ${pattern ? "a part of values" : "a stored value"} of ${place}`];
    }
    if (item.kind === "period") return [`"${item.text}" is a period`];
    if (item.kind === "concept") return [`"${item.text}" speaks of ${item.concept}`];
    return [];
  });
  for (const item of attempt.linked.items)
    if (item.known !== undefined) links.push(`what "${item.text}" means is said in ${item.known}`);
  const ties = attempt.picker.choices
    .filter((choice) => choice.options.length > 1)
    .slice(0, 4)
    .map(
      (choice) =>
        `For "${choice.words}" I weigh ${choice.options
          .slice(0, 3)
          .map((option) => option.label)
          .join(", ")} and take ${choice.chosen}.`,
    );
  const measures = frame.outputs.flatMap((output) =>
    output.kind === "measure" ? [describeMeasure(output.measure, schema)] : [],
  );
  const fanOut = compiled.steps.some((step) => step.purpose.endsWith("each once"));
  return {
    F1: `The question is: ${question}${attempt.asked.text === question ? "" : `\nIn plainer words: ${attempt.asked.text}`}\nI read its words one by one: ${links.join("; ") || "nothing links"}. ${frame.groups.length > 0 ? `A row of the answer is one ${joinWords(frame.groups.map((key) => describeKey(key)))}.` : measures.length > 0 ? "The answer is a single row." : `A row of the answer is one ${tableWords(frame.entity)}.`} ${measures.length > 0 ? `What is measured: ${joinWords(measures)}.` : ""}`.trim(),
    F2: `I need ${joinWords(compiled.tables)}. ${ties.join(" ")}`.trim(),
    F3:
      compiled.joins.length === 0
        ? "One table is enough, so there is nothing to join."
        : `The keys show how the tables meet: ${joinText}. ${fanOut ? "One of these joins repeats rows, so each row is kept once before anything is counted." : "No join repeats a row that is counted or summed."}`,
    F4: `${filterText}${patternWords(frame)}${frame.conditions.some((condition) => condition.kind === "period") ? " Dates are compared as half-open ranges, so that the time of day can't lose the last day." : ""}`,
    F5: `I build it in ${compiled.steps.length} ${compiled.steps.length === 1 ? "step" : "steps"}: ${compiled.steps.map((step) => `${step.name} holds ${step.purpose}`).join("; ")}.`,
    F6: `The final SELECT reads ${compiled.steps.at(-1)?.name ?? "the rows"} and shows ${joinWords(compiled.columnNames.map((name) => name.replaceAll("_", " ")))}.`,
  };
}

/** A value that is a part of others is compared loosely, and that is said. */
const patternWords = (frame: Frame): string =>
  flatten([...frame.conditions, ...(frame.share?.part ?? [])]).some(
    (condition) => condition.kind === "compare" && condition.operator.endsWith("LIKE"),
  )
    ? " LIKE compares a part of the text, without regard to case."
    : "";

function toLookups(attempt: Attempt, used: string[]): Plan["lookups"] {
  const words = attempt.linked.items.flatMap((item) =>
    item.kind === "table" || item.kind === "column" ? [item.text] : [],
  );
  const values = attempt.linked.items.flatMap((item) => {
    if (item.kind !== "value") return [];
    const chosen = flatten(attempt.build.frame.conditions).find(
      (condition) =>
        condition.kind === "compare" &&
        item.options.some(
          (option) =>
            option.column === condition.ref.column &&
            option.table === condition.ref.table &&
            condition.values.includes(option.value),
        ),
    );
    return [
      {
        text: item.text,
        ...(chosen?.kind === "compare" ? { table: chosen.ref.table, column: chosen.ref.column } : {}),
      },
    ];
  });
  return { catalog: [...new Set(words)], values, tables: used };
}

const flatten = (conditions: Condition[]): Condition[] =>
  conditions.flatMap((condition) =>
    condition.kind === "exists" || condition.kind === "counted"
      ? flatten(condition.inner)
      : condition.kind === "any" || condition.kind === "every"
        ? flatten(condition.of)
        : [condition],
  );
