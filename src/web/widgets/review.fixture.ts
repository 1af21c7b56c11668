/** Gates as the server sends them, on Chinook, for tests of the widgets. The figures are those of the real database. */

import type { JoinEvidence } from "../../protocol/evidence.ts";
import type { GateFrame, OpenGate } from "../../protocol/gates.ts";

export const frame = (over: Partial<GateFrame> = {}): GateFrame => ({
  title: "Is this right?",
  intro: "",
  findings: [],
  writes: [],
  consequence: "Writes it. Next: F4 Filters.",
  otherConsequence: "Writes none of it.",
  chips: [],
  restsOn: [],
  gatesLeft: 3,
  ...over,
});

const side = (table: string, alias: string, role?: string) => (role ? { table, alias, role } : { table, alias });
const pair = (column: string, type = "INTEGER", origin: "declared" | "inferred" = "declared") => ({
  left: column,
  leftType: type,
  right: column,
  rightType: type,
  origin,
  ...(origin === "inferred" ? { why: "same name and type, all values overlap" } : {}),
});

type Figures = Omit<JoinEvidence, "leftNullKeys" | "rightNullKeys">;
const figures: Figures[] = [
  {
    n: 1,
    pairs: [pair("ArtistId")],
    cardinality: "1:N",
    maxRight: 21,
    maxLeft: 1,
    leftRows: 275,
    leftMatched: 204,
    rightRows: 347,
    rightMatched: 347,
    before: 275,
    after: 347,
  },
  {
    n: 2,
    pairs: [pair("AlbumId")],
    cardinality: "1:N",
    maxRight: 57,
    maxLeft: 1,
    leftRows: 347,
    leftMatched: 347,
    rightRows: 3503,
    rightMatched: 3503,
    before: 347,
    after: 3503,
  },
  {
    n: 3,
    pairs: [pair("GenreId")],
    cardinality: "N:1",
    maxRight: 1,
    maxLeft: 1297,
    leftRows: 3503,
    leftMatched: 3503,
    rightRows: 25,
    rightMatched: 25,
    before: 3503,
    after: 3503,
  },
  {
    n: 4,
    pairs: [pair("TrackId"), pair("UnitPrice", "NUMERIC(10,2)", "inferred")],
    cardinality: "1:N",
    maxRight: 2,
    maxLeft: 1,
    leftRows: 3503,
    leftMatched: 1984,
    rightRows: 2240,
    rightMatched: 2240,
    before: 3503,
    after: 2240,
  },
  {
    n: 5,
    pairs: [pair("InvoiceId")],
    cardinality: "N:1",
    maxRight: 1,
    maxLeft: 14,
    leftRows: 2240,
    leftMatched: 2240,
    rightRows: 412,
    rightMatched: 412,
    before: 2240,
    after: 2240,
  },
];
const ends = [
  [side("Artist", "ar"), side("Album", "al")],
  [side("Album", "al"), side("Track", "t")],
  [side("Track", "t"), side("Genre", "g")],
  [side("Track", "t"), side("InvoiceLine", "il")],
  [side("InvoiceLine", "il"), side("Invoice", "i")],
] as const;

