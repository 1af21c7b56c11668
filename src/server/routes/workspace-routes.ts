/** Routes about databases: which there are, a new one, and what is inside. */
import { isAbsolute } from "node:path";
import {
  AddWorkspace,
  type Catalog,
  CatalogView,
  ConnectionTest,
  ConnectionWish,
  Describe,
  FirstQuestions,
  FirstRows,
  type Knowledge,
  type Problem,
  QueryResult,
  type Table,
  ThothError,
  WorkspaceItem,
  WorkspaceList,
} from "../../protocol/index.ts";
import { describe, readDescriptions, toDescribedCatalog } from "../../workspace/descriptions.ts";
import { findUnknownNames } from "../../workspace/match-catalog.ts";
import { readKnowledge } from "../../workspace/read-knowledge.ts";
import { addWorkspace, openWorkspace, testConnection, workspaceDir } from "../../workspace/workspaces.ts";
import { readFirstQuestions } from "../first-questions.ts";
import { readFirstRows } from "../read-first-rows.ts";
import { toConnectionTest } from "../workspace-states.ts";
import { defineRoute, type Route, type RouteParts } from "./route.ts";

const openErrors = [
  "engine-unsupported",
  "url-invalid",
  "secret-missing",
  "secret-open",
  "database-missing",
  "database-empty",
  "database-not-sqlite",
  "database-not-duckdb",
  "database-locked",
  "database-permission",
  "database-login",
  "database-connection",
];

const catalogErrors = ["workspace-unknown", "workspace-broken", "database-missing", "database-locked"];

/** Where the server happens to run is nothing a client can know. */
function refuseRelative({ file }: ConnectionWish): void {
  if (file === undefined || isAbsolute(file)) return;
  throw new ThothError(
    "body-invalid",
    "The body doesn't fit: file: must be a whole path.",
    "Give a path from the root, e.g. /home/me/shop.sqlite.",
  );
}

export const workspaceRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/api/workspaces",
    summary: "All workspaces; one whose database can't be opened says why.",
    answer: WorkspaceList,
    async handle(_request, parts) {
      return { workspaces: await parts.workspaces.list() };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/workspaces",
    summary: "Adds a database under a name, once it could be opened.",
    body: AddWorkspace,
    status: 201,
    answer: WorkspaceItem,
    errors: ["workspace-name", "workspace-exists", ...openErrors],
    async handle({ body }, parts) {
      refuseRelative(body);
      const { workspace, opened } = await addWorkspace(parts.home, body);
      return { name: workspace.name, demo: false, problem: null, ...toConnectionTest(opened) };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/workspaces/test",
    summary: "Opens a database as it would be added, says what answered, and keeps nothing.",
    body: ConnectionWish,
    answer: ConnectionTest,
    errors: openErrors,
    async handle({ body }, parts) {
      refuseRelative(body);
      return toConnectionTest(await testConnection(parts.home, body));
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/workspaces/:name/catalog",
    summary: "Tables, columns, keys and relations of a workspace.",
    answer: CatalogView,
    errors: catalogErrors,
    handle: (request, parts) => readCatalogView(parts, request.param("name")),
  }),
  defineRoute({
    method: "GET",
    path: "/api/workspaces/:name/questions",
    summary:
      "A few questions to begin with: verified ones first, then some that the offline planner reads as they are meant.",
    answer: FirstQuestions,
    errors: catalogErrors,
    async handle(request, parts) {
      const { connection, name } = await openWorkspace(parts.home, request.param("name"));
      const knowledge = await readKnowledge(workspaceDir(parts.home, name));
      return { questions: await readFirstQuestions(parts.catalogs, connection, knowledge) };
    },
  }),
  defineRoute({
    method: "PUT",
    path: "/api/workspaces/:name/descriptions",
    summary: "Describes a table or a column in the workspace's own file.",
    body: Describe,
    answer: CatalogView,
    errors: [...catalogErrors, "table-unknown", "description-changed", "descriptions-broken"],
    async handle({ param, body }, parts) {
      const { connection, name } = await openWorkspace(parts.home, param("name"));
      const table = findTable((await parts.catalogs.read(connection)).tables, body.table);
      if (body.column !== undefined && !table.columns.some((column) => column.name === body.column))
        throw unknownTable(`column ${body.column} in ${table.name}`);
      await describe(workspaceDir(parts.home, name), body);
      return await readCatalogView(parts, name);
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/workspaces/:name/rows",
    summary: "The first rows of a table, in no order, with long values cut.",
    query: FirstRows,
    answer: QueryResult,
    errors: [...catalogErrors, "table-unknown", "database-timeout"],
    async handle({ param, query, signal }, parts) {
      const { connection } = await openWorkspace(parts.home, param("name"));
      const { database, opened } = await parts.catalogs.open(connection);
      return await readFirstRows(database, findTable(opened.catalog.tables, query.table), { ...query, signal });
    },
  }),
];

/** A file of descriptions with faults leaves the rest of the catalog as it is. */
async function readCatalogView({ home, catalogs }: RouteParts, workspace: string): Promise<CatalogView> {
  const { connection, name } = await openWorkspace(home, workspace);
  const folder = workspaceDir(home, name);
  const [catalog, descriptions, knowledge] = await Promise.all([
    catalogs.read(connection),
    readDescriptions(folder),
    readKnowledge(folder),
  ]);
  const described = toDescribedCatalog(catalog, descriptions, folder);
  return {
    workspace: name,
    catalog: described.catalog,
    problems: [...described.problems, ...toOtherProblems(knowledge, catalog, name)],
  };
}

/** Of the files beside the descriptions, which have told theirs. */
function toOtherProblems(knowledge: Knowledge, catalog: Catalog, workspace: string): Problem[] {
  return [...knowledge.faults, ...findUnknownNames(knowledge, catalog)]
    .filter(({ file }) => file !== "descriptions.yaml")
    .map(({ file, line, message, fix }) => ({
      code: "knowledge-fault",
      message: `workspaces/${workspace}/${file}, line ${line}: ${message}.`,
      action: fix,
    }));
}

function findTable(tables: Table[], name: string): Table {
  const table = tables.find((one) => one.name === name);
  if (!table) throw unknownTable(`table ${name}`);
  return table;
}

const unknownTable = (what: string): ThothError =>
  new ThothError("table-unknown", `The database has no ${what}.`, "Read the catalog again for what there is.");
