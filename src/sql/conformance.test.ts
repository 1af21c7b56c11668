import { describe, expect, test } from "vitest";
import type { Catalog, Decision, FilterDecision, JoinDecision, JoinType } from "../protocol/index.ts";
import { assembleSteps } from "./assemble-steps.ts";
import { conform } from "./conformance.ts";

function catalogOf(tables: Record<string, string>): Catalog {
  return {
    engine: "sqlite",
    checksum: "x",
    relations: [],
    tables: Object.entries(tables).map(([name, columns]) => ({
      name,
      kind: "table",
      rows: 0,
      primaryKey: [],
      unique: [],
      foreignKeys: [],
      columns: columns
        .split(" ")
        .map((column) => ({ name: column, type: "", kind: "other", nullable: true, samples: [] })),
    })),
  };
}

const chinook = catalogOf({
  Artist: "ArtistId Name",
  Album: "AlbumId Title ArtistId",
  Genre: "GenreId Name",
  Playlist: "PlaylistId Name",
  Track: "TrackId Name AlbumId MediaTypeId GenreId Composer Milliseconds Bytes UnitPrice",
  InvoiceLine: "InvoiceLineId InvoiceId TrackId UnitPrice Quantity",
  Invoice: "InvoiceId CustomerId InvoiceDate BillingCountry Total",
  Customer: "CustomerId FirstName LastName Country SupportRepId",
  Employee: "EmployeeId LastName FirstName Title ReportsTo",
});

function join(
  left: string,
  leftAlias: string,
  type: JoinType,
  right: string,
  rightAlias: string,
  ...pairs: string[]
): JoinDecision {
  return {
    kind: "join",
    type,
    left: { table: left, alias: leftAlias },
    right: { table: right, alias: rightAlias },
    pairs: pairs.map((pair) => ({ left: pair.split("=")[0] ?? "", right: pair.split("=")[1] ?? pair })),
  };
}
function filter(
  condition: string,
  table: string,
  column: string,
  operator: FilterDecision["operator"],
  values: (string | number)[],
  alias?: string,
): FilterDecision {
  return { kind: "filter", words: "w", table, column, operator, values, condition, ...(alias ? { alias } : {}) };
}
const used = (...tables: string[]): Decision[] =>
  tables.map((table) => ({ kind: "table", table, use: "used", reason: "r" }));
const step = (name: string, sql: string): Decision => ({ kind: "cte", name, purpose: "p", sql });
const numbered = (decisions: Decision[]) => decisions.map((decision, index) => ({ seq: index + 1, decision }));
const run = (sql: string, decisions: Decision[], catalog = chinook) => conform(sql, numbered(decisions), catalog);
const titles = (sql: string, decisions: Decision[], catalog = chinook) =>
  run(sql, decisions, catalog).deviations.map((deviation) => deviation.title);

const albums = [
  ...used("Artist", "Album"),
  join("Artist", "ar", "INNER", "Album", "al", "ArtistId"),
  filter("ar.Name = 'AC/DC'", "Artist", "Name", "=", ["AC/DC"], "ar"),
];

