/** Which table, column or value a phrase means, given what else the question names. */

import type { Clause } from "../clauses/clause-types.ts";
import type { ItemOf, ValueOption } from "../linking/linking.ts";
import { peopleTable } from "../linking/people.ts";
import type { JoinGraph } from "../relations/joins.ts";
import { isSpoken } from "../relations/key-roles.ts";
import {
  type ColumnInfo,
  type ColumnRef,
  conceptColumns,
  dateColumns,
  isNumeric,
  lineMoney,
  moneyColumns,
  pricedLines,
  quantityColumn,
  type Schema,
  yearColumns,
} from "../schema/schema.ts";
import { type ConceptName, isAgentive, placeWords, units } from "../words/lexicon.ts";
import type { Picker } from "./candidates.ts";
import type { Scalar } from "./frame.ts";

export interface ResolveContext {
  schema: Schema;
  graph: JoinGraph;
  picker: Picker;
  /** Tables the question names, with how strongly. */
  mentions: Map<string, number>;
  /** The reviewer's word for a column that must win. */
  preferred: ColumnRef[];
  /** The sum that people say the question's word for an amount is. */
  defined?: Scalar | undefined;
  /** Tables that the question needs whatever its open words mean. */
  anchors: string[];
  /** Stems of the question's words: "paid" leads to payments. */
  said: ReadonlySet<string>;
}

export interface Resolver {
  column(item: ItemOf<"column">, near: string[], owners: string[], wantNumeric?: boolean): ColumnRef;
  value(
    item: ItemOf<"value">,
    near: string[],
    clause?: Pick<Clause, "link" | "hints">,
    within?: string,
  ): ValueOption | undefined;
  concept(concept: ConceptName, near: string[]): ColumnRef | undefined;
  money(near: string[], toOneTables: string[]): Scalar | undefined;
  quantity(near: string[]): Scalar | undefined;
  /** Rows that record sales of the things in `table`. */
  saleTable(table: string): string | undefined;
  date(near: string[], hints: string[]): ColumnRef | undefined;
  /** `said`: stems of verbs around "who". */
  personTable(said?: readonly string[]): string | undefined;
  divide(ref: ColumnRef, unit: string | undefined): Scalar["divide"] | undefined;
  /** A number said in `unit` as the column stores it. */
  stored(ref: ColumnRef, value: number, unit: string | undefined): number;
}

