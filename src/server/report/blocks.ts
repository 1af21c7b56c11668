/** What a report is made of before it becomes Markdown or HTML. Every text in it is data, never markup. */
export type Block =
  | { kind: "heading"; level: 1 | 2 | 3; text: string }
  | { kind: "text"; text: string }
  | { kind: "list"; items: string[] }
  | { kind: "code"; text: string }
  | {
      kind: "table";
      columns: string[];
      rows: string[][];
      /** Positions of columns whose figures stand to the right. */
      right?: number[];
    };

export const heading = (level: 1 | 2 | 3, text: string): Block => ({ kind: "heading", level, text });
export const text = (words: string): Block => ({ kind: "text", text: words });
/** Nothing at all for an empty list or table: a report says what there is. */
export const list = (items: readonly string[]): Block[] =>
  items.length > 0 ? [{ kind: "list", items: [...items] }] : [];
export const table = (columns: string[], rows: string[][], right: number[] = []): Block[] =>
  rows.length > 0 ? [{ kind: "table", columns, rows, right }] : [];

/** `3,503` */
export const figure = (count: number): string => count.toLocaleString("en-US", { maximumFractionDigits: 20 });
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${figure(count)} ${count === 1 ? one : many}`;

/** `2026-01-31 14:06:12 UTC` */
export const toMoment = (at: string): string => {
  const time = Date.parse(at);
  return Number.isNaN(time) ? at : `${new Date(time).toISOString().slice(0, 19).replace("T", " ")} UTC`;
};