describe("the same thing written in other ways conforms", () => {
  test.each([
    [
      "as accepted",
      "SELECT al.Title FROM Artist ar JOIN Album al ON al.ArtistId = ar.ArtistId WHERE ar.Name = 'AC/DC'",
    ],
    [
      "sides turned, other aliases",
      "SELECT x.Title FROM Album x INNER JOIN Artist y ON x.ArtistId = y.ArtistId WHERE 'AC/DC' = y.Name",
    ],
    ["USING", "SELECT Title FROM Artist JOIN Album USING (ArtistId) WHERE Artist.Name = 'AC/DC'"],
    ["NATURAL", "SELECT Title FROM Artist NATURAL JOIN Album WHERE Artist.Name = 'AC/DC'"],
    ["comma and WHERE", "SELECT Title FROM Artist ar, Album al WHERE ar.Name = 'AC/DC' AND al.ArtistId = ar.ArtistId"],
    [
      "no aliases, quoted",
      'SELECT "Title" FROM "Artist" JOIN "Album" ON "Album"."ArtistId" = "Artist"."ArtistId" WHERE "Artist"."Name" = \'AC/DC\'',
    ],
    ["lower case", "select title from artist ar join album al on al.artistid = ar.artistid where ar.name = 'AC/DC'"],
    [
      "in a step",
      "WITH a AS (SELECT al.Title, ar.Name FROM Artist ar JOIN Album al ON al.ArtistId = ar.ArtistId) SELECT Title FROM a WHERE Name = 'AC/DC'",
    ],
    [
      "two steps joined",
      "WITH a AS (SELECT ArtistId AS k, Name FROM Artist WHERE Name IN ('AC/DC')), b AS (SELECT Title, ArtistId FROM Album) SELECT Title FROM b JOIN a ON a.k = b.ArtistId",
    ],
    [
      "derived table",
      "SELECT t.Title FROM (SELECT * FROM Album) t JOIN Artist ar ON ar.ArtistId = t.ArtistId WHERE ar.Name = 'AC/DC'",
    ],
    ["filter in ON", "SELECT al.Title FROM Artist ar JOIN Album al ON al.ArtistId = ar.ArtistId AND ar.Name = 'AC/DC'"],
    [
      "comments and blank lines",
      "SELECT al.Title -- JOIN Genre\nFROM Artist ar\n\nJOIN Album al /* x */ ON al.ArtistId = ar.ArtistId\nWHERE (ar.Name = 'AC/DC');",
    ],
    [
      "with LIMIT and ORDER",
      "SELECT al.Title FROM Artist ar JOIN Album al ON al.ArtistId = ar.ArtistId WHERE ar.Name = 'AC/DC' ORDER BY 1 LIMIT 3",
    ],
  ])("%s", (_name, sql) => {
    expect(titles(sql, albums)).toEqual([]);
    expect(run(sql, albums).rows.map((row) => row.status)).toEqual(["found", "found", "found", "found"]);
  });
});

describe("mutations are named", () => {
  const good = "SELECT al.Title\nFROM Artist ar\nJOIN Album al ON al.ArtistId = ar.ArtistId\nWHERE ar.Name = 'AC/DC'";
  test.each([
    ["INNER to LEFT", good.replace("JOIN", "LEFT JOIN"), ["Line 3 says LEFT JOIN, you accepted JOIN"]],
    [
      "other key",
      good.replace("al.ArtistId = ar", "al.AlbumId = ar"),
      ["Line 3 joins Artist and Album on other columns than you accepted"],
    ],
    [
      "pair added",
      good.replace("= ar.ArtistId", "= ar.ArtistId AND al.Title = ar.Name"),
      ["Line 3 joins Artist and Album on other columns than you accepted"],
    ],
    ["value changed", good.replace("AC/DC", "Accept"), ["Line 4 filters Name in another way than you accepted"]],
    ["operator changed", good.replace("= 'AC", "<> 'AC"), ["Line 4 filters Name in another way than you accepted"]],
    ["filter dropped", good.replace(/\nWHERE.*/, ""), ["The SQL doesn't filter by “w”, as you accepted"]],
    ["filter weakened", `${good} OR 1 = 1`, ["Line 4 filters Name in another way than you accepted"]],
    [
      "filter negated",
      good.replace("ar.Name =", "NOT ar.Name ="),
      ["Line 4 filters Name in another way than you accepted"],
    ],
    ["filter added", `${good}\nAND al.Title LIKE 'B%'`, ["Line 5 has a condition you did not accept"]],
    ["HAVING added", `${good}\nGROUP BY al.Title\nHAVING COUNT(*) > 1`, ["Line 6 has a condition you did not accept"]],
    [
      "table added",
      good.replace("\nWHERE", "\nJOIN Track t ON t.AlbumId = al.AlbumId\nWHERE"),
      ["Line 4 reads Track, a table you did not accept"],
    ],
    [
      "table added in a condition",
      `${good} AND EXISTS (SELECT 1 FROM Track t WHERE t.AlbumId = al.AlbumId)`,
      ["Line 4 reads Track, a table you did not accept"],
    ],
    [
      "cross product",
      "SELECT al.Title\nFROM Artist ar\nCROSS JOIN Album al\nWHERE ar.Name = 'AC/DC'",
      [
        "The SQL doesn't join Artist and Album, as you accepted",
        "Line 3 joins Artist and Album without a condition, which you did not accept",
      ],
    ],
    [
      "second copy of a table",
      good.replace("\nWHERE", "\nJOIN Album b ON b.Title = al.Title\nWHERE"),
      ["Line 4 joins Album and Album on b.Title = al.Title, which you did not accept"],
    ],
  ])("%s", (_name, sql, expected) => {
    expect(titles(sql, albums)).toEqual(expected);
  });

  test("left and right of LEFT JOIN exchanged", () => {
    const left = [join("Artist", "ar", "LEFT", "Album", "al", "ArtistId"), ...used("Artist", "Album")];
    expect(titles("SELECT 1 FROM Artist a LEFT JOIN Album b ON a.ArtistId = b.ArtistId", left)).toEqual([]);
    expect(titles("SELECT 1 FROM Album b RIGHT JOIN Artist a ON a.ArtistId = b.ArtistId", left)).toEqual([]);
    expect(titles("SELECT 1 FROM Album b LEFT JOIN Artist a ON a.ArtistId = b.ArtistId", left)).toEqual([
      "Line 1 keeps the rows of the other side, you accepted LEFT JOIN",
    ]);
    expect(titles("SELECT 1 FROM Artist a JOIN Album b ON a.ArtistId = b.ArtistId", left)).toEqual([
      "Line 1 says JOIN, you accepted LEFT JOIN",
    ]);
  });

  test("a dropped table, and one that was left out", () => {
    const decisions: Decision[] = [
      ...used("Artist", "Genre"),
      { kind: "table", table: "Playlist", use: "left-out", reason: "not asked for" },
    ];
    expect(titles("SELECT Name FROM Artist", decisions)).toEqual(["The SQL doesn't read Genre, which you accepted"]);
    expect(titles("SELECT Name FROM Artist, Genre\nUNION SELECT Name FROM Playlist", decisions)).toContain(
      "Line 2 reads Playlist, which you left out",
    );
  });

  test("text that is no statement proves nothing", () => {
    expect(titles("SELECT FROM WHERE (", albums)).toEqual(["The SQL can't be read, so nothing of it is proven"]);
    expect(titles("SELECT 1; SELECT 2", albums)).toEqual(["The SQL can't be read, so nothing of it is proven"]);
  });
});

