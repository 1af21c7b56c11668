/** Where a database is, as it stands in a workspace's file and is given to a child. Secrets never stand here. */
import { type Static, Type } from "typebox";

/** Where a password is kept: a variable of the server's environment, or a file that only its owner can read. */
export const SecretPlace = Type.Union([
  Type.Object({ env: Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]{0,99}$" }) }, { additionalProperties: false }),
  Type.Object({ file: Type.String({ minLength: 1 }) }, { additionalProperties: false }),
]);
export type SecretPlace = Static<typeof SecretPlace>;

/** `off`: in the clear. `require`: encrypted, whoever answers. `verify`: encrypted, and the certificate is checked. */
export const TlsMode = Type.Enum(["off", "require", "verify"]);
export type TlsMode = Static<typeof TlsMode>;

export const SqliteConnection = Type.Object(
  { engine: Type.Literal("sqlite"), /** Absolute path. */ file: Type.String({ minLength: 1 }) },
  { additionalProperties: false },
);

export const DuckdbConnection = Type.Object(
  {
    engine: Type.Literal("duckdb"),
    /** Absolute path: a DuckDB database, one CSV, TSV, JSON or Parquet file, or a folder of such files. */
    file: Type.String({ minLength: 1 }),
  },
  { additionalProperties: false },
);

const server = {
  /** A name or address; for PostgreSQL also the folder of a Unix socket, beginning with `/`. */
  host: Type.String({ minLength: 1 }),
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  database: Type.String({ minLength: 1 }),
  user: Type.String({ minLength: 1 }),
  password: Type.Optional(SecretPlace),
  tls: TlsMode,
};
/** PostgreSQL and what speaks its protocol. */
export const PostgresConnection = Type.Object(
  { engine: Type.Literal("postgres"), ...server },
  { additionalProperties: false },
);
/** MySQL, MariaDB and what speaks their protocol. */
export const MysqlConnection = Type.Object(
  { engine: Type.Literal("mysql"), ...server },
  { additionalProperties: false },
);

export const Connection = Type.Union([SqliteConnection, DuckdbConnection, PostgresConnection, MysqlConnection]);
export type SqliteConnection = Static<typeof SqliteConnection>;
export type DuckdbConnection = Static<typeof DuckdbConnection>;
export type PostgresConnection = Static<typeof PostgresConnection>;
export type MysqlConnection = Static<typeof MysqlConnection>;
export type Connection = Static<typeof Connection>;
