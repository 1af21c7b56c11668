/** Which type each column of a result gets in a Parquet file: the narrowest that keeps every cell as it is. Pure. */
import type { Cell, QueryResult } from "../../protocol/index.ts";

export interface ParquetColumn {
  /** Unlike the other names, whatever their case. */
  name: string;
  /** A DuckDB type; VARCHAR where a cell fits no narrower one, such as a text that was cut. */
  type: string;
}

export function toParquetColumns(result: QueryResult): ParquetColumn[] {
  const taken = new Set<string>();
  return result.columns.map((column, index) => {
    const base = column.name.trim() === "" ? `column_${index + 1}` : column.name;
    let name = base;
    for (let n = 2; taken.has(name.toLowerCase()); n += 1) name = `${base}_${n}`;
    taken.add(name.toLowerCase());
    const cells = result.rows.map((row) => row[index] ?? null).filter((cell) => cell !== null);
    return { name, type: toType(column.type.toUpperCase(), cells) };
  });
}

type Filled = Exclude<Cell, null>;

function toType(declared: string, cells: readonly Filled[]): string {
  const all = (test: (cell: Filled) => boolean): boolean => cells.every(test);
  const numbers = cells.length > 0 && all((cell) => typeof cell === "number");
  if (/[[(].*[A-Z"].*|\[\]|^(STRUCT|MAP|UNION|ENUM|SET)\b/.test(declared)) return "VARCHAR";
  if (cells.length > 0 && all((cell) => typeof cell === "boolean")) return "BOOLEAN";
  if (/^BOOL/.test(declared) && cells.length === 0) return "BOOLEAN";
  if (/^DATE$/.test(declared) && all(isDate)) return "DATE";
  if (/^(TIMESTAMP|DATETIME)/.test(declared)) {
    if (cells.length > 0 && all((cell) => isTimestamp(cell, true))) return "TIMESTAMPTZ";
    if (all((cell) => isTimestamp(cell, false))) return "TIMESTAMP";
    return "VARCHAR";
  }
  if (/INT(?!ERVAL)|SERIAL|YEAR/.test(declared) && all(isInteger)) return toIntegerType(cells);
  if (/DEC|NUM|MONEY/.test(declared) && all((cell) => decimal.test(String(cell))))
    return toDecimalType(declared, cells);
  if ((/REAL|FLOA|DOUB/.test(declared) || numbers) && all((cell) => typeof cell === "number" || isSpecial(cell)))
    return declared === "" && all(isInteger) ? toIntegerType(cells) : "DOUBLE";
  if (/BLOB|BYTEA|BINARY/.test(declared) && all((cell) => /^x'([0-9a-f]{2})*'$/.test(String(cell)))) return "BLOB";
  return "VARCHAR";
}

const decimal = /^-?(\d+)(?:\.(\d+))?$/;
const isInteger = (cell: Filled): boolean => typeof cell !== "boolean" && /^-?\d+$/.test(String(cell));
const isSpecial = (cell: Filled): boolean => /^-?(nan|inf|infinity)$/i.test(String(cell));

function toIntegerType(cells: readonly Filled[]): string {
  let [least, most] = [0n, 0n];
  for (const cell of cells) {
    const value = BigInt(cell);
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least >= -(2n ** 63n) && most < 2n ** 63n) return "BIGINT";
  if (least >= 0n && most < 2n ** 64n) return "UBIGINT";
  const digits = Math.max(String(-least).length, String(most).length);
  return digits <= 38 ? "DECIMAL(38,0)" : "VARCHAR";
}

/** As declared, wider where a cell needs it: no digit is rounded away. */
function toDecimalType(declared: string, cells: readonly Filled[]): string {
  const said = /\((\d+)(?:,\s*(\d+))?\)/.exec(declared);
  let scale = Number(said?.[2] ?? 0);
  let whole = Math.max(1, Number(said?.[1] ?? 1) - scale);
  for (const cell of cells) {
    const [, left = "", right = ""] = decimal.exec(String(cell)) ?? [];
    whole = Math.max(whole, left.replace(/^0+(?=\d)/, "").length);
    scale = Math.max(scale, right.length);
  }
  return whole + scale <= 38 ? `DECIMAL(${whole + scale},${scale})` : "VARCHAR";
}

function isDate(cell: Filled): boolean {
  if (typeof cell !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(cell)) return false;
  const time = Date.parse(`${cell}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === cell;
}

function isTimestamp(cell: Filled, zoned: boolean): boolean {
  const parts = /^(.{10})[ T]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,6})?(Z|[+-]\d{2}(:?\d{2})?)?$/.exec(String(cell));
  return parts !== null && isDate(parts[1] ?? "") && (parts[4] !== undefined) === zoned;
}
