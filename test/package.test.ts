/** What a user installs: the packed files, in a folder beside their dependencies, started by whatever Node is there. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
/** The machine's own Node and npm, not those that npm scripts find first. */
const machinePath = (process.env.PATH ?? "")
  .split(delimiter)
  .filter((one) => !one.includes("node_modules"))
  .join(delimiter);
let folder: string;
let installed: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "thoth-package-"));
  execFileSync(process.execPath, [join(root, "scripts/build-package.ts")], { cwd: root, stdio: "pipe" });
  const packed = execFileSync("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], {
    cwd: root,
  });
  const [{ filename }] = JSON.parse(packed.toString());
  installed = join(folder, "node_modules", "thothii");
  mkdirSync(installed, { recursive: true });
  execFileSync("tar", ["-xzf", join(folder, filename), "-C", installed, "--strip-components=1"]);
  // What npm would put beside it.
  for (const name of readdirSync(join(root, "node_modules")))
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name));
}, 600_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function thoth(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync("node", [join(installed, "bin/thoth.js"), ...args], {
    cwd: folder,
    encoding: "utf8",
    env: { HOME: folder, THOTH_HOME: join(folder, "home"), THOTH_NO_OPEN: "1", PATH: machinePath },
  });
}

describe("the package", () => {
  it("holds compiled files with source maps, the page and the demo, and none of our tests", () => {
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    const parts = ["lib/cli/main.js", "lib/cli/main.js.map", "lib/extension/index.js", "lib/workflow/prompts/F1.md"];
    parts.push("lib/pi-package/index.js", "lib/pi-package/package.json", "lib/cli/mcp.js");
    for (const file of [...parts, "dist/web/index.html", "demo/chinook.sqlite", "LICENSE", "THIRD_PARTY.md"])
      expect(files).toContain(file);
    expect(files.filter((file) => /\.tsx?$|\.test\.|fixture/.test(file))).toEqual([]);
    expect(JSON.parse(readFileSync(join(installed, "lib/cli/main.js.map"), "utf8")).sourcesContent).toHaveLength(1);
  });

  it("answers a question from an empty folder, on the Node that it brings", () => {
    const asked = thoth("ask", "How many customers are there?", "--yes", "--json");
    expect(asked.stderr).not.toMatch(/ERR_|Error:/);
    expect(JSON.stringify(JSON.parse(asked.stdout))).toContain("59");
    expect(asked.status).toBe(0);
    expect(existsSync(join(folder, "home/sessions"))).toBe(true);
  });

  it("tells its version and refuses what it doesn't know with exit code 2", () => {
    expect(thoth("--version").stdout.trim()).toBe(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version);
    expect(thoth("no-such-command").status).toBe(2);
  });
});
