/** Once all is read: places the ranking, completes the groups, settles the money's grain, drops what is said twice. */

import { isCue } from "../clauses/clause-types.ts";
import { type ColumnRef, isNumeric, sameColumn } from "../schema/schema.ts";
import { bestPartner } from "./best-partner.ts";
import type { Building } from "./building.ts";
import {
  countsGroups,
  type Key,
  keyTable,
  type Measure,
  measureTable,
  type Output,
  sameMeasure,
  spell,
} from "./frame.ts";
import { sameKey } from "./meanings.ts";
import { eventTable } from "./read-special-clauses.ts";

/** Every output beside a measure must be a group. */
export function finishGroups(build: Building): void {
  const { frame } = build;
  if (topRow(build)) return;
  const measured =
    frame.outputs.some((output) => output.kind === "measure") ||
    frame.having.length > 0 ||
    frame.order.some((order) => order.by.kind === "measure") ||
    frame.all !== undefined;
  if (frame.winner) return;
  dropOwnGroups(build);
  if (!measured) {
    if (frame.share && frame.groups.length > 0) frame.share.perGroup = true;
    if (!frame.share) {
      // A list "for each" thing just shows the thing too.
      for (const key of [...frame.groups].reverse()) {
        const scope = key.kind === "entity" && /^(for|of|in|on|at|among) all\b/i.test(key.words);
        if (
          !(scope && build.ranking) &&
          !frame.outputs.some((output) => output.kind === "key" && sameKey(output.key, key)) &&
          !(
            key.kind === "entity" &&
            frame.outputs.some(
              (output) => output.kind === "column" && output.ref.table === key.table && !output.ref.role,
            ) &&
            !isBareFigure(key, build)
          )
        ) {
          frame.outputs.unshift({ kind: "key", key });
        }
      }
      frame.groups = [];
    }
    return;
  }
  for (const output of frame.outputs) {
    if (output.kind === "key" && !frame.groups.some((key) => sameKey(key, output.key))) frame.groups.push(output.key);
    if (output.kind === "column" || output.kind === "scalar") {
      const table = output.kind === "column" ? output.ref.table : output.of.column.table;
      const display = build.schema
        .table(table)
        .display.some((column) => output.kind === "column" && column.column === output.ref.column);
      const covered = frame.groups.some(
        (key) =>
          (key.kind === "entity" && (key.table === table || build.graph.toOne(key.table, table))) ||
          (output.kind === "column" && key.kind === "column" && sameColumn(key.ref, output.ref)),
      );
      if (!covered) {
        const entityGroup = table === frame.entity || display;
        frame.groups.push(
          entityGroup && !(output.kind === "column" && !isRanked(table, build) && isShared(output.ref, build))
            ? { kind: "entity", table, words: output.words }
            : { kind: "column", ref: output.kind === "column" ? output.ref : output.of.column, words: output.words },
        );
      }
    }
  }
  if (
    frame.outputs.some((output) => output.kind === "measure") &&
    !frame.outputs.every((output) => output.kind === "measure") &&
    build.main.groups.length > 0
  ) {
    const shown = (key: Key) =>
      frame.outputs.some(
        (output) =>
          (output.kind === "key" && sameKey(output.key, key)) ||
          (output.kind === "column" &&
            (key.kind === "entity"
              ? output.ref.table === key.table
              : sameColumn(output.ref, keyRef(key)) || tellsApart(output.ref, key, build))),
      );
    frame.outputs = [
      ...frame.groups.filter((key) => !shown(key)).map((key): Output => ({ kind: "key", key })),
      ...frame.outputs,
    ];
  }
  const onlyMeasures = frame.outputs.every((output) => output.kind === "measure");
  if (frame.having.length > 0 && frame.groups.length === 0) {
    // "How many countries have more than 3 customers?": one group per country.
    const only =
      frame.outputs.length === 1 && frame.outputs[0]?.kind === "measure" ? frame.outputs[0].measure : undefined;
    frame.groups.push(
      only?.kind === "count" && only.distinct && !frame.having.some((having) => sameMeasure(having.measure, only))
        ? { kind: "column", ref: only.distinct, words: only.words }
        : { kind: "entity", table: frame.entity, words: frame.entity },
    );
  }
  if (
    onlyMeasures &&
    !frame.hideKeys &&
    frame.groups.length > 0 &&
    !frame.over &&
    !(countsGroups(frame) && build.main.groups.length === 0)
  ) {
    frame.outputs = [...frame.groups.map((key): Output => ({ kind: "key", key })), ...frame.outputs];
  }
}

