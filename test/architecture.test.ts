/** Arrows point one way: the import table of ARCHITECTURE.md, no runtime cycles, no folder or file that means nothing. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const src = fileURLToPath(new URL("../src", import.meta.url));

/** Folder → folders it may import from. */
const allowed: Record<string, string[]> = {
  protocol: [],
  database: ["protocol"],
  sql: ["protocol"],
  catalog: ["protocol", "database", "sql"],
  evidence: ["protocol", "database", "sql", "catalog"],
  workspace: ["protocol", "database", "sql"],
  recall: ["protocol", "catalog"],
  ledger: ["protocol"],
  workflow: ["protocol", "sql"],
  planner: ["protocol", "database", "catalog", "sql", "workflow"],
  extension: [
    "protocol",
    "database",
    "sql",
    "catalog",
    "evidence",
    "workspace",
    "recall",
    "ledger",
    "workflow",
    "planner",
  ],
  evaluation: ["protocol", "database", "sql", "catalog", "evidence", "ledger", "workflow", "planner", "extension"],
  mcp: ["protocol", "catalog"],
  runtime: ["protocol"],
  bridge: ["protocol"],
  server: [
    "protocol",
    "database",
    "sql",
    "catalog",
    "evidence",
    "workspace",
    "ledger",
    "workflow",
    "planner",
    "extension",
    "runtime",
    "bridge",
    "mcp",
  ],
  cli: [
    "protocol",
    "database",
    "sql",
    "catalog",
    "evidence",
    "workspace",
    "ledger",
    "workflow",
    "planner",
    "extension",
    "runtime",
    "bridge",
    "mcp",
    "server",
    "evaluation",
  ],
  "pi-package": ["protocol", "database", "catalog", "workspace", "ledger", "workflow", "extension", "server", "cli"],
  web: ["protocol"],
};

/** Folders of the planner, in the order a question passes them; at run time each knows only those before it. */
const plannerOrder = [
  "words",
  "clauses",
  "schema",
  "knowledge",
  "relations",
  "linking",
  "frame",
  "wording",
  "statement",
  "audit",
  "corrections",
  "explanation",
  "reuse",
];

interface Import {
  from: string;
  to: string;
  runtime: boolean;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(folder, entry.name))
      : /\.tsx?$/.test(entry.name)
        ? [join(folder, entry.name)]
        : [],
  );
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, "utf8");
  const found = [
    ...text.matchAll(
      /(?:^|\n)\s*(?:import|export)\s+(type\s+)?([^;]*?)\sfrom\s+"(\.[^"]+)"|import\(\s*"(\.[^"]+)"\s*\)/g,
    ),
  ];
  return found.map(([, type, names, path, dynamic]) => {
    const onlyTypes = type !== undefined || (names !== undefined && /^\{(\s*type [^,}]+,?)+\s*\}$/.test(names.trim()));
    return {
      from: file,
      to: resolve(dirname(file), (path ?? dynamic) as string),
      runtime: !onlyTypes && dynamic === undefined,
    };
  });
}

const files = filesBelow(src);
const sources = files.filter((file) => !/\.test\.tsx?$/.test(file));
const imports = sources.flatMap(importsOf);
const folderOf = (file: string) => relative(src, file).split("/")[0] as string;

describe("architecture", () => {
  it("imports only along the table", () => {
    const wrong = imports.filter(({ from, to }) => {
      const [here, there] = [folderOf(from), folderOf(to)];
      return !relative(src, to).startsWith("..") && here !== there && !allowed[here]?.includes(there);
    });
    expect(wrong.map(({ from, to }) => `${relative(src, from)} → ${relative(src, to)}`)).toEqual([]);
    expect(imports.length).toBeGreaterThan(100);
  });

  it("passes a question through the planner's folders one way", () => {
    const place = (file: string) => {
      const [folder, inner, deeper] = relative(src, file).split("/");
      if (folder !== "planner") return undefined;
      return deeper === undefined ? plannerOrder.length : plannerOrder.indexOf(inner as string);
    };
    const inside = imports.filter((link) => place(link.from) !== undefined && place(link.to) !== undefined);
    const unknown = inside.filter(({ from }) => place(from) === -1);
    const backwards = inside.filter(({ from, to, runtime }) => runtime && Number(place(from)) < Number(place(to)));
    expect([...unknown, ...backwards].map(({ from, to }) => `${relative(src, from)} → ${relative(src, to)}`)).toEqual(
      [],
    );
    expect(inside.length).toBeGreaterThan(200);
  });

  it("has no runtime import cycle", () => {
    const next = new Map(
      sources.map((file) => [
        file,
        imports.filter((link) => link.from === file && link.runtime).map((link) => link.to),
      ]),
    );
    const state = new Map<string, "open" | "done">();
    const cycles: string[] = [];
    const visit = (file: string, path: string[]): void => {
      if (state.get(file) === "done") return;
      if (state.get(file) === "open") {
        cycles.push([...path.slice(path.indexOf(file)), file].map((name) => relative(src, name)).join(" → "));
        return;
      }
      state.set(file, "open");
      for (const to of next.get(file) ?? []) visit(to, [...path, file]);
      state.set(file, "done");
    };
    for (const file of sources) visit(file, []);
    expect(cycles).toEqual([]);
  });

  it("has no file or folder that means nothing", () => {
    const vague = files.filter((file) =>
      /(^|\/)(utils?|helpers?|common|manager|misc)(\.|\/|-|$)/.test(relative(src, file)),
    );
    expect(vague).toEqual([]);
  });

  it("keeps files below 500 lines", () => {
    const long = sources.filter(
      (file) => !file.includes(".fixture.") && readFileSync(file, "utf8").split("\n").length > 500,
    );
    expect(long.map((file) => relative(src, file))).toEqual([]);
  });
});
