/** What the page offers to ask first about a workspace: what was verified there, then what the planner surely reads. */
import { setImmediate } from "node:timers/promises";
import type { Connection } from "../database/connection.ts";
import type { FirstQuestion, Knowledge } from "../protocol/index.ts";
import type { Catalogs } from "./catalogs.ts";

/** As many as the page shows. */
const shown = 5;
/** Verified ones among them, so that the rest of the data is spoken of as well. */
const mostVerified = 3;
/** Planning one question blocks this process for some 10 ms, for a second where there are a thousand tables. */
const mostTables = 150;
/** No further question is tried after so long; others are served between two of them. */
const patienceMs = 10_000;

/** Throws ThothError when the database can't be read. */
export async function readFirstQuestions(
  catalogs: Catalogs,
  connection: Connection,
  knowledge: Pick<Knowledge, "verified">,
): Promise<FirstQuestion[]> {
  const verified = knowledge.verified
    .filter((one) => one.stale === undefined)
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, mostVerified)
    .map(({ question }) => ({ question, kind: "verified" }));
  const { opened } = await catalogs.open(connection);
  if (opened.catalog.tables.length > mostTables) return verified;
  // Loaded when it is first needed: its language model is what makes a start slow.
  const { findFirstQuestions } = await import("../planner/first-questions.ts");
  const end = Date.now() + patienceMs;
  const goOn = () => setImmediate(Date.now() < end);
  const made = await findFirstQuestions(opened.catalog, opened.values, shown, goOn);
  const known = new Set(verified.map(({ question }) => question.toLowerCase()));
  return [...verified, ...made.filter(({ question }) => !known.has(question.toLowerCase()))].slice(0, shown);
}
