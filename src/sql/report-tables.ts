/** Tables and columns of the report: what was accepted and isn't read, and what is read unasked. */
import { atLine, type Report } from "./conformance-report.ts";
import { findNamed, fold } from "./scope.ts";

export function reportTables({ facts, accepted, catalog, snippets, rows, drafts }: Report): void {
  for (const { seq, decision } of accepted.tables) {
    const name = findNamed(catalog, decision.table)?.name ?? decision.table;
    const reads = facts.tables.filter((table) => fold(table.table) === fold(name));
    const lines = snippets.lines(reads.map((table) => table.at));
    if (decision.use === "left-out") {
      const open = reads.filter((table) => !table.covered && !accepted.mayRead.has(fold(name)));
      if (open.length > 0) {
        drafts.push({
          kind: "left-out",
          seq,
          title: `${atLine(lines[0])} reads ${name}, which you left out`,
          body: `You left ${name} out: ${decision.reason}`.slice(0, 500),
          inSql: name,
          lines,
        });
      }
      continue;
    }
    rows.push({ seq, text: `Table ${name}`, status: reads.length > 0 ? "found" : "missing", lines });
    if (reads.length === 0) {
      drafts.push({
        kind: "table-missing",
        seq,
        title: `The SQL doesn't read ${name}, which you accepted`,
        body: `You accepted the table ${name}: ${decision.reason}`.slice(0, 500),
        accepted: name,
        lines: [],
      });
    }
  }
  const leftOut = new Set(
    accepted.tables
      .filter(({ decision }) => decision.use === "left-out")
      .map(({ decision }) => fold(findNamed(catalog, decision.table)?.name ?? decision.table)),
  );
  const extra = facts.tables.filter(
    (table) => !table.covered && !accepted.mayRead.has(fold(table.table)) && !leftOut.has(fold(table.table)),
  );
  for (const name of new Set(extra.map((table) => table.table))) {
    const lines = snippets.lines(extra.filter((table) => table.table === name).map((table) => table.at));
    drafts.push({
      kind: "table-extra",
      title: `${atLine(lines[0])} reads ${name}, a table you did not accept`,
      body: `No accepted table, join or condition names ${name}.`,
      inSql: name,
      lines,
    });
  }
}
/** Columns that were accepted to be shown, measured, grouped or sorted by; keys and filters have decisions of their own. */
export function reportColumns({ facts, accepted, catalog, snippets, rows, drafts }: Report): void {
  for (const { seq, decision } of accepted.columns) {
    const { role } = decision;
    if (role === "key" || role === "filter") continue;
    const table = findNamed(catalog, decision.table)?.name ?? decision.table;
    const name = `${table}.${decision.column}`;
    const places = (role === "output" ? facts.projected.get(fold(name)) : undefined) ?? facts.used.get(fold(name));
    const text = role === "output" ? `Column ${name}` : `Column ${name}, ${words[role]}`;
    const lines = snippets.lines(places ?? []).slice(0, 5);
    const key = fold(name);
    const ungrouped =
      role === "group" &&
      facts.blocks.some((block) => block.group) &&
      !facts.blocks.some((block) =>
        [...(block.group ?? []), ...(block.distinct ? block.outputs : [])].some((form) => holdsColumn(form, key)),
      );
    rows.push({ seq, text, status: places ? (ungrouped ? "deviates" : "found") : "missing", lines });
    if (places && ungrouped)
      drafts.push({
        kind: "column-ungrouped",
        seq,
        title: `The SQL doesn't tell rows apart by ${name}, as you accepted`,
        body: `It groups, but not by ${name}: ${decision.reason}`.slice(0, 500),
        accepted: name,
        lines,
      });
    if (places) continue;
    drafts.push({
      kind: "column-missing",
      seq,
      title: `The SQL doesn't use ${name}, which you accepted`,
      body: `You accepted the column ${name}: ${decision.reason}`.slice(0, 500),
      accepted: name,
      lines: [],
    });
  }
}

/** A normal form that holds the column, in whatever role its table plays. */
const holdsColumn = (form: string, key: string): boolean => form.replace(/#[^.#(),]*(?=\.)/g, "").includes(key);

const words = { measure: "measured", group: "grouped by", order: "sorted by" } as const;
