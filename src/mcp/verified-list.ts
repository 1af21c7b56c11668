/** A workspace's verified queries as other programs get them, the nearest to a text first. Pure. */
import { type Static, Type } from "typebox";
import { foldAccents, toTokens } from "../catalog/fold-text.ts";
import { ResultColumn, type VerifiedPiece } from "../protocol/index.ts";

export const VerifiedItem = Type.Object({
  /** Stays the same while the query does. */
  id: Type.String(),
  question: Type.String(),
  sql: Type.String(),
  /** Parts of the question that another one may say otherwise. */
  parameters: Type.Array(Type.String()),
  by: Type.String(),
  at: Type.String(),
  model: Type.String(),
  columns: Type.Array(ResultColumn),
  rowCount: Type.Integer(),
  /** Null while the database is what it was verified on. */
  stale: Type.Union([Type.Object({ since: Type.String(), reason: Type.String() }), Type.Null()]),
});
export type VerifiedItem = Static<typeof VerifiedItem>;

/** Most of them in one answer. */
export const mostVerified = 200;
export const FindVerified = Type.Object({
  /** Words of a question; verified ones that share no telling word are left out. */
  text: Type.Optional(Type.String({ maxLength: 2_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostVerified })),
});
export type FindVerified = Static<typeof FindVerified>;
export const VerifiedList = Type.Object({
  verified: Type.Array(VerifiedItem),
  /** How many fit, more than are sent when `limit` cut them. */
  total: Type.Integer(),
});
export type VerifiedList = Static<typeof VerifiedList>;

export function findVerified(
  pieces: readonly VerifiedPiece[],
  { text = "", limit = mostVerified }: FindVerified,
): VerifiedList {
  const wanted = toWords(text);
  const rated = pieces
    .map((piece) => ({ piece, score: wanted.size === 0 ? 1 : rate(wanted, toWords(piece.question)) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.piece.at < b.piece.at ? 1 : -1));
  return { verified: rated.slice(0, limit).map(({ piece }) => toItem(piece)), total: rated.length };
}

/** 0 without a common word, 1 for the same words. */
function rate(wanted: Set<string>, said: Set<string>): number {
  const common = [...wanted].filter((word) => said.has(word)).length;
  return common / (wanted.size + said.size - common);
}

const empty = new Set(
  "a an and are by do does for from how in is list many of on or per show the there to was were what which who with".split(
    " ",
  ),
);

/** Those that tell questions apart. */
function toWords(text: string): Set<string> {
  return new Set(toTokens(foldAccents(text)).filter((word) => !empty.has(word)));
}

function toItem(piece: VerifiedPiece): VerifiedItem {
  return {
    id: piece.id,
    question: piece.question,
    sql: piece.sql,
    parameters: (piece.parameters ?? []).map((parameter) => parameter.text),
    by: piece.by,
    at: piece.at,
    model: piece.model,
    columns: piece.columns,
    rowCount: piece.row_count,
    stale: piece.stale ?? null,
  };
}
