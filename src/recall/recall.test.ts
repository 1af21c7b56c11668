import { describe, expect, it } from "vitest";
import type { Catalog, Knowledge, ProposedDecision } from "../protocol/index.ts";
import { recall } from "./recall.ts";
import { toKnowledgeRests } from "./rests-on.ts";
import { tellKnowledge } from "./tell-knowledge.ts";

const table = (name: string, columns: string[]) => ({
  name,
  kind: "table" as const,
  rows: 10,
  columns: columns.map((column) => ({
    name: column,
    type: "TEXT",
    kind: "text" as const,
    nullable: true,
    samples: [],
  })),
  primaryKey: [columns[0] ?? ""],
  unique: [],
  foreignKeys: [],
});
const catalog: Catalog = {
  engine: "sqlite",
  checksum: "c",
  relations: [],
  tables: [
    table("Invoice", ["InvoiceId", "CustomerId", "Status", "Total"]),
    table("Customer", ["CustomerId", "Name", "Zone"]),
    table("Depot", ["Code", "Town"]),
  ],
};

const rule = (name: string, words: string[], text: string, tables: string[] = []) => ({
  id: `evidence/${name}.md`,
  file: `evidence/${name}.md`,
  line: 1,
  title: name,
  words,
  text,
  tables,
});
const knowledge: Knowledge = {
  workspace: { scope: "Sales since 2020. No purchases.", directives: ["Amounts are in euro."] },
  descriptions: [
    {
      id: "d1",
      file: "descriptions.yaml",
      line: 3,
      table: "Invoice",
      column: "Status",
      value: null,
      text: "where it is on its way",
    },
    { id: "d2", file: "descriptions.yaml", line: 5, table: "Invoice", column: "Status", value: "3", text: "shipped" },
    { id: "d3", file: "descriptions.yaml", line: 9, table: "Gone", column: "Status", value: "3", text: "shipped" },
  ],
  relations: [
    {
      id: "r1",
      file: "relations.yaml",
      line: 2,
      from: { table: "Customer", columns: ["Zone"] },
      to: { table: "Depot", columns: ["Code"] },
      cardinality: "N:1",
      source: "confirmed",
      when: "deliveries",
    },
    {
      id: "r2",
      file: "relations.yaml",
      line: 9,
      from: { table: "Invoice", columns: ["Total"] },
      to: { table: "Depot", columns: ["Code"] },
      cardinality: "N:M",
      source: "proposed",
    },
  ],
  synonyms: [
    { id: "s1", file: "synonyms.yaml", line: 1, word: "turnover", means: { table: "Invoice", column: "Total" } },
  ],
  evidence: [
    rule("net", ["net revenue"], "Net revenue leaves out invoices that were sent back.", ["Invoice"]),
    rule("holidays", ["holiday"], "On holidays nothing is delivered."),
  ],
  verified: [],
  faults: [],
};
const find = (question: string, tables?: string[]) => recall(knowledge, catalog, question, tables);
const idsOf = (question: string, tables?: string[]) => find(question, tables).map(({ id }) => id);

describe("recall", () => {
  it("finds a rule by its phrase, whatever the words' endings, with the reason", () => {
    const found = find("What were the net revenues per customer?");
    expect(found.find(({ id }) => id === "evidence/net.md")?.why).toBe("the question says “net revenue”");
    expect(found.map(({ id }) => id)).not.toContain("evidence/holidays.md");
  });

  it("finds a synonym by its word, and by a slip of the pen", () => {
    expect(idsOf("What is the turnover?")).toContain("s1");
    expect(find("What is the turnovr?").find(({ id }) => id === "s1")?.why).toMatch(/spelled nearly/);
    expect(idsOf("How many depots are there?")).not.toContain("s1");
  });

  it("finds what a value means by the meaning, and by the table in play", () => {
    expect(idsOf("Which were shipped?")).toContain("d2");
    expect(idsOf("How many are there?", ["Invoice"])).toEqual(expect.arrayContaining(["d1", "d2"]));
    expect(idsOf("How many are there?", ["Depot"])).not.toContain("d2");
  });

  it("finds a relation when both its tables are in play; a proposed one never", () => {
    expect(idsOf("?", ["Customer", "Depot"])).toContain("r1");
    expect(idsOf("?", ["Customer"])).not.toContain("r1");
    expect(idsOf("?", ["Invoice", "Depot"])).not.toContain("r2");
  });

  it("tells nothing of a table that isn't there, and what holds always first", () => {
    expect(idsOf("Which were shipped?", ["Invoice", "Gone"])).not.toContain("d3");
    expect(find("How many?").map(({ kind }) => kind)).toEqual(["directive", "directive"]);
  });

  it("gives the same order for the same knowledge", () => {
    const question = "net revenue and turnover of shipped invoices by depot";
    expect(recall(structuredClone(knowledge), catalog, question)).toEqual(find(question));
  });

  it("survives any question", () => {
    for (const question of ['"', "OR AND NOT *", "x' OR 1=1 --", "NEAR(", "^:", "", "😀😀😀", "-".repeat(5000)])
      expect(Array.isArray(find(question))).toBe(true);
  });
});

