/** Words within a few typos of another one, out of many that are kept packed by their length. Pure. */

/** Words of one length in one text, with a signature for each. */
export interface PackedWords {
  signs: Int32Array;
  letters: string;
}

/** Longer ones are seldom words, and seldom misspelled by a letter or two only. */
export const longestWord = 64;

/** One digit more or less is another number, one letter in three another word. */
export function mayHaveTypos(word: string): boolean {
  return word.length >= 3 && !/\d/.test(word);
}

/** At most 1 from 4 letters on, at most 2 from 7 on. */
function allowedEdits(word: string): number {
  return !mayHaveTypos(word) || word.length < 4 || word.length > longestWord ? 0 : word.length < 7 ? 1 : 2;
}

/** One bit per letter: two words `d` edits apart differ in at most `2 d` bits. */
export function toSignature(word: string): number {
  let bits = 0;
  for (let i = 0; i < word.length; i++) bits |= 1 << (word.charCodeAt(i) % 31);
  return bits;
}

function countBits(bits: number): number {
  let n = bits - ((bits >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return (((n + (n >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** `packedOf` gives all words of a length. The word itself is not near to itself. */
export function findNearWords(
  word: string,
  packedOf: (length: number) => Iterable<PackedWords>,
): { word: string; edits: number }[] {
  const most = allowedEdits(word);
  const found: { word: string; edits: number }[] = [];
  if (most === 0) return found;
  const bits = toSignature(word);
  const first = word.charCodeAt(0);
  for (let length = word.length - most; length <= word.length + most; length++) {
    for (const { signs, letters } of packedOf(length)) {
      for (let index = 0; index < signs.length; index++) {
        if (countBits(bits ^ (signs[index] ?? 0)) > 2 * most) continue;
        const at = index * length;
        // In a short word the first letter is seldom the wrong one.
        if (word.length < 7 && letters.charCodeAt(at) !== first) continue;
        const other = letters.slice(at, at + length);
        const edits = countEdits(word, other, most);
        if (edits > 0 && edits <= most) found.push({ word: other, edits });
      }
    }
  }
  return found;
}

const width = longestWord + 4;
const table = [new Uint8Array(width), new Uint8Array(width), new Uint8Array(width)];

/** Insertions, deletions, replacements and swaps of neighbours; `most + 1` when there are more than `most`. */
function countEdits(a: string, b: string, most: number): number {
  let [before, last, row] = table as [Uint8Array, Uint8Array, Uint8Array];
  for (let j = 0; j <= b.length; j++) last[j] = j;
  for (let i = 1; i <= a.length; i++) {
    const letter = a.charCodeAt(i - 1);
    row[0] = i;
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = letter === b.charCodeAt(j - 1);
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && letter === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1))
        edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      row[j] = edits;
      if (edits < least) least = edits;
    }
    if (least > most) return most + 1;
    [before, last, row] = [last, row, before];
  }
  return Math.min(last[b.length] ?? 0, most + 1);
}
