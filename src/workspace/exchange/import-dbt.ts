/** What a dbt project says of its models, seeds, snapshots and sources: descriptions, and relations from its tests. Pure. */

import { maxDescription, type RelationEntry } from "../../protocol/index.ts";
import { type LineFault, readYaml, type Spot } from "../yaml-spots.ts";
import { type Imported, nothingImported, type SourceFile } from "./imported.ts";

/** `files`: the project's YAML files, and its Markdown files for what `{{ doc(…) }}` names. */
export function importDbt(files: readonly SourceFile[]): Imported {
  const imported = nothingImported();
  const docs = readDocs(files);
  const resources: Resource[] = [];
  for (const { name, text } of files) {
    if (!/\.ya?ml$/i.test(name)) continue;
    const read = readYaml(text, { aliases: true });
    if (read.ok) resources.push(...findResources(read.spot, name));
    else imported.faults.push(...read.faults.map((fault) => ({ file: name, ...fault })));
  }
  // `ref('x')` names a model; the table may be called otherwise.
  const tables = new Map(resources.map(({ key, table }) => [key, table]));
  for (const resource of resources) readResource(resource, tables, docs, imported);
  return imported;
}

interface Resource {
  /** How `ref` and `source` name it: `orders`, `shop.orders`. */
  key: string;
  table: string;
  file: string;
  spot: Spot;
}

function findResources(top: Spot, file: string): Resource[] {
  const named = ["models", "seeds", "snapshots"].flatMap((part) =>
    itemsOf(top.below.get(part)).flatMap((spot) => {
      const key = textOf(spot.below.get("name"));
      const alias = textOf(spot.below.get("config")?.below.get("alias"));
      return key === "" ? [] : [{ key, table: alias || key, file, spot }];
    }),
  );
  const sources = itemsOf(top.below.get("sources")).flatMap((source) => {
    const group = textOf(source.below.get("name"));
    return itemsOf(source.below.get("tables")).flatMap((spot) => {
      const name = textOf(spot.below.get("name"));
      const table = textOf(spot.below.get("identifier")) || name;
      return name === "" ? [] : [{ key: `${group}.${name}`, table, file, spot }];
    });
  });
  return [...named, ...sources];
}

function readResource(
  { table, file, spot }: Resource,
  tables: ReadonlyMap<string, string>,
  docs: ReadonlyMap<string, string>,
  imported: Imported,
): void {
  const tell = (fault: LineFault): void => {
    imported.faults.push({ file, ...fault });
  };
  const describe = (of: Spot, column: string | null): void => {
    const written = of.below.get("description");
    const text = resolveDocs(textOf(written), docs);
    if (!written || text === "") return;
    if (text.length > maxDescription)
      tell({
        line: written.line,
        message: `a description has more than ${maxDescription} characters`,
        fix: "Say it in fewer words.",
      });
    else if (/\{\{.*\}\}/s.test(text))
      tell({
        line: written.line,
        message: "a description names a text that isn't there",
        fix: "Give the folder that holds its {% docs %} block.",
      });
    else imported.descriptions.push({ table, column, text });
  };
  describe(spot, null);
  for (const column of itemsOf(spot.below.get("columns"))) {
    const name = textOf(column.below.get("name"));
    if (name === "") continue;
    describe(column, name);
    const tests = testsOf(column);
    const isUnique = tests.some((test) => test.name === "unique");
    for (const test of tests) {
      const relation = toRelation(test, table, [name], isUnique, tables);
      if (relation === "unread")
        tell({
          line: test.line,
          message: "this relationships test can't be read",
          fix: "Write `to: ref('table')` and `field: column`.",
        });
      else if (relation) imported.relations.push(relation);
    }
    for (const relation of foreignKeys(column, table, [name], isUnique, tables)) imported.relations.push(relation);
  }
  for (const relation of foreignKeys(spot, table, null, false, tables)) imported.relations.push(relation);
}

interface Test {
  name: string;
  line: number;
  /** Its settings, whether below it or below `arguments`. */
  of(name: string): string;
}

