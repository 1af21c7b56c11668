/** `thoth workspace import` and `thoth workspace export`: what is known of a database, from and for other programs. Need no server. */
import { lstat, mkdir } from "node:fs/promises";
import { basename, dirname, extname, join, resolve } from "node:path";
import { openCatalog } from "../catalog/open-catalog.ts";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { type Catalog, ThothError } from "../protocol/index.ts";
import { catalogDir, homePath, openHome } from "../server/home.ts";
import { applyImport, type ImportReport } from "../workspace/exchange/apply-import.ts";
import { type ExportedFile, toDbtFiles, toQuestionLines, toSqlFiles } from "../workspace/exchange/export-verified.ts";
import { importBird } from "../workspace/exchange/import-bird.ts";
import { importCsv } from "../workspace/exchange/import-csv.ts";
import { importDbt } from "../workspace/exchange/import-dbt.ts";
import { importKeys } from "../workspace/exchange/import-keys.ts";
import { type Imported, nothingImported } from "../workspace/exchange/imported.ts";
import { readSources } from "../workspace/exchange/read-sources.ts";
import { resolveNames } from "../workspace/exchange/resolve-names.ts";
import { readKnowledge } from "../workspace/read-knowledge.ts";
import { openWorkspace, type Workspace, workspaceDir } from "../workspace/workspaces.ts";
import { replaceWhole } from "../workspace/write-file.ts";
import { exitCodes, UsageError } from "./fault.ts";
import { toPlainText } from "./terminal-text.ts";
import { count } from "./workspace-lint.ts";

interface ImportOptions {
  dbt?: string;
  csv?: string;
  bird?: string;
  keys?: boolean;
  db?: string;
  replace: boolean;
  json: boolean;
}

/** Exit code 1 when something of the source couldn't be used; the rest is imported all the same. */
export async function importKnowledge(name: string, options: ImportOptions): Promise<number> {
  const home = homePath();
  const kinds = (["dbt", "csv", "bird", "keys"] as const).filter((kind) => options[kind] !== undefined);
  if (kinds.length !== 1)
    throw new UsageError("Say what is to be imported.", "Give one of --dbt, --csv, --bird and --keys.");
  const { connection } = await openWorkspace(home, name);
  const read = options.keys ? null : await readImport(name, options);
  const database = await openDatabase(connection);
  try {
    const imported = read ?? importKeys(await readCatalogOnce(database, home));
    const resolved = resolveNames(imported, await database.introspect());
    const report = await applyImport(workspaceDir(home, name), resolved, options);
    process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : toReport(name, report));
    return report.faults.length > 0 ? exitCodes.fault : exitCodes.done;
  } finally {
    await database.close();
  }
}

async function readCatalogOnce(database: Database, home: string): Promise<Catalog> {
  await openHome(home);
  const opened = await openCatalog(database, catalogDir(home));
  opened.close();
  return opened.catalog;
}

async function readImport(name: string, { dbt, csv, bird, db }: ImportOptions): Promise<Imported> {
  if (dbt !== undefined) return importDbt(await readSources(resolve(dbt), /\.(ya?ml|md)$/i));
  const sources = await readSources(resolve(csv ?? bird ?? ""), csv === undefined ? /\.(jsonl?|csv)$/i : /\.csv$/i);
  // A file that names several databases most often calls one as the workspace is called.
  const chosen =
    db ?? (bird !== undefined && sources.some(({ text }) => text.includes(`"${name}"`)) ? name : undefined);
  const parts = sources.map((source) => (csv === undefined ? importBird(source, chosen) : importCsv(source)));
  return parts.reduce(
    (all, part) => ({
      descriptions: [...all.descriptions, ...part.descriptions],
      relations: [...all.relations, ...part.relations],
      evidence: [...all.evidence, ...part.evidence],
      faults: [...all.faults, ...part.faults],
    }),
    nothingImported(),
  );
}

