/** Bad files of every kind: a clear error that names file, line and fix, and the rest of the workspace still works. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "../../src/database/open-database.ts";
import type { Fault, Knowledge } from "../../src/protocol/index.ts";
import { findUnknownNames } from "../../src/workspace/match-catalog.ts";
import { readKnowledge } from "../../src/workspace/read-knowledge.ts";
import { openWorkspace } from "../../src/workspace/workspaces.ts";
import { goodFiles, writeFiles } from "./good-workspace.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "thoth-knowledge-"));
  writeFiles(folder, goodFiles);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const parts = ["descriptions", "relations", "synonyms", "evidence", "verified"] as const;
const counts = (knowledge: Knowledge) => Object.fromEntries(parts.map((part) => [part, knowledge[part].length]));
const all = { descriptions: 3, relations: 2, synonyms: 2, evidence: 1, verified: 1 };

/** `left`: how many pieces of its own kind can still be read. */
interface Bad {
  kind: string;
  file: string;
  content: string | Uint8Array | ((path: string) => void);
  line: number;
  message: RegExp;
  fix: RegExp;
  part: (typeof parts)[number];
  left: number;
}

const relations = (text: string) => `version: 1\nrelations:\n${text}`;
const one =
  "  - from: { table: Invoice, columns: [ CustomerId ] }\n    to: { table: Customer, columns: [ CustomerId ] }\n";
const good = `${one}    cardinality: N:1\n    source: declared\n`;
const synonyms = (text: string) => `version: 1\nsynonyms:\n  - word: client\n    means: { table: Customer }\n${text}`;
const verified = (change: (text: string) => string) => change(goodFiles["verified/customers-in-germany.yaml"] ?? "");
const evidence = (front: string, body = "A rule.\n") => `---\n${front}---\n\n${body}`;

const inRelations = { file: "relations.yaml", part: "relations" } as const;
const inSynonyms = { file: "synonyms.yaml", part: "synonyms" } as const;
const inEvidence = { file: "evidence/bad.md", part: "evidence", left: 1 } as const;
const inVerified = { file: "verified/bad.yaml", part: "verified", left: 1 } as const;

