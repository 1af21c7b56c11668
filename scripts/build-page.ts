/** Builds the page when there is none or its sources are newer, so that start and test always show what stands here. */
import { spawnSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = [
  "src/web",
  "src/protocol",
  "vite.config.ts",
  "tailwind.config.ts",
  "postcss.config.js",
  "package-lock.json",
];

/** Newest change in milliseconds below a path; 0 when there is nothing. */
function newest(path: string): number {
  const info = statSync(path, { throwIfNoEntry: false });
  if (!info) return 0;
  if (!info.isDirectory()) return info.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const built = statSync(join(root, "dist/web/index.html"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
if (built < Math.max(...sources.map((source) => newest(join(root, source))))) {
  console.error("Building the page …");
  const vite = join(root, "node_modules/vite/bin/vite.js");
  const { status } = spawnSync(process.execPath, [vite, "build", "--logLevel", "warn"], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
  });
  process.exit(status ?? 1);
}
