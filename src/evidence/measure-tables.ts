/** Row counts of the tables in question and what their named columns hold. */
import type { Database } from "../database/database.ts";
import type { Catalog, ColumnDecision, Finding, TableDecision, TableEvidence } from "../protocol/index.ts";
import { dialectOf } from "../sql/dialect.ts";
import { ask, figure, toCount, toText } from "./ask.ts";
import { findColumn, findTable, same, toTableName } from "./join-graph.ts";

const samples = 4;

/** Tables in the order they are first named; a column's table counts as used. What can't be counted shows 0 and a finding. */
export async function measureTables(
  database: Database,
  catalog: Catalog,
  decisions: readonly (TableDecision | ColumnDecision)[],
): Promise<{ tables: TableEvidence[]; findings: Finding[] }> {
  const findings: Finding[] = [];
  const add = (finding: Omit<Finding, "id">) =>
    findings.push({ id: `${finding.code}-${findings.length + 1}`, ...finding });
  const names: string[] = [];
  for (const decision of decisions) if (!names.some((name) => same(name, decision.table))) names.push(decision.table);
  const plans = names.map((name) => {
    const table = findTable(catalog, name);
    const decided = decisions.find(
      (decision): decision is TableDecision => decision.kind === "table" && same(decision.table, name),
    );
    const columns = decisions.flatMap((decision) => {
      if (decision.kind !== "column" || !same(decision.table, name)) return [];
      const column = table ? findColumn(table, decision.column) : undefined;
      if (table && !column)
        add({
          code: "unknown-column",
          severity: "problem",
          title: `${table.name} has no column ${decision.column}`,
          body: "The catalog does not know it.",
          waysOut: [],
        });
      return column ? [{ decision, column }] : [];
    });
    // One column may answer to several words: it is measured once.
    const distinct = columns.filter(
      (entry, index) => columns.findIndex((other) => other.column === entry.column) === index,
    );
    return { name, table, decided, columns: distinct, all: columns };
  });
  const statements = plans.flatMap(({ table, columns }) => {
    if (!table) return [];
    const from = toTableName(table, (identifier) => database.quote(identifier));
    // Some types can't be compared: json, geometry.
    const asText = database.engine === "sqlite" ? (name: string) => name : dialectOf(database.engine).asText;
    const quoted = columns.map(({ column }) => {
      const name = database.quote(column.name);
      return column.kind === "other" || column.kind === "blob" || /json|xml/i.test(column.type) ? asText(name) : name;
    });
    return [
      `SELECT COUNT(*)${quoted.map((name) => `, COUNT(${name}), COUNT(DISTINCT ${name})`).join("")} FROM ${from}`,
      ...quoted.map(
        (name) =>
          `SELECT ${name} FROM ${from} WHERE ${name} IS NOT NULL GROUP BY ${name} ORDER BY COUNT(*) DESC LIMIT ${samples}`,
      ),
    ];
  });
  const reads = await ask(database, statements, { maxRows: samples });
  let at = 0;
  const tables = plans.map(({ name, table, decided, columns, all }): TableEvidence => {
    const use = decided?.use ?? "used";
    const reason = decided?.reason ?? all[0]?.decision.reason ?? "";
    if (!table) {
      add({
        code: "unknown-table",
        severity: "problem",
        title: `There is no table ${name}`,
        body: "The catalog does not know it.",
        waysOut: [],
      });
      return { table: name, use, reason, rows: 0, columns: [] };
    }
    const counts = reads[at];
    const values = reads.slice(at + 1, at + 1 + columns.length);
    at += 1 + columns.length;
    const rows = toCount(counts);
    if (!counts?.ok)
      add({
        code: "not-counted",
        severity: "warning",
        title: `${table.name} could not be counted`,
        body: "The database did not answer in time or refused.",
        waysOut: [],
      });
    else if (rows === 0 && use === "used") {
      add({
        code: "table-empty",
        severity: "warning",
        title: `${table.name} has no rows`,
        body: "Whatever is joined to it with an inner join becomes empty.",
        waysOut: [{ label: `Without ${table.name}`, text: `Without ${table.name}` }],
      });
    }
    return {
      table: table.name,
      use,
      reason,
      rows,
      columns: columns.map(({ decision, column }, index) => {
        const filled = toCount(counts, 1 + index * 2);
        const read = values[index];
        if (counts?.ok && rows > 0 && filled === 0) {
          add({
            code: "column-empty",
            severity: "warning",
            title: `${table.name}.${column.name} is empty in all ${figure(rows)} rows`,
            body: `It was chosen for: ${decision.reason}`.slice(0, 1000),
            waysOut: [],
          });
        }
        return {
          name: column.name,
          type: column.type,
          role: decision.role,
          reason: decision.reason,
          filled,
          distinct: toCount(counts, 2 + index * 2),
          samples: read?.ok ? read.result.rows.map((row) => toText(row[0])) : [],
        };
      }),
    };
  });
  return { tables, findings };
}
