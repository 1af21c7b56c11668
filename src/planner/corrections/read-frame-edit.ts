/** The reviewer's words as an edit of the frame, if they ask for one. */

import { type Item, linkQuestion } from "../linking/linking.ts";
import type { ColumnRef } from "../schema/schema.ts";
import { type CompareEdit, readCompareEdit } from "./compare-edit.ts";
import type { CorrectionContext } from "./correct.ts";
import type { ClauseEdit } from "./read-clause-edit.ts";

export type FrameEdit =
  | {
      kind: "only" | "leave-out" | "add";
      items: Item[];
      /** The filter's column when the words name a filter, and the value as it was written. */
      column?: ColumnRef;
      text?: string;
      words: string;
    }
  | CompareEdit
  | ClauseEdit
  | { kind: "drop-having"; table: string; words: string }
  | { kind: "drop-filter"; ref: ColumnRef; words: string }
  | { kind: "count-distinct"; items: Item[]; words: string }
  | { kind: "keep-empty"; keep: boolean; words: string }
  | { kind: "order"; items: Item[]; direction: "ASC" | "DESC" | undefined; alphabetical: boolean; words: string }
  | { kind: "limit"; count: number | undefined; words: string }
  | { kind: "aggregate"; fn: "SUM" | "AVG" | "MIN" | "MAX" | "COUNT"; words: string }
  | { kind: "group"; items: Item[]; replace: boolean; words: string }
  | { kind: "show" | "hide" | "show-only"; items: Item[]; words: string }
  | { kind: "distinct"; words: string }
  | { kind: "use-column"; to: ColumnRef[]; from: ColumnRef[]; words: string };

const aggregates: Record<string, "SUM" | "AVG" | "MIN" | "MAX" | "COUNT"> = {
  total: "SUM",
  sum: "SUM",
  average: "AVG",
  mean: "AVG",
  maximum: "MAX",
  max: "MAX",
  highest: "MAX",
  minimum: "MIN",
  min: "MIN",
  lowest: "MIN",
  count: "COUNT",
  number: "COUNT",
};

