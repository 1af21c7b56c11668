/** The pages about the contracts fit what stands in the code. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { toContractDocs } from "../../scripts/contract-docs.ts";
import { clauses } from "./clauses.ts";
import { mutations } from "./mutations/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("pages about the contracts", () => {
  it("docs/contracts.md is what `npm run contracts:docs` would write", () => {
    expect(readFileSync(`${root}docs/contracts.md`, "utf8")).toBe(toContractDocs(root));
  });

  it("every clause has a fault that is tried against its tests", () => {
    const tried = new Set(mutations.map((mutation) => mutation.clause));
    expect(clauses.filter(({ id }) => !tried.has(id))).toEqual([]);
  });
});
