/**
 * What is missing arrives as a sentence, as a thing (`a cost column`), or as words of the question (`since 2023`).
 * Each must read well after a colon; the reader's own words stand in quotation marks.
 */
function toMissingWords(missing: string): string {
  const text = missing.trim().replace(/[.\s]+$/, "");
  if (text === "" || /^what\b/i.test(text)) return "";
  if (isSentence(text)) return text;
  if (/^(an?|any|no|the)\s/i.test(text)) return text.charAt(0).toLowerCase() + text.slice(1);
  return `“${text.replace(/^["“]|["”]$/g, "")}”`;
}

/** Below a title that already says that the data is not there. */
export function toMissingHeading(missing: string): string {
  const words = toMissingWords(missing);
  return words === "" ? "" : isSentence(words) ? `${words}.` : `Missing: ${words}`;
}

export function toMissingSentence(missing: string): string {
  const words = toMissingWords(missing);
  return words === "" ? "The data is not there." : `The data is not there: ${words}.`;
}

const isSentence = (text: string): boolean =>
  /\s(has|have|is|are|was|were|holds?|contains?|does|do|stores?|says?)\s/i.test(` ${text} `);
