/** Names of several words, partners of the best row, and what stands beside a complete condition: on a pottery made for it. */
import { describe, it } from "vitest";
import { scriptedDatabase } from "../../test/fixtures/scripted-database.ts";

const script = `
CREATE TABLE workshop (workshop_id INTEGER PRIMARY KEY, name TEXT, district TEXT, capacity INTEGER, num_of_benches INTEGER);
CREATE TABLE potter (potter_id INTEGER PRIMARY KEY, name TEXT, age INTEGER, wage INTEGER, level TEXT, tutor_id INTEGER REFERENCES potter,
  workshop_id INTEGER REFERENCES workshop);
CREATE TABLE kiln_firing (firing_id INTEGER PRIMARY KEY, potter_id INTEGER REFERENCES potter, glaze_code TEXT, glaze_name TEXT, fired_year INTEGER,
  finish TEXT, weight_kg REAL, shelves INTEGER, electric_heat TEXT);
INSERT INTO workshop VALUES (1, 'Lehm', 'Nord', 30, 4), (2, 'Ton', 'Ost', 80, 9), (3, 'Scherbe', 'Ost', 55, 6);
INSERT INTO potter VALUES (1, 'Runa', 61, 900, 'master', NULL, 1), (2, 'Ilse', 34, 700, 'adept', 1, 2), (3, 'Odo', 22, 400, 'adept', 1, 2),
  (4, 'Veit', 45, 950, 'master', 2, 2), (5, 'Gero', 29, 500, 'novice', 2, 1);
INSERT INTO kiln_firing VALUES (1, 1, 'A', 'ash', 2001, 'matt', 12, 3, 'yes'), (2, 1, 'B', 'bone', 2004, 'gloss', 40, 5, 'no'),
  (3, 2, 'A', 'ash', 2001, 'gloss', 25, 3, 'yes'), (4, 4, 'C', 'cobalt', 2007, 'matt', 8, 4, 'no'), (5, 1, 'C', 'cobalt', 2007, 'matt', 31, 5, 'yes'),
  (6, 4, 'A', 'ash', 2004, 'gloss', 19, 3, 'no');`;

const { expectRight } = scriptedDatabase("pottery", script);

const shared = (one: string, other: string) =>
  `SELECT finish FROM kiln_firing WHERE ${one} INTERSECT SELECT finish FROM kiln_firing WHERE ${other}`;

describe("a pottery", () => {
  it.each([
    [
      "a column of another thing beside a complete condition",
      "What are the names of potters whose level is master and the names of the workshops they work in?",
      "SELECT p.name, w.name FROM potter p JOIN workshop w USING (workshop_id) WHERE level = 'master'",
    ],
    [
      "whoever stands above, by any title",
      "List the name of each potter and the name of their tutor.",
      "SELECT p.name, t.name FROM potter p LEFT JOIN potter t ON p.tutor_id = t.potter_id",
    ],
    [
      "all rows of the best partner by a number of its own",
      "List the ages of the potters in the workshop with the largest capacity.",
      "SELECT age FROM potter WHERE workshop_id = 2",
    ],
    [
      "all rows of the best partner by a count",
      "What are the finishes of the kiln firings of the potter with the most kiln firings?",
      "SELECT finish FROM kiln_firing WHERE potter_id = 1",
    ],
    ["the best paid", "Who is the highest paid potter?", "SELECT name FROM potter WHERE wage = 950"],
    [
      "room for people",
      "How many workshops can hold more than 50 people?",
      "SELECT COUNT(*) FROM workshop WHERE capacity > 50",
    ],
    [
      "a measure before its noun",
      "How many 3 shelves kiln firings were there in 2001?",
      "SELECT COUNT(*) FROM kiln_firing WHERE shelves = 3 AND fired_year = 2001",
    ],
    [
      "what a unit measures",
      "In which years were there kiln firings between 20 and 35 kg?",
      "SELECT DISTINCT fired_year FROM kiln_firing WHERE weight_kg BETWEEN 20 AND 35",
    ],
    [
      "everything of the earliest year",
      "Show the finish of the kiln firings in the earliest year.",
      "SELECT finish FROM kiln_firing WHERE fired_year = 2001",
    ],
    ["a modifier of two nouns", "Show the glaze codes and names.", "SELECT glaze_code, glaze_name FROM kiln_firing"],
    ["capitals for a word cut short", "What is the highest CAP of the workshops?", "SELECT 80"],
    [
      "a number of things in a column's own words",
      "What is the average number of benches of workshops in each district?",
      "SELECT district, AVG(num_of_benches) FROM workshop GROUP BY district",
    ],
    [
      "a comparison as the alternative of a value",
      "What are the names of potters with level novice or age higher than 60?",
      "SELECT name FROM potter WHERE level = 'novice' OR age > 60",
    ],
    [
      "what two sets share",
      "Show the finishes shared by kiln firings with weight above 20 and kiln firings with weight below 15.",
      shared("weight_kg > 20", "weight_kg < 15"),
    ],
    [
      "at least a",
      "Which workshops have at least a potter older than 40?",
      "SELECT name FROM workshop WHERE workshop_id < 3",
    ],
    [
      "whose name is asked for after a question",
      "Which potter has the most kiln firings? List the name and level.",
      "SELECT name, level FROM potter WHERE potter_id = 1",
    ],
    ["a letter three times", "What is the most commmon glaze name?", "SELECT 'ash'"],
  ])("%s", (_, question, gold) => expectRight(question, gold));
});
