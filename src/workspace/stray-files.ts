/** Files whose names are so near to a known one that somebody surely meant it: nothing would read them. */
import { readdir } from "node:fs/promises";
import type { Fault } from "../protocol/index.ts";
import { nearestName } from "./nearest-name.ts";

const known = ["workspace.yaml", "descriptions.yaml", "relations.yaml", "synonyms.yaml", "evidence", "verified"];

/** Of a workspace's own folder; everything else there is nobody's business but its owner's. Never throws. */
export async function findStrays(directory: string): Promise<Fault[]> {
  let names: string[];
  try {
    names = await readdir(directory);
  } catch {
    return []; // told where its files are read, or not there at all
  }
  return names.sort().flatMap((file) => {
    if (known.includes(file) || file.startsWith(".") || file.endsWith(".tmp")) return [];
    // `.yml` says the same as `.yaml` to everybody but a program that looks for the one.
    const near = nearestName(file.replace(/\.yml$/i, ".yaml"), known);
    if (!near) return [];
    return [{ file, line: 1, message: "nothing reads a file of this name", fix: `Call it ${near}.` }];
  });
}