export const joinGate: OpenGate & { kind: "join-review" } = {
  gateId: "F3-1",
  kind: "join-review",
  phase: "F3",
  hash: "h3",
  payload: {
    frame: frame({
      title: "Are these five joins right?",
      intro: "They lead from Artist to Invoice through Album, Track and InvoiceLine, with Genre beside Track.",
      findings: [
        {
          id: "w1",
          code: "fan-out",
          severity: "warning",
          where: 4,
          title: "Join 4 would count track length twice",
          body: "256 tracks were sold twice. After join 4 each of them stands in two rows, so catalogue length, a sum over Track, adds it twice. Revenue is safe: it is a sum over invoice lines.",
          proof: {
            columns: ["Measure, sold tracks", "Each track once", "With join 4", "Counted twice"],
            rows: [
              ["Catalogue length SUM(t.Milliseconds)", "211.0 h", "233.6 h", "22.6 h"],
              ["Revenue SUM(il.UnitPrice × il.Quantity)", "2,328.60", "2,328.60", "none"],
            ],
          },
          waysOut: [
            { label: "Sum InvoiceLine per track before join 4", text: "Sum InvoiceLine per track before join 4" },
            { label: "Take length from Track in its own step", text: "Take length from Track in its own step" },
          ],
        },
        {
          id: "n1",
          code: "rows-lost",
          severity: "notice",
          title: "Two inner joins leave rows out",
          body: "Join 1 leaves out 71 of 275 artists: they have no album. Join 4 leaves out 1,519 of 3,503 tracks: they were never sold, 172.0 h of catalogue.",
          waysOut: [
            { label: "Use LEFT JOIN in 4", text: "Use LEFT JOIN in join 4" },
            { label: "Use LEFT JOIN in 1", text: "Use LEFT JOIN in join 1" },
          ],
        },
        {
          id: "n2",
          code: "inferred",
          severity: "notice",
          title: "One pair in join 4 is inferred",
          body: "UnitPrice = UnitPrice is no declared key: name and type are the same and all 2,240 lines agree. It removes 0 rows today. After a price change it would drop sales without a sign.",
          waysOut: [{ label: "Without the UnitPrice pair", text: "Without the UnitPrice pair" }],
        },
      ],
      writes: [
        "join Artist ar INNER JOIN Album al ON al.ArtistId = ar.ArtistId",
        "join Album al INNER JOIN Track t ON t.AlbumId = al.AlbumId",
        "join Track t INNER JOIN Genre g ON g.GenreId = t.GenreId",
        "join Track t INNER JOIN InvoiceLine il ON il.TrackId = t.TrackId AND il.UnitPrice = t.UnitPrice",
        "join InvoiceLine il INNER JOIN Invoice i ON i.InvoiceId = il.InvoiceId",
        "accepts warning: join 4 would count track length twice",
      ],
      consequence: "Writes all 5 joins as one set and your acceptance of 1 warning. Next: F4 Filters.",
      otherConsequence: "Writes none of the 5 joins. The model must propose the complete set again.",
      chips: [
        {
          group: "Joins",
          chips: [
            { label: "Without Genre", text: "Without Genre" },
            { label: "Another key in 4", text: "Another key in join 4" },
          ],
        },
      ],
      restsOn: [
        { seqs: [4], label: "one row per artist" },
        { seqs: [5], label: "revenue" },
        { seqs: [7], label: "catalogue, sold or not" },
        { seqs: [11, 12, 13, 14, 15, 16], label: "six tables" },
      ],
    }),
    decisions: ends.map(([left, right], index) => ({
      kind: "join",
      left,
      type: "INNER",
      right,
      pairs: (figures[index]?.pairs ?? []).map((item) => ({ left: item.left, right: item.right })),
    })),
    evidence: {
      tables: [
        { ...side("Artist", "ar"), rows: 275 },
        { ...side("Album", "al"), rows: 347 },
        { ...side("Track", "t"), rows: 3503 },
        { ...side("Genre", "g"), rows: 25 },
        { ...side("InvoiceLine", "il"), rows: 2240 },
        { ...side("Invoice", "i"), rows: 412 },
      ],
      joins: figures.map((figure) => ({ ...figure, leftNullKeys: 0, rightNullKeys: 0 })),
      checks: [
        "All 6 tables connected",
        "Types equal in all 6 pairs",
        "No table joined twice",
        "No declared path skipped",
      ].map((text) => ({ ok: true, text })),
      exact: true,
      ms: 402,
    },
  },
};

