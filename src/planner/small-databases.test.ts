/** Shapes of questions over schemas that say things otherwise than the demo: flags, link tables, self references. */
import { beforeAll, describe, expect, it } from "vitest";
import { openSmall, type SmallDatabase } from "./small-database.fixture.ts";

function on(name: string, cases: [string, string, string][]): void {
  let small: SmallDatabase;
  beforeAll(async () => {
    small = await openSmall(name);
  });
  it.each(cases)("%s: %s", async (_, question, gold) => {
    const made = await small.plan(question);
    const sql = made.outcome === "plan" ? made.plan.sql : JSON.stringify(made);
    expect(made.outcome, sql).toBe("plan");
    const ordered = /ORDER BY/.test(gold);
    expect(small.rows(sql, ordered), sql).toEqual(small.rows(gold, ordered));
  });
}

describe("community_charity", () =>
  on("community_charity", [
    [
      "what rows may do is a flag",
      "How many volunteers can drive?",
      "SELECT COUNT(*) FROM Volunteers WHERE has_driving_licence = 'Y'",
    ],
    [
      "a value that two tables share, with a verb",
      "Show the towns in which donors live but no volunteers live.",
      "SELECT town FROM Donors EXCEPT SELECT town FROM Volunteers",
    ],
    [
      "a part of what is shown",
      "Show the email addresses of the donors whose address contains 'inbox'.",
      "SELECT email_address FROM Donors WHERE email_address LIKE '%inbox%'",
    ],
    [
      "an order told by where it begins",
      "Show the names of campaigns, starting with the largest target amount.",
      "SELECT campaign_name FROM Campaigns ORDER BY target_amount DESC",
    ],
    [
      "ends and an average of one column",
      "What are the youngest, mean and oldest age of the volunteers?",
      "SELECT MIN(age), AVG(age), MAX(age) FROM Volunteers",
    ],
  ]));

describe("law_chambers", () =>
  on("law_chambers", [
    [
      "an order between two dates, by the date that the verb names",
      "Show the titles of cases that are closed, from the most recently closed to the earliest.",
      "SELECT case_title FROM Cases WHERE date_closed IS NOT NULL ORDER BY date_closed DESC",
    ],
    [
      "a longer word than the key it begins like",
      "Which court has the smallest number of courtrooms?",
      "SELECT court_name FROM Courts ORDER BY number_of_courtrooms, court_id LIMIT 1",
    ],
  ]));
