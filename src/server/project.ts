/** Where the product itself lies, as opposed to the user's home folder. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = fileURLToPath(new URL("../../", import.meta.url));
/** What `npm run build` writes. */
export const pageDir = join(projectRoot, "dist", "web");
/** The oldest Node that runs the TypeScript sources as they are and has every built-in that the product uses. */
export const oldestNode = "24.10.0";

export const version: string = readVersion();

function readVersion(): string {
  const parsed: unknown = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8"));
  const found = typeof parsed === "object" && parsed !== null && "version" in parsed ? parsed.version : undefined;
  return typeof found === "string" ? found : "0.0.0";
}
