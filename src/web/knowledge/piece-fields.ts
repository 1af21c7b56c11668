/** A piece of knowledge as the texts of a form's fields, and back. Pure. */
import type { KeepPiece, KeptKind } from "../../protocol/knowledge.ts";

export interface FieldShape {
  name: string;
  label: string;
  hint?: string;
  /** A name or an expression. */
  mono?: boolean;
  /** More than one line. */
  long?: boolean;
}

export const kindWords: Record<KeptKind, { name: string; file: string }> = {
  evidence: { name: "Rule", file: "evidence/" },
  synonym: { name: "Synonym", file: "synonyms.yaml" },
  relation: { name: "Relation", file: "relations.yaml" },
  description: { name: "Description", file: "descriptions.yaml" },
};

export const fieldsOf: Record<KeptKind, FieldShape[]> = {
  evidence: [
    { name: "title", label: "About" },
    { name: "words", label: "Words that call for it", hint: "With commas between them." },
    { name: "expression", label: "Measure in SQL", hint: "Empty where it is no measure.", mono: true },
    { name: "text", label: "What holds", long: true },
  ],
  synonym: [
    { name: "word", label: "Word" },
    { name: "table", label: "Table", mono: true },
    { name: "column", label: "Column", hint: "Empty for the table itself.", mono: true },
    { name: "value", label: "Stored value", hint: "Empty for the whole column.", mono: true },
  ],
  relation: [
    { name: "role", label: "Role", hint: "Where two tables meet in more than one way." },
    { name: "when", label: "When to use it" },
  ],
  description: [
    { name: "table", label: "Table", mono: true },
    { name: "column", label: "Column", hint: "Empty for the table itself.", mono: true },
    { name: "text", label: "Description", long: true },
  ],
};

export type FieldTexts = Record<string, string>;

export function toFieldTexts(piece: KeepPiece): FieldTexts {
  switch (piece.kind) {
    case "evidence":
      return {
        title: piece.title,
        words: piece.words.join(", "),
        expression: piece.measure?.expression ?? "",
        text: piece.text,
      };
    case "synonym":
      return {
        word: piece.word,
        table: piece.means.table,
        column: piece.means.column ?? "",
        value: piece.means.value === undefined ? "" : String(piece.means.value),
      };
    case "relation":
      return { role: piece.role ?? "", when: piece.when ?? "" };
    case "description":
      return { table: piece.table, column: piece.column ?? "", text: piece.text };
  }
}

/** What the fields say over what the draft held; an empty field that may be absent is absent. */
export function toPiece(draft: KeepPiece, texts: FieldTexts): KeepPiece {
  const of = (name: string) => (texts[name] ?? "").trim();
  const optional = <K extends string>(name: K, text = of(name)) =>
    (text === "" ? {} : { [name]: text }) as Record<K, string>;
  switch (draft.kind) {
    case "evidence": {
      const { measure, ...rest } = draft;
      const expression = of("expression");
      const title = of("title");
      return {
        ...rest,
        title,
        words: of("words")
          .split(",")
          .map((word) => word.trim())
          .filter((word) => word !== ""),
        ...(expression === "" ? {} : { measure: { name: measure?.name ?? title, expression } }),
        text: of("text"),
      };
    }
    case "synonym":
      return {
        kind: "synonym",
        word: of("word"),
        means: { table: of("table"), ...optional("column"), ...optional("value") },
      };
    case "relation": {
      const { role: _role, when: _when, ...rest } = draft;
      return { ...rest, ...optional("role"), ...optional("when") };
    }
    case "description":
      return { kind: "description", table: of("table"), ...optional("column"), text: of("text") };
  }
}

/** Why it can't be kept yet, in words; undefined when it can. */
export function toBlocked(piece: KeepPiece): string | undefined {
  switch (piece.kind) {
    case "evidence":
      if (piece.title === "") return "Say what it is about.";
      return piece.text === "" && !piece.measure ? "Say what holds." : undefined;
    case "synonym":
      if (piece.word === "") return "Write the word.";
      if (piece.means.table === "") return "Name the table that it means.";
      return piece.means.value !== undefined && piece.means.column === undefined
        ? "Name the column that holds the value."
        : undefined;
    case "relation":
      return undefined;
    case "description":
      if (piece.table === "") return "Name the table.";
      return piece.text === "" ? "Write the description." : undefined;
  }
}

/** `InvoiceLine(InvoiceId) → Invoice(InvoiceId), N:1` */
export const relationText = ({ from, to, cardinality }: Extract<KeepPiece, { kind: "relation" }>): string =>
  `${from.table}(${from.columns.join(", ")}) → ${to.table}(${to.columns.join(", ")}), ${cardinality}`;
