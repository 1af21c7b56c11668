/** What an import reads: one file, or those of a folder with an ending that matters. Links are not followed. */
import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { ThothError } from "../../protocol/index.ts";
import type { SourceFile } from "./imported.ts";

const mostBytes = 32 * 1024 * 1024;
const mostFiles = 5_000;
/** Folders of what dbt builds or installs. */
const passedOver = new Set(["node_modules", "target", "dbt_packages", "dbt_modules", "logs"]);

/** Throws ThothError `import-unreadable`. A byte order mark is taken off. */
export async function readSources(path: string, endings: RegExp): Promise<SourceFile[]> {
  const stats = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    throw unreadable(path, error.code === "ENOENT" ? "isn't there" : "can't be read", error);
  });
  if (stats.isFile()) return [await readSource(path, basename(path))];
  if (!stats.isDirectory()) throw unreadable(path, "is neither a file nor a folder");
  const files: string[] = [];
  await walk(path, endings, files);
  return await Promise.all(files.map((file) => readSource(file, relative(path, file).replaceAll("\\", "/"))));
}

async function walk(folder: string, endings: RegExp, files: string[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !entry.name.startsWith(".") && !passedOver.has(entry.name))
      await walk(path, endings, files);
    else if (entry.isFile() && endings.test(entry.name)) files.push(path);
    if (files.length > mostFiles) throw unreadable(folder, `holds more than ${mostFiles} files`);
  }
}

async function readSource(path: string, name: string): Promise<SourceFile> {
  const { size } = await lstat(path);
  if (size > mostBytes) throw unreadable(path, "is larger than 32 MB");
  const bytes = await readFile(path);
  try {
    return { name, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (error) {
    throw unreadable(path, "isn't UTF-8", error);
  }
}

const unreadable = (path: string, what: string, cause?: unknown): ThothError =>
  new ThothError(
    "import-unreadable",
    `${path} ${what}.`,
    "Give the path of a file or a folder that can be read.",
    cause,
  );
