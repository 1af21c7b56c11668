/**
 * Characters that would act instead of being seen (escape sequences, direction overrides, zero-width signs) as their
 * codes, `⟨U+202E⟩`: a report may be read in a terminal, an editor or a browser. Tabs and line ends stay; so do joiners
 * between letters that need them.
 */
export function toVisibleText(text: string): string {
  return text.replace(acting, (character) => `⟨U+${toHex(character.codePointAt(0) ?? 0)}⟩`);
}

const toHex = (code: number): string => code.toString(16).toUpperCase().padStart(4, "0");

const acting =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each stands for itself, none is meant as a pair
  /(?![\t\n\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034F\u115F\u1160\u17B4\u17B5\u3164\uFFA0]|(?<=[\u0021-\u007E])[\u200C\u200D]|[\u200C\u200D](?=[\u0021-\u007E])/gu;