const bad: Bad[] = [
  // The file itself
  {
    ...inRelations,
    kind: "a link out of the folder",
    content: (path) => {
      writeFileSync(join(folder, "../outside.yaml"), relations(good));
      symlinkSync(join(folder, "../outside.yaml"), path);
    },
    line: 1,
    message: /link/,
    fix: /file itself/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "a folder instead of a file",
    content: (path) => mkdirSync(path),
    line: 1,
    message: /not a plain file/,
    fix: /plain file/,
    left: 0,
  },
  {
    ...inVerified,
    kind: "a file of 100 MB",
    content: (path) => {
      writeFileSync(path, "");
      truncateSync(path, 100 * 1024 * 1024);
    },
    line: 1,
    message: /larger than 1 MB/,
    fix: /Take out/,
  },
  {
    ...inSynonyms,
    kind: "bytes that aren't UTF-8",
    content: Buffer.concat([Buffer.from("version: 1\nsynonyms:\n  - word: caf"), Buffer.from([0xe9, 0x0a])]),
    line: 3,
    message: /UTF-8/,
    fix: /Save it as UTF-8/,
    left: 0,
  },
  {
    ...inSynonyms,
    kind: "UTF-16",
    content: Buffer.from("\ufeffversion: 1\n", "utf16le"),
    line: 1,
    message: /UTF-16/,
    fix: /Save it as UTF-8/,
    left: 0,
  },
  {
    ...inSynonyms,
    kind: "a NUL character",
    content: "version: 1\nsynonyms:\n  - word: a\0b\n",
    line: 3,
    message: /NUL/,
    fix: /plain UTF-8/,
    left: 0,
  },
  {
    kind: "a name with traversal",
    file: "evidence/x\\..\\..\\passwd.md",
    part: "evidence",
    left: 1,
    content: evidence("title: x\nwords: []\n"),
    line: 1,
    message: /plain name/,
    fix: /net-revenue\.md/,
  },
  {
    kind: "a name with an escape sequence",
    file: "verified/\u001b[2J.yaml",
    part: "verified",
    left: 1,
    content: verified((text) => text),
    line: 1,
    message: /plain name/,
    fix: /net-revenue\.yaml/,
  },
  {
    kind: "another ending",
    file: "evidence/notes.txt",
    part: "evidence",
    left: 1,
    content: "Revenue is …",
    line: 1,
    message: /ends in \.md/,
    fix: /move it/,
  },
  {
    kind: "a file whose name is nearly right",
    file: "relation.yml",
    part: "relations",
    left: 2,
    content: relations(good),
    line: 1,
    message: /nothing reads/,
    fix: /relations\.yaml/,
  },
  // YAML
  {
    ...inRelations,
    kind: "text that isn't YAML",
    content: relations("  - from: [x\n"),
    line: 4,
    message: /not valid YAML/,
    fix: /quotes/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "tabs",
    content: relations("\t- from: x\n"),
    line: 3,
    message: /not valid YAML \(TAB_AS_INDENT\)/,
    fix: /spaces instead of tabs/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "an alias bomb",
    content: `version: 1\na: &a [x, x, x, x, x, x, x, x, x]\n${[..."bcdefghi"].map((name, at) => `${name}: &${name} [${`*${"abcdefgh"[at]}, `.repeat(9)}]\n`).join("")}relations: *i\n`,
    line: 3,
    message: /\*a stands for something written elsewhere/,
    fix: /Write it out/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "a name twice",
    content: relations(`${good}    source: proposed\n`),
    line: 7,
    message: /source: stands there twice, first in line 6/,
    fix: /Keep one/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "ten thousand brackets",
    content: relations(`  - ${"[".repeat(10_000)}\n`),
    line: 1,
    message: /more than 32 levels/,
    fix: /flat/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "sixty levels",
    content: relations(`  - ${"[".repeat(60)}${"]".repeat(60)}\n`),
    line: 3,
    message: /more than 32 levels/,
    fix: /flat/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "two documents",
    content: `${relations(good)}---\n${relations(good)}`,
    line: 7,
    message: /not valid YAML \(MULTIPLE_DOCS\)/,
    fix: /one document/,
    left: 0,
  },
  {
    ...inSynonyms,
    kind: "a type of its own",
    content: synonyms("  - word: !!js/function x\n    means: { table: Customer }\n"),
    line: 5,
    message: /type of its own/,
    fix: /Take the word with !/,
    left: 0,
  },
  {
    ...inSynonyms,
    kind: "binary data",
    content: synonyms("  - word: !!binary aGVsbG8=\n    means: { table: Customer }\n"),
    line: 5,
    message: /type of its own/,
    fix: /Take the word with !/,
    left: 0,
  },
  // The whole
  {
    ...inRelations,
    kind: "no version",
    content: `relations:\n${good}`,
    line: 1,
    message: /no `version`/,
    fix: /version: 1/,
    left: 1,
  },
  {
    ...inRelations,
    kind: "another version",
    content: `version: 2\nrelations:\n${good}`,
    line: 1,
    message: /`version` must be 1/,
    fix: /version: 1/,
    left: 1,
  },
  {
    ...inRelations,
    kind: "a list for the file",
    content: "- from: x\n",
    line: 1,
    message: /names at its left edge/,
    fix: /version: 1/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "names for the list",
    content: relations("  Invoice: Customer\n"),
    line: 2,
    message: /must be a list/,
    fix: /-/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "an unknown name at the edge",
    content: `${relations(good)}joins: []\n`,
    line: 7,
    message: /knows no `joins`/,
    fix: /relations:/,
    left: 1,
  },
  // Relations
  {
    ...inRelations,
    kind: "a misspelled name",
    content: relations(`${one}    cardinalty: N:1\n    source: declared\n${good.replace("Invoice", "Order")}`),
    line: 5,
    message: /knows no `cardinalty`/,
    fix: /Did you mean `cardinality`/,
    left: 1,
  },
  {
    ...inRelations,
    kind: "a missing name",
    content: relations(`${one}    source: declared\n`),
    line: 3,
    message: /has no `cardinality`/,
    fix: /one of 1:1, 1:N, N:1, N:M/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "a word that isn't one of those known",
    content: relations(`${one}    cardinality: n-1\n    source: declared\n`),
    line: 5,
    message: /must be one of .* not "n-1"/,
    fix: /N:1/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "a text for a list",
    content: relations(good.replace("[ CustomerId ]", "CustomerId")),
    line: 3,
    message: /`from\.columns` must be a list, not "CustomerId"/,
    fix: /-/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "an empty list",
    content: relations(good.replace("[ CustomerId ]", "[]")),
    line: 3,
    message: /`from\.columns` is an empty list/,
    fix: /at least one/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "columns that don't pair",
    content: relations(good.replace("[ CustomerId ]", "[ a, b ]")),
    line: 3,
    message: /2 columns and `to` has 1/,
    fix: /pairs/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "a relation twice",
    content: relations(`${good}${good}`),
    line: 7,
    message: /what line 3 says already/,
    fix: /Keep one/,
    left: 1,
  },
  {
    ...inRelations,
    kind: "a table joined to itself on the same column",
    content: relations(good.replace("Invoice,", "Customer,")),
    line: 3,
    message: /with themselves/,
    fix: /other side/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "a moment that isn't one",
    content: relations(`${good}    at: yesterday\n`),
    line: 7,
    message: /`at` must be a moment, not "yesterday"/,
    fix: /2026-11-30T09:15:00Z/,
    left: 0,
  },
  {
    ...inRelations,
    kind: "names of prototypes",
    content: relations(`${good}    __proto__: { admin: true }\n    constructor: x\n`),
    line: 7,
    message: /knows no `__proto__`/,
    fix: /Known here: from, to/,
    left: 0,
  },
  // Synonyms
  {
    ...inSynonyms,
    kind: "a value without its column",
    content: synonyms("  - word: the States\n    means: { table: Customer, value: USA }\n"),
    line: 5,
    message: /`value` and no `column`/,
    fix: /column/,
    left: 1,
  },
  {
    ...inSynonyms,
    kind: "a word that is empty",
    content: synonyms("  - word:\n    means: { table: Customer }\n"),
    line: 5,
    message: /`word` is empty/,
    fix: /Write a text/,
    left: 1,
  },
  {
    ...inSynonyms,
    kind: "names for a text",
    content: synonyms("  - word: { de: Kunde }\n    means: { table: Customer }\n"),
    line: 5,
    message: /`word` must be text, not names with values/,
    fix: /one text/,
    left: 1,
  },
  {
    ...inSynonyms,
    kind: "a word too long",
    content: synonyms(`  - word: ${"x".repeat(201)}\n    means: { table: Customer }\n`),
    line: 5,
    message: /more than 200 characters/,
    fix: /fewer words/,
    left: 1,
  },
  {
    ...inSynonyms,
    kind: "a text for an item",
    content: synonyms("  - Customer\n"),
    line: 5,
    message: /must have names below it, not "Customer"/,
    fix: /`word:`, `means:`/,
    left: 1,
  },
  {
    ...inSynonyms,
    kind: "an origin without its number",
    content: synonyms("  - word: buyer\n    means: { table: Customer }\n    origin: { session: s }\n"),
    line: 7,
    message: /`origin` has no `seq`/,
    fix: /whole number/,
    left: 1,
  },
  // Descriptions
  {
    kind: "an unknown name below a column",
    file: "descriptions.yaml",
    part: "descriptions",
    left: 1,
    content: "version: 1\ntables:\n  A:\n    columns:\n      x:\n        meaning: y\n      z: kept\n",
    line: 6,
    message: /meaning: isn't known/,
    fix: /It looks like this/,
  },
  {
    kind: "sixty thousand levels in the descriptions",
    file: "descriptions.yaml",
    part: "descriptions",
    left: 0,
    content: "[".repeat(60_000),
    line: 1,
    message: /too deep|not valid YAML/,
    fix: /looks like|quotes/,
  },
  // Evidence
  {
    ...inEvidence,
    kind: "no front part",
    content: "Revenue is what was paid.\n",
    line: 1,
    message: /two lines of --- is missing/,
    fix: /title/,
  },
  {
    ...inEvidence,
    kind: "a front part that never ends",
    content: "---\ntitle: x\nwords: []\nText\n",
    line: 1,
    message: /two lines of --- is missing/,
    fix: /again/,
  },
  {
    ...inEvidence,
    kind: "a front part that isn't YAML",
    content: evidence("title: x\nwords: [a\n"),
    line: 3,
    message: /not valid YAML/,
    fix: /quotes/,
  },
  {
    ...inEvidence,
    kind: "a rule without a title",
    content: evidence("words: [ a ]\n"),
    line: 2,
    message: /has no `title`/,
    fix: /Add `title:`/,
  },
  {
    ...inEvidence,
    kind: "words that aren't a list",
    content: evidence("title: x\nwords: revenue\n"),
    line: 3,
    message: /`words` must be a list/,
    fix: /-/,
  },
  {
    ...inEvidence,
    kind: "nothing below the front part",
    content: evidence("title: x\nwords: []\n", ""),
    line: 4,
    message: /no text below/,
    fix: /rule in words/,
  },
  {
    ...inEvidence,
    kind: "a text without end",
    content: evidence("title: x\nwords: []\n", "word ".repeat(5_000)),
    line: 4,
    message: /more than 20000 characters/,
    fix: /fewer words/,
  },
  // Verified queries
  {
    ...inVerified,
    kind: "SQL that writes",
    content: verified((text) => text.replace("SELECT COUNT(*) AS customers", "DELETE")),
    line: 4,
    message: /only reads.*DELETE/,
    fix: /one SELECT/,
  },
  {
    ...inVerified,
    kind: "two statements",
    content: verified((text) => text.replace("'Germany'\n", "'Germany'; SELECT 1\n")),
    line: 4,
    message: /Exactly one statement/,
    fix: /one SELECT/,
  },
  {
    ...inVerified,
    kind: "SQL that can't be read",
    content: verified((text) => text.replace("FROM Customer", "FORM Customer")),
    line: 4,
    message: /can't be parsed/,
    fix: /one SELECT/,
  },
  {
    ...inVerified,
    kind: "an engine that doesn't exist",
    content: verified((text) => text.replace("engine: sqlite", "engine: sqlight")),
    line: 3,
    message: /`engine` must be one of sqlite, duckdb, postgres, mysql/,
    fix: /sqlite/,
  },
  {
    ...inVerified,
    kind: "a decision of no kind",
    content: verified((text) => text.replace("kind: table", "kind: chair")),
    line: 13,
    message: /decisions\[0\]\.decision.* must be/,
    fix: /interpretation, table, column/,
  },
  {
    ...inVerified,
    kind: "a decision that lacks something",
    content: verified((text) => text.replace("      use: used\n", "")),
    line: 13,
    message: /decision` has no `use`/,
    fix: /Add `use:`/,
  },
  {
    ...inVerified,
    kind: "a number with a point for a count",
    content: verified((text) => text.replace("row_count: 1", "row_count: 1.5")),
    line: 25,
    message: /`row_count` must be a whole number/,
    fix: /number/,
  },
  {
    ...inVerified,
    kind: "a parameter that the question doesn't say",
    content: verified((text) => text.replace("text: Germany", "text: France")),
    line: 9,
    message: /doesn't say "France"/,
    fix: /as the question has it/,
  },
  {
    ...inVerified,
    kind: "a parameter that the SQL doesn't hold",
    content: verified((text) => text.replace("value: Germany", "value: DE")),
    line: 9,
    message: /SQL doesn't hold "DE"/,
    fix: /as the SQL has it/,
  },
  {
    ...inVerified,
    kind: "a secret among the names",
    content: verified((text) => `${text}password: hunter2\n`),
    line: 27,
    message: /knows no `password`/,
    fix: /Known here/,
  },
];

it("reads what is good, each piece with its file and line", async () => {
  const knowledge = await readKnowledge(folder);
  expect(knowledge.faults).toEqual([]);
  expect(counts(knowledge)).toEqual(all);
  expect(knowledge.relations[0]).toMatchObject({
    id: "relations.yaml#Customer(SupportRepId)->Employee(EmployeeId) as support",
    line: 4,
    cardinality: "N:1",
  });
  expect(knowledge.descriptions[2]).toMatchObject({ table: "Customer", column: "Country", value: "USA", line: 9 });
  expect(knowledge.synonyms[1]).toMatchObject({ line: 5, means: { column: "Country", value: "USA" } });
  expect(knowledge.evidence[0]).toMatchObject({ id: "evidence/revenue.md", words: ["revenue", "sales"] });
  expect(knowledge.verified[0]).toMatchObject({ prompt_version: "7", decisions: [{ seq: 4, phase: "F2" }] });
});

it("there are forty kinds and more", () =>
  expect(new Set(bad.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(40));

describe("told with file, line and fix, and the rest is read", () => {
  it.each(bad)("$kind", async ({ file, content, line, message, fix, part, left }) => {
    const path = join(folder, file);
    rmSync(path, { force: true });
    if (typeof content === "function") content(path);
    else writeFiles(folder, { [file]: content });
    const knowledge = await readKnowledge(folder);
    const wanted = { file, line, message: expect.stringMatching(message), fix: expect.stringMatching(fix) };
    expect(knowledge.faults).toContainEqual(wanted satisfies Record<keyof Fault, unknown>);
    expect(new Set(knowledge.faults.map((fault) => fault.file))).toEqual(new Set([file]));
    expect(counts(knowledge)).toEqual({ ...all, [part]: left });
  });
});

describe("what looks odd and is no fault", () => {
  it.each<[string, (text: string) => string]>([
    ["a byte order mark", (text) => `\ufeff${text}`],
    ["Windows line ends", (text) => text.replaceAll("\n", "\r\n")],
  ])("%s", async (_, change) => {
    writeFiles(folder, Object.fromEntries(Object.entries(goodFiles).map(([name, text]) => [name, change(text)])));
    const knowledge = await readKnowledge(folder);
    expect(knowledge.faults).toEqual([]);
    expect(counts(knowledge)).toEqual(all);
    expect(knowledge.evidence[0]?.text).toBe("Revenue is counted on invoice lines, never on invoices.");
    expect(knowledge.verified[0]?.sql).toBe("SELECT COUNT(*) AS customers\nFROM Customer\nWHERE Country = 'Germany'");
  });

  it("no folder, no file, empty files", async () => {
    expect((await readKnowledge(join(folder, "none"))).faults).toEqual([]);
    writeFiles(folder, { "relations.yaml": "", "synonyms.yaml": "# later\n", "descriptions.yaml": "" });
    expect(await readKnowledge(folder)).toMatchObject({ relations: [], synonyms: [], descriptions: [], faults: [] });
  });

  it("tables called 2024, no and null", async () => {
    writeFiles(folder, {
      "synonyms.yaml": synonyms(
        "  - word: 2024\n    means: { table: no, column: 1e3 }\n  - word: ~x\n    means: { table: true }\n",
      ),
    });
    const { synonyms: read, faults } = await readKnowledge(folder);
    expect(faults).toEqual([]);
    expect(read.slice(1)).toMatchObject([
      { word: "2024", means: { table: "no", column: "1e3" } },
      { word: "~x", means: { table: "true" } },
    ]);
  });
});

it("many faults are counted, never cut without a word", async () => {
  writeFiles(folder, { "synonyms.yaml": `version: 1\nsynonyms:\n${"  - word: x\n".repeat(50)}` });
  const { faults } = await readKnowledge(folder);
  expect(faults).toHaveLength(21);
  expect(faults[20]).toMatchObject({ line: 23, message: "30 more of its lines can't be used" });
});

it("files beyond two thousand are told by name", async () => {
  const rule = goodFiles["evidence/revenue.md"] ?? "";
  writeFiles(folder, Object.fromEntries(Array.from({ length: 2001 }, (_, at) => [`evidence/n${at + 1000}.md`, rule])));
  const { evidence: read, faults } = await readKnowledge(folder);
  expect(read).toHaveLength(2000);
  expect(faults.map(({ file, message }) => `${file}: ${message}`)).toEqual([
    "evidence/n3000.md: it isn't read: there are more than 2000 files",
    "evidence/revenue.md: it isn't read: there are more than 2000 files",
  ]);
});

it("a folder that is a link is not followed", async () => {
  const outside = mkdtempSync(join(tmpdir(), "thoth-outside-"));
  writeFiles(outside, { "secret.md": goodFiles["evidence/revenue.md"] ?? "" });
  rmSync(join(folder, "evidence"), { recursive: true });
  symlinkSync(outside, join(folder, "evidence"));
  const knowledge = await readKnowledge(folder);
  rmSync(outside, { recursive: true });
  expect(knowledge.faults).toMatchObject([{ file: "evidence", line: 1, message: expect.stringContaining("link") }]);
  expect(counts(knowledge)).toEqual({ ...all, evidence: 0 });
});

it("names that the database doesn't have are told, with the nearest one that it has", async () => {
  writeFiles(folder, {
    "relations.yaml": relations(good.replace("Invoice,", "Invoices,")),
    "synonyms.yaml": synonyms("  - word: land\n    means: { table: Customer, column: Contry }\n"),
    "descriptions.yaml": "version: 1\ntables:\n  Zebra: stripes\n",
  });
  const database = await openDatabase((await openWorkspace(folder, "demo")).connection);
  const faults = findUnknownNames(await readKnowledge(folder), { tables: await database.introspect() });
  await database.close();
  expect(faults).toEqual([
    {
      file: "descriptions.yaml",
      line: 3,
      message: "the database has no table Zebra",
      fix: "Write the name as the catalog shows it, or take these lines out.",
    },
    { file: "relations.yaml", line: 3, message: "the database has no table Invoices", fix: "Did you mean Invoice?" },
    {
      file: "synonyms.yaml",
      line: 5,
      message: "the database has no column Contry in Customer",
      fix: "Did you mean Country?",
    },
  ]);
});