describe("what a model is told", () => {
  it("has the kinds that matter in the phase, each with its place and reason", () => {
    const found = find("What is the turnover of shipped invoices?", ["Invoice"]);
    expect(tellKnowledge("F1", found)).toContain("Sales since 2020");
    expect(tellKnowledge("F2", found)).toMatch(
      /“turnover” means Invoice\.Total \(synonyms\.yaml, line 1; the question says “turnover”\)/,
    );
    expect(tellKnowledge("F4", found)).toContain('Invoice.Status = "3": shipped');
    expect(tellKnowledge("F2", found)).not.toContain("shipped");
    expect(tellKnowledge("F3", found)).toBe("");
  });

  it("says how much has no room, and where it stands", () => {
    const many: Knowledge = {
      ...knowledge,
      evidence: Array.from({ length: 40 }, (_, n) => rule(`rule-${n}`, ["turnover"], "turnover ".repeat(60))),
    };
    const text = tellKnowledge("F1", recall(many, catalog, "turnover"), 2000);
    const told = text.match(/- evidence/g)?.length ?? 0;
    const left = Number(/\((\d+) more pieces have no room here: evidence\/rule-/.exec(text)?.[1]);
    const others = recall(many, catalog, "turnover").filter(
      ({ kind }) => kind !== "evidence" && kind !== "description",
    ).length;
    expect(text).toMatch(/and \d+ more files\)$/);
    expect(told).toBeGreaterThan(0);
    expect(told + left + (text.match(/- (synonym|directive)/g)?.length ?? 0)).toBe(40 + others);
  });

  it("cuts a long rule only with the number of characters that are missing", () => {
    const long: Knowledge = { ...knowledge, evidence: [rule("long", ["turnover"], "x".repeat(2000))] };
    expect(tellKnowledge("F1", recall(long, catalog, "turnover"))).toContain(
      "… (500 more characters in evidence/long.md)",
    );
  });
});

describe("what a gate rests on", () => {
  const filter = (values: (string | number)[]): ProposedDecision => ({
    kind: "filter",
    words: "shipped",
    table: "Invoice",
    column: "Status",
    operator: "=",
    values,
    condition: "i.Status = 3",
  });
  const join = (left: string, right: string): ProposedDecision => ({
    kind: "join",
    left: { table: "Depot", alias: "d" },
    type: "INNER",
    right: { table: "Customer", alias: "c" },
    pairs: [{ left, right }],
  });
  const kindsOn = (phase: "F1" | "F2" | "F3" | "F4", question: string, ...decisions: ProposedDecision[]) =>
    toKnowledgeRests(phase, find(question, ["Invoice", "Customer", "Depot"]), decisions).map(
      ({ knowledge: piece }) => `${piece?.kind} ${piece?.title}`,
    );

  it("is what says something about its decisions", () => {
    expect(kindsOn("F4", "Which were shipped?", filter([3]))).toContain('description Invoice.Status = "3"');
    expect(kindsOn("F4", "Which were shipped?", filter([4]))).toEqual([]);
    expect(kindsOn("F3", "by depot", join("Code", "Zone"))).toEqual(["relation Customer.Zone = Depot.Code"]);
    expect(kindsOn("F3", "by depot", join("Town", "Name"))).toEqual([]);
    expect(kindsOn("F1", "What is the net revenue?")).toContain("evidence net");
  });

  it("names what has no room", () => {
    const many: Knowledge = {
      ...knowledge,
      evidence: Array.from({ length: 30 }, (_, n) => rule(`rule-${n}`, ["turnover"], "Turnover.")),
    };
    const items = toKnowledgeRests("F1", recall(many, catalog, "turnover"), []);
    const last = items.at(-1)?.knowledge;
    expect(last?.title).toBe(`${recall(many, catalog, "turnover").length - 12} more`);
    expect(last?.excerpt).toContain("rule-29");
  });
});
