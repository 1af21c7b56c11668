/**
 * Compiles what a package ships into lib/: Node strips no types below node_modules. Files keep their places relative to
 * the package, so that the demo and the page are found as in a checkout.
 */
import { spawnSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const lib = join(root, "lib");

function run(program: string, ...args: string[]): void {
  const { status } = spawnSync(process.execPath, [join(root, program), ...args], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  if (status !== 0) process.exit(status ?? 1);
}

rmSync(lib, { recursive: true, force: true });
run("scripts/build-page.ts");
run("node_modules/typescript/bin/tsc", "-p", "tsconfig.package.json");
cpSync(join(root, "src/workflow/prompts"), join(lib, "workflow/prompts"), { recursive: true });
cpSync(join(root, "src/pi-package/package.json"), join(lib, "pi-package/package.json"));
for (const name of readdirSync(lib, { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(".js")) continue;
  const file = join(lib, name);
  const text = readFileSync(file, "utf8");
  // Files that run in a process or thread of their own are named by address; the compiler leaves those alone. The new
  // ending is as long as the old one, so the source map stays true.
  const named = text.replaceAll(/(new URL\("\.[^"]*)\.ts("\s*,\s*import\.meta\.url\))/g, "$1.js$2");
  if (named !== text) writeFileSync(file, named);
}
