/** What one trap is: it looks at a statement, asks for counts, and judges them. Neither half touches the database. */
import type { Read } from "../../database/database.ts";
import type { Catalog, Finding, Severity, Table } from "../../protocol/index.ts";
import type { QueryDialect } from "../../sql/query-dialect.ts";
import type { Statement } from "./block.ts";

export interface TrapContext {
  catalog: Catalog;
  statement: Statement;
  sql: string;
  dialect: QueryDialect;
  /** Lower case, without accents; empty when none was given. */
  question: string;
  /** A table, or its first rows when it is a big one, as an item of FROM; `alias` is quoted. */
  from(table: Table, alias: string): string;
  /** True when `from` gives only the first rows. */
  sampled(table: Table): boolean;
}

export interface Draft {
  severity: Severity;
  /** One sentence that says what would be counted wrong. */
  title: string;
  body: string;
  waysOut: string[];
  proof?: Finding["proof"];
}

/** Something that may be wrong; the rows decide. `asks` only read, each one statement. */
export interface Suspicion {
  asks: string[];
  /** `reads` in the order of `asks`; a read that failed or was never made is not ok. */
  judge(reads: readonly Read[]): Draft | undefined;
}

export interface Trap {
  code: string;
  look(context: TrapContext): Suspicion[];
}