describe("composite keys and roles", () => {
  const both = [
    ...used("Track", "InvoiceLine"),
    join("Track", "t", "INNER", "InvoiceLine", "il", "TrackId", "UnitPrice"),
  ];
  test("all pairs, in any order", () => {
    expect(
      titles(
        "SELECT 1 FROM InvoiceLine il JOIN Track t ON t.UnitPrice = il.UnitPrice AND il.TrackId = t.TrackId",
        both,
      ),
    ).toEqual([]);
    expect(
      titles(
        "SELECT 1 FROM InvoiceLine il JOIN Track t ON il.TrackId = t.TrackId WHERE t.UnitPrice = il.UnitPrice",
        both,
      ),
    ).toEqual([]);
  });
  test("a dropped pair", () => {
    const found = run("SELECT 1 FROM InvoiceLine il JOIN Track t ON il.TrackId = t.TrackId", both).deviations;
    expect(found.map((deviation) => deviation.title)).toEqual([
      "Line 1 joins Track and InvoiceLine on other columns than you accepted",
    ]);
    expect(found[0]?.body).toBe("It lacks t.UnitPrice = il.UnitPrice.");
    expect(found[0]).toMatchObject({ seq: 3, inSql: "JOIN Track t ON il.TrackId = t.TrackId", lines: [1] });
  });

  const roles = catalogOf({ ordr: "id ship bill", addr: "id city" });
  const cities = [
    ...used("ordr", "addr"),
    join("ordr", "o", "INNER", "addr", "s", "ship=id"),
    join("ordr", "o", "INNER", "addr", "b", "bill=id"),
    filter("b.city = 'Oslo'", "addr", "city", "=", ["Oslo"], "b"),
  ];
  const good =
    "SELECT s.city, b.city FROM ordr o JOIN addr s ON s.id = o.ship JOIN addr b ON b.id = o.bill WHERE b.city = 'Oslo'";
  test("two roles of one table stay apart", () => {
    expect(titles(good, cities, roles)).toEqual([]);
    expect(titles(good.replace("o.bill", "o.ship"), cities, roles)).toEqual([
      "Line 1 joins ordr and addr on other columns than you accepted",
    ]);
    expect(titles(good.replace("WHERE b.", "WHERE s."), cities, roles)).toEqual([
      "Line 1 filters city in another way than you accepted",
    ]);
    expect(
      titles("SELECT s.city FROM ordr o JOIN addr s ON s.id = o.ship WHERE s.city = 'Oslo'", cities, roles).length,
    ).toBeGreaterThan(0);
  });
  test("self-join by role", () => {
    const staff = [...used("Employee"), join("Employee", "e", "LEFT", "Employee", "m", "ReportsTo=EmployeeId")];
    expect(
      titles("SELECT e.LastName, m.LastName FROM Employee e LEFT JOIN Employee m ON m.EmployeeId = e.ReportsTo", staff),
    ).toEqual([]);
    expect(
      titles("SELECT e.LastName, m.LastName FROM Employee e LEFT JOIN Employee m ON e.EmployeeId = m.ReportsTo", staff),
    ).not.toEqual([]);
  });
});