export const filterGate: OpenGate & { kind: "decision-review" } = {
  gateId: "F4-1",
  kind: "decision-review",
  phase: "F4",
  hash: "h4",
  payload: {
    frame: frame({
      title: "Do these two filters mean what you said?",
      intro: "“rock” matches two stored genre names. “since 2023” is one condition on a date that is stored as text.",
      writes: ["filter g.Name IN ('Rock', 'Rock And Roll')", "filter i.InvoiceDate >= '2023-01-01'"],
      consequence: "Writes 2 filters. Next: F5 Steps.",
      gatesLeft: 2,
      restsOn: [
        { seqs: [6], label: "since 2023" },
        { seqs: [24, 25, 26, 27, 28], label: "five joins" },
      ],
      summary: {
        version: 2,
        phase: "F4",
        title: "Two filters",
        summary: "Rock by two genre names, and invoices from 1 Jan 2023 on.",
        open_questions: ["Does “rock” mean the word or the whole family?"],
      },
    }),
    decisions: [
      {
        kind: "filter",
        words: "rock",
        table: "Genre",
        alias: "g",
        column: "Name",
        operator: "IN",
        values: ["Rock", "Rock And Roll"],
        condition: "g.Name IN ('Rock', 'Rock And Roll')",
      },
      {
        kind: "filter",
        words: "since 2023",
        table: "Invoice",
        alias: "i",
        column: "InvoiceDate",
        operator: ">=",
        values: ["2023-01-01"],
        condition: "i.InvoiceDate >= '2023-01-01'",
      },
    ],
    filters: [
      {
        n: 1,
        kept: 2,
        of: 25,
        searched: 25,
        partial: false,
        matches: [
          { value: "Rock", how: "case", rows: 1297, inFilter: true },
          { value: "Rock And Roll", how: "prefix", rows: 12, inFilter: true },
          { value: "Metal", how: "near", rows: 374, inFilter: false },
          { value: "Alternative & Punk", how: "near", rows: 332, inFilter: false },
          { value: "Alternative", how: "contains", rows: 40, inFilter: false },
        ],
      },
      {
        n: 2,
        kept: 246,
        of: 412,
        searched: 0,
        partial: false,
        matches: [],
        format: "YYYY-MM-DD HH:MM:SS in all 412 values: text order is date order",
        range: { min: "2021-01-01 00:00:00", max: "2025-12-22 00:00:00" },
        buckets: [
          ["2021", 83, 0],
          ["2022", 83, 0],
          ["2023", 83, 83],
          ["2024", 83, 83],
          ["2025", 80, 80],
        ].map(([label, rows, kept]) => ({ label: String(label), rows: Number(rows), kept: Number(kept) })),
      },
    ],
  },
};

export const tableGate: OpenGate & { kind: "decision-review" } = {
  gateId: "F2-1",
  kind: "decision-review",
  phase: "F2",
  hash: "h2",
  payload: {
    frame: frame({
      title: "Are these the right tables?",
      intro: "Three tables answer the question; one is left out.",
      writes: ["table Artist, Album, Track", "column Artist.Name, Track.Milliseconds"],
      consequence: "Writes 3 tables and 4 columns. Next: F3 Joins.",
      gatesLeft: 4,
    }),
    decisions: [
      { kind: "interpretation", aspect: "restatement", text: "For each artist, the total length of all tracks." },
      { kind: "interpretation", aspect: "grain", text: "artist" },
      { kind: "table", table: "Playlist", use: "left-out", reason: "Not asked for." },
    ],
    tables: [
      {
        table: "Artist",
        use: "used",
        reason: "The question asks for artists.",
        rows: 275,
        columns: [
          {
            name: "ArtistId",
            type: "INTEGER",
            role: "key",
            reason: "Identifies an artist",
            filled: 275,
            distinct: 275,
            samples: ["1", "2", "3"],
          },
          {
            name: "Name",
            type: "NVARCHAR(120)",
            role: "output",
            reason: "“which artists”",
            filled: 275,
            distinct: 275,
            samples: ["AC/DC", "Accept", "Aerosmith"],
          },
        ],
      },
      {
        table: "Track",
        use: "used",
        reason: "Holds the length of each track.",
        rows: 3503,
        columns: [
          {
            name: "Milliseconds",
            type: "INTEGER",
            role: "measure",
            reason: "“how long”",
            filled: 3503,
            distinct: 3080,
            samples: ["343719", "342562"],
          },
          {
            name: "Composer",
            type: "NVARCHAR(220)",
            role: "filter",
            reason: "“by a composer”",
            filled: 2525,
            distinct: 852,
            samples: ["Angus Young, Malcolm Young, Brian Johnson", "", "R.A. Smith-Diesel"],
          },
        ],
      },
      { table: "Playlist", use: "left-out", reason: "Not asked for.", rows: 18, columns: [] },
    ],
  },
};

