/** Verified queries as other programs read them. Pure: names of files and their texts. */
import type { VerifiedPiece } from "../../protocol/index.ts";
import { toPieceName } from "../piece-name.ts";

export interface ExportedFile {
  /** Relative to the folder that was given, with `/`. */
  name: string;
  text: string;
}

/** One `.sql` per query, with what it answers and who accepted it as comments above. */
export function toSqlFiles(pieces: readonly VerifiedPiece[]): ExportedFile[] {
  return pieces.map((piece) => ({ name: `${baseName(piece)}.sql`, text: `${header(piece)}${endOf(piece.sql)}` }));
}

/** A dbt project's `analyses/`, with the descriptions that its documentation shows. */
export function toDbtFiles(pieces: readonly VerifiedPiece[]): ExportedFile[] {
  const analyses = pieces.map((piece) => {
    const sql = endOf(piece.sql);
    // What looks like Jinja in the SQL is a text of it.
    const body = /\{[{%#]/.test(sql) ? `{% raw %}\n${sql}{% endraw %}\n` : sql;
    return { name: `analyses/${dbtName(piece)}.sql`, text: `${header(piece).replace(/\{(?=[{%#])/g, "{ ")}${body}` };
  });
  const list = pieces.map(
    (piece) => `  - name: ${dbtName(piece)}\n    description: ${quote(piece.question.replace(/\{(?=[{%#])/g, "{ "))}\n`,
  );
  return [...analyses, { name: "analyses/verified_queries.yml", text: `version: 2\n\nanalyses:\n${list.join("")}` }];
}

/** One line per query, as `thoth eval --questions` reads it; `db` is the name of the database's file there. */
export function toQuestionLines(pieces: readonly VerifiedPiece[], db: string): string {
  return pieces
    .map((piece) =>
      JSON.stringify({
        id: baseName(piece),
        db,
        dialect: piece.engine,
        question: piece.question,
        gold_sql: piece.sql,
        source: "verified",
      }),
    )
    .map((line) => `${line}\n`)
    .join("");
}

/** As its own file is called, so that two of one question stay apart. */
const baseName = ({ file }: VerifiedPiece): string => file.replace(/^.*\//, "").replace(/\.yaml$/, "");

/** dbt takes letters, digits and _ for a name. */
const dbtName = (piece: VerifiedPiece): string => `verified_${toPieceName(baseName(piece)).replaceAll("-", "_")}`;

function header({ question, by, at, model, origin, file }: VerifiedPiece): string {
  const lines = [
    ...question.split(/\r\n?|\n|\u2028|\u2029/),
    "",
    `Accepted by ${by} on ${at}, proposed by ${model}.`,
    `From ${file}; session ${origin.session}, ledger entry ${origin.seq}.`,
  ];
  // Whatever ends a line elsewhere must not end the comment.
  return `${lines.map((line) => `-- ${line.replace(/[\p{Cc}\u2028\u2029]/gu, " ")}`.trimEnd()).join("\n")}\n`;
}

const endOf = (sql: string): string => `${sql.trim().replace(/;+\s*$/, "")}\n`;

/** A text in YAML's double quotes, which are JSON's. */
const quote = (text: string): string => JSON.stringify(text);