describe("rows with or without a partner", () => {
  const anti = [...used("Artist", "Album"), join("Artist", "ar", "ANTI", "Album", "al", "ArtistId")];
  const semi = [...used("Artist", "Album"), join("Artist", "ar", "SEMI", "Album", "al", "ArtistId")];
  const texts = {
    exists: "SELECT Name FROM Artist ar WHERE EXISTS (SELECT 1 FROM Album al WHERE al.ArtistId = ar.ArtistId)",
    in: "SELECT Name FROM Artist WHERE ArtistId IN (SELECT ArtistId FROM Album)",
    notExists: "SELECT Name FROM Artist ar WHERE NOT EXISTS (SELECT * FROM Album WHERE ArtistId = ar.ArtistId)",
    notIn: "SELECT Name FROM Artist ar WHERE ar.ArtistId NOT IN (SELECT al.ArtistId FROM Album al)",
    nullTest: "SELECT Name FROM Artist ar LEFT JOIN Album al ON al.ArtistId = ar.ArtistId WHERE al.AlbumId IS NULL",
  };
  test("SEMI", () => {
    expect(titles(texts.exists, semi)).toEqual([]);
    expect(titles(texts.in, semi)).toEqual([]);
    expect(titles(texts.notExists, semi)).toEqual(["Line 1 says NOT EXISTS, you accepted EXISTS"]);
    expect(titles(texts.notIn, semi)).toEqual(["Line 1 says NOT EXISTS, you accepted EXISTS"]);
  });
  test("ANTI", () => {
    expect(titles(texts.notExists, anti)).toEqual([]);
    expect(titles(texts.notIn, anti)).toEqual([]);
    expect(titles(texts.exists, anti)).toEqual(["Line 1 says EXISTS, you accepted NOT EXISTS"]);
    expect(run(texts.nullTest, anti).rows.find((row) => row.seq === 3)?.status).toBe("found");
  });
});

