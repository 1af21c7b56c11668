/** HTML in which everything that is put in is text, unless it was made here. */

export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | Html | readonly Html[];

/** Controls and signs that turn the direction of text round would make a page say something else than it holds. */
const unseen = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu;

export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(texts.map((text, index) => text + toText(parts[index])).join(""));
}

function toText(part: Part | undefined): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map((one) => one.text).join("");
  return String(part)
    .replace(unseen, "·")
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
