import { describe, expect, it } from "vitest";
import { openChinook } from "../chinook.fixture.ts";
import { createSchema } from "../schema/schema.ts";
import { linkQuestion } from "./linking.ts";

async function link(question: string): Promise<string[]> {
  const { catalog, values } = await openChinook();
  return linkQuestion(question, createSchema(catalog), values).items.map((item) => {
    if (item.kind === "table") return `${item.text}=${item.table}`;
    if (item.kind === "column") return `${item.text}=${item.options[0]?.table}.${item.options[0]?.column}`;
    if (item.kind === "value") return `${item.text}='${item.options[0]?.value}'`;
    return item.kind === "cue" ? item.cue : item.kind;
  });
}

describe("linkQuestion", () => {
  it("prefers the longer name", async () => {
    expect(await link("billing country of the invoices")).toContain("billing country=Invoice.BillingCountry");
    expect(await link("which media type has most tracks")).toContain("media type=MediaType");
  });

  it("finds stored values over several words, but no verb as a noun", async () => {
    expect(await link("albums by AC/DC")).toContain("AC/DC='AC/DC'");
    expect(await link("each sales support agent")).toContain("sales support agent='Sales Support Agent'");
    expect((await link("Which tracks were never sold?")).slice(0, 5)).toEqual([
      "wh",
      "tracks=Track",
      "be",
      "not",
      "sold",
    ]);
  });

  it("keeps small words out of titles that begin with them", async () => {
    // "The Chemist" and the like are tracks; an article written small belongs to the question.
    expect((await link("who is the evil that men do")).filter((item) => item.includes("'"))).toEqual([]);
    expect(await link("tracks called The Evil That Men Do")).toContain("The Evil That Men Do='The Evil That Men Do'");
  });

  it("reads dates before values and numbers with their commas apart", async () => {
    expect(await link("total spending in 2024, highest first")).toEqual([
      "aggregate",
      "concept",
      "period",
      "comma",
      "direction",
    ]);
  });

  it('takes "total" as adding up before a noun and as a column after one', async () => {
    expect(await link("total sales")).toEqual(["aggregate", "concept"]);
    expect(await link("the invoice total")).toContain("invoice total=Invoice.Total");
  });

  it('shares the noun of "first and last name"', async () => {
    expect((await link("first and last name")).filter((item) => item.includes("="))).toEqual([
      "first name=Customer.FirstName",
      "last name=Customer.LastName",
    ]);
  });
});
