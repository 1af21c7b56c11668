/**
 * A statement as spans of tokens: its steps, blocks, sources and clauses. Everything that measures the conformance
 * check reads statements through this, and nothing of it uses the trees that the check itself reads.
 */
import { tokenize } from "../src/sql/parser.ts";
import type { BlockText, ItemText, JoinWord, OrderText, QueryText, SourceText, SqlText, StepText } from "./sql-text.ts";

export type { BlockText, QueryText, SourceText, SqlText } from "./sql-text.ts";

import { createWords, type Span } from "./sql-words.ts";

export type { Span } from "./sql-words.ts";

const joinStart = /^(JOIN|LEFT|RIGHT|FULL|INNER|CROSS|NATURAL)$/;

export function readBlocks(sql: string, dialect: string): SqlText {
  const tokenized = tokenize(sql, dialect);
  if (!tokenized.ok) throw new Error(tokenized.reason);
  const words = createWords(
    sql,
    tokenized.value.filter((token) => token.type !== "SEMICOLON"),
  );
  const { tokens, word, raw, close, text, top, split, conjuncts } = words;
  const isName = (at: number) =>
    tokens[at] !== undefined &&
    (tokens[at]?.type === "QUOTED_IDENTIFIER" ||
      (/^[a-z_]\w*$/i.test(raw(at)) && tokens[at]?.type !== "STRING" && !joinStart.test(word(at)))) &&
    !/^(ON|USING|WHERE|GROUP|ORDER|HAVING|LIMIT|UNION|EXCEPT|INTERSECT|AS|OFFSET|FETCH|WINDOW)$/.test(word(at));

  function source(start: number, to: number, join: JoinWord, natural: boolean, wholeFrom: number): SourceText {
    let at = start;
    let query: QueryText | undefined;
    let table: string | undefined;
    let nameAt = at;
    if (word(at) === "LATERAL") at += 1;
    if (word(at) === "(") {
      if (!/SELECT|WITH/.test(word(at + 1))) throw new Error("joins in brackets");
      const end = close(at);
      query = parse({ from: at + 1, to: end });
      at = end + 1;
    } else {
      table = raw(at);
      while (word(at + 1) === ".") {
        at += 2;
        table = `${table}.${raw(at)}`;
      }
      nameAt = at;
      at += 1;
      if (word(at) === "(") throw new Error("a table function");
    }
    let aliasAt: number | undefined;
    if (word(at) === "AS") at += 1;
    if (at < to && isName(at)) aliasAt = at++;
    const from = start;
    const end = at;
    let on: Span | undefined;
    const using: string[] = [];
    if (word(at) === "ON") {
      const rest = top({ from: at + 1, to });
      const stop =
        rest.find((place) => joinStart.test(word(place)) && !(word(place + 1) === "(" && !/JOIN/.test(word(place)))) ??
        to;
      const comma = rest.find((place) => word(place) === ",") ?? to;
      on = { from: at + 1, to: Math.min(stop, comma) };
      at = on.to;
    } else if (word(at) === "USING") {
      const last = close(at + 1);
      for (const part of split({ from: at + 2, to: last }, ",")) using.push(raw(part.from));
      at = last + 1;
    }
    return {
      from,
      to: end,
      nameAt,
      alias: aliasAt === undefined ? raw(nameAt) : raw(aliasAt),
      join,
      natural,
      whole: { from: wholeFrom, to: at },
      using,
      ...(table === undefined ? {} : { table }),
      ...(aliasAt === undefined ? {} : { aliasAt }),
      ...(query ? { query } : {}),
      ...(on ? { on } : {}),
    };
  }

  function sourcesOf(span: Span): SourceText[] {
    const found: SourceText[] = [];
    let at = span.from;
    let join: JoinWord = "FROM";
    let natural = false;
    let wholeFrom = at;
    while (at < span.to) {
      const next = source(at, span.to, join, natural, wholeFrom);
      found.push(next);
      at = next.whole.to;
      if (at >= span.to) break;
      wholeFrom = at;
      natural = false;
      if (word(at) === ",") {
        join = "COMMA";
        at += 1;
        continue;
      }
      join = "INNER";
      if (!joinStart.test(word(at))) throw new Error(`after a table: ${raw(at)}`);
      for (; word(at) !== "JOIN" && at < span.to; at++) {
        if (word(at) === "NATURAL") natural = true;
        if (/^(LEFT|RIGHT|FULL|CROSS)$/.test(word(at))) join = word(at) as JoinWord;
      }
      at += 1;
    }
    return found;
  }

  function block(span: Span): BlockText {
    if (word(span.from) !== "SELECT") throw new Error("not a SELECT");
    const places = top(span);
    const clause = (name: string, two?: string) =>
      places.find(
        (at) =>
          word(at) === name && (!two || word(at + 1) === two) && !(name === "FROM" && word(at - 1) === "DISTINCT"),
      );
    const starts: Record<string, number | undefined> = {
      FROM: clause("FROM"),
      WHERE: clause("WHERE"),
      GROUP: clause("GROUP", "BY"),
      HAVING: clause("HAVING"),
      WINDOW: clause("WINDOW"),
    };
    const endOf = (start: number) =>
      Math.min(
        span.to,
        ...Object.values(starts)
          .filter((at): at is number => at !== undefined)
          .filter((at) => at > start),
      );
    const range = (name: string): Span | undefined => {
      const from = starts[name];
      return from === undefined ? undefined : { from, to: endOf(from) };
    };
    let first = span.from + 1;
    let distinctAt: number | undefined;
    if (word(first) === "DISTINCT") {
      distinctAt = first++;
      if (word(first) === "ON") throw new Error("DISTINCT ON");
    } else if (word(first) === "ALL") first += 1;
    const items = split({ from: first, to: endOf(span.from) }, ",").map((part): ItemText => {
      const size = part.to - part.from;
      if (size > 2 && word(part.to - 2) === "AS")
        return { ...part, alias: raw(part.to - 1), expression: { from: part.from, to: part.to - 2 } };
      const before = tokens[part.to - 2];
      if (
        size > 1 &&
        isName(part.to - 1) &&
        before &&
        /^([a-z_]\w*|\))$/i.test(before.text) &&
        word(part.to - 1) !== "END"
      )
        return { ...part, alias: raw(part.to - 1), expression: { from: part.from, to: part.to - 1 } };
      return { ...part, expression: part };
    });
    const from = range("FROM");
    const group = range("GROUP");
    const [where, having] = [range("WHERE"), range("HAVING")];
    return {
      ...span,
      items,
      sources: from ? sourcesOf({ from: from.from + 1, to: from.to }) : [],
      groups: group ? split({ from: group.from + 2, to: group.to }, ",") : [],
      ...(distinctAt === undefined ? {} : { distinctAt }),
      ...(from ? { fromAt: from.from } : {}),
      ...(where ? { where } : {}),
      ...(group ? { group } : {}),
      ...(having ? { having } : {}),
    };
  }

  function parse(span: Span): QueryText {
    if (word(span.from) === "(" && close(span.from) === span.to - 1)
      return parse({ from: span.from + 1, to: span.to - 1 });
    const steps: StepText[] = [];
    let at = span.from;
    if (word(at) === "WITH") {
      at += word(at + 1) === "RECURSIVE" ? 2 : 1;
      for (;;) {
        const nameAt = at++;
        const columns: string[] = [];
        if (word(at) === "(") {
          const last = close(at);
          for (const part of split({ from: at + 1, to: last }, ",")) columns.push(raw(part.from));
          at = last + 1;
        }
        while (word(at) !== "(") at += 1;
        const last = close(at);
        steps.push({
          name: raw(nameAt),
          nameAt,
          columns,
          query: parse({ from: at + 1, to: last }),
          from: nameAt,
          to: last + 1,
        });
        at = last + 1;
        if (word(at) !== ",") break;
        at += 1;
      }
    }
    const main = at;
    const places = top({ from: main, to: span.to });
    const orderAt = places.find((place) => word(place) === "ORDER" && word(place + 1) === "BY");
    const limitAt = places.find((place) => word(place) === "LIMIT");
    const offsetAt = places.find((place) => word(place) === "OFFSET");
    const end = Math.min(span.to, ...[orderAt, limitAt, offsetAt].filter((place) => place !== undefined));
    const blocks: BlockText[] = [];
    const operators: string[] = [];
    let from = main;
    const add = (to: number) => {
      if (word(from) === "(") blocks.push(...parse({ from, to }).blocks);
      else blocks.push(block({ from, to }));
    };
    for (const place of places.filter((found) => found < end && /^(UNION|INTERSECT|EXCEPT)$/.test(word(found)))) {
      add(place);
      const all = word(place + 1) === "ALL";
      operators.push(`${word(place)}${all ? " ALL" : ""}`);
      from = place + (all ? 2 : 1);
    }
    add(end);
    const orderSpan =
      orderAt === undefined
        ? undefined
        : {
            from: orderAt,
            to: Math.min(
              span.to,
              ...[limitAt, offsetAt].filter((place) => place !== undefined && place > orderAt).map(Number),
            ),
          };
    const order = (orderSpan ? split({ from: orderSpan.from + 2, to: orderSpan.to }, ",") : []).map(
      (part): OrderText => {
        let to = part.to;
        if (word(to - 2) === "NULLS") to -= 2;
        const directed = /^(ASC|DESC)$/.test(word(to - 1));
        return {
          ...part,
          expression: { from: part.from, to: directed ? to - 1 : to },
          descending: word(to - 1) === "DESC",
          ...(directed ? { directionAt: to - 1 } : {}),
        };
      },
    );
    return {
      ...span,
      steps,
      main,
      blocks,
      operators,
      order,
      ...(orderSpan ? { orderSpan } : {}),
      ...(limitAt === undefined
        ? {}
        : { limit: { from: limitAt + 1, to: offsetAt !== undefined && offsetAt > limitAt ? offsetAt : span.to } }),
      ...(offsetAt === undefined ? {} : { offset: { from: offsetAt + 1, to: span.to } }),
    };
  }

  const whole = { from: 0, to: tokens.length };
  return { sql, tokens, word, text, close, parse, conjuncts, split, query: parse(whole) };
}

/** Every block of a query, those of its steps and derived tables too; queries inside conditions are not looked into. */
export function allBlocks(query: QueryText): { block: BlockText; query: QueryText }[] {
  return [
    ...query.steps.flatMap((step) => allBlocks(step.query)),
    ...query.blocks.flatMap((block) => [
      { block, query },
      ...block.sources.flatMap((source) => (source.query ? allBlocks(source.query) : [])),
    ]),
  ];
}
