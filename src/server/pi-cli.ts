/** Where Pi's own entry file lies; children run it with this process's Node. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { projectRoot } from "./project.ts";

const entry = join("node_modules", "@earendil-works", "pi-coding-agent", "dist", "bundle", "cli.js");

export const piCli = findUpward(projectRoot);

/** Installed as a package, ThothII has its dependencies beside it and not inside. */
function findUpward(folder: string): string {
  const found = join(folder, entry);
  const above = dirname(folder);
  return existsSync(found) || above === folder ? found : findUpward(above);
}
