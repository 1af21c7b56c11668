/** Every class token in the page's source yields a rule, and no rule uses a variable that nobody defines. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import postcss, { type Root } from "postcss";
import tailwindcss from "tailwindcss";
import { describe, expect, it } from "vitest";
import tailwind from "../../tailwind.config.ts";

const web = fileURLToPath(new URL("../../src/web", import.meta.url));
const baseCss = join(web, "styles/base.css");

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** Text between quotes, with `${…}` taken out; a class list may stand in any of them. */
function literalsOf(source: string): string[] {
  return [...source.matchAll(/"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map((match) =>
    (match[1] ?? match[2] ?? match[3] ?? "").replaceAll(/\$\{[^}]*\}/g, " "),
  );
}

async function build(tokens: Iterable<string>, css: string): Promise<Root> {
  const config = { ...tailwind, content: [{ raw: [...tokens].join("\n"), extension: "txt" }] };
  const done = await postcss([tailwindcss(config)]).process(css, { from: baseCss });
  return done.root as Root;
}

/** A CSS identifier as it was written: `\\2c ` is a comma, `\\:` a colon. */
const unescapeName = (name: string): string =>
  name.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|(.))/g, (_, hex: string | undefined, plain: string) =>
    hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : plain,
  );

function classesOf(root: Root): Set<string> {
  const names = new Set<string>();
  root.walkRules((rule) => {
    for (const [, name] of rule.selector.matchAll(/\.((?:\\[0-9a-f]{1,6}\s?|\\.|[\w-])+)/g))
      names.add(unescapeName(name ?? ""));
  });
  return names;
}

const css = readFileSync(baseCss, "utf8");
const sources = filesBelow(web).filter(
  (file) => /\.tsx?$/.test(file) && !file.includes(".test.") && !file.includes(".fixture."),
);
const literals = sources.flatMap((file) =>
  literalsOf(readFileSync(file, "utf8")).map((text) => ({
    file,
    tokens: text.split(/\s+/).filter((token) => token !== ""),
  })),
);
/** Hooks for variants and scripts: they style nothing themselves. */
const markers = /^(group|peer)(\/[\w-]+)?$/;

describe("Tailwind 3.4", () => {
  it("C13.1 every class token yields a rule", async () => {
    const known = classesOf(await build(new Set(literals.flatMap(({ tokens }) => tokens)), css));
    const lists = literals.filter(({ tokens }) => {
      const hits = tokens.filter((token) => known.has(token)).length;
      return tokens.length > 1 && hits / tokens.length > 0.5;
    });
    const unknown = lists.flatMap(({ file, tokens }) =>
      tokens
        .filter((token) => !known.has(token) && !markers.test(token))
        .map((token) => `${token} in ${file.slice(web.length + 1)}`),
    );
    expect(lists.length).toBeGreaterThan(100);
    expect([...new Set(unknown)]).toEqual([]);
  });

  it("C13.1 a step that 3.4 lacks and version 4's syntax are seen as unknown", async () => {
    const known = classesOf(await build(["p-4", "p-4.5", "w-15", "mt-18", "p-(--gap)", "px-[var(--gap)]"], css));
    expect([..."p-4 p-4.5 w-15 mt-18 p-(--gap)".split(" ")].filter((token) => known.has(token))).toEqual(["p-4"]);
  });

  it("C13.1 no rule uses a variable that is never defined", async () => {
    const root = await build(
      new Set(literals.flatMap(({ tokens }) => tokens)),
      `${readFileSync(join(web, "styles/tokens.css"), "utf8")}\n${css.replaceAll(/@import[^;]+;/g, "")}`,
    );
    const defined = new Set<string>();
    const used = new Set<string>();
    root.walkDecls((declaration) => {
      if (declaration.prop.startsWith("--")) defined.add(declaration.prop);
      for (const [, name, fallback] of declaration.value.matchAll(/var\((--[\w-]+)\s*(,)?/g))
        if (!fallback) used.add(name as string);
    });
    // Set on elements: by Radix while they are open, and by Tailwind's own shadow colours where they are used.
    const missing = [...used].filter(
      (name) => !defined.has(name) && !name.startsWith("--radix-") && name !== "--tw-shadow-color",
    );
    expect(missing).toEqual([]);
    expect(used.size).toBeGreaterThan(30);
    expect(root.toString()).not.toMatch(/--spacing\(|calc\(var\(--spacing\)/);
  });
});
