/** What a reviewer's words could become, filled in as far as they and the accepted decisions say. Pure. */
import type { Catalog, JoinDecision, KeepPiece, KeptKind, Meaning, Table } from "../../protocol/index.ts";

export interface Words {
  text: string;
  /** Set where the words were about a set of joins: those accepted in the end, each with what was measured. */
  joins: { decision: JoinDecision; cardinality: "1:1" | "1:N" | "N:1" | "N:M" }[];
  /** Tables that the accepted decisions use. */
  used: readonly string[];
}

/** The likeliest kind first. Names that nobody can know from the words are empty. */
export function toDrafts(words: Words, tables: Catalog["tables"]): KeepPiece[] {
  const { subject, meaning } = splitWords(words.text);
  const named = findNames(meaning, tables, words.used);
  const measure = toMeasure(subject, meaning, tables, words.used);
  const title = cut(subject || firstSentence(words.text), 120);
  const drafts: Record<KeptKind, KeepPiece[]> = {
    evidence: [
      {
        kind: "evidence",
        title,
        words: subject === "" ? [] : [cut(subject, 200)],
        ...(named.tables.length > 0 ? { tables: named.tables.slice(0, 20) } : {}),
        ...(measure ? { measure } : {}),
        text: plainWords(words.text),
      },
    ],
    synonym: [{ kind: "synonym", word: cut(subject, 200), means: named.first ?? { table: "" } }],
    relation: words.joins.map(toRelation),
    description: [
      {
        kind: "description",
        table: named.first?.table ?? "",
        ...(named.first?.column === undefined ? {} : { column: named.first.column }),
        text: plainWords(words.text),
      },
    ],
  };
  const order: KeptKind[] =
    words.joins.length > 0
      ? ["relation", "evidence", "synonym", "description"]
      : subject !== "" && named.first && named.isAll
        ? ["synonym", "evidence", "description", "relation"]
        : ["evidence", "synonym", "description", "relation"];
  return order.flatMap((kind) => drafts[kind]);
}

/** `Remember: revenue means UnitPrice × Quantity` is about revenue. */
function splitWords(text: string): { subject: string; meaning: string } {
  const plain = plainWords(text);
  const found =
    /^["“”']?(.{1,80}?)["“”']?\s+(?:means?|refers? to|stands for|should mean|should be|is|are|=)\s+(.+)$/is.exec(plain);
  const subject = (found?.[1] ?? "").replace(/^(?:the word|by|the|a|an)\s+/i, "").trim();
  // A question or a whole sentence before the verb is no name of anything, and neither is a word that points.
  const isNoName = /[?.;:!\n]/.test(subject) || pointing.test(subject) || subject.split(/\s+/).length > 6;
  if (!found || isNoName) return { subject: "", meaning: plain };
  return { subject, meaning: found[2] ?? "" };
}

const pointing = /^(?:why|what|who|how|when|where|which|this|that|it|there|they|these|those|i|we|you)\b/i;

const plainWords = (text: string): string =>
  text.trim().replace(/^(?:please\s+)?(?:remember(?:\s+that)?|note(?:\s+that)?)\s*[:,]?\s+/i, "");

const firstSentence = (text: string): string => plainWords(text).split(/[.?!](?:\s|$)|\n/)[0] ?? "";

interface Named {
  tables: string[];
  first: Meaning | undefined;
  /** The words are that one name and nothing else. */
  isAll: boolean;
}

/** Tables and columns that the words name, as the catalog writes them; a bare column only where it is clear whose it is. */
function findNames(text: string, tables: readonly Table[], used: readonly string[]): Named {
  const found: Meaning[] = [];
  for (const word of text.match(/[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*/gu) ?? []) {
    const meaning = toMeaning(word, tables, used);
    if (meaning && !found.some((one) => one.table === meaning.table && one.column === meaning.column))
      found.push(meaning);
  }
  const first = found.find(({ column }) => column !== undefined) ?? found[0];
  const whole = text
    .trim()
    .replace(/[."“”']+$/g, "")
    .replace(/^["“”']+/, "");
  const isAll = first !== undefined && toMeaning(whole, tables, used) !== undefined;
  return { tables: [...new Set(found.map(({ table }) => table))], first, isAll };
}

function toMeaning(word: string, tables: readonly Table[], used: readonly string[]): Meaning | undefined {
  const folded = word.toLowerCase();
  const table = tables.find(({ name }) => name.toLowerCase() === folded);
  if (table) return { table: table.name };
  const dot = folded.lastIndexOf(".");
  const [before, after] = dot < 0 ? ["", folded] : [folded.slice(0, dot), folded.slice(dot + 1)];
  const holders = tables.filter(
    ({ name, columns }) =>
      (before === "" || name.toLowerCase() === before) && columns.some((column) => column.name.toLowerCase() === after),
  );
  const among = holders.filter(({ name }) => used.includes(name));
  const holder = holders.length === 1 ? holders[0] : among.length === 1 ? among[0] : undefined;
  const column = holder?.columns.find(({ name }) => name.toLowerCase() === after)?.name;
  return holder && column !== undefined ? { table: holder.name, column } : undefined;
}

/** `UnitPrice × Quantity` over one table that has all its columns; other formulas are for the reviewer to write. */
function toMeasure(
  subject: string,
  meaning: string,
  tables: readonly Table[],
  used: readonly string[],
): { name: string; expression: string } | undefined {
  const formula = meaning
    .trim()
    .replace(/\.$/, "")
    .replace(/^(?:the )?(sum|total|average) of (.+)$/i, (_, how: string, of: string) =>
      how.toLowerCase() === "average" ? `AVG(${of})` : `SUM(${of})`,
    )
    .replaceAll("×", "*")
    .replaceAll("÷", "/")
    .replaceAll("−", "-");
  if (subject === "" || !/^[\p{L}\p{N}_.\s()*/+-]+$/u.test(formula) || !/[*/+(-]/.test(formula)) return undefined;
  const names = formula.match(/[\p{L}_][\p{L}\p{N}_.]*/gu) ?? [];
  const columns = names.filter((name) => !/^(sum|avg|min|max|count|round|abs)$/i.test(name));
  const bare = columns.map((name) => (name.split(".").at(-1) ?? "").toLowerCase());
  const holders = tables.filter((table) =>
    bare.every((name) => table.columns.some((column) => column.name.toLowerCase() === name)),
  );
  const holder = holders.find(({ name }) => used.includes(name)) ?? (holders.length === 1 ? holders[0] : undefined);
  if (!holder || columns.length === 0) return undefined;
  const expression = formula.replace(/[\p{L}_][\p{L}\p{N}_.]*/gu, (name) => {
    const own = (name.split(".").at(-1) ?? "").toLowerCase();
    const column = holder.columns.find((one) => one.name.toLowerCase() === own);
    return column ? `${holder.name}.${column.name}` : name.toUpperCase();
  });
  return { name: cut(subject, 200), expression };
}

function toRelation({ decision, cardinality }: Words["joins"][number]): KeepPiece {
  const { left, right, pairs } = decision;
  const role = right.role ?? left.role;
  return {
    kind: "relation",
    from: { table: left.table, columns: pairs.map((pair) => pair.left) },
    to: { table: right.table, columns: pairs.map((pair) => pair.right) },
    cardinality,
    ...(role ? { role } : {}),
  };
}

function cut(text: string, most: number): string {
  const characters = [...text.trim()];
  return characters.length > most ? `${characters.slice(0, most - 1).join("")}…` : characters.join("");
}
