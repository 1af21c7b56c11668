import { useState } from "react";
import type { Cell, ResultColumn } from "../../protocol/results.ts";
import { CopyButton } from "../elements/copy-button.tsx";
import { plural, toCount } from "../elements/numbers.ts";
import { toVisibleParts } from "../elements/visible-characters.ts";
import { VisibleText } from "../elements/visible-text.tsx";
import { Dialog } from "../layout/dialog.tsx";
import { formatJson } from "./format-json.ts";
import { toCellText } from "./result-cells.ts";

export interface CellInspectorProps {
  column: ResultColumn;
  cell: Cell;
  /** Its number in the result, from 1. */
  row: number;
  onClose: () => void;
}

/** One cell in full: nothing is cut, and every character that hides can be seen. */
export function CellInspector({ column, cell, row, onClose }: CellInspectorProps) {
  const text = cell === null ? "" : toCellText(cell);
  const json = formatJson(text);
  const [asJson, setAsJson] = useState(true);
  const [blanks, setBlanks] = useState(false);
  const shown = json !== null && asJson ? json : text;
  return (
    <Dialog title={`Cell of row ${toCount(row)}`} wide onClose={onClose}>
      <dl className="num mb-3 flex flex-wrap gap-x-6 gap-y-1 text-xs">
        <Fact name="Column">
          <span className="font-mono text-ink">
            <VisibleText text={column.name} />
          </span>
        </Fact>
        {column.type ? (
          <Fact name="Type">
            <span className="font-mono">{column.type}</span>
          </Fact>
        ) : null}
        <Fact name="Length">{toLength(cell, text)}</Fact>
      </dl>
      <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1">
        {json === null ? null : <Toggle label="Laid out as JSON" on={asJson} onToggle={setAsJson} />}
        {text === "" ? null : <Toggle label="Show blanks and line ends" on={blanks} onToggle={setBlanks} />}
        <span className="ml-auto">
          <CopyButton text={text} />
        </span>
      </div>
      <pre
        role="group"
        tabIndex={0}
        aria-label="Text of the cell"
        className="max-h-[52vh] min-h-16 overflow-auto whitespace-pre-wrap rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs leading-[18px] [overflow-wrap:anywhere]"
      >
        {cell === null ? (
          <span className="text-ink-3">NULL: no value</span>
        ) : cell === "" ? (
          <span className="text-ink-3">Empty text: a value of length 0</span>
        ) : blanks ? (
          <WithBlanks text={shown} />
        ) : (
          <VisibleText text={shown} keepLayout />
        )}
      </pre>
    </Dialog>
  );
}

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div className="flex gap-2">
    <dt className="text-ink-3">{name}</dt>
    <dd className="text-ink-2 [overflow-wrap:anywhere]">{children}</dd>
  </div>
);

const Toggle = ({ label, on, onToggle }: { label: string; on: boolean; onToggle: (on: boolean) => void }) => (
  <label className="flex items-center gap-1.5 text-xs text-ink-2">
    <input
      type="checkbox"
      checked={on}
      onChange={(event) => onToggle(event.target.checked)}
      className="accent-[hsl(var(--accent))]"
    />
    {label}
  </label>
);

function toLength(cell: Cell, text: string): string {
  if (typeof cell !== "string") return cell === null ? "no value" : plural(text.length, "character");
  const characters = [...text].length;
  const bytes = new TextEncoder().encode(text).length;
  return bytes === characters
    ? plural(characters, "character")
    : `${plural(characters, "character")}, ${plural(bytes, "byte")} in UTF-8`;
}

const blank = /([ \t\r\n\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000])/;
const blankMarks: Record<string, string> = { " ": "·", "\t": "⇥", "\r": "␍", "\n": "↵" };

/** Line ends still end the line, behind their sign. */
function WithBlanks({ text }: { text: string }) {
  return text.split(blank).map((piece, index) =>
    index % 2 === 0 ? (
      <VisibleText key={index} text={piece} keepLayout />
    ) : (
      <span key={index} className="text-warning">
        {blankMarks[piece] ??
          toVisibleParts(piece)[0]?.code ??
          `U+${piece.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`}
        {piece === "\n" ? "\n" : null}
      </span>
    ),
  );
}
