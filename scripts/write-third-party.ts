/**
 * Writes THIRD_PARTY.md: every package that a user gets, as a dependency or inside the page, with its licence and the
 * licence's text. Fails on a package that names none.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const root = fileURLToPath(new URL("..", import.meta.url));

interface Shipped {
  name: string;
  version: string;
  licence: string;
  text: string;
}

/** Folders of installed packages that a user's `npm install` brings. */
function findDependencies(): string[] {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean }>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => path !== "" && dev !== true && existsSync(join(root, path, "package.json")))
    .map(([path]) => join(root, path));
}

/** Folders of packages whose code or fonts are in the built page. */
async function findBundled(): Promise<string[]> {
  const built = await build({
    root: join(root, "src/web"),
    configFile: join(root, "vite.config.ts"),
    logLevel: "error",
    build: { write: false },
  });
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ("output" in one ? one.output : []));
  const modules = outputs.flatMap((chunk) =>
    chunk.type === "chunk" ? Object.keys(chunk.modules) : chunk.originalFileNames,
  );
  const folders = modules.flatMap((id) => {
    const found = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll("\\", "/").replace(/^\0/, ""))?.[0];
    return found === undefined ? [] : [found.startsWith("/") ? found : join(root, "src/web", found)];
  });
  return [...new Set(folders)].filter((folder) => existsSync(join(folder, "package.json")));
}

function read(folder: string): Shipped {
  const { name, version, license, licenses } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const licence = typeof license === "string" ? license : (license?.type ?? licenses?.[0]?.type);
  const files = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .sort();
  const text = files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n");
  if (typeof licence !== "string") throw new Error(`${name} in ${dirname(folder)} names no licence.`);
  return { name, version, licence, text };
}

const folders = [...new Set([...findDependencies(), ...(await findBundled())])];
const shipped = [...new Map(folders.map(read).map((one) => [`${one.name} ${one.version}`, one])).values()].sort(
  (a, b) => (a.name < b.name ? -1 : 1),
);
const byText = Map.groupBy(
  shipped.filter(({ text }) => text !== ""),
  ({ text }) => text.replaceAll(/\s+/g, " "),
);
const lines = [
  "# What ThothII ships of others",
  "",
  "Written by `npm run licences`. Binaries for other systems are optional dependencies under the same licences. The demo",
  "database is under the licence in `demo/`.",
  "",
  "| package | version | licence |",
  "| --- | --- | --- |",
  ...shipped.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`),
  "",
  "## Licence texts",
  ...[...byText.values()].flatMap((group) => [
    "",
    `### ${group.map(({ name }) => name).join(", ")}`,
    "",
    "```text",
    (group[0]?.text ?? "").replaceAll("```", "'''"),
    "```",
  ]),
  "",
];
writeFileSync(join(root, "THIRD_PARTY.md"), lines.join("\n"));
console.log(`${shipped.length} packages, ${new Set(shipped.map(({ licence }) => licence)).size} licences`);
