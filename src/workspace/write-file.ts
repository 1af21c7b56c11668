/** Files of a workspace on disk: whole or not at all, and for their owner only. */
import { randomBytes } from "node:crypto";
import { open, rename, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/** Throws when there is a file already. */
export async function writeWhole(path: string, content: string): Promise<void> {
  const handle = await open(path, "wx", 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A reader, or a power cut, finds the old content or the new one. `mayReplace` is asked last, with all but the rename done. */
export async function replaceWhole(
  path: string,
  content: string,
  mayReplace: () => Promise<boolean>,
): Promise<boolean> {
  const next = `${path}.${randomBytes(6).toString("hex")}.tmp`;
  let replaced = false;
  try {
    await writeWhole(next, content);
    replaced = await mayReplace();
    if (replaced) await rename(next, path);
  } finally {
    await unlink(next).catch(() => undefined); // renamed by now, or perhaps never made
  }
  if (replaced && process.platform !== "win32") {
    const folder = await open(dirname(path), "r");
    await folder.sync().finally(() => folder.close());
  }
  return replaced;
}