/** "the list price of each tool": a figure alone doesn't say whose it is. */
function isBareFigure(key: Key & { kind: "entity" }, { frame, schema }: Building): boolean {
  const [output, ...more] = frame.outputs;
  if (output?.kind !== "column" || more.length > 0 || !/\b(each|every)\b/i.test(key.words)) return false;
  const column = schema.column(output.ref);
  return isNumeric(column) && !column.isKey && !schema.table(key.table).display.includes(column);
}

/** "the highest price and the title": what else is shown is that of the row that has it. */
function topRow(build: Building): boolean {
  const { frame, main } = build;
  const [measured, ...more] = frame.outputs.filter((output) => output.kind === "measure");
  const others = frame.outputs.filter((output) => output !== measured);
  if (measured?.kind !== "measure" || measured.measure.kind !== "aggregate" || more.length > 0) return false;
  const { fn, of } = measured.measure;
  const plain =
    (fn === "MAX" || fn === "MIN") &&
    others.length > 0 &&
    others.every((output) => output.kind === "column") &&
    frame.groups.length + main.groups.length + frame.having.length === 0 &&
    build.graph.toOne(frame.entity, of.column.table);
  if (!plain || frame.limit || frame.order.length > 0 || frame.share) return false;
  const shown: Output = { kind: "column", ref: of.column, words: measured.measure.words };
  frame.outputs = frame.outputs.map((output) => (output === measured ? shown : output));
  frame.order = [{ by: shown, direction: fn === "MAX" ? "DESC" : "ASC", words: measured.measure.words }];
  frame.limit = { count: 1, words: measured.measure.words };
  return true;
}

/** "the average capacity for all stadiums": one row is no group to average in. */
function dropOwnGroups({ frame, main }: Building): void {
  const own = (table: string) =>
    frame.having.length === 0 &&
    frame.outputs.length > 0 &&
    frame.outputs.every(
      (output) =>
        output.kind === "measure" &&
        (output.measure.kind === "aggregate" || output.measure.distinct !== undefined) &&
        measureTable(output.measure) === table,
    );
  const all = main.groups
    .filter((phrase) => /^(for|of|in|on|at) all\b/i.test(phrase.words))
    .map((phrase) => phrase.words);
  frame.groups = frame.groups.filter((key) => !(key.kind === "entity" && own(key.table) && all.includes(key.words)));
}

/** A name or key of the rows that a column groups: "each maker … list the maker's full name". */
function tellsApart(ref: ColumnRef, key: Key, { schema }: Building): boolean {
  if (key.kind !== "column" || ref.table !== key.ref.table) return false;
  const { table, display } = schema.table(ref.table);
  const named = display.some((column) => column.column === ref.column);
  const distinct = (column: ColumnRef) => (schema.column(column).info.distinct ?? 0) >= table.rows;
  return named && distinct(ref) && distinct(key.ref);
}

const keyRef = (key: Key): ColumnRef => (key.kind === "entity" ? { table: key.table, column: "" } : key.ref);

/** The best or the first group must be a real one: rows without a composer are no composer. */
export function dropUnknownGroups(build: Building): void {
  const { frame, schema } = build;
  if (!frame.limit && !frame.winner && frame.having.length === 0) return;
  for (const key of frame.groups) {
    if (key.kind !== "column" || !(schema.column(key.ref).info.nulls ?? 0)) continue;
    frame.conditions.push({ kind: "null", ref: key.ref, isNull: false, words: `a ${key.words} is known` });
  }
}

