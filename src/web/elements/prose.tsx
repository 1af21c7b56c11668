import { VisibleText } from "./visible-text.tsx";

/**
 * Sentences from the model or the measuring code, as text. The one mark-up that is known is a name between backticks:
 * both write identifiers that way.
 */
export function Prose({ text, keepLayout }: { text: string; keepLayout?: boolean }) {
  return toProseParts(text).map((part, index) =>
    part.code ? (
      <code key={index} className="font-mono text-xs text-ink">
        <VisibleText text={part.text} keepLayout={keepLayout} />
      </code>
    ) : (
      <VisibleText key={index} text={part.text} keepLayout={keepLayout} />
    ),
  );
}

export function toProseParts(text: string): { text: string; code: boolean }[] {
  return text
    .split(/(`[^`\n]+`)/)
    .filter((part) => part !== "")
    .map((part) =>
      part.length > 2 && part.startsWith("`") && part.endsWith("`")
        ? { text: part.slice(1, -1), code: true }
        : { text: part, code: false },
    );
}
