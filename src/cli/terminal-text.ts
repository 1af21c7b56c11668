/** Text from a database or a model as it may be written to a terminal, and plain tables of it. */

/** Without control characters: an escape sequence in a stored value could repaint the screen or worse. Line breaks stay. */
export function toPlainText(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, "·");
}

/** On one line, cut to `width` characters. */
export function toLine(text: string, width = 60): string {
  const line = toPlainText(text).replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length > width ? `${characters.slice(0, width - 1).join("")}…` : line;
}

const isNumber = (text: string): boolean => /^-?\d[\d,.]*(e[+-]?\d+)?%?$/i.test(text);

/** Columns of one width; a column that holds numbers only stands to the right. */
export function toTable(columns: readonly string[], rows: readonly (readonly string[])[], maxWidth = 60): string {
  const head = columns.map((column) => toLine(column, maxWidth));
  const body = rows.map((row) => head.map((_, at) => toLine(row[at] ?? "", maxWidth)));
  const widths = head.map((text, at) => Math.max(length(text), ...body.map((row) => length(row[at] ?? ""))));
  const right = head.map(
    (_, at) => body.length > 0 && body.every((row) => isNumber(row[at] ?? "") || row[at] === "" || row[at] === "NULL"),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => {
        const gap = " ".repeat((widths[at] ?? 0) - length(cell));
        return right[at] ? gap + cell : cell + gap;
      })
      .join("  ")
      .trimEnd();
  return [line(head), widths.map((width) => "─".repeat(width)).join("  "), ...body.map(line)].join("\n");
}

const length = (text: string): number => [...text].length;
