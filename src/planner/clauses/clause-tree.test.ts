import { describe, expect, it } from "vitest";
import { openChinook } from "../chinook.fixture.ts";
import { linkQuestion } from "../linking/linking.ts";
import { createSchema } from "../schema/schema.ts";
import { parseSentences } from "./clause-tree.ts";

async function parse(question: string) {
  const { catalog, values } = await openChinook();
  return parseSentences(linkQuestion(question, createSchema(catalog), values).items);
}

describe("parseSentences", () => {
  it("attaches a relative clause to the nearest noun", async () => {
    const [sentence] = await parse("List the customers who bought tracks that are longer than 10 minutes.");
    const compare = sentence?.clauses.find((clause) => clause.compare);
    expect(compare?.subject?.head).toMatchObject({ kind: "table", table: "Track" });
    expect(compare?.compare).toMatchObject({ operator: ">", value: 10, unit: "minute" });
  });

  it("ends the scope of a negation at the next predicate", async () => {
    const [sentence] = await parse("Which tracks have never been purchased and are longer than 10 minutes?");
    expect(sentence?.clauses.map((clause) => clause.negated)).toEqual([true, false]);
  });

  it("keeps groups, orders and outputs apart", async () => {
    const [sentence] = await parse("How many tracks does each genre have, most tracks first?");
    expect(sentence?.outputs.map((phrase) => phrase.head.kind)).toEqual(["count"]);
    expect(sentence?.groups.map((phrase) => phrase.words)).toEqual(["each genre"]);
    expect(sentence?.orders).toMatchObject([{ direction: "DESC" }]);
  });

  it("reads cardinals", async () => {
    const [sentence] = await parse("Which albums have at least 20 tracks?");
    expect(sentence?.clauses[0]?.object?.cardinal).toMatchObject({ operator: ">=", value: 20 });
  });
});
