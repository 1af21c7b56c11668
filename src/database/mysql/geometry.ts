/** Geometries as people write them: `POINT(1 2)`. On the wire they are four bytes of SRID and well-known binary. */

const names = [
  "",
  "POINT",
  "LINESTRING",
  "POLYGON",
  "MULTIPOINT",
  "MULTILINESTRING",
  "MULTIPOLYGON",
  "GEOMETRYCOLLECTION",
];
/** A larger one is shown as bytes. */
const maxBytes = 4_000_000;

/** Undefined when the bytes aren't a geometry that this knows. */
export function toWellKnownText(bytes: Buffer): string | undefined {
  if (bytes.length < 9 || bytes.length > maxBytes) return undefined;
  try {
    const reader = { bytes, at: 4 };
    const text = readGeometry(reader, true, 0);
    return reader.at === bytes.length ? text : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface Reader {
  bytes: Buffer;
  at: number;
}

function readGeometry(reader: Reader, named: boolean, depth: number): string {
  if (depth > 20) throw new RangeError("nested too deeply");
  const little = reader.bytes.readUInt8(reader.at) === 1;
  reader.at += 1;
  const count = (): number => {
    const value = little ? reader.bytes.readUInt32LE(reader.at) : reader.bytes.readUInt32BE(reader.at);
    reader.at += 4;
    return value;
  };
  const coordinate = (): number => {
    const value = little ? reader.bytes.readDoubleLE(reader.at) : reader.bytes.readDoubleBE(reader.at);
    reader.at += 8;
    return value;
  };
  const list = (read: () => string): string => {
    const length = count();
    if (length > reader.bytes.length) throw new RangeError("more parts than bytes");
    return `(${Array.from({ length }, read).join(",")})`;
  };
  const point = (): string => `${coordinate()} ${coordinate()}`;
  const kind = count();
  const name = names[kind];
  if (!name) throw new RangeError("unknown kind");
  const rest = (): string => {
    if (kind === 1) return `(${point()})`;
    if (kind === 2) return list(point);
    if (kind === 3) return list(() => list(point));
    return list(() => readGeometry(reader, kind === 7, depth + 1));
  };
  return (named ? name : "") + rest();
}
