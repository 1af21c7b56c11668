/** The page at `/`: what one sees with no session chosen. */
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Static } from "typebox";
import type { ModelList, WorkspaceItem } from "../../protocol/api.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { toCount } from "../elements/numbers.ts";
import { VisibleText } from "../elements/visible-text.tsx";
import { Notice } from "../layout/notice.tsx";
import { api } from "../session/api.ts";
import { demoExamples, keepDraft, readDraft } from "./examples.ts";
import { QuestionForm, type QuestionFormProps } from "./question-form.tsx";

export interface QuestionPageProps {
  workspace: WorkspaceItem | null;
  /** The workspaces are not known yet. */
  loading: boolean;
  models: Static<typeof ModelList> | undefined;
  onCatalog: () => void;
  onModels: () => void;
  onAddDatabase: () => void;
  onChoice: QuestionFormProps["onChoice"];
}

export function QuestionPage({
  workspace,
  loading,
  models,
  onCatalog,
  onModels,
  onAddDatabase,
  onChoice,
}: QuestionPageProps) {
  const [text, setText] = useState(readDraft);
  const box = useRef<HTMLTextAreaElement>(null);
  const write = (next: string) => {
    setText(next);
    keepDraft(next);
  };
  const offline = models?.models.length === 0 || (models?.models.every((model) => model.local) ?? false);
  const problem = workspace?.problem ?? null;
  return (
    <div className="mx-auto w-full max-w-[760px] px-5 pb-8 pt-8 md:pt-[72px]">
      <h1 className="text-xl font-semibold tracking-[-0.015em]">
        {workspace || !loading
          ? `What do you want to know from ${workspace?.name ?? "your database"}?`
          : "What do you want to know?"}
      </h1>
      <p className="mt-1 max-w-[68ch] text-sm text-ink-2 [text-wrap:pretty]">
        {workspace?.demo ? "A demo database of a music shop. " : ""}ThothII works in six phases and stops in each for
        your decision, with the evidence beside it.
      </p>
      {problem && workspace ? (
        <Notice tone="problem" className="mt-3" title={`${workspace.name} cannot be opened.`}>
          {problem.message} {problem.action}
        </Notice>
      ) : null}
      <QuestionForm
        workspace={workspace?.name ?? ""}
        placeholder={
          workspace?.demo ? "For example: which customer has spent the most money?" : "Ask in plain words, in English"
        }
        models={models}
        text={text}
        onText={write}
        box={box}
        onChoice={onChoice}
        opening={!workspace && loading}
        blocked={
          !workspace
            ? loading
              ? "The workspace is being opened."
              : "No workspace is known yet."
            : problem
              ? `${workspace.name} cannot be opened.`
              : undefined
        }
      />
      {offline ? (
        <p className="mt-2 flex gap-2 text-xs leading-[18px] text-ink-2">
          <Icon name="info" className="mt-px h-3.5 w-3.5 text-ink-3" />
          <span>
            The offline planner needs no key and nothing leaves this machine. It is good at plain questions and says so
            when it cannot answer.{" "}
            <button type="button" className="link" onClick={onModels}>
              Add a model
            </button>{" "}
            for harder ones, hosted or local.
          </span>
        </p>
      ) : null}
      <div className="mt-8 grid gap-8 md:grid-cols-[minmax(0,1fr)_216px]">
        {workspace && !problem ? (
          <FirstQuestions
            workspace={workspace}
            onPick={(question) => {
              write(question);
              box.current?.focus();
            }}
          />
        ) : (
          <div className="hidden md:block" />
        )}
        {workspace && !problem ? (
          <WorkspaceTables workspace={workspace.name} onCatalog={onCatalog} onAddDatabase={onAddDatabase} />
        ) : loading ? null : (
          <Button size="sm" icon="database" className="w-full self-start" onClick={onAddDatabase}>
            Add your database
          </Button>
        )}
      </div>
    </div>
  );
}

/** None while they are looked for, and none where none could be found: a question box needs no excuse. */
function FirstQuestions({ workspace, onPick }: { workspace: WorkspaceItem; onPick: (question: string) => void }) {
  const { data } = useQuery({
    queryKey: ["first-questions", workspace.name],
    queryFn: () => api.firstQuestions(workspace.name),
    enabled: !workspace.demo,
    staleTime: 60_000,
  });
  const questions = workspace.demo ? demoExamples : (data?.questions ?? []);
  if (questions.length === 0) return <div className="hidden md:block" />;
  return (
    <section aria-label="Try one of these">
      <h2 className="label pb-1">Try one of these</h2>
      <ul className="border-t border-line">
        {questions.map(({ question, kind }) => (
          <li key={question} className="border-b border-line">
            <button
              type="button"
              className="flex w-full items-center gap-3 py-2 text-left text-sm text-ink hover:text-accent-ink"
              onClick={() => onPick(question)}
            >
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                <VisibleText text={question} />
              </span>
              <span className="text-xs text-ink-3">{kind}</span>
              <Icon name="right" className="h-3.5 w-3.5 text-ink-3" />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

const shownTables = 7;

function WorkspaceTables({
  workspace,
  onCatalog,
  onAddDatabase,
}: {
  workspace: string;
  onCatalog: () => void;
  onAddDatabase: () => void;
}) {
  const { data, isPending } = useQuery({
    queryKey: ["catalog", workspace],
    queryFn: () => api.catalog(workspace),
    staleTime: 60_000,
  });
  const tables = (data?.catalog.tables ?? []).toSorted((a, b) => b.rows - a.rows);
  const shown = tables.slice(0, shownTables);
  return (
    <section aria-label="In this workspace">
      <h2 className="label flex pb-1">
        In this workspace
        <button type="button" className="link ml-auto" onClick={onCatalog}>
          Catalog
        </button>
      </h2>
      <ul className="num border-t border-line">
        {isPending ? <li className="flex h-7 items-center text-xs text-ink-3">Reading the catalog…</li> : null}
        {shown.map((table) => (
          <li
            key={`${table.schema ?? ""}.${table.name}`}
            className="flex h-7 items-center gap-2 border-b border-line text-xs"
          >
            <span className="truncate font-mono text-ink-2" title={table.name}>
              {table.name}
            </span>
            <span className="ml-auto whitespace-nowrap text-ink-3">{toCount(table.rows)} rows</span>
          </li>
        ))}
        {tables.length > shown.length ? (
          <li className="flex h-7 items-center text-xs text-ink-3">and {tables.length - shown.length} more tables</li>
        ) : null}
      </ul>
      <Button size="sm" icon="database" className="mt-2 w-full" onClick={onAddDatabase}>
        Add your database
      </Button>
    </section>
  );
}
