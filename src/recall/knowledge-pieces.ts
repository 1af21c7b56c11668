/** The pieces of a workspace's knowledge in one shape: what each is called, where it stands, what can be searched in it. */
import type { Knowledge, Meaning, RelationPiece, RestsOnKnowledge } from "../protocol/index.ts";

export interface Piece {
  kind: RestsOnKnowledge["kind"];
  id: string;
  title: string;
  /** Relative to the workspace's folder. */
  file: string;
  line: number;
  /** What it says, whole. */
  text: string;
  /** What is searched, beside title and text. */
  words: string;
  /** Phrases of a question that it is about: one of them is enough. */
  phrases: string[];
  /** Tables it speaks of, as the catalog may spell them. */
  tables: string[];
  /** One column, or one value of it. */
  column?: string;
  value?: string;
  /** May only be mentioned. */
  stale?: string;
  relation?: RelationPiece;
}

const workspaceFile = "workspace.yaml";

export function toPieces(knowledge: Knowledge): Piece[] {
  const { workspace } = knowledge;
  const notes: [id: string, title: string, text: string | undefined][] = [
    ["scope", "What this database can answer", workspace.scope],
    ["language", "Language of the questions", workspace.language],
    ["data_language", "Language of the data", workspace.data_language],
    ...(workspace.directives ?? []).map((text, index): [string, string, string] => [
      `directive-${index + 1}`,
      text,
      text,
    ]),
  ];
  return [
    ...notes.flatMap(([id, title, text]): Piece[] =>
      text === undefined
        ? []
        : [
            {
              kind: "directive",
              id: `${workspaceFile}#${id}`,
              title: id.startsWith("directive") ? title : `${title}: ${text}`,
              file: workspaceFile,
              line: 1,
              text,
              words: "",
              phrases: [],
              tables: [],
            },
          ],
    ),
    ...knowledge.evidence.map((piece): Piece => {
      const measure = piece.measure ? `${piece.measure.name} = ${piece.measure.expression}` : "";
      return {
        kind: "evidence",
        id: piece.id,
        title: piece.title,
        file: piece.file,
        line: piece.line,
        text: [measure, piece.text].filter((part) => part !== "").join("\n"),
        words: piece.words.join(" "),
        phrases: [...piece.words, ...(piece.measure ? [piece.measure.name] : [])],
        tables: piece.tables ?? [],
      };
    }),
    ...knowledge.synonyms.map(({ id, file, line, word, means }): Piece => {
      const name = nameOf(means);
      return {
        kind: "synonym",
        id,
        title: `${word} = ${name}`,
        file,
        line,
        text: `“${word}” means ${name}`,
        words: "",
        phrases: [word],
        tables: [means.table],
        ...(means.column === undefined ? {} : { column: means.column }),
        ...(means.value === undefined ? {} : { value: String(means.value) }),
      };
    }),
    ...knowledge.descriptions.map(({ id, file, line, table, column, value, text }): Piece => {
      const name = nameOf({ table, ...(column === null ? {} : { column }), ...(value === null ? {} : { value }) });
      return {
        kind: "description",
        id,
        title: name,
        file,
        line,
        text: `${name}: ${text}`,
        words: "",
        phrases: value === null ? [] : [text],
        tables: [table],
        ...(column === null ? {} : { column }),
        ...(value === null ? {} : { value }),
      };
    }),
    ...knowledge.relations.flatMap((piece): Piece[] => {
      // What nobody confirmed is a suggestion, and rests nowhere.
      if (piece.source === "proposed") return [];
      const side = ({ table, columns }: RelationPiece["from"]) => columns.map((name) => `${table}.${name}`).join(", ");
      const name = `${side(piece.from)} = ${side(piece.to)}`;
      return [
        {
          kind: "relation",
          id: piece.id,
          title: name,
          file: piece.file,
          line: piece.line,
          text: `${name} (${piece.cardinality}${piece.role ? `, as ${piece.role}` : ""}, ${piece.source})${piece.when ? `: ${piece.when}` : ""}`,
          words: [piece.role, piece.when].filter(Boolean).join(" "),
          phrases: piece.role ? [piece.role] : [],
          tables: [piece.from.table, piece.to.table],
          relation: piece,
        },
      ];
    }),
    ...knowledge.verified.map((piece): Piece => {
      const tables = piece.decisions.flatMap(({ decision }) =>
        decision.kind === "table" && decision.use === "used" ? [decision.table] : [],
      );
      return {
        kind: "verified",
        id: piece.id,
        title: piece.question,
        file: piece.file,
        line: piece.line,
        text: piece.sql,
        words: "",
        phrases: [],
        tables: [...new Set(tables)],
        ...(piece.stale ? { stale: piece.stale.reason } : {}),
      };
    }),
  ];
}

function nameOf({ table, column, value }: Meaning): string {
  const place = column === undefined ? table : `${table}.${column}`;
  return value === undefined ? place : `${place} = ${JSON.stringify(value)}`;
}
