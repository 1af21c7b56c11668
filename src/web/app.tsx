import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import type { SessionView, WorkspaceItem } from "../protocol/api.ts";
import { cn } from "./elements/class-names.ts";
import { Boundary } from "./elements/error-boundary.tsx";
import { ColumnHandle } from "./layout/column-handle.tsx";
import { useColumnWidths } from "./layout/column-widths.ts";
import { SkipLink } from "./layout/columns.tsx";
import { NoAccess } from "./layout/no-access.tsx";
import { Tabs } from "./layout/tabs.tsx";
import { useWorkbench } from "./layout/workbench.ts";
import { QuestionScreen } from "./question/question-screen.tsx";
import { catalogPath, modelsPath, navigate, useRoute } from "./route.ts";
import { api, offline } from "./session/api.ts";
import { sessionKey } from "./session/query-keys.ts";
import { Rail } from "./sessions/rail.tsx";
import { SessionList } from "./sessions/session-list.tsx";
import { UndoToast } from "./sessions/undo-toast.tsx";
import { useRemovals } from "./sessions/use-removals.ts";
import { useSessions } from "./sessions/use-sessions.ts";

/** What a session needs, its graph, grids and SQL, is fetched while the empty page is looked at. */
const loadSession = () => import("./review/session-screen.tsx");
const SessionScreen = lazy(async () => ({ default: (await loadSession()).SessionScreen }));
const AddDatabaseDialog = lazy(async () => ({
  default: (await import("./catalog/add-database-dialog.tsx")).AddDatabaseDialog,
}));
const KeysDialog = lazy(async () => ({ default: (await import("./layout/keys-dialog.tsx")).KeysDialog }));
const ModelsScreen = lazy(async () => ({ default: (await import("./models/models-screen.tsx")).ModelsScreen }));
const CatalogScreen = lazy(async () => ({ default: (await import("./catalog/catalog-screen.tsx")).CatalogScreen }));