/** Money is chosen early; once all groups and conditions are known, it must still be of a grain that counts nothing twice. */
export function settleMoney(build: Building): void {
  const { frame, graph, resolver } = build;
  const grain = [
    ...new Set([
      ...frame.groups.map(keyTable),
      ...[...frame.conditions, ...(frame.share?.part ?? [])].flatMap((condition) =>
        "ref" in condition ? [condition.ref.table] : [],
      ),
      ...frame.required,
    ]),
  ];
  const settle = (measure: Measure): Measure => {
    if (
      measure.kind !== "aggregate" ||
      measure.fn === "MIN" ||
      measure.fn === "MAX" ||
      !build.moneyWords.has(measure.words)
    )
      return measure;
    const table = measure.of.column.table;
    if (grain.every((target) => target === table || graph.toOne(table, target))) return measure;
    const better = resolver.money([frame.entity, ...grain], grain);
    return better && grain.every((target) => target === better.column.table || graph.toOne(better.column.table, target))
      ? { ...measure, of: better }
      : measure;
  };
  const output = (part: Output): Output =>
    part.kind === "measure" ? { kind: "measure", measure: settle(part.measure) } : part;
  frame.outputs = frame.outputs.map(output);
  frame.order = frame.order.map((order) => ({ ...order, by: output(order.by) }));
  frame.having = frame.having.map((having) => ({ ...having, measure: settle(having.measure) }));
  if (frame.winner) frame.winner = { ...frame.winner, by: output(frame.winner.by) };
  if (frame.share?.of) {
    frame.share.of = settle(frame.share.of);
    if (frame.share.of.kind === "aggregate") frame.entity = frame.share.of.of.column.table;
  }
}

/** "the job of the employee with the most customers": one employee is meant, although many have that job. */
function isRanked(table: string, { ranking }: Building): boolean {
  return ranking?.of === table && ranking.by?.kind === "measure" && measureTable(ranking.by.measure) !== table;
}

/** "the floors that have more than two desks": of one row there is one, so what many share is meant. */
const isShared = (ref: ColumnRef, build: Building): boolean => {
  const { having, outputs } = build.frame;
  const ranked = build.ranking?.by?.kind === "measure" ? [build.ranking.by.measure] : [];
  const measures = [...having.map(({ measure }) => measure), ...ranked];
  const rows = measures.some((known) => known.kind === "count" && !known.distinct && known.table === ref.table);
  const { isKey, info } = build.schema.column(ref);
  const { rows: all } = build.schema.table(ref.table).table;
  return isPlain(ref, build) || (rows && !isKey && outputs.length === 1 && (info.distinct ?? all) < all);
};

/** A column that many rows share, such as a country: grouping by it is meant, not by the row. */
const isPlain = (ref: ColumnRef, build: Building): boolean => {
  const info = build.schema.table(ref.table);
  if (info.display.some((column) => column.column === ref.column)) return false;
  const column = build.schema.column(ref);
  return (
    column.info.distinct !== undefined &&
    column.info.distinct < info.table.rows * 0.9 &&
    !isNumeric(column) &&
    !build.frame.outputs.some(
      (output) =>
        (output.kind === "column" &&
          info.display.some((shown) => shown.column === output.ref.column && output.ref.table === info.name)) ||
        (output.kind === "key" && output.key.kind === "entity" && output.key.table === info.name),
    )
  );
};

export function settleBareCounts(build: Building): void {
  const { frame, ranking } = build;
  const counted =
    ranking?.by?.kind === "measure"
      ? ranking.by
      : frame.having[0]
        ? { kind: "measure" as const, measure: frame.having[0].measure }
        : undefined;
  if (counted) frame.outputs = frame.outputs.map((output) => (build.bareCounts.includes(output) ? counted : output));
  settleBareAmounts(build);
  settleRankedColumns(build);
}

/** "top riders by total distance, with the distance": the figure they are ranked by. */
function settleRankedColumns(build: Building): void {
  const { frame, graph, ranking } = build;
  const by = ranking?.by;
  if (by?.kind !== "measure" || by.measure.kind !== "aggregate" || by.measure.of.times) return;
  const { column } = by.measure.of;
  if (graph.toOne(frame.entity, column.table)) return;
  frame.outputs = frame.outputs.map((output) =>
    output.kind === "column" && sameColumn(output.ref, column) && !output.divide ? by : output,
  );
}

