import { expect, test } from "vitest";
import { toServerWarnings } from "./inspect.ts";
import { type Traits, toProduct } from "./traits.ts";

test.each([
  ["PostgreSQL 18.4 on x86_64-pc-linux-gnu, compiled by gcc", "PostgreSQL 18.4"],
  ["PostgreSQL 15.18 (Debian 15.18-0+deb12u1) on x86_64", "PostgreSQL 15.18"],
  ["CockroachDB CCL v23.1.0 (x86_64-pc-linux-gnu, built 2023/05/08)", "CockroachDB 23.1.0"],
  ["PostgreSQL 11.2-YB-2.15.0.0-b0 on x86_64", "YugabyteDB 2.15.0.0"],
  ["PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC, Redshift 1.0.12103", "Redshift 1.0.12103"],
  ["", "PostgreSQL"],
])("%s is %s", (version, product) => {
  expect(toProduct(version)).toBe(product);
});

test("says what the server lacks, and that nothing is encrypted", () => {
  const traits: Traits = {
    product: "CockroachDB 23.1.0",
    settings: [],
    statementTimeout: true,
    functionLookup: true,
    columnRights: true,
    snapshot: "pg_current_snapshot()",
  };
  const at = (host: string, tls: "off" | "verify") =>
    ({ engine: "postgres", host, port: 5432, database: "d", user: "u", tls }) as const;
  expect(toServerWarnings(traits, at("localhost", "off"))).toEqual([]);
  expect(toServerWarnings(traits, at("db.example.com", "verify"))).toEqual([]);
  expect(toServerWarnings(traits, at("db.example.com", "off"))).toHaveLength(1);
  const poor = { ...traits, statementTimeout: false, functionLookup: false, snapshot: undefined };
  expect(toServerWarnings(poor, at("/tmp", "off"))).toHaveLength(3);
});
