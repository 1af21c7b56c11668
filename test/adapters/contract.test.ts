import { startDuckdb } from "../fixtures/duckdb-engine.ts";
import { startMariadb } from "../fixtures/mariadb-engine.ts";
import { startPostgres } from "../fixtures/postgres-engine.ts";
import { startSqlite } from "../fixtures/sqlite-engine.ts";
import { describeAdapter } from "./contract.ts";

describeAdapter("SQLite", startSqlite);
describeAdapter("DuckDB", startDuckdb);
describeAdapter("PostgreSQL", startPostgres);
describeAdapter("MariaDB", startMariadb);
