/** Our view of a database: what introspection found, as it is cached on disk and sent to the page. */
import { type Static, Type } from "typebox";

/** What a column holds, for choosing comparisons and for the planner; `type` keeps the engine's own word. */
export const ColumnKind = Type.Union([
  Type.Literal("integer"),
  Type.Literal("number"),
  Type.Literal("text"),
  Type.Literal("date"),
  Type.Literal("boolean"),
  Type.Literal("blob"),
  Type.Literal("other"),
]);
export type ColumnKind = Static<typeof ColumnKind>;

/** Set where `comment` is the workspace's description; `database` is the database's own comment behind it. */
const Described = Type.Object({ database: Type.Optional(Type.String()) });

export const Column = Type.Object({
  name: Type.String(),
  type: Type.String(),
  kind: ColumnKind,
  nullable: Type.Boolean(),
  comment: Type.Optional(Type.String()),
  described: Type.Optional(Described),
  /** Distinct values if counted, NULLs apart. */
  distinct: Type.Optional(Type.Integer()),
  nulls: Type.Optional(Type.Integer()),
  /** A few stored values, as text, most frequent first. */
  samples: Type.Array(Type.String()),
  /** For text columns that hold dates: the format found in all sampled values, e.g. `YYYY-MM-DD HH:MM:SS`. */
  dateFormat: Type.Optional(Type.String()),
});
export type Column = Static<typeof Column>;

export const ForeignKey = Type.Object({
  columns: Type.Array(Type.String()),
  table: Type.String(),
  tableColumns: Type.Array(Type.String()),
});
export type ForeignKey = Static<typeof ForeignKey>;

export const Engine = Type.Enum(["sqlite", "duckdb", "postgres", "mysql"]);
export type Engine = Static<typeof Engine>;

export const Table = Type.Object({
  /** Set for a table outside the schema that unqualified names are read from. */
  schema: Type.Optional(Type.String()),
  /** What decisions, relations and pages call it, unique in the catalog: `orders`, or `sales.orders` with a schema. */
  name: Type.String(),
  kind: Type.Union([Type.Literal("table"), Type.Literal("view")]),
  rows: Type.Integer(),
  /** Counting took too long: `rows` is the engine's estimate, or 0 when it has none. */
  rowsEstimated: Type.Optional(Type.Boolean()),
  comment: Type.Optional(Type.String()),
  described: Type.Optional(Described),
  columns: Type.Array(Column),
  primaryKey: Type.Array(Type.String()),
  /** Unique keys beside the primary key. */
  unique: Type.Array(Type.Array(Type.String())),
  foreignKeys: Type.Array(ForeignKey),
});
export type Table = Static<typeof Table>;

/** A way to join two tables: all column pairs in order; `from` holds the referring side. */
export const Relation = Type.Object({
  from: Type.String(),
  fromColumns: Type.Array(Type.String()),
  to: Type.String(),
  toColumns: Type.Array(Type.String()),
  origin: Type.Union([Type.Literal("declared"), Type.Literal("inferred")]),
  why: Type.Optional(Type.String()),
});
export type Relation = Static<typeof Relation>;

export const Catalog = Type.Object({
  engine: Engine,
  /** SHA-256 over tables, columns, types and keys, not over rows. */
  checksum: Type.String(),
  tables: Type.Array(Table),
  relations: Type.Array(Relation),
});
export type Catalog = Static<typeof Catalog>;

/** The parts of a table's name that SQL quotes one by one: `["orders"]` or `["sales", "orders"]`. */
export function toTablePath(table: { schema?: string | undefined; name: string }): string[] {
  return table.schema === undefined ? [table.name] : [table.schema, table.name.slice(table.schema.length + 1)];
}