/** dbt's older `tests` and newer `data_tests`. */
function testsOf(column: Spot): Test[] {
  return [...itemsOf(column.below.get("tests")), ...itemsOf(column.below.get("data_tests"))].flatMap((spot): Test[] => {
    if (typeof spot.value === "string") return [{ name: spot.value, line: spot.line, of: () => "" }];
    const [first] = spot.below;
    if (!first) return [];
    const [name, below] = first;
    const of = (setting: string) =>
      textOf(below.below.get("arguments")?.below.get(setting)) || textOf(below.below.get(setting));
    return [{ name, line: spot.line, of }];
  });
}

function toRelation(
  { name, of }: Test,
  table: string,
  columns: string[],
  isUnique: boolean,
  tables: ReadonlyMap<string, string>,
): RelationEntry | "unread" | null {
  const isConditional = name === "dbt_utils.relationships_where";
  if (name !== "relationships" && !isConditional) return null;
  const to = toTable(of("to"), tables);
  const field = of("field");
  if (to === null || field === "") return "unread";
  const when = isConditional ? [of("from_condition"), of("to_condition")].filter((text) => text !== "") : [];
  return {
    from: { table, columns },
    to: { table: to, columns: [field] },
    cardinality: isUnique ? "1:1" : "N:1",
    ...(when.length > 0 ? { when: when.join(" and ").slice(0, 2_000) } : {}),
    source: "declared",
    by: "dbt",
  };
}

/** Constraints of a contract: of a column, or of a table with its own list of columns. */
function foreignKeys(
  of: Spot,
  table: string,
  columns: string[] | null,
  isUnique: boolean,
  tables: ReadonlyMap<string, string>,
): RelationEntry[] {
  return itemsOf(of.below.get("constraints")).flatMap((spot): RelationEntry[] => {
    if (textOf(spot.below.get("type")) !== "foreign_key") return [];
    const to = toTable(textOf(spot.below.get("to")), tables);
    const far = itemsOf(spot.below.get("to_columns")).map(textOf);
    const near = columns ?? itemsOf(spot.below.get("columns")).map(textOf);
    if (to === null || near.length === 0 || near.length !== far.length) return [];
    return [
      {
        from: { table, columns: near },
        to: { table: to, columns: far },
        cardinality: isUnique ? "1:1" : "N:1",
        source: "declared",
        by: "dbt",
      },
    ];
  });
}

/** `ref('x')`, `ref('package', 'x')`, `source('group', 'x')`, also in `{{ }}`. */
function toTable(text: string, tables: ReadonlyMap<string, string>): string | null {
  const found =
    /^\s*(?:\{\{)?\s*(ref|source)\(\s*(['"])([^'"]+)\2\s*(?:,\s*(['"])([^'"]+)\4\s*)?\)\s*(?:\}\})?\s*$/.exec(text);
  if (!found) return null;
  const [, kind, , first = "", , second] = found;
  const key = kind === "source" ? `${first}.${second ?? ""}` : (second ?? first);
  return tables.get(key) ?? (kind === "source" ? (second ?? null) : (second ?? first));
}

/** `{% docs name %} … {% enddocs %}` */
function readDocs(files: readonly SourceFile[]): Map<string, string> {
  const docs = new Map<string, string>();
  for (const { name, text } of files) {
    if (!/\.md$/i.test(name)) continue;
    for (const part of text.split(/\{%-?\s*docs\s+/).slice(1)) {
      const found = /^(\w+)\s*-?%\}([\s\S]*?)\{%-?\s*enddocs/.exec(part);
      if (found?.[1]) docs.set(found[1], (found[2] ?? "").trim());
    }
  }
  return docs;
}

function resolveDocs(text: string, docs: ReadonlyMap<string, string>): string {
  return text
    .replace(
      /\{\{\s*doc\(\s*(?:['"][^'"]+['"]\s*,\s*)?['"]([^'"]+)['"]\s*\)\s*\}\}/g,
      (whole, name: string) => docs.get(name) ?? whole,
    )
    .trim();
}

const itemsOf = (spot: Spot | undefined): Spot[] => (Array.isArray(spot?.value) ? [...spot.below.values()] : []);

function textOf(spot: Spot | undefined): string {
  if (typeof spot?.value === "string") return spot.value.trim();
  return typeof spot?.value === "number" || typeof spot?.value === "boolean" ? (spot.source ?? String(spot.value)) : "";
}
