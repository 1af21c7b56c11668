/**
 * What the phases cost a model in words: the opening of each phase as it is told (the schema in stages), and as it
 * would be with the whole schema in every phase. `node bench/prompt-sizes.ts [PAGILA.sqlite]`; without that file two
 * databases are measured. Tokens are estimated: one for four characters, as Pi does for its own limits; real tokenizers
 * come to about 10 % less for prose and 20 % more for names_like_these.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { openCatalog } from "../src/catalog/open-catalog.ts";
import { openDatabase } from "../src/database/open-database.ts";
import { toPhaseNote } from "../src/extension/phase-note.ts";
import { toOverview } from "../src/extension/schema-text.ts";
import type { SessionContext } from "../src/extension/session-context.ts";
import { fence } from "../src/extension/tools/data-result.ts";
import { registerReadTools } from "../src/extension/tools/read-tools.ts";
import { registerReviewerDecide } from "../src/extension/tools/reviewer-decide.ts";
import { registerSubmitSql } from "../src/extension/tools/submit-sql.ts";
import { registerSummaryTools } from "../src/extension/tools/summary-tools.ts";
import { type Catalog, type Decision, type PhaseId, phaseIds, type Relation } from "../src/protocol/index.ts";
import { phasePrompt, systemPromptFile } from "../src/workflow/phase-prompts.ts";

const demo = fileURLToPath(new URL("../demo/chinook.sqlite", import.meta.url));
const pagila = process.argv[2] ?? "";

interface Subject {
  name: string;
  file: string;
  question: string;
  /** Tables of the answer, each joined to the one before it. */
  tables: string[];
}

const folder = mkdtempSync(join(tmpdir(), "thoth-bench-prompts-"));
const subjects: Subject[] = [
  {
    name: "Chinook",
    file: demo,
    question: "Which customer has spent the most money?",
    tables: ["InvoiceLine", "Invoice", "Customer"],
  },
  ...(existsSync(pagila)
    ? [{ name: "Pagila", file: pagila, question: "Which customer has paid the most?", tables: ["payment", "customer"] }]
    : []),
  {
    name: "463 tables",
    file: makeLarge(join(folder, "large.sqlite")),
    question: "Which supplier of region 7 has the largest order amount?",
    tables: ["sales_07_order_line", "sales_07_order", "sales_07_supplier"],
  },
];

/** A warehouse of many departments: 66 groups of seven tables and one that all share. */
function makeLarge(file: string): string {
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE region (region_id INTEGER PRIMARY KEY, region_name TEXT NOT NULL)");
  const words = [
    "created_at",
    "updated_at",
    "status_code",
    "external_reference",
    "is_active",
    "remarks",
    "source_system",
  ];
  const kinds: [string, string[]][] = [
    ["supplier", ["region"]],
    ["product", ["supplier"]],
    ["order", ["supplier"]],
    ["order_line", ["order", "product"]],
    ["shipment", ["order"]],
    ["invoice", ["order"]],
    ["invoice_payment", ["invoice"]],
  ];
  const areas = ["sales", "service", "export", "retail", "online", "partner"];
  for (let group = 0; group < 66; group++) {
    const prefix = `${areas[group % areas.length]}_${String(Math.floor(group / areas.length) + 1).padStart(2, "0")}_`;
    const named = (kind: string) => (kind === "region" ? kind : prefix + kind);
    for (const [kind, targets] of kinds) {
      const columns = [
        `${kind}_id INTEGER PRIMARY KEY`,
        `${kind}_name TEXT`,
        `${kind}_amount NUMERIC`,
        ...words.map((word) => `${word} TEXT`),
        ...targets.map((target) => `${target}_id INTEGER REFERENCES "${named(target)}"(${target}_id)`),
      ];
      database.exec(`CREATE TABLE "${named(kind)}" (${columns.join(", ")})`);
    }
  }
  database.close();
  return file;
}

