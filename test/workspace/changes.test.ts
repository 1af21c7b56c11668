/** Pieces are added, changed and taken away; every other line of the files stays as it was. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RelationEntry, SynonymEntry, VerifiedQuery } from "../../src/protocol/index.ts";
import {
  addPiece,
  addRelations,
  amendVerified,
  removePiece,
  replacePiece,
} from "../../src/workspace/change-knowledge.ts";
import { describeMany, readDescriptions } from "../../src/workspace/descriptions.ts";
import { toPieceName } from "../../src/workspace/piece-name.ts";
import { readKnowledge } from "../../src/workspace/read-knowledge.ts";
import { goodFiles, writeFiles } from "./good-workspace.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "thoth-changes-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stored = (file: string) => readFileSync(join(folder, file), "utf8");
const fault = (work: Promise<unknown>) =>
  work.then(
    () => {
      throw new Error("no fault");
    },
    (error: unknown) => error,
  );

const origin = { session: "s-9", seq: 21 };
/** With its names in no order at all. */
const relation: RelationEntry = {
  origin,
  source: "confirmed",
  cardinality: "N:1",
  to: { columns: ["GenreId"], table: "Genre" },
  from: { columns: ["GenreId"], table: "Track" },
};
const relationText = `  - from: { table: Track, columns: [ GenreId ] }
    to: { table: Genre, columns: [ GenreId ] }
    cardinality: N:1
    source: confirmed
    origin: { session: s-9, seq: 21 }
`;
const synonym: SynonymEntry = { word: "buyer", means: { table: "Customer" }, origin };
const query: VerifiedQuery = {
  question: "How many tracks are there?",
  engine: "sqlite",
  sql: "SELECT COUNT(*) AS tracks\nFROM Track",
  decisions: [
    {
      phase: "F2",
      seq: 3,
      decision: { reason: "counted: all of them", use: "used", table: "Track", kind: "table" },
    },
  ],
  by: "reviewer",
  at: "2026-11-30T09:15:00.000Z",
  model: "planner/offline",
  prompt_version: "7",
  catalog_checksum: "abc",
  tables: [{ table: "Track", checksum: "def" }],
  columns: [{ name: "tracks", type: "" }],
  row_count: 1,
  origin,
};

