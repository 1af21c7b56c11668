/**
 * The page's files made smaller for the way, once each and kept: they are few and never change while the server runs, but
 * after a new build. Nothing that differs by reader is ever compressed, and a stream never is: it would be held back.
 */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

export type Encoding = "br" | "gzip";

const compressible = new Set([
  ".html",
  ".js",
  ".mjs",
  ".css",
  ".json",
  ".map",
  ".webmanifest",
  ".txt",
  ".svg",
  ".wasm",
]);
/** Below this the headers cost more than is saved. Bytes. */
const leastBytes = 1024;

export const isCompressible = (extension: string, bytes: number): boolean =>
  compressible.has(extension) && bytes >= leastBytes;

/** The best that the reader takes; null for the file as it is. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding | null {
  const taken = new Map<string, number>();
  for (const part of (acceptEncoding ?? "").toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const quality = parameters.map((text) => /^q=([\d.]+)$/.exec(text)?.[1]).find((text) => text !== undefined);
    taken.set(name, quality === undefined ? 1 : Number(quality));
  }
  const takes = (name: Encoding) => (taken.get(name) ?? taken.get("*") ?? 0) > 0;
  if (takes("br")) return "br";
  return takes("gzip") ? "gzip" : null;
}

const kept = new Map<string, { version: string; bytes: Promise<Buffer> }>();

/** `version` tells one state of the file from another. */
export async function compressFile(
  file: string,
  version: string,
  encoding: Encoding,
  read: () => Promise<Buffer>,
): Promise<Buffer> {
  const key = `${encoding}:${file}`;
  const before = kept.get(key);
  if (before?.version === version) return await before.bytes;
  const bytes = read().then((content) => compress(content, encoding));
  kept.set(key, { version, bytes });
  bytes.catch(() => kept.delete(key));
  return await bytes;
}

/** Good but not the best: the first reader waits for it, a tenth of a second for a bundle of half a megabyte. */
const compress = (content: Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === "gzip"
    ? promisify(gzip)(content, { level: 9 })
    : promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 8 } });