const steps = ["rock_tracks", "track_sales", "by_artist", "answer"];
export const cteGate: OpenGate & { kind: "cte-review" } = {
  gateId: "F5-1",
  kind: "cte-review",
  phase: "F5",
  hash: "h5",
  payload: {
    frame: frame({
      title: "Do these four steps build the answer?",
      intro:
        "Rock tracks and sales per track come together in one row per artist, then the ten with the highest revenue.",
      writes: steps.map((name, index) => `step ${index + 1} ${name}`),
      consequence: "Writes 4 steps with their row counts. Next: F6 Answer.",
      gatesLeft: 1,
      restsOn: [{ seqs: [31], label: "rock" }],
    }),
    decisions: steps.map((name) => ({ kind: "cte", name, purpose: `one row per ${name}`, sql: "SELECT 1" })),
    sql: "WITH …",
    steps: [
      {
        n: 1,
        name: "rock_tracks",
        inputs: [{ name: "Track", rows: 3503, table: true }],
        rowCount: 1309,
        base: 3503,
        folded: 0,
        leftOut: 2194,
        why: "2,194 filtered out by genre",
      },
      {
        n: 2,
        name: "track_sales",
        inputs: [{ name: "InvoiceLine", rows: 2240, table: true }],
        rowCount: 1287,
        base: 2240,
        folded: 44,
        leftOut: 909,
        why: "909 filtered out by date, 44 folded per track",
      },
      {
        n: 3,
        name: "by_artist",
        inputs: [
          { name: "rock_tracks", rows: 1309, table: false },
          { name: "track_sales", rows: 1287, table: false },
        ],
        rowCount: 52,
        base: 1309,
        folded: 1257,
        leftOut: 0,
        why: "1,309 tracks folded into 52 artists, none lost",
      },
      {
        n: 4,
        name: "answer",
        inputs: [{ name: "by_artist", rows: 52, table: false }],
        rowCount: 10,
        base: 52,
        folded: 0,
        leftOut: 42,
        why: "42 artists beyond LIMIT 10",
      },
    ].map((step) => ({
      ...step,
      purpose: `One row per artist with revenue and length (${step.name})`,
      startLine: 16,
      ms: 7,
      sql: `${step.name} AS (\n  SELECT\n    rt.ArtistId, rt.artist,\n    ROUND(SUM(COALESCE(ts.revenue, 0)), 2) AS revenue,\n    ROUND(SUM(rt.Milliseconds) / 3600000.0, 2)\n      AS catalogue_hours\n  FROM rock_tracks AS rt\n  LEFT JOIN track_sales AS ts ON ts.TrackId = rt.TrackId\n  GROUP BY rt.ArtistId, rt.artist\n)`,
      result: {
        columns: [
          { name: "ArtistId", type: "INTEGER" },
          { name: "artist", type: "NVARCHAR" },
          { name: "revenue", type: "REAL" },
          { name: "catalogue_hours", type: "REAL" },
        ],
        rows: [
          [1, "AC/DC", 5.94, 1.35],
          [2, "Accept", 1.98, 0.33],
          [3, "Aerosmith", 2.97, 1.23],
          [4, "Alanis Morissette", 3.96, 0.96],
          [5, "Alice In Chains", 2.97, 0.9],
          [8, "Audioslave", null, 1.09],
        ],
        rowCount: 6,
        truncated: step.rowCount > 6,
      },
    })),
    checks: [
      "52 rows, 52 artists: one row per artist",
      "LEFT JOIN keeps 1,309 tracks, none twice",
      "Revenue adds up: 495.99 here and in InvoiceLine",
      "Length adds up: 102.74 h here and in Track",
      "824 tracks without a sale are kept, revenue 0",
      "No empty step, no column that is all NULL",
    ].map((text) => ({ ok: true, text })),
  },
};