export function App() {
  const route = useRoute();
  const client = useQueryClient();
  const bench = useWorkbench();
  const columns = useColumnWidths();
  const [chosenWorkspace, setChosenWorkspace] = useState<string | null>(null);
  const sessions = useSessions();
  const workspaces = useQuery({ queryKey: ["workspaces"], queryFn: api.workspaces, staleTime: 10_000 });
  const models = useQuery({ queryKey: ["models"], queryFn: api.models, staleTime: 30_000 });
  const currentId = route.page === "session" ? route.id : null;
  const removals = useRemovals(currentId);
  // Filled by the session's own screen; the list may be cut before it.
  const current = useQuery<SessionView>({
    queryKey: sessionKey(currentId ?? ""),
    queryFn: () => api.session(currentId ?? ""),
    enabled: false,
  }).data;
  const gone = sessions.error?.code === offline;

  // What could not be fetched while ThothII was away is fetched when it is back.
  useEffect(() => {
    if (gone) return () => void client.invalidateQueries();
  }, [gone, client]);

  useEffect(() => {
    const timer = window.setTimeout(() => void loadSession().catch(() => undefined), 600);
    return () => window.clearTimeout(timer);
  }, []);

  const list = sessions.data?.sessions.filter((session) => !removals.isRemoved(session.id));
  const all = workspaces.data?.workspaces ?? [];
  const workspace = toWorkspace(all, chosenWorkspace);
  const title = list?.find((session) => session.id === currentId) ?? current;
  const shownName = route.page === "catalog" ? route.workspace : title?.workspace;
  const shownWorkspace = all.find((one) => one.name === shownName) ?? workspace;
  useEffect(() => {
    document.title = title ? `${title.name ?? title.question} · ThothII` : "ThothII";
  }, [title]);

  if (sessions.error?.status === 401 || sessions.error?.status === 403) return <NoAccess />;
  const column = {
    bench,
    width: columns.widths.activity,
    onWidth: (activity: number | null) => columns.set({ activity }),
  };
  const opened = () => {
    bench.setTab("review");
    bench.setListOpen(false);
  };
  const openCatalog = () => {
    // The demo is always there, also before the others are known.
    navigate(catalogPath(shownWorkspace?.name ?? "demo"));
    opened();
  };
  const openModels = () => {
    navigate(modelsPath);
    opened();
  };
  const close = () => bench.setDialog(null);
  return (
    <div className="app-grid" data-activity={bench.activityOpen ? "open" : "closed"} style={columns.style}>
      <SkipLink />
      <div className="[grid-area:tabs] lg:hidden">
        <Tabs current={bench.tab} onTab={bench.setTab} />
      </div>
      <div className="hidden min-h-0 [grid-area:side] lg:grid wide:hidden">
        <Rail
          waiting={list?.filter((session) => session.turn === "waiting").length ?? 0}
          onSessions={() => bench.setListOpen(!bench.listOpen)}
          onCatalog={openCatalog}
          onModels={openModels}
        />
      </div>
      <nav
        aria-label="Sessions"
        className={cn(
          "min-h-0 flex-col border-line bg-canvas [grid-area:main] wide:relative wide:left-0 wide:top-0 wide:z-0 wide:flex wide:w-auto wide:border-r wide:shadow-none wide:[grid-area:side]",
          bench.tab === "sessions" ? "flex" : "hidden",
          bench.listOpen
            ? "lg:fixed lg:bottom-0 lg:left-12 lg:top-10 lg:z-40 lg:flex lg:w-72 lg:border-r lg:shadow-pop"
            : "lg:hidden",
        )}
      >
        <SessionList
          currentId={currentId}
          tables={shownWorkspace?.tables ?? null}
          removals={removals}
          onOpen={opened}
          onCatalog={openCatalog}
          onModels={openModels}
        />
        <ColumnHandle
          label="Width of the sessions"
          width={columns.widths.side}
          min={184}
          max={480}
          direction={1}
          onWidth={(side) => columns.set({ side })}
          className="wide:block"
        />
      </nav>
      <Boundary what="this session" resetKey={currentId ?? ""}>
        {route.page === "session" ? (
          <Suspense fallback={<p className="px-5 py-4 text-sm text-ink-3 [grid-area:main]">Opening the session…</p>}>
            <SessionScreen
              key={route.id}
              id={route.id}
              models={models.data}
              workspaces={all}
              gone={gone}
              onRemove={(id) => removals.remove(id, title?.name ?? title?.question ?? "this session")}
              {...column}
            />
          </Suspense>
        ) : route.page === "models" ? (
          <Suspense fallback={<p className="px-5 py-4 text-sm text-ink-3 [grid-area:main]">Opening the models…</p>}>
            <ModelsScreen list={models.data} gone={gone} bench={bench} />
          </Suspense>
        ) : route.page === "catalog" ? (
          <Suspense fallback={<p className="px-5 py-4 text-sm text-ink-3 [grid-area:main]">Opening the catalog…</p>}>
            <CatalogScreen
              key={route.workspace}
              workspace={route.workspace}
              table={route.table}
              workspaces={all}
              gone={gone}
              bench={bench}
            />
          </Suspense>
        ) : (
          <QuestionScreen
            workspaces={all}
            workspace={workspace}
            loading={workspaces.isPending}
            onWorkspace={setChosenWorkspace}
            models={models.data}
            gone={gone}
            {...column}
          />
        )}
      </Boundary>
      <UndoToast {...removals} />
      <Suspense>
        {bench.dialog === "keys" ? <KeysDialog onClose={close} /> : null}
        {bench.dialog === "add-database" ? <AddDatabaseDialog onAdded={setChosenWorkspace} onClose={close} /> : null}
      </Suspense>
    </div>
  );
}

/** The one chosen here, else the demo that can be opened, else whatever there is. */
function toWorkspace(all: WorkspaceItem[], chosen: string | null): WorkspaceItem | null {
  return (
    all.find((one) => one.name === chosen) ??
    all.find((one) => one.demo && one.problem === null) ??
    all.find((one) => one.problem === null) ??
    all[0] ??
    null
  );
}