export function toFrameEdit(text: string, context: CorrectionContext): FrameEdit | undefined {
  const link = (part: string) => linkQuestion(part, context.schema, context.values, context.today).items;
  const named = (items: Item[]) =>
    items.some(
      (item) =>
        ["table", "column", "value", "period", "concept"].includes(item.kind) ||
        (item.kind === "cue" && item.cue === "bucket"),
    );
  let match: RegExpExecArray | null;
  const compared = readCompareEdit(text, context);
  if (compared) return compared;
  if (/\b(include|keep|also|with|show|even)\b.*\b(none|zero|zeros|nothing|empty|without any|no rows|0)\b/i.test(text))
    return { kind: "keep-empty", keep: true, words: text };
  if (
    /^(?:leave out|drop|without|exclude|not)\s+(?:those|the ones|groups|rows)\s+(?:with|that have)\s+(?:none|zero|nothing|no\b)/i.test(
      text,
    )
  )
    return { kind: "keep-empty", keep: false, words: text };
  match =
    /^(?:the\s+)?(?:use\s+(?:the\s+)?)?(total|sum|average|mean|maximum|max|minimum|min|highest|lowest|count|number)\s+(?:instead|rather|not)\b/i.exec(
      text,
    ) ??
    /^(?:use|take|show|compute|give)\s+(?:me\s+)?(?:the\s+)?(total|sum|average|mean|maximum|max|minimum|min|highest|lowest|count)(?:\s+(?:instead|please))?$/i.exec(
      text,
    ) ??
    /^i mean(?:t)? the (total|sum|average|mean|maximum|minimum|count)$/i.exec(text);
  if (match) {
    return { kind: "aggregate", fn: aggregates[(match[1] ?? "").toLowerCase()] ?? "SUM", words: text };
  }
  if (
    /\b(count|counted|counting)\b.*\b(distinct|different|unique|once|only once)\b|\b(distinct|unique) count\b/i.test(
      text,
    )
  )
    return {
      kind: "count-distinct",
      items: link(text.replace(/\b(count|distinct|different|unique|once|only|each|every|use)\b/gi, " ")),
      words: text,
    };
  if (
    /^(?:remove|no|without|drop|show only distinct|only distinct|only unique|distinct|unique)\s*(?:the\s+)?(?:duplicates?|duplicate rows|rows|values|once)?$/i.test(
      text,
    ) ||
    /\b(no duplicates|without duplicates|remove duplicates|each only once|select distinct|use distinct)\b/i.test(text)
  )
    return { kind: "distinct", words: text };
  match =
    /^(?:(?:only|just|show|limit|give|take|keep)\b.*?\b)?(?:the\s+)?(?:top|first|limit(?:\s+to)?|best)\s+(?:to\s+)?(\d+|one|two|three|four|five|ten|twenty)\b/i.exec(
      text,
    ) ?? /^limit\D*(\d+)/i.exec(text);
  if (match) {
    const word = (match[1] ?? "").toLowerCase();
    const count = Number(word) || { one: 1, two: 2, three: 3, four: 4, five: 5, ten: 10, twenty: 20 }[word] || 1;
    return { kind: "limit", count, words: text };
  }
  if (
    /^(?:no limit|without (?:a )?limit|all (?:of them|rows)|show all(?: rows| of them)?|remove the limit)$/i.test(text)
  )
    return { kind: "limit", count: undefined, words: text };
  if (
    /^(?:please\s+)?(?:sort|order|rank|reverse)\b|\b(ascending|descending|alphabetical(?:ly)?|highest first|lowest first)\b/i.test(
      text,
    ) &&
    !/instead of/i.test(text)
  ) {
    const direction =
      /\b(desc|descending|highest first|largest first|most first|newest first|high to low|z to a)\b/i.test(text)
        ? "DESC"
        : /\b(asc|ascending|lowest first|smallest first|fewest first|oldest first|low to high|a to z)\b/i.test(text)
          ? "ASC"
          : undefined;
    return {
      kind: "order",
      items: link(
        text.replace(
          /\b(sort|order|sorted|ordered|ascending|descending|asc|desc|by|alphabetical(?:ly)?|highest|lowest|first|it|them|the result)\b/gi,
          " ",
        ),
      ),
      direction,
      alphabetical: /alphabetical/i.test(text),
      words: text,
    };
  }
  match =
    /^(?:group\s+)?(?:it\s+)?(?:by|per|for each|for every|grouped by)\s+(?:the\s+)?(.+?)(?:\s+(?:instead of|rather than|not(?: by)?)\s+(?:by\s+|per\s+)?.+|\s+instead)?$/i.exec(
      text,
    );
  if (match) {
    const items = link(match[1] ?? "");
    if (named(items) && !/^(name|title)$/i.test(match[1] ?? ""))
      return { kind: "group", items, replace: true, words: text };
  }
  match = /^(?:also|and|additionally)\s+(?:group\s+)?(?:by|per|for each)\s+(.+)$/i.exec(text);
  if (match) {
    const items = link(match[1] ?? "");
    if (named(items)) return { kind: "group", items, replace: false, words: text };
  }
  match =
    /^(?:show|give|return|output|display)\s+only\s+(.+)$/i.exec(text) ??
    /^(?:only\s+(?:show|give|return|output))\s+(.+)$/i.exec(text);
  if (match) {
    const items = link(match[1] ?? "");
    if (items.some((item) => item.kind === "column" || item.kind === "table"))
      return { kind: "show-only", items, words: text };
  }
  match =
    /^(?:also\s+(?:show|give|return|output|include|display)|add\s+(?:the\s+)?(?:column|field)?|show\s+also|include\s+(?:the\s+)?(?:column|field))\s+(.+)$/i.exec(
      text,
    );
  if (match) {
    const items = link(match[1] ?? "");
    if (
      items.some(
        (item) => item.kind === "column" || item.kind === "concept" || (item.kind === "cue" && item.cue === "how-many"),
      ) &&
      !items.some((item) => item.kind === "value")
    )
      return { kind: "show", items, words: text };
  }
  match =
    /^(?:don'?t show|do not show|hide|remove|without|leave out|drop|not)\s+(?:the\s+)?(?:column\s+)?(.+?)(?:\s+column)?$/i.exec(
      text,
    );
  if (match) {
    const items = link(match[1] ?? "");
    if (items.some((item) => item.kind === "value" || item.kind === "period"))
      return { kind: "leave-out", items, words: text };
    if (items.some((item) => item.kind === "column" || (item.kind === "cue" && item.cue === "how-many")))
      return { kind: "hide", items, words: text };
  }
  match = /^(?:leave out|exclude|without|omit|except(?: for)?|skip|not|no|ignore|but not|drop|remove)\s+(.+)$/i.exec(
    text,
  );
  if (match) {
    const items = link(match[1] ?? "");
    if (items.some((item) => (item.kind === "value" && item.options.length > 0) || item.kind === "period"))
      return { kind: "leave-out", items, words: text };
  }
  match =
    /^(?:add|also|include|and|or|plus|as well as|with)\s+(?:also\s+|include\s+)?(.+?)(?:\s+(?:too|as well))?$/i.exec(
      text,
    );
  if (match) {
    const items = link(match[1] ?? "");
    if (items.some((item) => item.kind === "value" && item.options.length > 0))
      return { kind: "add", items, words: text };
  }
  match =
    /^(?:only|just|restrict(?: it)? to|limit(?: it)? to|filter(?: it)?(?: by| to| for)?|for|in|since|from|it is|i mean(?:t)?|where|must be|should be)\s+(.+?)(?:\s+only)?$/i.exec(
      text,
    ) ?? /^(.+?)\s+only$/i.exec(text);
  if (match) {
    const items = link(/^(?:in|since|from)\b/i.test(text) ? text : (match[1] ?? ""));
    if (items.some((item) => (item.kind === "value" && item.options.length > 0) || item.kind === "period"))
      return { kind: "only", items, words: text };
  }
  const rest = link(text);
  if (
    rest.length > 0 &&
    rest.every((item) => item.kind === "value" || item.kind === "period" || item.kind === "cue") &&
    rest.some((item) => (item.kind === "value" && item.options.length > 0) || item.kind === "period")
  )
    return { kind: "only", items: rest, words: text };
  return undefined;
}