describe("conditions", () => {
  const decide = (...filters: FilterDecision[]) => [...used("Track"), ...filters];
  const from = (where: string) => `SELECT t.Name FROM Track t WHERE ${where}`;
  test.each<[string, FilterDecision, string]>([
    [
      "IN in another order",
      filter("t.GenreId IN (1, 5)", "Track", "GenreId", "IN", [1, 5], "t"),
      "t.GenreId IN (5, 1)",
    ],
    [
      "IN as alternatives",
      filter("t.GenreId IN (1, 5)", "Track", "GenreId", "IN", [1, 5], "t"),
      "(t.GenreId = 5 OR t.GenreId = 1)",
    ],
    [
      "BETWEEN as two",
      filter("t.Milliseconds BETWEEN 1 AND 5", "Track", "Milliseconds", "BETWEEN", [1, 5], "t"),
      "t.Milliseconds <= 5 AND t.Milliseconds >= 1",
    ],
    ["NOT IN", filter("t.GenreId NOT IN (1, 5)", "Track", "GenreId", "NOT IN", [1, 5], "t"), "NOT t.GenreId IN (1, 5)"],
    ["turned", filter("t.Milliseconds > 300000", "Track", "Milliseconds", ">", [300000], "t"), "300000 < Milliseconds"],
    [
      "IS NOT NULL",
      filter("t.Composer IS NOT NULL", "Track", "Composer", "IS NOT NULL", [], "t"),
      "NOT t.Composer IS NULL",
    ],
    [
      "LIKE",
      filter("t.Name LIKE '%rock%'", "Track", "Name", "LIKE", ["%rock%"], "t"),
      "Track.Name LIKE '%rock%'".replace("Track.", "t."),
    ],
    ["function", filter("LOWER(t.Name) = 'x'", "Track", "Name", "other", [], "t"), "lower(t.Name) = 'x'"],
    [
      "average",
      filter("t.Milliseconds > (SELECT AVG(Milliseconds) FROM Track)", "Track", "Milliseconds", "other", [], "t"),
      "t.Milliseconds > (SELECT avg(Milliseconds) FROM Track)",
    ],
  ])("%s", (_name, decision, where) => {
    expect(titles(from(where), decide(decision))).toEqual([]);
  });

  test("an accepted condition accounts for the tables it reads", () => {
    const condition =
      "t.AlbumId IN (SELECT al.AlbumId FROM Album al JOIN Artist ar ON ar.ArtistId = al.ArtistId WHERE ar.Name = 'U2')";
    expect(titles(from(condition), decide(filter(condition, "Track", "AlbumId", "other", [], "t")))).toEqual([]);
    expect(
      titles(from(condition.replace("U2", "U4")), decide(filter(condition, "Track", "AlbumId", "other", [], "t"))),
    ).not.toEqual([]);
  });
  test("HAVING, also by the name in the SELECT list", () => {
    const many = decide(filter("COUNT(*) > 5", "Track", "TrackId", "other", []));
    expect(titles("SELECT GenreId, COUNT(*) n FROM Track GROUP BY 1 HAVING COUNT(*) > 5", many)).toEqual([]);
    expect(titles("SELECT GenreId, COUNT(*) n FROM Track GROUP BY 1 HAVING n > 5", many)).toEqual([]);
    expect(titles("SELECT GenreId, COUNT(*) n FROM Track GROUP BY 1 HAVING n > 6", many)).not.toEqual([]);
  });
  test("a sum that a step puts out is the sum, wherever it is compared", () => {
    const rich = [
      ...used("InvoiceLine"),
      filter("SUM(il.UnitPrice * il.Quantity) > 20", "InvoiceLine", "UnitPrice", "other", [], "il"),
    ];
    const sql =
      "WITH s AS (SELECT il.TrackId, SUM(il.UnitPrice * il.Quantity) AS revenue FROM InvoiceLine il GROUP BY 1) SELECT TrackId FROM s WHERE revenue > 20";
    expect(titles(sql, rich)).toEqual([]);
    expect(titles(sql.replace("> 20", "> 2"), rich)).not.toEqual([]);
    expect(titles(sql.replace("SUM(", "AVG("), rich)).not.toEqual([]);
  });
  test("an alias that only the condition names is the filter's table", () => {
    const long = decide(filter("x.Milliseconds BETWEEN 5 AND 9", "Track", "Milliseconds", "BETWEEN", [5, 9]));
    expect(titles("SELECT x.Name FROM Track AS x WHERE x.Milliseconds BETWEEN 5 AND 9", long)).toEqual([]);
    expect(titles("SELECT x.Name FROM Track AS x WHERE x.Milliseconds BETWEEN 5 AND 8", long)).not.toEqual([]);
  });
  test("a condition on a step's own name is found by its text", () => {
    const rich = [...used("InvoiceLine"), filter("s.revenue > 20", "InvoiceLine", "UnitPrice", "other", [])];
    const sql =
      "WITH s AS (SELECT TrackId, SUM(UnitPrice) AS revenue FROM InvoiceLine GROUP BY 1) SELECT TrackId FROM s WHERE (s.revenue  > 20)";
    expect(titles(sql, rich)).toEqual([]);
    expect(titles(sql.replace("> 20", "> 2"), rich)).not.toEqual([]);
  });
  test("AND between two accepted filters is not OR", () => {
    const two = decide(
      filter("t.GenreId = 1", "Track", "GenreId", "=", [1], "t"),
      filter("t.Bytes > 9", "Track", "Bytes", ">", [9], "t"),
    );
    expect(titles(from("t.GenreId = 1 AND t.Bytes > 9"), two)).toEqual([]);
    expect(titles(from("t.GenreId = 1 OR t.Bytes > 9"), two)).not.toEqual([]);
  });
});

