/** A query's result: rows by position; integers beyond 2^53 and decimals as strings. */
import { type Static, Type } from "typebox";

export const Cell = Type.Union([Type.Null(), Type.Boolean(), Type.Number(), Type.String()]);
export type Cell = Static<typeof Cell>;

export const ResultColumn = Type.Object({
  name: Type.String(),
  /** The engine's own type name as far as it is known, e.g. `INTEGER`, `NUMERIC(10,2)`; may be empty. */
  type: Type.String(),
});
export type ResultColumn = Static<typeof ResultColumn>;

export const QueryResult = Type.Object({
  columns: Type.Array(ResultColumn),
  rows: Type.Array(Type.Array(Cell)),
  /** Rows in `rows`; the full count when `truncated` is false. */
  rowCount: Type.Integer({ minimum: 0 }),
  /** True when a row or byte cap cut the result. */
  truncated: Type.Boolean(),
});
export type QueryResult = Static<typeof QueryResult>;