describe("lists", () => {
  it("the first piece makes the file, its names in a fixed order", async () => {
    const kept = await addPiece(folder, { kind: "relation", entry: relation });
    expect(kept).toEqual({ id: "relations.yaml#Track(GenreId)->Genre(GenreId)", file: "relations.yaml" });
    expect(stored("relations.yaml")).toBe(`version: 1\nrelations:\n${relationText}`);
    const { relations, faults } = await readKnowledge(folder);
    expect(faults).toEqual([]);
    expect(relations).toEqual([{ ...relation, id: kept.id, file: "relations.yaml", line: 3 }]);
  });

  it("an added piece stands in its order, and no other line changes", async () => {
    writeFiles(folder, goodFiles);
    await addPiece(folder, { kind: "relation", entry: relation });
    expect(stored("relations.yaml")).toBe(`${goodFiles["relations.yaml"]}${relationText}`);
    await addPiece(folder, { kind: "synonym", entry: synonym });
    expect(stored("synonyms.yaml")).toBe(
      (goodFiles["synonyms.yaml"] ?? "").replace(
        "  - word: client",
        "  - word: buyer\n    means: { table: Customer }\n    origin: { session: s-9, seq: 21 }\n  - word: client",
      ),
    );
    await removePiece(folder, "relations.yaml#Track(GenreId)->Genre(GenreId)");
    await removePiece(folder, "synonyms.yaml#buyer->Customer");
    expect(stored("relations.yaml")).toBe(goodFiles["relations.yaml"]);
    expect(stored("synonyms.yaml")).toBe(goodFiles["synonyms.yaml"]);
  });

  it("a replaced piece keeps its comments, and a file its own way of writing", async () => {
    const byHand = `# Ours
version: 1
synonyms:
# before
- word: client # as the CRM says
  means: {table: Customer} # not Employee
  # within
- word: boss
  means: {table: Employee}
`;
    writeFiles(folder, { "synonyms.yaml": byHand });
    const next: SynonymEntry = { word: "client", means: { table: "Customer", column: "Company" } };
    await replacePiece(folder, "synonyms.yaml#client->Customer", { kind: "synonym", entry: next });
    expect(stored("synonyms.yaml")).toBe(byHand.replace("{table: Customer}", "{table: Customer, column: Company}"));
  });

  it("Windows line ends stay", async () => {
    writeFiles(folder, { "synonyms.yaml": (goodFiles["synonyms.yaml"] ?? "").replaceAll("\n", "\r\n") });
    await addPiece(folder, { kind: "synonym", entry: synonym });
    const text = stored("synonyms.yaml");
    expect(text.split("\r\n")).toHaveLength(10);
    expect(text.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it("the same piece twice, and one that is gone, are refused", async () => {
    await addPiece(folder, { kind: "synonym", entry: synonym });
    expect(await fault(addPiece(folder, { kind: "synonym", entry: synonym }))).toMatchObject({ code: "piece-exists" });
    expect(await fault(removePiece(folder, "synonyms.yaml#x->Y"))).toMatchObject({ code: "piece-unknown" });
  });

  it("a piece that doesn't fit stays beside a new one; a file that isn't YAML is left as it is", async () => {
    const half = "version: 1\nsynonyms:\n  - word: x # to be finished\n";
    writeFiles(folder, { "synonyms.yaml": half });
    await addPiece(folder, { kind: "synonym", entry: synonym });
    expect(stored("synonyms.yaml")).toContain("  - word: x # to be finished\n");
    for (const broken of ["version: 1\nsynonyms: [x\n", "version: 2\nsynonyms: []\n", "- x\n", "synonyms: []\n"]) {
      writeFiles(folder, { "synonyms.yaml": broken });
      const error = await fault(addPiece(folder, { kind: "synonym", entry: synonym }));
      expect(error).toMatchObject({
        code: "knowledge-broken",
        message: expect.stringMatching(/synonyms\.yaml, line \d/),
      });
      expect(stored("synonyms.yaml")).toBe(broken);
    }
  });

  it("of many who add at once each one's piece is kept", async () => {
    const words = Array.from({ length: 25 }, (_, at) => `w${String(at).padStart(2, "0")}`);
    await Promise.all(words.map((word) => addPiece(folder, { kind: "synonym", entry: { ...synonym, word } })));
    expect((await readKnowledge(folder)).synonyms.map(({ word }) => word)).toEqual(words);
    expect(readdirSync(folder)).toEqual(["synonyms.yaml"]);
  });

  it("many relations in one change; those that say something else stay unless they are to be replaced", async () => {
    writeFiles(folder, goodFiles);
    const other: RelationEntry = {
      from: { table: "Invoice", columns: ["CustomerId"] },
      to: { table: "Customer", columns: ["CustomerId"] },
      cardinality: "1:1",
      source: "proposed",
    };
    const id = "relations.yaml#Invoice(CustomerId)->Customer(CustomerId)";
    expect(await addRelations(folder, [relation, other], { replace: false })).toEqual({
      written: ["relations.yaml#Track(GenreId)->Genre(GenreId)"],
      stayed: [id],
    });
    expect(await addRelations(folder, [relation, other], { replace: true })).toEqual({ written: [id], stayed: [] });
    expect(stored("relations.yaml")).toContain("cardinality: 1:1\n    source: proposed\n");
    expect(await addRelations(folder, [relation, other], { replace: true })).toEqual({ written: [], stayed: [] });
  });
});

describe("files", () => {
  it("evidence is written, changed with its comments, and removed", async () => {
    const front = { words: ["churn"], title: "Churn: who left?", origin };
    const kept = await addPiece(folder, {
      kind: "evidence",
      front,
      text: "No invoice for a year.\r\n\r\n- not a trial\n",
    });
    expect(kept.file).toBe("evidence/churn-who-left.md");
    expect(stored(kept.file)).toBe(
      '---\ntitle: "Churn: who left?"\nwords: [ churn ]\norigin: { session: s-9, seq: 21 }\n---\n\nNo invoice for a year.\n\n- not a trial\n',
    );
    const second = await addPiece(folder, { kind: "evidence", front, text: "Another" });
    expect(second.file).toBe("evidence/churn-who-left-2.md");
    writeFileSync(join(folder, kept.file), stored(kept.file).replace("words:", "# as sales says\nwords:"));
    await replacePiece(folder, kept.id, {
      kind: "evidence",
      front: { ...front, tables: ["Invoice"] },
      text: "For two.",
    });
    expect(stored(kept.file)).toBe(
      '---\ntitle: "Churn: who left?"\n# as sales says\nwords: [ churn ]\ntables: [ Invoice ]\norigin: { session: s-9, seq: 21 }\n---\n\nFor two.\n',
    );
    await removePiece(folder, kept.id);
    expect((await readKnowledge(folder)).evidence.map(({ id }) => id)).toEqual([second.id]);
  });

  it("a verified query reads as it was written, and a mark comes and goes without a trace", async () => {
    const { file } = await addPiece(folder, { kind: "verified", query });
    expect(file).toBe("verified/how-many-tracks-are-there.yaml");
    const text = stored(file);
    expect(text).toBe(`version: 1
question: How many tracks are there?
engine: sqlite
sql: |-
  SELECT COUNT(*) AS tracks
  FROM Track
decisions:
  - seq: 3
    phase: F2
    decision:
      kind: table
      table: Track
      use: used
      reason: "counted: all of them"
by: reviewer
at: 2026-11-30T09:15:00.000Z
model: planner/offline
prompt_version: "7"
catalog_checksum: abc
tables:
  - { table: Track, checksum: def }
columns:
  - { name: tracks, type: "" }
row_count: 1
origin: { session: s-9, seq: 21 }
`);
    const [piece] = (await readKnowledge(folder)).verified;
    expect(piece).toEqual({ ...query, id: file, file, line: 1 });
    const stale = { since: "2026-12-01T00:00:00Z", reason: "A table is gone." };
    await amendVerified(folder, file, { stale });
    expect(stored(file)).toBe(`${text}stale:\n  since: 2026-12-01T00:00:00Z\n  reason: A table is gone.\n`);
    expect((await readKnowledge(folder)).verified[0]?.stale).toEqual(stale);
    await amendVerified(folder, file, { stale: undefined });
    expect(stored(file)).toBe(text);
  });

  it("SQL that writes is never kept", async () => {
    const work = addPiece(folder, { kind: "verified", query: { ...query, sql: "DELETE FROM Track" } });
    expect(await fault(work)).toMatchObject({ code: "piece-invalid", message: expect.stringContaining("only reads") });
    expect(existsSync(join(folder, "verified"))).toBe(false);
  });

  it.each([
    "../workspace.yaml",
    "evidence/../../x.md",
    "evidence/.hidden.md",
    "verified/x.md",
    "workspace.yaml",
    "a/b/c.md",
  ])("%s is no piece", async (id) => {
    writeFiles(folder, goodFiles);
    expect(await fault(removePiece(folder, id))).toMatchObject({ code: "piece-unknown" });
  });

  it("nothing is written or removed through a link", async () => {
    const outside = mkdtempSync(join(tmpdir(), "thoth-outside-"));
    writeFiles(outside, {
      "x.md": goodFiles["evidence/revenue.md"] ?? "",
      "synonyms.yaml": goodFiles["synonyms.yaml"] ?? "",
    });
    symlinkSync(outside, join(folder, "evidence"));
    symlinkSync(join(outside, "synonyms.yaml"), join(folder, "synonyms.yaml"));
    const front = { title: "x", words: [] };
    for (const work of [
      addPiece(folder, { kind: "evidence", front, text: "y" }),
      addPiece(folder, { kind: "synonym", entry: synonym }),
      removePiece(folder, "evidence/x.md"),
    ])
      expect(await fault(work)).toMatchObject({ code: "knowledge-broken" });
    expect(readdirSync(outside).sort()).toEqual(["synonyms.yaml", "x.md"]);
    expect(readFileSync(join(outside, "synonyms.yaml"), "utf8")).toBe(goodFiles["synonyms.yaml"]);
    rmSync(outside, { recursive: true });
  });
});

it("names of files are safe, whatever the title is", () => {
  expect(toPieceName("What's the  net-revenue (2024)?")).toBe("what-s-the-net-revenue-2024");
  expect(toPieceName("../../etc/passwd")).toBe("etc-passwd");
  expect(toPieceName("Größe über alles")).toBe("große-uber-alles");
  expect(toPieceName("顧客は何人いますか")).toBe("顧客は何人いますか");
  expect(toPieceName("CON")).toBe("con-1");
  expect(toPieceName("\u0000\u001b[2J", 3)).toBe("2j-3");
  expect(toPieceName("???")).toBe("untitled");
  expect(Buffer.byteLength(toPieceName("𠀀".repeat(500)))).toBeLessThanOrEqual(180);
});

it("many descriptions in one change, with what values mean", async () => {
  writeFiles(folder, goodFiles);
  const country = { table: "Customer", column: "Country" };
  const wanted = [
    { ...country, text: "Something else" },
    { ...country, value: "UK", text: "United Kingdom" },
    { ...country, value: "USA", text: "United States of America" },
    { table: "Artist", column: null, text: "One row per band" },
  ];
  expect(await describeMany(folder, wanted, { replace: false })).toEqual({ written: 2, stayed: [wanted[0]] });
  expect(stored("descriptions.yaml")).toBe(`version: 1
tables:
  Artist:
    description: One row per band
  Customer:
    description: One row per person who ever bought.
    columns:
      Country:
        description: Where the invoice goes.
        values:
          UK: United Kingdom
          USA: United States of America
`);
  expect(await describeMany(folder, wanted, { replace: true })).toEqual({ written: 1, stayed: [] });
  expect((await readDescriptions(folder)).problems).toEqual([]);
});