export const finalSql = `WITH rock_tracks AS (
  SELECT t.TrackId, t.Milliseconds, ar.ArtistId, ar.Name AS artist
  FROM Track AS t
  JOIN Genre AS g ON g.GenreId = t.GenreId
  JOIN Album AS al ON al.AlbumId = t.AlbumId
  JOIN Artist AS ar ON ar.ArtistId = al.ArtistId
  WHERE g.Name IN ('Rock', 'Rock And Roll')
),
track_sales AS (
  SELECT il.TrackId, SUM(il.UnitPrice * il.Quantity) AS revenue
  FROM InvoiceLine AS il
  JOIN Invoice AS i ON i.InvoiceId = il.InvoiceId
  WHERE i.InvoiceDate >= '2023-01-01'
  GROUP BY il.TrackId
),
by_artist AS (
  SELECT
    rt.ArtistId, rt.artist,
    ROUND(SUM(COALESCE(ts.revenue, 0)), 2) AS revenue,
    ROUND(SUM(rt.Milliseconds) / 3600000.0, 2)
      AS catalogue_hours
  FROM rock_tracks AS rt
  JOIN track_sales AS ts ON ts.TrackId = rt.TrackId
  GROUP BY rt.ArtistId, rt.artist
)
SELECT artist, revenue, catalogue_hours
FROM by_artist
ORDER BY revenue DESC, artist
LIMIT 10`;
const found = (seq: number, text: string, lines: number[]) => ({ seq, text, status: "found" as const, lines });
export const sqlGate: OpenGate & { kind: "sql-review" } = {
  gateId: "F6-1",
  kind: "sql-review",
  phase: "F6",
  hash: "h6",
  payload: {
    frame: frame({
      title: "Is this SQL what you accepted?",
      intro: "Of the eleven decisions that SQL must show, ten are there. One is not done as accepted.",
      findings: [
        {
          id: "tie",
          code: "tie",
          severity: "notice",
          title: "LIMIT 10 cuts a tie",
          body: "The Rolling Stones have 13.86 too, like number ten.",
          waysOut: [{ label: "Order by length too", text: "Order by length too" }],
        },
      ],
      consequence: "Writes the SQL and ends the session.",
      gatesLeft: 0,
      restsOn: [],
    }),
    sql: finalSql,
    explanation:
      "Adds up the revenue of rock tracks per artist since 2023 and the length of all rock tracks, and takes the ten with the highest revenue.",
    conformance: {
      rows: [
        found(4, "One row per artist, top ten", [24, 28, 29]),
        found(5, "Revenue = price × quantity", [10, 19]),
        found(7, "Catalogue = rock track length", [20, 21]),
        found(24, "Track to Genre, INNER", [4]),
        found(25, "Track to Album, INNER", [5]),
        found(26, "Album to Artist, INNER", [6]),
        { seq: 27, text: "Track to InvoiceLine, LEFT JOIN, summed per track", status: "deviates", lines: [23] },
        found(28, "InvoiceLine to Invoice, INNER", [12]),
        found(31, "Genre is Rock or Rock And Roll", [7]),
        found(32, "Invoice date from 1 Jan 2023", [13]),
        found(41, "Three output columns", [26]),
      ],
      deviations: [
        {
          id: "d1",
          seq: 27,
          title: "Line 23 says JOIN, you accepted LEFT JOIN",
          body: "Decision #27 keeps tracks without a sale. This SQL drops 824 of 1,309 rock tracks. Revenue and order stay the same, but catalogue length falls from 102.74 h to 37.10 h; for U2 from 8.41 h to 4.93 h.",
          accepted: "LEFT JOIN track_sales AS ts ON ts.TrackId = rt.TrackId",
          inSql: "JOIN track_sales AS ts ON ts.TrackId = rt.TrackId",
          lines: [23],
        },
      ],
    },
    result: {
      columns: [
        { name: "artist", type: "NVARCHAR(120)" },
        { name: "revenue", type: "REAL" },
        { name: "catalogue_hours", type: "REAL" },
      ],
      rows: [
        ["U2", 70.29, 4.93],
        ["Led Zeppelin", 41.58, 3.51],
        ["Queen", 30.69, 1.92],
        ["Iron Maiden", 24.75, 2.68],
        ["Deep Purple", 19.8, 1.73],
        ["Van Halen", 19.8, 1.12],
        ["Pearl Jam", 18.81, 1.26],
        ["Kiss", 15.84, 1.07],
        ["The Who", 15.84, 0.98],
        ["Creedence Clearwater Revival", 13.86, 0.72],
      ],
      rowCount: 10,
      truncated: false,
    },
    ms: 11,
    checks: [
      { ok: true, text: "10 rows, 10 artists, no NULL column" },
      { ok: true, text: "Revenue adds up over the joins" },
    ],
  },
};

