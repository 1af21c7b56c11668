/** Shapes of English questions that any schema can be asked in, over the demo database. */
import { describe, expect, it } from "vitest";
import { plan, planned, rows } from "./chinook.fixture.ts";

const same = async (question: string, sql: string) => {
  const made = await planned(question);
  const sort = (list: unknown[][]) => list.map((row) => JSON.stringify(row)).sort();
  expect(sort(rows(made.sql)), made.sql).toEqual(sort(rows(sql)));
};

describe("what a word stands for", () => {
  it.each([
    [
      "a pronoun",
      "What is the name of each genre and how many tracks are there in each one?",
      "SELECT g.Name, COUNT(*) FROM Genre g JOIN Track USING (GenreId) GROUP BY g.GenreId",
    ],
    [
      "a relative clause behind its noun",
      "Find the names of playlists which some Jazz tracks are in.",
      `SELECT Name FROM Playlist p WHERE PlaylistId IN (SELECT PlaylistId FROM PlaylistTrack
        JOIN Track USING (TrackId) JOIN Genre g USING (GenreId) WHERE g.Name = 'Jazz')`,
    ],
    [
      "two things counted together",
      "How many different countries and cities are listed for customers?",
      "SELECT COUNT(DISTINCT Country), COUNT(DISTINCT City) FROM Customer",
    ],
    [
      "the row that has the highest figure",
      "What is the highest unit price and the name of the track?",
      "SELECT UnitPrice, Name FROM Track ORDER BY UnitPrice DESC, TrackId LIMIT 1",
    ],
    [
      "a superlative on what was done",
      "What is the name of the most recently hired employee?",
      "SELECT FirstName, LastName FROM Employee ORDER BY HireDate DESC LIMIT 1",
    ],
    [
      "an age behind a key",
      "Find the last names of customers whose support rep is older than 70.",
      `SELECT c.LastName FROM Customer c JOIN Employee e ON e.EmployeeId = c.SupportRepId
        WHERE e.BirthDate < date('now', '-70 years')`,
    ],
    [
      "one employee, although many share the title",
      "What is the title of the employee who supports the most customers?",
      `SELECT e.Title FROM Employee e JOIN Customer c ON c.SupportRepId = e.EmployeeId
        GROUP BY e.EmployeeId ORDER BY COUNT(*) DESC LIMIT 1`,
    ],
    [
      "the same value in another row of the table",
      "Which employees live in the same city as the employee named Nancy?",
      "SELECT FirstName, LastName FROM Employee WHERE City = (SELECT City FROM Employee WHERE FirstName = 'Nancy')",
    ],
  ])("%s", (_, question, sql) => same(question, sql));
});

describe("what is denied", () => {
  it.each([
    [
      "a total, of those who have none too",
      "Find the names of artists who have not earned more than 100 dollars.",
      `SELECT Name FROM Artist a WHERE COALESCE((SELECT SUM(l.UnitPrice * l.Quantity) FROM Album
        JOIN Track t USING (AlbumId) JOIN InvoiceLine l USING (TrackId) WHERE Album.ArtistId = a.ArtistId), 0) <= 100`,
    ],
    [
      "the highest figure",
      "How many tracks do not have the highest unit price?",
      "SELECT COUNT(*) FROM Track WHERE UnitPrice <> (SELECT MAX(UnitPrice) FROM Track)",
    ],
  ])("%s", (_, question, sql) => same(question, sql));
});

describe("sentences that follow", () => {
  it("limit the groups", () =>
    same(
      "What is the number of customers in each country? Only show countries with at least 5 customers.",
      "SELECT Country, COUNT(*) FROM Customer GROUP BY Country HAVING COUNT(*) >= 5",
    ));

  it("name the groups beside their figure", () =>
    same(
      "What is the average unit price for each media type? Show the media type name.",
      "SELECT m.Name, AVG(t.UnitPrice) FROM MediaType m JOIN Track t USING (MediaTypeId) GROUP BY m.MediaTypeId",
    ));
});

it("lists values once where that is asked", () =>
  same("List the countries of customers without duplicates.", "SELECT DISTINCT Country FROM Customer"));

describe("asks rather than answers", () => {
  it.each([
    "Which tracks cost more to buy than the track called Angel?",
    "How many customers have a parking permit?",
    "What is the average hire date of employees?",
  ])("%s", async (question) => {
    expect((await plan(question)).outcome).not.toBe("plan");
  });
});
