/** The built page from disk. Only files that really lie inside the folder are ever sent. */
import { readFile, realpath, stat } from "node:fs/promises";
import { extname, join, resolve, sep } from "node:path";
import { ThothError } from "../protocol/index.ts";
import { chooseEncoding, compressFile, isCompressible } from "./compressed-files.ts";

const types: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".webmanifest": "application/manifest+json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};

export const pageNotBuilt = (): ThothError =>
  new ThothError(
    "page-not-built",
    "The page isn't built yet.",
    "Run `npm run build` in ThothII's folder, then reload.",
  );

/** Headers of the request that decide about the answer. */
export interface FileWish {
  acceptEncoding?: string | undefined;
  ifNoneMatch?: string | undefined;
}

/** Answers GET for any path; null when there is no such file. Throws `page-not-built` for the page itself. */
export async function readStaticFile(root: string, path: string, wish: FileWish = {}): Promise<Response | null> {
  const isPage = path === "/" || /^\/(models|s\/[^/]+|catalog\/[^/]+(\/[^/]+)?)\/?$/.test(path);
  const found = await findFile(root, isPage ? "/index.html" : path);
  if (!found) {
    if (isPage) throw pageNotBuilt();
    return null;
  }
  const { file, bytes, version } = found;
  const extension = extname(file).toLowerCase();
  const small = isCompressible(extension, bytes);
  const encoding = small ? chooseEncoding(wish.acceptEncoding) : null;
  const tag = `"${version}${encoding ? `-${encoding}` : ""}"`;
  const headers = {
    "Content-Type": types[extension] ?? "application/octet-stream",
    // The builder puts a hash of the content into every name below /assets/.
    "Cache-Control": path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    ETag: tag,
    ...(small ? { Vary: "Accept-Encoding" } : {}),
  };
  if (wish.ifNoneMatch?.split(",").some((known) => known.trim() === tag))
    return new Response(null, { status: 304, headers });
  const body = encoding ? await compressFile(file, version, encoding, () => readFile(file)) : await readFile(file);
  return new Response(new Uint8Array(body), {
    headers: {
      ...headers,
      "Content-Length": String(body.byteLength),
      ...(encoding ? { "Content-Encoding": encoding } : {}),
    },
  });
}

interface FoundFile {
  file: string;
  bytes: number;
  /** Another one when the file was written anew. */
  version: string;
}

async function findFile(root: string, path: string): Promise<FoundFile | null> {
  const decoded = decode(path);
  if (decoded === null || decoded.includes("\0") || decoded.includes("\\")) return null;
  const wanted = resolve(root, join(".", decoded));
  if (!wanted.startsWith(resolve(root) + sep)) return null;
  try {
    const real = await realpath(wanted);
    if (!real.startsWith((await realpath(root)) + sep)) return null;
    const found = await stat(real);
    const version = `${Math.round(found.mtimeMs).toString(36)}-${found.size.toString(36)}`;
    return found.isFile() ? { file: real, bytes: found.size, version } : null;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG" || code === "ELOOP") return null;
    throw error;
  }
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}