/** What a reviewer would have accepted before each phase: the tables, their joins by the first key, and two steps. */
function toDecisions(catalog: Catalog, tables: readonly string[]): Decision[] {
  const joins = tables.slice(1).map((right, index): Decision => {
    const left = tables[index] ?? "";
    const keys = keysBetween(catalog, left, right);
    return {
      kind: "join",
      left: { table: left, alias: `t${index + 1}` },
      type: "INNER",
      right: { table: right, alias: `t${index + 2}` },
      pairs: keys,
    };
  });
  const step = (name: string, sql: string): Decision => ({ kind: "cte", name, purpose: "One row of the answer.", sql });
  return [
    ...tables.map((table): Decision => ({ kind: "table", table, use: "used", reason: "needed" })),
    ...joins,
    step(
      "lines",
      `SELECT t3.name, t1.amount * t1.quantity AS amount\nFROM ${tables.map((table, index) => `${table} AS t${index + 1}`).join("\nINNER JOIN ")}`,
    ),
    step("sums", "SELECT name, SUM(amount) AS amount\nFROM lines\nGROUP BY name"),
  ];
}

function keysBetween(catalog: Catalog, left: string, right: string): { left: string; right: string }[] {
  const pair = ({ fromColumns, toColumns }: Relation, turned: boolean) =>
    fromColumns.map((column, at) => {
      const other = toColumns[at] ?? "";
      return turned ? { left: other, right: column } : { left: column, right: other };
    });
  const relation = catalog.relations.find(
    ({ from, to }) => (from === left && to === right) || (from === right && to === left),
  );
  if (!relation) throw new Error(`no key between ${left} and ${right}`);
  return pair(relation, relation.from === right);
}

const tokens = (text: number): string => Math.ceil(text / 4).toLocaleString("en-US");
const characters = (text: number): string => text.toLocaleString("en-US");

const system = readFileSync(systemPromptFile, "utf8").length;
const tools = JSON.stringify(readToolSchemas()).length;
process.stdout.write(
  `In each request: the system prompt with ${characters(system)} characters, about ${tokens(system)} tokens, and the tools' schemas with ${characters(tools)} characters, about ${tokens(tools)} tokens.\n\n`,
);
process.stdout.write(
  "| database | phase | in stages: characters | tokens | whole schema each time: characters | tokens | saved |\n",
);
process.stdout.write("| --- | --- | ---: | ---: | ---: | ---: | ---: |\n");
for (const { name, file, question, tables } of subjects) {
  const database = await openDatabase({ engine: "sqlite", file });
  const opened = await openCatalog(database, join(folder, "catalogs"));
  const { catalog } = opened;
  const held = toDecisions(catalog, tables).map((decision, index) => ({ seq: index + 1, decision }));
  const schema = `\n\nThe database (sqlite):\n${fence(toOverview(catalog, question, Number.POSITIVE_INFINITY))}`.length;
  let staged = 0;
  let whole = 0;
  const row = (label: string, on: number, off: number) =>
    process.stdout.write(
      `| ${name} | ${label} | ${characters(on)} | ${tokens(on)} | ${characters(off)} | ${tokens(off)} | ${Math.round((1 - on / off) * 100)} % |\n`,
    );
  for (const phase of phaseIds) {
    const known = held.filter(({ decision }) => isKnown(decision, phase));
    const on = toPhaseNote(phase, { question, decisions: known as never }, catalog, "sqlite").length;
    // What was accepted is told in both; of the schema, everything.
    const accepted = phase === "F5" || phase === "F6" ? on - phasePrompt(phase).length : 0;
    const off = phasePrompt(phase).length + accepted + schema;
    staged += on;
    whole += off;
    row(phase, on, off);
  }
  row("all six", staged, whole);
  opened.close();
  await database.close();
}
rmSync(folder, { recursive: true, force: true });

/** Decisions of earlier phases. */
function isKnown({ kind }: Decision, phase: PhaseId): boolean {
  return kind === "table" ? phase > "F2" : kind === "join" ? phase > "F3" : phase > "F5";
}

/** As a provider gets them: names, descriptions and schemas of all tools. */
function readToolSchemas(): object[] {
  const tools: object[] = [];
  const pi = {
    registerTool: ({ name, description, parameters }: { name: string; description: string; parameters: object }) =>
      void tools.push({ name, description, parameters }),
  } as unknown as ExtensionAPI;
  const session = {} as SessionContext;
  for (const register of [registerReadTools, registerReviewerDecide, registerSummaryTools, registerSubmitSql])
    register(pi, session);
  return tools;
}