describe("steps", () => {
  const rock =
    "  SELECT t.TrackId, t.Milliseconds, ar.ArtistId, ar.Name AS artist\n  FROM Track AS t\n  JOIN Genre AS g ON g.GenreId = t.GenreId\n  JOIN Album AS al ON al.AlbumId = t.AlbumId\n  JOIN Artist AS ar ON ar.ArtistId = al.ArtistId\n  WHERE g.Name IN ('Rock', 'Rock And Roll')";
  const sales =
    "  SELECT il.TrackId, SUM(il.UnitPrice * il.Quantity) AS revenue\n  FROM InvoiceLine AS il\n  JOIN Invoice AS i ON i.InvoiceId = il.InvoiceId\n  WHERE i.InvoiceDate >= '2023-01-01'\n  GROUP BY il.TrackId";
  const artists =
    "  SELECT rt.ArtistId, rt.artist, ROUND(SUM(COALESCE(ts.revenue, 0)), 2) AS revenue\n  FROM rock_tracks AS rt\n  LEFT JOIN track_sales AS ts ON ts.TrackId = rt.TrackId\n  GROUP BY rt.ArtistId, rt.artist";
  const steps = [step("rock_tracks", rock), step("track_sales", sales), step("by_artist", artists)];
  const decisions: Decision[] = [
    ...used("Track", "Genre", "Album", "Artist", "InvoiceLine", "Invoice"),
    join("Track", "t", "INNER", "Genre", "g", "GenreId"),
    join("Track", "t", "INNER", "Album", "al", "AlbumId"),
    join("Album", "al", "INNER", "Artist", "ar", "ArtistId"),
    join("Track", "t", "LEFT", "InvoiceLine", "il", "TrackId"),
    join("InvoiceLine", "il", "INNER", "Invoice", "i", "InvoiceId"),
    filter("g.Name IN ('Rock', 'Rock And Roll')", "Genre", "Name", "IN", ["Rock", "Rock And Roll"], "g"),
    filter("i.InvoiceDate >= '2023-01-01'", "Invoice", "InvoiceDate", ">=", ["2023-01-01"], "i"),
    ...steps,
    { kind: "column", table: "Artist", column: "Name", role: "output", reason: "r" },
  ];
  const texts = [
    { name: "rock_tracks", sql: rock },
    { name: "track_sales", sql: sales },
    { name: "by_artist", sql: artists },
  ];
  const good = assembleSteps(texts, "SELECT artist, revenue\nFROM by_artist\nORDER BY revenue DESC\nLIMIT 10");

  test("a statement made of accepted steps conforms to its own decisions, every row found with its lines", () => {
    const report = run(good, decisions);
    expect(report.deviations).toEqual([]);
    expect(report.rows.map((row) => row.status)).toEqual(report.rows.map(() => "found"));
    expect(report.rows).toHaveLength(decisions.length);
    // Counted in the text: WITH is line 1, the LEFT JOIN stands on line 19.
    expect(good.split("\n")[18]).toContain("LEFT JOIN");
    expect(report.rows.find((row) => row.text === "Track to InvoiceLine, LEFT")?.lines).toEqual([19]);
    expect(run(assembleSteps(texts), decisions).deviations).toEqual([]);
  });
  test("LEFT JOIN lost in one step is one deviation that says so", () => {
    const report = run(good.replace("LEFT JOIN", "JOIN"), decisions);
    expect(report.deviations.map((deviation) => deviation.title)).toEqual([
      "Line 19 says JOIN, you accepted LEFT JOIN",
    ]);
    expect(report.deviations[0]).toMatchObject({
      accepted: "LEFT JOIN InvoiceLine AS il ON il.TrackId = t.TrackId",
      inSql: "JOIN track_sales AS ts ON ts.TrackId = rt.TrackId",
      lines: [19],
    });
    expect(report.rows.filter((row) => row.status === "deviates").map((row) => row.text)).toEqual([
      "Track to InvoiceLine, LEFT",
      "Step by_artist",
    ]);
  });
  test.each([
    [
      "aggregate changed",
      (sql: string) => sql.replace("SUM(il", "AVG(il"),
      ["The step track_sales differs from the one you accepted"],
    ],
    [
      "value changed",
      (sql: string) => sql.replace("'2023-01-01'", "'2022-01-01'"),
      [
        "Line 13 filters InvoiceDate in another way than you accepted",
        "The step track_sales differs from the one you accepted",
      ],
    ],
    [
      "key changed",
      (sql: string) => sql.replace("al.AlbumId = t.AlbumId", "al.AlbumId = t.TrackId"),
      [
        "Line 5 joins Track and Album on other columns than you accepted",
        "The step rock_tracks differs from the one you accepted",
      ],
    ],
    [
      "table joined at the end",
      (sql: string) => sql.replace("FROM by_artist", "FROM by_artist CROSS JOIN Playlist"),
      ["Line 23 reads Playlist, a table you did not accept"],
    ],
    [
      "filter at the end",
      (sql: string) => sql.replace("FROM by_artist", "FROM by_artist WHERE revenue > 5"),
      ["Line 23 has a condition you did not accept"],
    ],
  ])("%s", (_name, mutate, expected) => {
    expect(mutate(good)).not.toBe(good);
    expect(titles(mutate(good), decisions)).toEqual(expected);
  });
  test("a step under another name or in its place is that step", () => {
    expect(titles(good.replaceAll("by_artist", "answer"), decisions)).toEqual([]);
    const inlined = good
      .replace(/,\s*by_artist AS \([\s\S]*?\n\)(?=\s*SELECT)/, "")
      .replace("FROM by_artist", `FROM (${artists}) AS a`);
    expect(inlined).not.toContain("by_artist");
    expect(titles(inlined, decisions)).toEqual([]);
    expect(titles(inlined.replace("SUM(COALESCE", "AVG(COALESCE"), decisions)).toContain(
      "The step by_artist you accepted is not in the SQL",
    );
    expect(titles(good.replaceAll("by_artist", "answer").replace("SUM(COALESCE", "AVG(COALESCE"), decisions)).toEqual([
      "The step by_artist you accepted is not in the SQL",
      "Line 16 holds the step answer, which you did not accept",
    ]);
  });
  test("ids stay the same and an accepted deviation is no deviation any more", () => {
    const sql = good.replace("LEFT JOIN", "JOIN");
    const [first] = run(sql, decisions).deviations;
    expect(run(sql, decisions).deviations[0]?.id).toBe(first?.id);
    const later = [...decisions, { kind: "deviation", text: first?.title ?? "" } satisfies Decision];
    expect(run(sql, later).deviations).toEqual([]);
  });
});