export function createResolver(context: ResolveContext): Resolver {
  const { schema, graph, picker, mentions, preferred, anchors } = context;
  /** Of equal columns the one is meant that needs the fewest joins. */
  const spread = (table: string) => {
    if (anchors.length === 0) return 0;
    const total = anchors.reduce((sum, anchor) => sum + Math.min(graph.distance(anchor, table), 6), 0);
    // What is named first is meant where both would do.
    const place = anchors.indexOf(table);
    return (-0.12 * total) / anchors.length - 0.01 * (place < 0 ? anchors.length : place);
  };
  const prefers = (ref: ColumnRef) =>
    preferred.some((column) => column.table === ref.table && column.column === ref.column) ? 3 : 0;
  const nearness = (table: string, near: string[]) => {
    if (near.length === 0) return 0;
    const distance = Math.min(...near.map((from) => graph.distance(from, table)));
    return distance >= 99 ? -3 : -0.16 * Math.min(distance, 6);
  };
  const mention = (table: string) => (mentions.get(table) ?? 0) * 0.22;
  const label = (ref: ColumnRef) => `${ref.table}.${ref.column}`;

  return {
    column(item, near, owners, wantNumeric) {
      const exact = item.options.some((option) => option.score >= 0.99);
      const options = item.options.map((option) => {
        const info = schema.column(option);
        // "roles" where a column is called role: another that only means the same stands back.
        const akin = exact && option.score > 0.8 && option.score < 0.85 && !owners.includes(option.table) ? -0.25 : 0;
        const owned = owners.includes(option.table) ? 0.9 : 0;
        const fit = wantNumeric === undefined ? 0 : wantNumeric === isNumeric(info) ? 0.2 : -0.3;
        const named = /\bids?$/i.test(item.text) && info.isKey && !info.reference ? 0.2 : 0;
        // Of a name and a description that fit alike the name is meant.
        const alike = item.options.some(
          (other) =>
            other.table === option.table &&
            other.column !== option.column &&
            Math.abs(other.score - option.score) < 0.05,
        );
        const { display } = schema.table(option.table);
        const shown = alike && display.some((known) => known.column === option.column) ? 0.04 : 0;
        const key = info.isKey && !item.text.match(/\bids?\b|key|code|number/i) ? -0.25 : 0;
        return {
          label: label(option),
          value: { table: option.table, column: option.column },
          score:
            option.score +
            akin +
            owned +
            (option.owned ? 0.5 : 0) +
            mention(option.table) +
            nearness(option.table, near) +
            spread(option.table) +
            fit +
            key +
            shown +
            named +
            prefers(option),
        };
      });
      return picker.pick(`column:${item.text.toLowerCase()}`, item.text, options);
    },
    value(item, near, clause, within) {
      const options = item.options.filter((option) => !within || option.table === within);
      const usable = options.length > 0 ? options : item.options;
      if (usable.length === 0) return undefined;
      const word = clause?.link.word ?? "";
      return picker.pick(
        `value:${item.text.toLowerCase()}`,
        item.text,
        usable.map((option) => {
          const info = schema.column(option);
          const table = schema.table(option.table);
          let score = option.score + nearness(option.table, near) + mention(option.table) * 0.8 + prefers(option);
          if (table.display.some((column) => column.column === option.column)) score += 0.12;
          // "climbers of a mountain in Nepal": the mountain is there, whatever else holds the word.
          if (near.length > 1 && near[0] === option.table) score += 0.1;
          const agentive = [...table.words, ...info.words].some(isAgentive);
          if (/^by/.test(word))
            score +=
              agentive && !near.slice(0, 1).includes(option.table)
                ? 0.6
                : near[0] === option.table && !agentive
                  ? -0.1
                  : 0;
          if (/^(in|on|from)/.test(word) && agentive && !info.words.some((part) => placeWords.has(part))) score -= 0.05;
          if (/^(in|from|to|at)/.test(word) && info.words.some((part) => placeWords.has(part))) score += 0.15;
          if (/^(by)/.test(word) && info.words.some((part) => placeWords.has(part))) score -= 0.2;
          const hints = clause?.hints ?? [];
          if (hints.some((hint) => info.stems.includes(hint))) score += 0.6;
          return { label: `${label(option)} = ${option.value}`, value: option, score };
        }),
      );
    },
    concept(concept, near) {
      // A person's age is nowhere but on the person; what a thing's parts last or weigh may be summed up.
      const own = ["age", "height", "population", "pay"].includes(concept);
      const options = schema.tables
        .filter((table) => !own || near.includes(table.name))
        .flatMap((table) =>
          conceptColumns(table, concept)
            .slice(0, 3)
            .map((column, index) => ({
              label: label(column),
              value: { table: column.table, column: column.column } as ColumnRef,
              score: 1 - index * 0.1 + nearness(table.name, near) * 2 + mention(table.name) + prefers(column),
            })),
        )
        .filter((option) => option.score > -1);
      return options.length > 0 ? picker.pick(`concept:${concept}`, concept, options) : undefined;
    },
    money(near, toOneTables) {
      const table = context.defined?.column.table;
      if (context.defined && [...near, ...toOneTables].every((target) => graph.distance(table ?? "", target) < 99))
        return strip(context.defined);
      const options = schema.tables.flatMap((table) => {
        const safe = toOneTables.every((target) => target === table.name || graph.toOne(table.name, target));
        const reachable = [...near, ...toOneTables].every((target) => graph.distance(table.name, target) < 99);
        if (!reachable) return [];
        // Money must hang below what it is counted for: a price on the thing itself is not what was earned.
        const spoken = isSpoken(schema, table.name, context.said) ? 0.6 : 0;
        const base = (safe ? 1 : -0.5) + nearness(table.name, near) + mention(table.name) + spoken;
        const found: { label: string; value: Scalar; score: number }[] = [];
        const line = lineMoney(table);
        for (const column of moneyColumns(table)) {
          if (line && column.column === line.price.column) continue;
          found.push({
            label: label(column),
            value: { column },
            score:
              base +
              0.3 +
              (column.words.some((word) => ["total", "amount", "revenue", "sales"].includes(word)) ? 0.1 : 0) +
              prefers(column),
          });
        }
        if (line)
          found.push({
            label: `${label(line.price)} × ${line.quantity.column}`,
            value: { column: line.price, times: line.quantity },
            score: base + 0.2 + prefers(line.price),
          });
        return found;
      });
      if (options.length === 0) {
        const lines = pricedLines(schema).filter(({ quantity: { table } }) =>
          toOneTables.every((target) => target === table || graph.toOne(table, target)),
        );
        const prices = schema.tables
          .flatMap((table) => conceptColumns(table, "price").slice(0, 1))
          .filter((column) => isNumeric(column) && !lines.some(({ price }) => price === column))
          .map((column) => ({
            label: label(column),
            value: { column } as Scalar,
            score: nearness(column.table, near) + mention(column.table) + prefers(column),
          }));
        for (const { price, quantity } of lines)
          prices.push({
            label: `${label(quantity)} × ${price.column}`,
            value: { column: quantity, times: price },
            score:
              Math.max(nearness(quantity.table, near), nearness(price.table, near)) +
              mention(quantity.table) +
              mention(price.table) +
              prefers(price),
          });
        return prices.length > 0 ? strip(picker.pick("money", "money", prices)) : undefined;
      }
      return strip(picker.pick("money", "money", options));
    },
    quantity(near) {
      const options = schema.tables.flatMap((table) => {
        const column = quantityColumn(table);
        return column
          ? [
              {
                label: label(column),
                value: { column } as Scalar,
                score: nearness(table.name, near) + mention(table.name) + prefers(column),
              },
            ]
          : [];
      });
      return options.length > 0 ? strip(picker.pick("quantity", "quantity", options)) : undefined;
    },
    saleTable(table) {
      const options = schema.tables
        .filter((info) => info.name !== table && graph.distance(table, info.name) < 99)
        .map((info) => {
          const line = lineMoney(info) ? 1.2 : 0;
          const money = moneyColumns(info).length > 0 ? 0.8 : 0;
          const dated = dateColumns(info).length > 0 && info.table.rows > 0 ? 0.2 : 0;
          const named = info.words.some((word) =>
            /^(sales?|orders?|purchases?|transactions?|invoices?|bills?|bookings?)$/.test(word),
          )
            ? 0.6
            : 0;
          return {
            label: info.name,
            value: info.name,
            score: Math.max(line, money, named) + dated - 0.35 * graph.distance(table, info.name),
          };
        })
        .filter((option) => option.score > 0);
      return options.length > 0 ? picker.pick(`sales:${table}`, "sold", options) : undefined;
    },
    date(near, said) {
      const hints = said.flatMap((hint) => [hint, ...(dateVerbs[hint] ?? [])]);
      const options = schema.tables.flatMap((table) =>
        [...dateColumns(table), ...yearColumns(table)].map((column, index) => {
          const hinted = hints.some((hint) =>
            column.stems.some(
              (word) =>
                word === hint ||
                (hint.length > 3 && word.startsWith(hint)) ||
                (word.length > 3 && hint.startsWith(word)),
            ),
          )
            ? 1.2
            : 0;
          return {
            label: label(column),
            value: { table: column.table, column: column.column } as ColumnRef,
            score:
              1 - index * 0.1 + hinted + nearness(table.name, near) * 2.2 + mention(table.name) * 0.6 + prefers(column),
          };
        }),
      );
      return options.length > 0 ? picker.pick(`date:${near[0] ?? ""}`, "the date", options) : undefined;
    },
    personTable(said = []) {
      const spoken = new Map([...anchors.map((table) => [table, 0] as const), ...mentions]);
      const options = peopleTable(schema, graph, spoken, said);
      return options.length > 0 ? picker.pick("who", "who", options) : undefined;
    },
    divide(ref, unit) {
      if (!unit) return undefined;
      const target = units[unit];
      const own = unitOf(schema.column(ref));
      if (!target || !own || own.kind !== target.kind) return undefined;
      const by = target.factor / own.factor;
      return by === 1 ? undefined : { by, unit: `${unit === "mb" ? "megabyte" : unit}s`.replace(/ss$/, "s") };
    },
    stored(ref, value, unit) {
      const target = unit ? units[unit] : undefined;
      const own = unitOf(schema.column(ref));
      return target && own && own.kind === target.kind ? (value * target.factor) / own.factor : value;
    },
  };
}

