import { useCallback, useState } from "react";
import type { Static } from "typebox";
import type { ModelList, WorkspaceItem } from "../../protocol/api.ts";
import type { ThinkingLevel } from "../../protocol/phases.ts";
import { ActivityPanel } from "../activity/activity-panel.tsx";
import { Icon } from "../elements/icon.tsx";
import { BackendGone } from "../layout/banner.tsx";
import { ActivityColumn, type ActivityColumnProps, MainColumn } from "../layout/columns.tsx";
import { Header, Waiting } from "../layout/header.tsx";
import { useKeys } from "../layout/keys.ts";
import { Picker } from "../layout/picker.tsx";
import { catalogPath, modelsPath, navigate } from "../route.ts";
import { searchId } from "../sessions/session-list.tsx";
import { QuestionPage } from "./question-page.tsx";

export interface QuestionScreenProps extends Omit<ActivityColumnProps, "children"> {
  workspaces: WorkspaceItem[];
  workspace: WorkspaceItem | null;
  /** The workspaces are not known yet. */
  loading: boolean;
  onWorkspace: (name: string) => void;
  models: Static<typeof ModelList> | undefined;
  gone: boolean;
}

export function QuestionScreen({
  workspaces,
  workspace,
  loading,
  onWorkspace,
  models,
  gone,
  bench,
  width,
  onWidth,
}: QuestionScreenProps) {
  const [choice, setChoice] = useState<{ model: string; local: boolean; thinking: ThinkingLevel } | null>(null);
  const choose = useCallback((next: { model: string; local: boolean; thinking: ThinkingLevel }) => setChoice(next), []);
  const toggleActivity = () => bench.setActivityOpen(!bench.activityOpen);
  const nothing = () => undefined;
  useKeys(
    {
      "?": () => bench.setDialog("keys"),
      n: () => document.getElementById("question")?.focus(),
      a: toggleActivity,
      "/": () => document.getElementById(searchId)?.focus(),
      close: () => bench.setListOpen(false),
    },
    null,
  );
  return (
    <>
      <div className="[grid-area:header]">
        <Header
          workspace={
            workspace ? (
              <WorkspacePicker workspaces={workspaces} workspace={workspace} onWorkspace={onWorkspace} />
            ) : loading ? (
              <Waiting width="w-40" />
            ) : null
          }
          waiting={models === undefined}
          model={choice ? { name: choice.model, local: choice.local } : null}
          onModel={() => navigate(modelsPath)}
          thinking={choice?.thinking ?? null}
          asked={null}
          turn="idle"
          stop={null}
          activityShown={bench.activityOpen}
          onActivity={toggleActivity}
          onKeys={() => bench.setDialog("keys")}
        />
      </div>
      <div className="[grid-area:banner]">{gone ? <BackendGone /> : null}</div>
      <MainColumn bench={bench}>
        <QuestionPage
          workspace={workspace}
          loading={loading}
          models={models}
          onChoice={choose}
          onCatalog={() => workspace && navigate(catalogPath(workspace.name))}
          onModels={() => navigate(modelsPath)}
          onAddDatabase={() => bench.setDialog("add-database")}
        />
      </MainColumn>
      <ActivityColumn bench={bench} width={width} onWidth={onWidth}>
        <ActivityPanel
          store={null}
          thinkingOff={false}
          polling={false}
          status={null}
          visible
          onHide={toggleActivity}
          onJump={nothing}
        />
      </ActivityColumn>
    </>
  );
}

const engineNames: Record<string, string> = {
  sqlite: "SQLite",
  duckdb: "DuckDB",
  postgres: "PostgreSQL",
  mysql: "MySQL",
};
/** What answered, without its version; MariaDB and others speak another engine's protocol. */
const toEngineName = ({ engine, product }: Pick<WorkspaceItem, "engine" | "product">): string =>
  product.replace(/\s+v?\d.*$/, "") || (engineNames[engine] ?? engine);

export function WorkspacePicker({
  workspaces,
  workspace,
  onWorkspace,
}: {
  workspaces: WorkspaceItem[];
  workspace: WorkspaceItem;
  onWorkspace: (name: string) => void;
}) {
  if (workspaces.length < 2) return <WorkspaceWords workspace={workspace.name} item={workspace} />;
  return (
    <>
      <Picker
        label="Workspace"
        icon="database"
        value={workspace.name}
        onPick={onWorkspace}
        options={workspaces.map((one) => ({ value: one.name, label: one.name }))}
        className="text-sm text-ink"
      />
      <span className="hidden whitespace-nowrap text-sm text-ink-3 xl:inline">
        {toEngineName(workspace)} · read-only
      </span>
    </>
  );
}

export function WorkspaceWords({ workspace, item }: { workspace: string; item: WorkspaceItem | undefined }) {
  return (
    <span className="inline-flex h-7 items-center gap-1.5 whitespace-nowrap px-2 text-sm text-ink-2">
      <Icon name="database" />
      <span className="sr-only">Workspace</span>
      <span className="font-medium text-ink">{workspace}</span>
      {item ? <span className="hidden text-ink-3 xl:inline">{toEngineName(item)} · read-only</span> : null}
    </span>
  );
}