function toReport(name: string, report: ImportReport): string {
  const { descriptions, relations, evidence, stayed, unknown, faults } = report;
  const lines = [
    ...faults.map(({ file, line, message, fix }) => `${file}, line ${line}: ${message}.\n  ${fix}`),
    `${name}: ${count(descriptions, "description")}, ${count(relations, "relation")} and ${count(evidence, "rule")} written.`,
    ...(stayed.length > 0
      ? [
          `${count(stayed.length, "piece")} said something else already and stayed (--replace takes the new ones): ${stayed.join(", ")}`,
        ]
      : []),
    ...(unknown.length > 0 ? [`Left out, because the database has no such name: ${unknown.join(", ")}`] : []),
  ];
  return toPlainText(`${lines.join("\n")}\n`);
}

interface ExportOptions {
  dbt?: string;
  sql?: string;
  jsonl?: string;
  db?: string;
  stale: boolean;
  json: boolean;
}

export async function exportVerified(name: string, options: ExportOptions): Promise<number> {
  const kinds = (["dbt", "sql", "jsonl"] as const).filter((kind) => options[kind] !== undefined);
  if (kinds.length !== 1) throw new UsageError("Say where to.", "Give one of --dbt, --sql and --jsonl.");
  const home = homePath();
  const workspace = await openWorkspace(home, name);
  const { verified, faults } = await readKnowledge(workspaceDir(home, name));
  const pieces = verified.filter(({ stale }) => options.stale || !stale);
  const broken = faults.filter(({ file }) => file.startsWith("verified/"));
  if (pieces.length === 0)
    throw new ThothError(
      "nothing-verified",
      `${name} has no verified query to export${verified.length > 0 ? " that isn't stale" : ""}.`,
      verified.length > 0
        ? "Run `thoth workspace verify`, or add --stale."
        : "Save one from the page of an answered question.",
    );
  const files = toFiles(pieces, workspace, options);
  for (const { name: file, text } of files) await writeExport(file, text);
  const left = verified.length - pieces.length;
  if (options.json) {
    const written = files.map((file) => file.name);
    process.stdout.write(
      `${JSON.stringify({ queries: pieces.length, stale: left, files: written, faults: broken }, null, 2)}\n`,
    );
  } else {
    const more = left > 0 ? ` ${count(left, "stale one")} left out.` : "";
    process.stdout.write(
      toPlainText(`${count(pieces.length, "verified query").replace(/querys$/, "queries")} written.${more}\n`),
    );
  }
  for (const { file, line, message } of broken)
    process.stderr.write(toPlainText(`Left out: ${file}, line ${line}: ${message}.\n`));
  return broken.length > 0 ? exitCodes.fault : exitCodes.done;
}

function toFiles(
  pieces: Parameters<typeof toSqlFiles>[0],
  workspace: Workspace,
  { dbt, sql, jsonl, db }: ExportOptions,
): ExportedFile[] {
  if (jsonl !== undefined)
    return [{ name: resolve(jsonl), text: toQuestionLines(pieces, db ?? databaseName(workspace)) }];
  const folder = resolve(dbt ?? sql ?? "");
  const files = dbt === undefined ? toSqlFiles(pieces) : toDbtFiles(pieces);
  return files.map((file) => ({ ...file, name: join(folder, file.name) }));
}

/** What `thoth eval --databases` looks for: the file's own name, without its ending. */
function databaseName({ name, connection }: Workspace): string {
  return "file" in connection ? basename(connection.file, extname(connection.file)) : name;
}

/** An export of the same name is replaced; a folder or a link never is. */
async function writeExport(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    const stats = await lstat(path).catch(() => null); // not there yet
    if (stats && !stats.isFile()) throw new Error("no plain file");
    await replaceWhole(path, text, async () => true);
  } catch (cause) {
    throw new ThothError("export-failed", `${path} can't be written.`, "Give a place that can be written to.", cause);
  }
}
