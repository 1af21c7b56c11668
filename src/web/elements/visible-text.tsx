import { Fragment } from "react";
import { toVisibleParts } from "./visible-characters.ts";

export interface VisibleTextProps {
  text: string;
  /** Leave tabs and line ends to the surrounding white-space rule. */
  keepLayout?: boolean;
}

/**
 * Text from the database or the model. An acting character stays in the DOM, so that copies are exact, but is isolated
 * and has its code drawn before it.
 */
export function VisibleText({ text, keepLayout }: VisibleTextProps) {
  return (
    <>
      {toVisibleParts(text, keepLayout).map((part, index) =>
        part.code ? (
          <span
            key={index}
            data-code={part.code}
            title={`Invisible character ${part.code}`}
            className="mx-px rounded-sm bg-warning-soft px-0.5 font-mono text-2xs text-warning [unicode-bidi:isolate] before:content-[attr(data-code)]"
          >
            <span className="inline-block w-0 overflow-hidden whitespace-pre align-bottom">{part.text}</span>
          </span>
        ) : (
          <Fragment key={index}>{part.text}</Fragment>
        ),
      )}
    </>
  );
}

/** A value whose own writing direction must not reorder what stands around it. */
export const Value = ({ text }: { text: string }) => (
  <bdi>
    <VisibleText text={text} />
  </bdi>
);

/** A table's, column's or step's name: never cut, and wrapped where a reader would, at `_`, `.` and a capital. */
export function Name({ text }: { text: string }) {
  return text.split(/(?<=[_.])(?=[^_.])|(?<=\p{Ll})(?=\p{Lu})/u).map((piece, index) => (
    <Fragment key={index}>
      {index > 0 ? <wbr /> : null}
      <VisibleText text={piece} />
    </Fragment>
  ));
}
