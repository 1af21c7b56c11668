/** The spellings under which two texts count as the same value. Pure. */

/** Letters that Unicode doesn't take apart into a base letter and a mark. */
const ligatures: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
};

// Most values are ASCII without odd blanks: testing for that first makes folding many of them several times faster.
const oddBlank = /[^\S ]| {2}|^ | $/;
const notAscii = /[^\x20-\x7e]/;

/** Blanks collapsed, case folded. */
export function foldCase(text: string): string {
  return (oddBlank.test(text) ? text.replace(/\s+/g, " ").trim() : text).toLowerCase();
}

/** Also without accents: `Ångström` and `angstrom`. */
export function foldAccents(text: string): string {
  const lower = foldCase(text);
  if (!notAscii.test(lower)) return lower;
  return lower
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[ßæœøđðþłı]/g, (letter) => ligatures[letter] ?? letter);
}

/** Letters and digits only, from a text that `foldAccents` folded: `AC/DC`, `ac dc` and `A.C.D.C.` are one. */
export function foldPunctuation(folded: string): string {
  return notAscii.test(folded) ? folded.replace(/[^\p{L}\p{N}]+/gu, "") : folded.replace(/[^a-z0-9]+/g, "");
}

/** The words of a text that `foldAccents` folded. */
export function toTokens(folded: string): string[] {
  return folded.match(notAscii.test(folded) ? /[\p{L}\p{N}]+/gu : /[a-z0-9]+/g) ?? [];
}
