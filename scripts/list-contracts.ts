/** `npm run contracts`: every clause of the contracts with the tests that name it; fails when a clause has none. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Clause numbers per contract, C1 to C13. They are never renumbered; new ones are appended. */
const clauses = [4, 3, 5, 4, 2, 2, 4, 4, 3, 2, 3, 2, 1].flatMap((count, index) =>
  Array.from({ length: count }, (_, clause) => `C${index + 1}.${clause + 1}`),
);

function testsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? testsBelow(path) : /\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

const titles = ["src", "test"]
  .flatMap((folder) => testsBelow(join(root, folder)))
  .flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/\b(?:it|test)(?:\.\w+(?:\([^)]*\))?)*\(\s*(["'`])(.*?)\1/g)].map(
      (match) => ({ file: relative(root, file), title: match[2] ?? "" }),
    ),
  );
const missing: string[] = [];
for (const clause of clauses) {
  const proofs = titles.filter(({ title }) => title.split(/[\s,]+/).includes(clause));
  if (proofs.length === 0) missing.push(clause);
  console.log(
    `${clause.padEnd(6)} ${proofs.length === 0 ? "NO TEST" : proofs.map(({ file, title }) => `${file}: ${title}`).join("\n       ")}`,
  );
}
console.log(
  missing.length === 0
    ? `${clauses.length} clauses, each with a test`
    : `${missing.length} of ${clauses.length} clauses without a test: ${missing.join(" ")}`,
);
process.exit(missing.length === 0 ? 0 : 1);