export const questionGate: OpenGate & { kind: "question" } = {
  gateId: "F1-1",
  kind: "question",
  phase: "F1",
  hash: "h1",
  payload: {
    frame: frame({
      title: "What does “rock catalogue” mean?",
      intro: "The words fit two different sums, and they differ by 65.64 hours.",
      consequence: "Writes your choice. Next: the F1 summary.",
      gatesLeft: 6,
      chips: [{ group: "Readings", chips: [{ label: "Something else", text: "I mean something else" }] }],
    }),
    topic: "rock catalogue",
    question: "Which tracks belong to an artist’s rock catalogue?",
    options: [
      {
        id: "all",
        label: "All rock tracks of the artist, sold or not",
        detail: "1,309 tracks, 102.74 hours",
        proposed: true,
      },
      { id: "sold", label: "Only tracks sold since 2023", detail: "485 tracks, 37.10 hours" },
    ],
  },
};
export const cannotGate: OpenGate & { kind: "question" } = {
  gateId: "F1-2",
  kind: "question",
  phase: "F1",
  hash: "h1b",
  payload: {
    frame: frame({
      title: "Shall I end here?",
      intro: "",
      consequence: "Ends the session as not answerable.",
      gatesLeft: 0,
    }),
    topic: "cannot answer",
    question: "The data for this question is not in chinook.",
    options: [],
    cannotAnswer: {
      missing: "chinook has no cost column.",
      reason:
        "A profit margin needs a cost. The catalog has prices in Track and InvoiceLine, but no cost, expense or purchase price in any of its 11 tables.",
    },
  },
};
export const summaryGate: OpenGate & { kind: "phase-summary" } = {
  gateId: "F1-3",
  kind: "phase-summary",
  phase: "F1",
  hash: "h1c",
  payload: {
    frame: frame({
      title: "Did I understand the question?",
      intro: "",
      consequence: "Writes the summary of F1. Next: F2 Data.",
      gatesLeft: 5,
    }),
    summary: {
      version: 2,
      phase: "F1",
      title: "Ten artists by rock revenue, with catalogue length",
      summary:
        "You want the ten artists that earned the most from rock since 2023.\n\n- One row per artist\n- Revenue is UnitPrice × Quantity of invoice lines\n- Catalogue length counts all rock tracks, sold or not\n\nThe order is by revenue, highest first.",
      open_questions: [
        "Should two artists with the same revenue at place ten both be shown?",
        "Is “rock” a genre name only?",
      ],
    },
  },
};

export const allGates: OpenGate[] = [
  joinGate,
  filterGate,
  tableGate,
  cteGate,
  sqlGate,
  questionGate,
  cannotGate,
  summaryGate,
];
