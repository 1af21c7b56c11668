/**
 * Splits text into plain stretches and characters that would act instead of being seen: control characters, direction
 * overrides, zero-width and tag characters, lone surrogates. Stored values and model words may hold any of them, and a
 * reviewer must see that two values differ. Joining the parts gives the text back unchanged.
 */
export interface TextPart {
  text: string;
  /** `U+202E` for a character that must be made visible. */
  code?: string;
}

const acting =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each stands for itself, none is meant as a pair
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]|(?<=[\u0021-\u007E])[\u200C\u200D]|[\u200C\u200D](?=[\u0021-\u007E])|[\uD800-\uDFFF]|[\t\r\n]/gu;
const layout = new Set(["\t", "\n", "\r"]);

const toCode = (character: string): string => {
  if (character === "\n") return "↵";
  if (character === "\t") return "⇥";
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
};

/** `keepLayout` leaves tabs and line ends alone: for prose and SQL, where they are part of the shape. */
export function toVisibleParts(text: string, keepLayout = false): TextPart[] {
  const parts: TextPart[] = [];
  let from = 0;
  for (const match of text.matchAll(acting)) {
    if (keepLayout && layout.has(match[0])) continue;
    if (match.index > from) parts.push({ text: text.slice(from, match.index) });
    parts.push({ text: match[0], code: toCode(match[0]) });
    from = match.index + match[0].length;
  }
  if (from < text.length || parts.length === 0) parts.push({ text: text.slice(from) });
  return parts;
}

/** For places that hold one plain string, such as a picture's label: the code in the character's place. */
export const toVisibleString = (text: string): string =>
  toVisibleParts(text)
    .map((part) => part.code ?? part.text)
    .join("");
