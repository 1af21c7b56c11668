/** Leads from a number to the line of the accepted decisions that holds it. */

/** How long the line stays lit. */
const litMs = 1_800;

/** True when `#4`, `#11–16` or `#4, #7` holds the number. */
export function holdsSeq(seqs: string, seq: number): boolean {
  return seqs.split(",").some((part) => {
    const [from, to] = (part.match(/\d+/g) ?? []).map(Number);
    return from !== undefined && seq >= from && seq <= (to ?? from);
  });
}

/** Scrolls to the line, lights it for a moment and puts the focus there: the reader asked for it by a press. */
export function showDecision(seq: number): void {
  const lines = [...document.querySelectorAll<HTMLElement>("[data-seqs]")];
  const line = lines.find((one) => holdsSeq(one.dataset.seqs ?? "", seq));
  if (!line) return;
  line.tabIndex = -1;
  line.scrollIntoView({ block: "center" });
  line.focus({ preventScroll: true });
  line.dataset.lit = "true";
  window.setTimeout(() => delete line.dataset.lit, litMs);
}
