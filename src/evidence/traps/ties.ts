/** LIMIT that ends between rows with the same value: which of them stay is chance. */
import { listOf, nameOf, toNode, unwrap } from "../../sql/tree.ts";
import { figure, toText } from "../ask.ts";
import { bare } from "./amend.ts";
import { tokensOf } from "./block-text.ts";
import { asks } from "./column-words.ts";
import type { Suspicion, Trap, TrapContext } from "./trap.ts";

const further = 20;
const maxLimit = 500;
/** More than one answer is looked for. */
const several =
  /\ball (the )?\w+ (with|that have|having) the\b|\bwhich \w+s (have|are|were|had)|\bare the\b|\bwho are\b|tie/;

export const ties: Trap = {
  code: "tie-cut",
  look(context) {
    const top = context.statement.blocks.filter(({ place }) => place === "top");
    const [block] = top;
    const limit = block?.limit;
    if (top.length !== 1 || !block || limit === undefined || limit < 1 || limit > maxLimit || block.orders.length === 0)
      return [];
    const built = longer(context, limit);
    return built ? [toSuspicion(context, limit, built)] : [];
  },
};

interface Longer {
  statement: string;
  /** Of each key: the name of a shown column, its position, or how far from the end it was added. */
  keys: (string | { position: number } | { fromEnd: number })[];
}

function toSuspicion(context: TrapContext, limit: number, { statement, keys }: Longer): Suspicion {
  return {
    asks: [statement],
    judge([read]) {
      if (!read?.ok || read.result.rows.length <= limit) return undefined;
      const { columns, rows } = read.result;
      const places = keys.map((key) => {
        if (typeof key === "string") return columns.findIndex(({ name }) => name.toLowerCase() === key);
        return "position" in key ? key.position : columns.length - key.fromEnd;
      });
      if (places.some((at) => at < 0 || at >= columns.length)) return undefined;
      const keyOf = (row: (typeof rows)[number] | undefined) => JSON.stringify(places.map((at) => row?.[at]));
      const last = rows[limit - 1];
      const value = last?.[places[0] ?? 0];
      if (value === null || value === undefined || keyOf(rows[limit]) !== keyOf(last)) return undefined;
      const alike = rows.filter((row) => keyOf(row) === keyOf(last));
      const own = columns.length - keys.filter((key) => typeof key === "object" && "fromEnd" in key).length;
      const shown = new Set(alike.map((row) => JSON.stringify(row.slice(0, own))));
      if (shown.size < 2) return undefined;
      const out = rows.slice(limit).filter((row) => keyOf(row) === keyOf(last)).length;
      const cutAll = alike.length === rows.length || rows.length === limit + further;
      return {
        severity: limit > 1 || context.question === "" || asks(context, several) ? "warning" : "notice",
        title: `LIMIT ${figure(limit)} cuts a tie: ${cutAll && out >= further ? "at least " : ""}${figure(out)} more ${out === 1 ? "row has" : "rows have"} ${toText(value)} too`,
        body: `The row after the last, ${rows[limit]?.slice(0, Math.min(own, 2)).map(toText).join(", ")}, has the same value as number ${figure(limit)}; which of them is shown is chance.`,
        waysOut: [`Show all with the same value as number ${figure(limit)}`, "Add a second column to the order"],
      };
    },
  };
}

/** The statement with some rows more, and with the keys of its order among what it shows. */
function longer(context: TrapContext, limit: number): Longer | undefined {
  const sql = bare(context.sql);
  const block = context.statement.blocks.find(({ place }) => place === "top");
  const tokens = tokensOf(context).filter(({ type }) => type !== "SEMICOLON");
  const places: Record<string, number> = {};
  let depth = 0;
  for (const [index, { type, text }] of tokens.entries()) {
    if (type === "L_PAREN") depth += 1;
    else if (type === "R_PAREN") depth -= 1;
    else if (
      depth === 0 &&
      type !== "STRING" &&
      type !== "QUOTED_IDENTIFIER" &&
      /^(select|from|order|limit|fetch)$/i.test(text)
    )
      if (text.toLowerCase() !== "from" || tokens[index - 1]?.text.toLowerCase() !== "distinct")
        places[text.toLowerCase()] = index;
  }
  const { select, from, order } = places;
  const end = places.limit ?? places.fetch;
  if (
    !block ||
    select === undefined ||
    from === undefined ||
    order === undefined ||
    end === undefined ||
    from > order ||
    order > end
  )
    return undefined;
  const number = tokens.findIndex((token, index) => index > end && token.type === "NUMBER");
  const digits = tokens[number];
  // `LIMIT 5, 10` counts from another place.
  if (!digits || Number(digits.text) !== limit || tokens[number + 1]?.text === ",") return undefined;
  const shown = listOf(block.select.expressions).map((expression) => {
    const node = toNode(unwrap(expression));
    return (node?.kind === "alias" ? nameOf(node.value.alias) : undefined)?.toLowerCase();
  });
  const added: string[] = [];
  const keys = keyTexts(sql, tokens.slice(order + 2, end)).map((text): Longer["keys"][number] => {
    if (/^\d+$/.test(text)) return { position: Number(text) - 1 };
    const name = text.replaceAll(/["`[\]]/g, "").toLowerCase();
    if (shown.includes(name)) return name;
    added.push(text);
    return { fromEnd: added.length };
  });
  if (added.length > 0 && (block.select.distinct === true || keys.length === 0)) return undefined;
  const settled = keys.map((key) =>
    typeof key === "object" && "fromEnd" in key ? { fromEnd: added.length + 1 - key.fromEnd } : key,
  );
  const extra = added.map((text, index) => `, ${text} AS tie_${index + 1}`).join("");
  const cutAt = tokens[from]?.start ?? 0;
  const statement = `${sql.slice(0, cutAt).trimEnd()}${extra} ${sql.slice(cutAt, digits.start)}${limit + further}${sql.slice(digits.end)}`;
  return { statement, keys: settled };
}

/** The terms of an ORDER BY as written, without their directions. */
function keyTexts(sql: string, tokens: ReturnType<typeof tokensOf>): string[] {
  const texts: string[] = [];
  let depth = 0;
  let start: number | undefined;
  let end = 0;
  let done = false;
  const close = () => {
    if (start !== undefined) texts.push(sql.slice(start, end));
    start = undefined;
    done = false;
  };
  for (const { type, text, start: from, end: to } of tokens) {
    if (type === "L_PAREN") depth += 1;
    else if (type === "R_PAREN") depth -= 1;
    if (depth === 0 && text === ",") close();
    else if (depth === 0 && type !== "STRING" && /^(asc|desc|nulls|collate)$/i.test(text)) done = true;
    else if (!done) {
      start ??= from;
      end = to;
    }
  }
  close();
  return texts;
}
