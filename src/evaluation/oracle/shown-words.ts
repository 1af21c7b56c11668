/** Whether a name or a value can be read at a gate: a reviewer types nothing that isn't before their eyes. */
import { stemmer } from "stemmer";

export interface ShownWords {
  /** All words of a name stand there, however they are put together. */
  hasName(name: string): boolean;
  hasValue(value: string | number): boolean;
}

const numerals = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];

export function readShownWords(...texts: readonly string[]): ShownWords {
  const whole = texts.join("\n").toLowerCase();
  const words = new Set(texts.flatMap(toWords));
  const spelled = texts.map(toJoined);
  return {
    hasName(name) {
      const parts = toWords(name);
      return (
        parts.length > 0 &&
        (parts.every((part) => words.has(part)) ||
          // `stuid` is read where `StuID` stands; shorter ones would be found inside any word.
          (toJoined(name).length > 4 && spelled.some((text) => text.includes(toJoined(name)))))
      );
    },
    hasValue(value) {
      const text = String(value).toLowerCase().replaceAll("%", "");
      if (whole.includes(text)) return true;
      const numeral = numerals[Number(value)];
      return typeof value === "number" && numeral !== undefined && words.has(toStem(numeral));
    },
  };
}

const toStem = (word: string): string => stemmer(word.toLowerCase());

/** `Song_releaseYear` is three words. */
function toWords(text: string): string[] {
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(toStem);
}

const toJoined = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
