/** What the server says about a result's column → the engine's own type name and how its bytes are read. */

/** The part of mysql2's column definition that is used. https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_com_query_response_text_resultset_column_definition.html */
export interface Field {
  name: string;
  columnType: number;
  characterSet: number;
  /** In bytes of the connection's character set, or digits. */
  columnLength: number;
  decimals: number;
  flags: number;
  /** MariaDB's: `json`. */
  extendedFormat?: string | undefined;
  /** MariaDB's: `uuid`, `inet6`, `point`. */
  extendedTypeName?: string | undefined;
}

export type Reading = "integer" | "float" | "text" | "bytes" | "geometry";

const binary = 63;
const unsignedFlag = 32;
const enumFlag = 256;
const setFlag = 2048;
/** NOT_FIXED_DEC: a number or time without declared digits. */
const noDecimals = 31;

const integers: Record<number, string> = { 1: "tinyint", 2: "smallint", 3: "int", 8: "bigint", 9: "mediumint" };
const others: Record<number, string> = {
  4: "float",
  5: "double",
  6: "null",
  7: "timestamp",
  10: "date",
  11: "time",
  12: "datetime",
  13: "year",
  14: "date",
  16: "bit",
  242: "vector",
  245: "json",
  247: "enum",
  248: "set",
  255: "geometry",
};

export function toReading(field: Field): Reading {
  if (field.extendedFormat === "json") return "text";
  if (field.columnType in integers) return "integer";
  if (field.columnType === 4 || field.columnType === 5) return "float";
  if (field.columnType === 255) return "geometry";
  if (field.columnType === 16 || field.columnType === 242) return "bytes";
  // Only character columns may hold bytes; all others are sent as text and marked as binary as well.
  return isCharacters(field) && field.characterSet === binary ? "bytes" : "text";
}

/** Character and blob columns; types as in `SHOW COLUMNS`, without lengths of texts. */
export function toTypeName(field: Field): string {
  const { columnType, columnLength, decimals, flags } = field;
  if (field.extendedFormat) return field.extendedFormat;
  if (field.extendedTypeName) return field.extendedTypeName;
  const unsigned = (flags & unsignedFlag) !== 0;
  const suffix = unsigned ? " unsigned" : "";
  const integer = integers[columnType];
  if (integer) return columnType === 1 && columnLength === 1 ? "tinyint(1)" : integer + suffix;
  if (columnType === 0 || columnType === 246) {
    const digits = columnLength - (decimals > 0 ? 1 : 0) - (unsigned ? 0 : 1);
    return `decimal(${digits},${decimals})${suffix}`;
  }
  const other = others[columnType];
  if (other) {
    const fraction = [7, 11, 12].includes(columnType) && decimals > 0 && decimals < noDecimals ? `(${decimals})` : "";
    const bits = columnType === 16 ? `(${columnLength})` : "";
    return other + fraction + bits;
  }
  if (!isCharacters(field)) return "";
  if ((flags & enumFlag) !== 0) return "enum";
  if ((flags & setFlag) !== 0) return "set";
  const bytes = field.characterSet === binary;
  if (columnType === 254) return bytes ? "binary" : "char";
  if (columnType === 15 || columnType === 253) return bytes ? "varbinary" : "varchar";
  const longest = bytes ? columnLength : columnLength / 4;
  const size = longest <= 255 ? "tiny" : longest <= 65_535 ? "" : longest <= 16_777_215 ? "medium" : "long";
  return size + (bytes ? "blob" : "text");
}

function isCharacters(field: Field): boolean {
  return [15, 249, 250, 251, 252, 253, 254].includes(field.columnType);
}
