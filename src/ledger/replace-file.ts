/** Replacing a file so that a reader, or a power cut, finds the old content or the new one and never a part. */
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const temporary = /\.[0-9a-f]{12}\.tmp$/;

/** Written beside the target, flushed, renamed over it, and the folder flushed. The caller holds the writer lock. */
export async function replaceFile(path: string, content: string | Uint8Array): Promise<void> {
  const dir = dirname(path);
  const next = join(dir, `${basename(path)}.${randomBytes(6).toString("hex")}.tmp`);
  try {
    const file = await open(next, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(next, path);
  } catch (error) {
    await unlink(next).catch(() => undefined); // perhaps never made; a leftover is removed by the next writer
    throw error;
  }
  await syncDir(dir);
}

async function syncDir(dir: string): Promise<void> {
  if (process.platform === "win32") return; // folders can't be opened there, and NTFS journals the rename
  const handle = await open(dir, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Files of writers that died half-way. Under the writer lock nobody else can be writing, so each one is a leftover. */
export async function removeLeftovers(dir: string): Promise<void> {
  // At once, like `identityAt`: a handful of names.
  for (const name of readdirSync(dir)) if (temporary.test(name)) await unlink(join(dir, name)).catch(ignoreMissing);
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
