import { expect, it } from "vitest";
import type { VerifiedPiece } from "../protocol/index.ts";
import { findVerified } from "./verified-list.ts";

const piece = (question: string, at: string): VerifiedPiece => ({
  id: `verified/${at}.yaml`,
  file: `verified/${at}.yaml`,
  line: 1,
  question,
  engine: "sqlite",
  sql: "SELECT 1",
  decisions: [],
  by: "Ann",
  at,
  model: "thoth/offline",
  prompt_version: "p",
  catalog_checksum: "c",
  columns: [],
  row_count: 1,
  origin: { session: "0abc00000000", seq: 3 },
});
const pieces = [
  piece("How many customers are from Germany?", "2026-01-01"),
  piece("Revenue per country in 2024", "2026-01-03"),
  piece("How many Café orders came from São Paulo?", "2026-01-02"),
];
const ask = (text?: string, limit?: number) => {
  const { verified, total } = findVerified(pieces, {
    ...(text === undefined ? {} : { text }),
    ...(limit ? { limit } : {}),
  });
  return [verified.map(({ at }) => at), total];
};

it("puts the nearest first and leaves out what shares no telling word", () => {
  expect(ask("customers in germany")).toEqual([["2026-01-01"], 1]);
  expect(ask("orders from sao paulo in 2024")).toEqual([["2026-01-02", "2026-01-03"], 2]);
  expect(ask("how many are there of the")).toEqual([["2026-01-03", "2026-01-02", "2026-01-01"], 3]);
  expect(ask("zebra")).toEqual([[], 0]);
});

it("gives the latest first without a text, and says how many there are", () => {
  expect(ask()).toEqual([["2026-01-03", "2026-01-02", "2026-01-01"], 3]);
  expect(ask("  ", 2)).toEqual([["2026-01-03", "2026-01-02"], 3]);
});
