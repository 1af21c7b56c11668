/** The `evidence` that questions of BIRD's form carry: rules such as `X refers to Y`, each kept once as a rule of its own. Pure. */
import { type Imported, nothingImported, type SourceFile } from "./imported.ts";
import { parseCsv, toRecords } from "./parse-csv.ts";

interface Hint {
  line: number;
  db: string;
  evidence: string;
}

const wanted =
  "Give BIRD's JSON, JSON Lines or CSV: each question with `evidence` and, for several databases, `db_id`.";

/** `db`: only the questions of that database; without it all of them must be of one. */
export function importBird(source: SourceFile, db?: string): Imported {
  const imported = nothingImported();
  const tell = (line: number, message: string, fix = wanted): Imported => {
    imported.faults.push({ file: source.name, line, message, fix });
    return imported;
  };
  const read = readHints(source);
  if ("fault" in read) return tell(read.line, read.fault);
  const names = [...new Set(read.hints.map((hint) => hint.db).filter((name) => name !== ""))];
  if (db === undefined && names.length > 1)
    return tell(
      1,
      `its questions are about ${names.length} databases`,
      `Choose one with --db: ${names.slice(0, 12).join(", ")}.`,
    );
  const seen = new Set<string>();
  for (const { db: of, evidence } of read.hints) {
    if (db !== undefined && of !== "" && of !== db) continue;
    for (const rule of splitRules(evidence)) {
      const key = rule.toLowerCase().replace(/\s+/g, " ");
      if (seen.has(key)) continue;
      seen.add(key);
      const subject = subjectOf(rule);
      imported.evidence.push({ front: { title: cut(subject, 120), words: [cut(subject, 200)] }, text: rule });
    }
  }
  if (imported.evidence.length === 0)
    tell(1, db === undefined ? "no question in it has evidence" : `no question about ${db} in it has evidence`);
  return imported;
}

function readHints({ name, text }: SourceFile): { hints: Hint[] } | { line: number; fault: string } {
  if (/\.(csv|tsv)$/i.test(name)) {
    const read = parseCsv(text);
    if (!read.ok) return { line: read.fault.line, fault: read.fault.message };
    const { names, records } = toRecords(read.rows);
    if (!names.includes("evidence")) return { line: 1, fault: "it has no column `evidence`" };
    return { hints: records.map(({ line, of }) => ({ line, db: of("db_id"), evidence: of("evidence") })) };
  }
  try {
    const whole: unknown = JSON.parse(text);
    return { hints: (Array.isArray(whole) ? whole : [whole]).flatMap((item) => toHint(item, 1)) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const hints: Hint[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      hints.push(...toHint(JSON.parse(line), index + 1));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      return { line: index + 1, fault: "it is no JSON" };
    }
  }
  return { hints };
}

function toHint(item: unknown, line: number): Hint[] {
  if (typeof item !== "object" || item === null) return [];
  const { evidence, db_id, db } = item as Record<string, unknown>;
  if (typeof evidence !== "string") return [];
  const name = typeof db_id === "string" ? db_id : typeof db === "string" ? db : "";
  return [{ line, db: name, evidence }];
}

/** Divided at semicolons and line ends, outside of quotes and backticks. */
function splitRules(evidence: string): string[] {
  return (evidence.match(/(?:`[^`]*`|"[^"]*"|'[^'\n]*'(?!\w)|[^;\n])+/g) ?? [])
    .map((rule) => rule.trim().replace(/[.,]$/, "").trim())
    .filter((rule) => rule.length > 3);
}

/** What the rule is about: the words before what says so. */
function subjectOf(rule: string): string {
  const found =
    /^(.{1,160}?)\s*(?:\s(?:refers? to|means?|is defined as|stands? for|can be calculated (?:as|by)|is|are)\s|(?<![<>!])=|:)/i.exec(
      rule,
    );
  return (found?.[1] ?? rule).replace(/[`"]/g, "").trim() || rule;
}

function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : text;
}