describe("one row per key", () => {
  const keyed: Catalog = {
    ...chinook,
    tables: chinook.tables.map((table) => ({ ...table, primaryKey: [`${table.name}Id`] })),
  };
  const grain = (...expressions: string[]): Decision => ({
    kind: "interpretation",
    aspect: "grain",
    text: "One row per customer.",
    expressions,
  });
  const grouped = (keys: string) =>
    `SELECT c.FirstName, SUM(i.Total) AS spent FROM Customer AS c JOIN Invoice AS i ON c.CustomerId = i.CustomerId GROUP BY ${keys}`;
  const deviations = (sql: string, ...decisions: Decision[]) =>
    conform(
      sql,
      [join("Customer", "c", "INNER", "Invoice", "i", "CustomerId"), ...decisions].map((decision, index) => ({
        seq: index + 1,
        decision,
      })),
      keyed,
    ).deviations.map(({ title }) => title);

  test("is the same with columns that the key settles, on either side", () => {
    expect(deviations(grouped("c.CustomerId, c.FirstName, c.LastName"), grain("c.CustomerId"))).toEqual([]);
    expect(deviations(grouped("c.CustomerId"), grain("c.CustomerId", "c.LastName"))).toEqual([]);
  });

  test("is another one with a column of another table, or without the key", () => {
    expect(deviations(grouped("c.CustomerId, i.BillingCountry"), grain("c.CustomerId"))).toHaveLength(1);
    expect(deviations(grouped("c.FirstName, c.LastName"), grain("c.CustomerId"))).toHaveLength(1);
  });
});
