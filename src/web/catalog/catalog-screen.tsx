/** Looking into a workspace's database: its tables and columns, how they join, and what they mean. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import type { CatalogView, WorkspaceItem } from "../../protocol/api.ts";
import { cn } from "../elements/class-names.ts";
import { Boundary } from "../elements/error-boundary.tsx";
import { Icon } from "../elements/icon.tsx";
import { Notice, ProblemNotice } from "../layout/notice.tsx";
import { SidePage } from "../layout/side-page.tsx";
import type { Workbench } from "../layout/workbench.ts";
import { WorkspacePicker } from "../question/question-screen.tsx";
import { catalogPath, navigate } from "../route.ts";
import { type ApiProblem, api } from "../session/api.ts";
import { CatalogList, catalogSearchId } from "./catalog-list.tsx";
import { CatalogOverview } from "./catalog-overview.tsx";
import { TableView } from "./table-view.tsx";

export interface CatalogScreenProps {
  workspace: string;
  table: string | null;
  workspaces: WorkspaceItem[];
  gone: boolean;
  bench: Workbench;
}

export function CatalogScreen({ workspace, table, workspaces, gone, bench }: CatalogScreenProps) {
  const client = useQueryClient();
  const item = workspaces.find((one) => one.name === workspace);
  const key = ["catalog", workspace];
  const { data, error, refetch } = useQuery<CatalogView, ApiProblem>({
    queryKey: key,
    queryFn: () => api.catalog(workspace),
    staleTime: 10_000,
  });
  const [column, setColumn] = useState<string | null>(null);
  const pick = useCallback(
    (name: string, wanted: string | null) => {
      setColumn(wanted);
      navigate(catalogPath(workspace, name));
    },
    [workspace],
  );
  const save = async (of: { table: string; column?: string }, description: string, before: string) => {
    client.setQueryData<CatalogView>(key, await api.describe(workspace, { ...of, description, before }));
  };
  const catalog = data?.catalog;
  const shown = catalog?.tables.find((one) => one.name === table);
  return (
    <SidePage
      label={`Catalog of ${workspace}`}
      gone={gone}
      bench={bench}
      workspace={
        item ? (
          <WorkspacePicker
            workspaces={workspaces}
            workspace={item}
            onWorkspace={(name) => navigate(catalogPath(name))}
          />
        ) : null
      }
      onSearch={() => document.getElementById(catalogSearchId)?.focus()}
    >
      {error ? (
        <ProblemNotice problem={error} className="m-5 w-full self-start" />
      ) : catalog === undefined ? (
        <p className="px-5 py-4 text-sm text-ink-3">Reading the catalog…</p>
      ) : (
        <>
          <div
            className={cn(
              "min-h-0 w-full flex-col border-r border-line bg-sunken md:flex md:w-72 md:shrink-0",
              table === null ? "flex" : "hidden",
            )}
          >
            <CatalogList catalog={catalog} current={table} onPick={pick} />
          </div>
          <div
            key={table}
            className={cn(
              "relative min-h-0 min-w-0 flex-1 flex-col overflow-y-auto md:flex [&>*]:shrink-0",
              table === null ? "hidden" : "flex",
            )}
          >
            <button
              type="button"
              className="flex h-9 items-center gap-2 border-b border-line px-4 text-sm text-ink-2 md:hidden"
              onClick={() => navigate(catalogPath(workspace))}
            >
              <Icon name="back" />
              All tables
            </button>
            <FileProblems problems={data?.problems ?? []} />
            <Boundary what="this table" resetKey={table ?? ""}>
              {shown ? (
                <TableView
                  workspace={workspace}
                  catalog={catalog}
                  table={shown}
                  column={column}
                  save={save}
                  refresh={refetch}
                />
              ) : table === null ? (
                <CatalogOverview workspace={workspace} catalog={catalog} />
              ) : (
                <p className="px-5 py-4 text-sm text-ink-2">
                  There is no table {table} in {workspace}. Choose one from the list.
                </p>
              )}
            </Boundary>
          </div>
        </>
      )}
    </SidePage>
  );
}

const problemsShown = 5;

/** A file with a fault takes nothing else away, so it is told above and not instead. */
function FileProblems({ problems }: Pick<CatalogView, "problems">) {
  if (problems.length === 0) return null;
  return (
    <Notice tone="warning" className="mx-5 mt-3" title="Not all that the workspace’s files say could be used.">
      <ul className="mt-1 space-y-1 text-xs">
        {problems.slice(0, problemsShown).map(({ message, action }) => (
          <li key={message}>
            <span className="font-medium text-ink">{message}</span> {action}
          </li>
        ))}
        {problems.length > problemsShown ? <li>And {problems.length - problemsShown} more.</li> : null}
      </ul>
    </Notice>
  );
}
