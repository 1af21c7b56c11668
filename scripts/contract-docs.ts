/** Makes the text of `docs/contracts.md`: each clause, where it is kept, and the tests that name it, found by title. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Clause, clauses, contractTitles } from "../test/contracts/clauses.ts";

interface Title {
  file: string;
  title: string;
}

function testsBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? testsBelow(path) : /\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** Titles of tests and of groups that name a clause, in the files' order. */
function readTitles(root: string): Title[] {
  return ["src", "test"]
    .flatMap((folder) => testsBelow(join(root, folder)).sort())
    .flatMap((file) =>
      [
        ...readFileSync(file, "utf8").matchAll(
          /\b(?:it|test|describe)(?:\.\w+)*(?:\((?:[^()"'`]|\([^()]*\)|"[^"]*"|'[^']*'|`[^`]*`)*\))?\(\s*(["'`])(.*?)\1,/gs,
        ),
      ].map((match) => ({ file: relative(root, file), title: match[2] ?? "" })),
    )
    .filter(({ title }) => /^C\d+\.\d+/.test(title));
}

function toSection(root: string, clause: Clause, titles: readonly Title[]): string {
  const missing = clause.keptIn.filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0)
    throw new Error(`${clause.id} is said to be kept in ${missing.join(", ")}, which isn't there`);
  const proofs = titles.filter(({ title }) => title.split(/[\s,;]+/).includes(clause.id));
  if (proofs.length === 0) throw new Error(`no test names ${clause.id}`);
  return `### ${clause.id}

${clause.says}

Kept in ${clause.keptIn.map((file) => `\`${file}\``).join(", ")}.

${proofs.map(({ file, title }) => `- \`${file}\`: ${title.replaceAll("`", "'")}`).join("\n")}
`;
}

export function toContractDocs(root: string): string {
  const titles = readTitles(root);
  const sections = Object.entries(contractTitles).map(
    ([contract, title]) =>
      `## ${contract} ${title}\n\n${clauses
        .filter(({ id }) => id.startsWith(`${contract}.`))
        .map((clause) => toSection(root, clause, titles))
        .join("\n")}`,
  );
  return `# Contracts

What ThothII promises, clause by clause: where the code keeps it and which tests prove it. Made by
\`npm run contracts:docs\`; a test fails when it no longer fits. Whether those tests notice a fault is shown in
[test/contracts/README.md](../test/contracts/README.md).

${sections.join("\n")}`;
}
