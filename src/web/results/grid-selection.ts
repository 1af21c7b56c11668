/** Where the cursor of a grid stands and what is selected: pure, in rows and columns as they are shown. */

export interface Place {
  /** -1 is the head. */
  row: number;
  column: number;
}

/** A rectangle from where it was begun to where the cursor is. */
export interface Selection {
  anchor: Place;
  cursor: Place;
}

export interface Span {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

export function toSpan({ anchor, cursor }: Selection): Span {
  return {
    top: Math.max(0, Math.min(anchor.row, cursor.row)),
    bottom: Math.max(anchor.row, cursor.row),
    left: Math.min(anchor.column, cursor.column),
    right: Math.max(anchor.column, cursor.column),
  };
}

export const cellsIn = ({ top, bottom, left, right }: Span): number => (bottom - top + 1) * (right - left + 1);

export interface GridSize {
  rows: number;
  columns: number;
  /** Rows that fit into the view: a page. */
  page: number;
}

export interface KeyPress {
  key: string;
  shiftKey: boolean;
  /** Or Command. */
  ctrlKey: boolean;
}

/** Null for a key that moves nothing. With Shift the rectangle grows from where it was begun. */
export function moveSelection(selection: Selection | null, press: KeyPress, size: GridSize): Selection | null {
  const from = selection?.cursor ?? { row: 0, column: 0 };
  if (press.ctrlKey && press.key.toLowerCase() === "a" && size.rows > 0 && size.columns > 0)
    return { anchor: { row: 0, column: 0 }, cursor: { row: size.rows - 1, column: size.columns - 1 } };
  const next = step(from, press, size);
  if (!next) return null;
  // The first key shows where the cursor is and moves nothing yet.
  const cursor = selection === null && press.key.startsWith("Arrow") ? from : next;
  const row = Math.max(press.shiftKey ? 0 : -1, Math.min(size.rows - 1, cursor.row));
  const column = Math.max(0, Math.min(size.columns - 1, cursor.column));
  const place = { row, column };
  return { anchor: press.shiftKey && selection ? selection.anchor : place, cursor: place };
}

function step({ row, column }: Place, { key, ctrlKey }: KeyPress, { rows, columns, page }: GridSize): Place | null {
  switch (key) {
    case "ArrowUp":
      return { row: ctrlKey ? 0 : row - 1, column };
    case "ArrowDown":
      return { row: ctrlKey ? rows - 1 : row + 1, column };
    case "ArrowLeft":
      return { row, column: ctrlKey ? 0 : column - 1 };
    case "ArrowRight":
      return { row, column: ctrlKey ? columns - 1 : column + 1 };
    case "PageUp":
      return { row: Math.max(0, row - page), column };
    case "PageDown":
      return { row: row + page, column };
    case "Home":
      return { row: ctrlKey ? 0 : row, column: 0 };
    case "End":
      return { row: ctrlKey ? rows - 1 : row, column: columns - 1 };
    default:
      return null;
  }
}
