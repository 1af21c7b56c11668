/** How a value is spelled, told as what to change in its folded text: one character for most values. Pure. */

const plain = "0";
const firstUpper = "1";
const wordsUpper = "2";
const allUpper = "3";
/** The whole value follows. */
const whole = "=";
const bases = [plain, firstUpper, wordsUpper, allUpper];

function applyBase(base: string, folded: string): string {
  if (base === allUpper) return folded.toUpperCase();
  if (base === plain || folded === "") return folded;
  let text = "";
  let inWord = false;
  for (let at = 0; at < folded.length; at++) {
    const code = folded.charCodeAt(at);
    const letter = code >= 0x61 && code <= 0x7a;
    text += letter && !inWord ? String.fromCharCode(code - 32) : folded[at];
    inWord = base === firstUpper || letter || code > 0x7f || (code >= 0x30 && code <= 0x39);
  }
  return text;
}

/** Has no line feed. Where letters differ from all usual spellings, each follows after the distance to the one before. */
export function toSpelling(value: string, folded: string): string {
  if (value === folded) return plain;
  const differing = value.length === folded.length && !/[\n\ud800-\udfff]/.test(value);
  let best: string | undefined;
  for (const base of bases) {
    const text = applyBase(base, folded);
    if (text === value) return base;
    if (!differing || text.length !== value.length) continue;
    let spelling = base;
    let before = 0;
    for (let at = 0; at < value.length; at++) {
      if (value[at] === text[at]) continue;
      spelling += String.fromCharCode(0x21 + at - before) + value[at];
      before = at;
    }
    if (best === undefined || spelling.length < best.length) best = spelling;
  }
  if (best !== undefined && best.length < value.length) return best;
  return whole + value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

export function fromSpelling(spelling: string, folded: string): string {
  if (spelling.startsWith(whole))
    return spelling.slice(1).replace(/\\(.)/g, (_, mark: string) => (mark === "n" ? "\n" : mark));
  let text = applyBase(spelling[0] ?? plain, folded);
  let at = 0;
  for (let mark = 1; mark + 1 < spelling.length; mark += 2) {
    at += spelling.charCodeAt(mark) - 0x21;
    text = text.slice(0, at) + spelling[mark + 1] + text.slice(at + 1);
  }
  return text;
}