/** "…, and how long is it in minutes?": the ranking's own figure, in the unit asked for. */
function settleBareAmounts(build: Building): void {
  const { frame, ranking } = build;
  const ranked = ranking?.by?.kind === "measure" ? ranking.by.measure : undefined;
  if (!ranking || ranked?.kind !== "aggregate") return;
  for (const [index, output] of frame.outputs.entries()) {
    if (!build.bareAmounts.includes(output)) continue;
    const of =
      output.kind === "measure" && output.measure.kind === "aggregate"
        ? output.measure.of
        : output.kind === "column"
          ? { column: output.ref, ...(output.divide ? { divide: output.divide } : {}) }
          : undefined;
    const bothMoney = output.kind === "measure" && build.moneyWords.has(output.measure.words) && isMoney(ranked, build);
    if (!of || (!bothMoney && !sameColumn(of.column, ranked.of.column))) continue;
    const shown: Output = {
      kind: "measure",
      measure: { ...ranked, of: { ...ranked.of, ...(of.divide ? { divide: of.divide } : {}) } },
    };
    frame.outputs[index] = shown;
    ranking.by = shown;
  }
}

const isMoney = (measure: Measure, build: Building): boolean =>
  measure.kind === "aggregate" && (build.moneyWords.has(measure.words) || measure.of.times !== undefined);

