/** Steps put in place of their names, and parts of a statement drawn out as steps. */
import type { Catalog } from "../src/protocol/index.ts";
import type { QueryText, Span, SqlText } from "./sql-blocks.ts";
import { applyEdits, type Edit, everyQuery, put, tableOf } from "./sql-edits.ts";

export function inlined(text: SqlText, query: QueryText): Edit[] | undefined {
  const [first] = query.steps;
  if (!first || query.steps.some((step) => step.columns.length > 0)) return undefined;
  const bodies = new Map<string, string>();
  const references = (span: Span): Edit[] =>
    everyQuery(text)
      .flatMap((inner) => inner.blocks)
      .flatMap((block) => block.sources)
      .filter(
        (source) => source.from >= span.from && source.to <= span.to && bodies.has((source.table ?? "").toLowerCase()),
      )
      .filter((source, index, all) => all.findIndex((other) => other.from === source.from) === index)
      .map((source) =>
        put(
          source.nameAt,
          source.nameAt + 1,
          `(${bodies.get((source.table ?? "").toLowerCase())})${source.aliasAt === undefined ? ` AS ${source.alias}` : ""}`,
        ),
      );
  const cut = (span: Span) => {
    const base = text.tokens[span.from]?.start ?? 0;
    const whole = applyEdits(text, references(span));
    const tail = text.sql.slice(0, text.tokens.at(-1)?.end).length - (text.tokens[span.to - 1]?.end ?? 0);
    return whole.slice(base, whole.length - tail);
  };
  for (const step of query.steps) bodies.set(step.name.toLowerCase(), cut(step.query));
  return [put(query.from, query.main, ""), ...references({ from: query.main, to: query.to })];
}

export function tableDrawnOut(text: SqlText, query: QueryText, catalog: Catalog): Edit[] | undefined {
  const source = query.blocks[0]?.sources[0];
  if (!source || !tableOf(catalog, source) || query.steps.some((step) => step.name === source.table)) return undefined;
  const table = text.text({ from: source.from, to: source.nameAt + 1 });
  const step = `drawn AS (SELECT * FROM ${table})`;
  return [
    query.steps.length > 0 ? put(query.main, query.main, `, ${step} `) : put(query.from, query.from, `WITH ${step} `),
    put(source.from, source.nameAt + 1, source.aliasAt === undefined ? `drawn AS ${source.alias}` : "drawn"),
  ];
}

export function derivedDrawnOut(text: SqlText, query: QueryText): Edit[] | undefined {
  const source = query.blocks.flatMap((block) => block.sources).find((candidate) => candidate.query);
  if (!source?.query) return undefined;
  const step = `drawn AS (${text.text(source.query)})`;
  const end = text.close(source.from) + 1;
  return [
    query.steps.length > 0 ? put(query.main, query.main, `, ${step} `) : put(query.from, query.from, `WITH ${step} `),
    put(source.from, end, "drawn"),
  ];
}
