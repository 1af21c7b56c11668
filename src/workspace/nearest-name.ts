/** The name that somebody most likely meant. Pure. */

/** One that differs in case only, or by few letters for its length; undefined when none is near. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  const folded = word.toLowerCase();
  const most = Math.max(1, Math.floor(folded.length / 3));
  let best: string | undefined;
  let least = most + 1;
  for (const name of names) {
    if (Math.abs(name.length - word.length) > most) continue;
    const edits = countEdits(folded, name.toLowerCase());
    if (edits < least) {
      least = edits;
      best = name;
    }
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function countEdits(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      let edits = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, (before[j - 2] ?? 0) + 1);
      row.push(edits);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
