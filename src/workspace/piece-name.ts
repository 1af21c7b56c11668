/** Names of files made from titles: safe on every system, and readable in a list. Pure. */

/** Names that Windows keeps for devices. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/;
const mostLength = 60;
/** A file's name has at most 255 with its ending, and with what is added to it while it is written. */
const mostBytes = 180;

/** Without its ending; `number` from 2 on tells apart what has the same title. */
export function toPieceName(title: string, number = 1): string {
  const words = title
    .toWellFormed()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+/, "");
  // By characters: half of one would be no name.
  let short = "";
  for (const character of [...words].slice(0, mostLength))
    if (Buffer.byteLength(short + character) <= mostBytes) short += character;
  short = short.replace(/-+$/, "") || "untitled";
  const name = reserved.test(short) ? `${short}-1` : short;
  return number === 1 ? name : `${name}-${number}`;
}