export function finishOutputs(build: Building): void {
  const { frame } = build;
  if (frame.outputs.length === 0 && !frame.share) {
    if (frame.groups.length > 0 && frame.having.length === 0)
      frame.outputs.push(...frame.groups.map((key): Output => ({ kind: "key", key })));
    else frame.outputs.push({ kind: "key", key: { kind: "entity", table: frame.entity, words: frame.entity } });
  }
  // "the titles of all albums" names the table and its column: one output is enough.
  frame.outputs = frame.outputs.filter((output, index, all) => {
    if (output.kind !== "key" || output.key.kind !== "entity") return true;
    const table = output.key.table;
    const shown = build.schema.table(table).display;
    const explicit = all.some(
      (other, at) =>
        at !== index &&
        other.kind === "column" &&
        other.ref.table === table &&
        !other.ref.role &&
        shown.some((column) => column.column === other.ref.column),
    );
    // Rows known by nothing but their key need none beside what is asked of them.
    const nameless =
      shown.every((column) => column.isKey) &&
      all.some((other) => other.kind === "column" && other.ref.table === table && !other.ref.role);
    return !explicit && !nameless;
  });
  frame.outputs = frame.outputs.filter(
    (output) =>
      output.kind !== "column" ||
      !frame.outputs.some(
        (other) => other.kind === "key" && other.key.kind === "column" && sameColumn(other.key.ref, output.ref),
      ),
  );
  const seen = new Set<string>();
  frame.outputs = frame.outputs.filter((output) => {
    const key = spell(output);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

export function placeRanking(build: Building): void {
  const { frame, ranking } = build;
  if (!ranking) return;
  const place = ranking.place ?? placeSaid(build);
  let by = ranking.by;
  if (!by) {
    const measure = frame.outputs.find((output) => output.kind === "measure");
    const target = ranking.of ?? frame.entity;
    // "which type is the least common": how often it stands in the rows, not what hangs on them
    const columnKey = frame.outputs.some(
      (output) =>
        (output.kind === "key" && output.key.kind === "column") ||
        (output.kind === "column" && output.ref.table === target && isPlain(output.ref, build)),
    );
    by = measure ?? {
      kind: "measure",
      measure: columnKey
        ? { kind: "count", table: frame.entity, words: ranking.words }
        : popularityCount(target, build),
    };
  }
  // "the number of concerts in the stadium with the highest capacity": one partner row is meant, not an order.
  const target = by.kind === "column" ? by.ref.table : undefined;
  if (
    place === undefined &&
    by.kind === "column" &&
    target &&
    target !== frame.entity &&
    frame.outputs.every((output) => output.kind === "measure") &&
    frame.groups.length === 0 &&
    ranking.count === 1
  ) {
    frame.conditions.push({
      kind: "against",
      scalar: { column: by.ref },
      operator: "=",
      fn: ranking.direction === "DESC" ? "MAX" : "MIN",
      words: ranking.words,
    });
    return;
  }
  const partner = place === undefined ? bestPartner(build, by) : undefined;
  if (partner) {
    frame.conditions.push(partner);
    return;
  }
  if (by.kind === "column") showRankedRow(by.ref.table, build);
  // "How many albums does the artist with the most albums have?"
  if (
    by.kind === "measure" &&
    ranking.of &&
    ranking.of !== frame.entity &&
    frame.groups.length === 0 &&
    frame.outputs.length > 0 &&
    frame.outputs.every((output) => output.kind === "measure")
  ) {
    frame.groups.push({ kind: "entity", table: ranking.of, words: ranking.words });
    frame.hideKeys = true;
  }
  const outputKeys = frame.outputs.flatMap((output) => (output.kind === "key" ? [output.key] : []));
  const per = frame.groups.filter(
    (key) => !outputKeys.some((own) => sameKey(own, key)) && !(key.kind === "entity" && key.table === frame.entity),
  );
  if (per.length > 0 && (outputKeys.length > 0 || frame.outputs.some((output) => output.kind === "column"))) {
    if (by.kind === "column") showOwnFigures(build);
    const inner = frame.outputs.filter((output) => output.kind !== "measure");
    const { direction, count, words } = ranking;
    frame.winner = { per, by, direction, count, words, ...(place ? { place } : {}) };
    frame.outputs = [...per.map((key): Output => ({ kind: "key", key })), ...inner];
    if (by.kind === "measure") {
      frame.groups = [...per, ...outputKeys.filter((key) => !per.some((known) => sameKey(known, key)))];
      if (outputKeys.length === 0) frame.groups.push({ kind: "entity", table: frame.entity, words: frame.entity });
      frame.outputs.push(by);
    } else frame.groups = [];
    return;
  }
  frame.order = [{ by, direction: ranking.direction, words: ranking.words }];
  const count = frame.limit?.count ?? ranking.count;
  frame.limit = { count, words: ranking.words, ...(place ? { skip: place - 1 } : {}) };
}

/** "the second highest": the place that a superlative of the question names. */
const placeSaid = ({ linked }: Building): number | undefined =>
  linked.items.flatMap((item) => (isCue(item, "superlative", "popular") && item.place ? [item.place] : []))[0];

/** "the station with the most docks and how many docks it has": of one row a sum is what it holds. */
function showOwnFigures({ frame, graph }: Building): void {
  frame.outputs = frame.outputs.map((output): Output => {
    const measure = output.kind === "measure" && output.measure.kind === "aggregate" ? output.measure : undefined;
    return measure?.fn === "SUM" && !measure.of.times && graph.toOne(frame.entity, measure.of.column.table)
      ? { kind: "column", ref: measure.of.column, words: measure.words }
      : output;
  });
}

/** "how many seats does the van with the lowest price have": of one row a sum is what it holds. */
function showRankedRow(table: string, { frame, graph }: Building): void {
  if (frame.groups.length > 0) return;
  frame.outputs = frame.outputs.map((output): Output => {
    const of = output.kind === "measure" && output.measure.kind === "aggregate" ? output.measure.of : undefined;
    const sum = output.kind === "measure" && output.measure.kind === "aggregate" && output.measure.fn === "SUM";
    return of && sum && !of.times && graph.toOne(table, of.column.table)
      ? { kind: "column", ref: of.column, words: output.measure.words, ...(of.divide ? { divide: of.divide } : {}) }
      : output;
  });
}

/** The child of a table by whose rows popularity is counted: the nearest to-many neighbour, a link table at best. */
function popularityCount(table: string, build: Building): Measure {
  const sale = build.resolver.saleTable(table);
  // Popular with some customers is what those bought.
  const among = build.frame.conditions.flatMap((condition) => ("ref" in condition ? [condition.ref.table] : []));
  if (
    sale &&
    among.some(
      (other) =>
        other !== table &&
        build.graph.toOne(sale, other) &&
        !build.graph.toOne(table, other) &&
        build.graph.path(table, other)?.some((step) => step.to === sale),
    )
  )
    return { kind: "count", table: sale, words: "how often it was sold" };
  const said = build.linked.tokens.flatMap((token) => (token.pos === "VERB" ? token.keys : []));
  const spoken = eventTable(said, table, build, said.length);
  if (spoken) return { kind: "count", table: spoken, words: "how often it happened" };
  const child = build.schema.relations
    .filter((relation) => relation.to === table && relation.from !== table)
    .map((relation) => relation.from)
    .sort((a, b) => build.schema.table(b).table.rows - build.schema.table(a).table.rows)[0];
  return { kind: "count", table: child ?? sale ?? table, words: "how often it occurs" };
}
