import { describe, expect, it } from "vitest";
import { readingsOf, writeOut } from "./short-words.ts";

const written = (name: string) => writeOut(name.split("_")).join(" ");

describe("writeOut", () => {
  it.each([
    ["cust_nm", "customer name"],
    ["fname", "first name"],
    ["l_name", "last name"],
    ["given_name", "first name"],
    ["ord_no", "order number"],
    ["prod_cat", "product category"],
    ["cat_cd", "category code"],
    ["hr_wage", "hr wage"],
  ])("%s as %s", (name, long) => expect(written(name)).toBe(long));

  it.each(["cat", "cat_name", "no", "no_show", "act", "hr_note"])("%s as it stands", (name) =>
    expect(written(name)).toBe(name.replaceAll("_", " ")),
  );
});

it("leaves the choice between several words to the question", () => {
  expect(readingsOf("dep")).toEqual(["departure", "department", "deposit"]);
  expect(readingsOf("name")).toEqual([]);
});