/** Verbs and the nouns that name their dates, as stems. */
const dateVerbs: Record<string, string[]> = {
  born: ["birth", "birthdat", "birthdai", "dob"],
  bear: ["birth", "birthdat", "birthdai", "dob"],
  join: ["hire", "start", "sign"],
  employ: ["hire"],
  di: ["death"],
  bill: ["invoic"],
  issu: ["invoic"],
  expir: ["end", "expir", "valid", "until"],
  end: ["end", "finish", "close"],
  start: ["start", "begin", "from"],
  begin: ["start", "begin", "from"],
  regist: ["regist", "sign", "join", "creat"],
  sign: ["sign", "regist", "join", "creat"],
  publish: ["public", "publish", "releas"],
  establish: ["found", "establish", "open"],
  found: ["found", "establish", "open"],
  launch: ["launch", "start", "releas"],
  graduat: ["graduat", "degre"],
  leav: ["leav", "left", "depart", "end"],
};

const strip = (scalar: Scalar): Scalar => ({
  column: { table: scalar.column.table, column: scalar.column.column },
  ...(scalar.since ? { since: { table: scalar.since.table, column: scalar.since.column } } : {}),
  ...(scalar.times ? { times: { table: scalar.times.table, column: scalar.times.column } } : {}),
});

/** The unit a column's name or comment says it is stored in. */
export function unitOf(column: ColumnInfo): { kind: string; factor: number } | undefined {
  for (const word of [...column.words, ...(column.info.comment ?? "").toLowerCase().split(/\W+/)]) {
    const unit = units[word] ?? units[word.replace(/s$/, "")];
    if (unit && unit.kind !== "money") return unit;
  }
  return undefined;
}
