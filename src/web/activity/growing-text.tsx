/**
 * A text that grows at its end. It stands in pieces, each a block of its own, so that the browser lays out the last one
 * again and not all of it: with tens of thousands of deltas in one block that is the difference between smooth and stuck.
 */
import { memo } from "react";

/** Characters of a piece at least; it ends at the first blank after that. */
const pieceLength = 2_000;
/** Words without a blank are cut here all the same. */
const longestPiece = 3_000;

/** Joined they are the text. Each but the last stays the same however much is added. */
export function toPieces(text: string): string[] {
  const pieces: string[] = [];
  let from = 0;
  while (text.length - from > longestPiece) {
    const window = text.slice(from + pieceLength, from + longestPiece);
    const line = window.indexOf("\n");
    const blank = line >= 0 ? line : window.search(/\s/);
    let to = from + (blank < 0 ? longestPiece : pieceLength + blank + 1);
    // Never between the two halves of one character.
    const last = text.charCodeAt(to - 1);
    if (last >= 0xd800 && last <= 0xdbff) to -= 1;
    pieces.push(text.slice(from, to));
    from = to;
  }
  pieces.push(text.slice(from));
  return pieces;
}

const Piece = memo(function Piece({ text }: { text: string }) {
  return <span className="block">{text}</span>;
});

/** The last piece stays in the line, so that a caret can follow it. */
export function GrowingText({ text }: { text: string }) {
  const pieces = toPieces(text);
  if (pieces.length === 1) return text;
  return (
    <>
      {pieces.slice(0, -1).map((piece, index) => (
        <Piece key={index} text={piece} />
      ))}
      {pieces.at(-1)}
    </>
  );
}
