import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, lazy, Suspense, useCallback, useMemo, useRef, useState } from "react";
import { mostSessions } from "../../protocol/api.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { toCount } from "../elements/numbers.ts";
import { ProblemNotice } from "../layout/notice.tsx";
import { useNow } from "../layout/use-now.ts";
import { navigate } from "../route.ts";
import { api } from "../session/api.ts";
import { sessionKey } from "../session/query-keys.ts";
import { useSessionActions } from "./session-actions.ts";
import { SessionRows } from "./session-rows.tsx";
import type { Removals } from "./use-removals.ts";
import { firstSessions, useSessions, useSettled } from "./use-sessions.ts";

const ModelDialog = lazy(async () => ({ default: (await import("../review/model-dialog.tsx")).ModelDialog }));

export const searchId = "session-search";

export interface SessionListProps {
  currentId: string | null;
  tables: number | null;
  removals: Removals;
  onOpen: () => void;
  onCatalog: () => void;
  onModels: () => void;
}

/** The left column: sessions, polled, grouped by what they want from the reader. */
export function SessionList({ currentId, tables, removals, onOpen, onCatalog, onModels }: SessionListProps) {
  const [search, setSearch] = useState("");
  const [limit, setLimit] = useState(firstSessions);
  const [modelOf, setModelOf] = useState<string | null>(null);
  const text = useSettled(search.trim());
  const { data, isPlaceholderData } = useSessions(text, limit);
  const now = useNow(30_000);
  const { problem, rename, duplicate } = useSessionActions();
  const latest = useRef({ rename, duplicate, remove: removals.remove });
  latest.current = { rename, duplicate, remove: removals.remove };
  // The same for all renders, so that a row is only drawn again when its session changed.
  const actions = useMemo(
    () => ({
      rename: (id: string, name: string) => void latest.current.rename(id, name),
      duplicate: (id: string) => void latest.current.duplicate(id),
      chooseModel: setModelOf,
      remove: (id: string, title: string) => latest.current.remove(id, title),
    }),
    [],
  );
  const onMore = useCallback(() => setLimit((before) => Math.min(mostSessions, before * 4)), []);
  const sessions = data?.sessions.filter((session) => !removals.isRemoved(session.id));
  const none = sessions?.length === 0 && !isPlaceholderData;
  const startNew = () => {
    navigate("/");
    onOpen();
  };
  const intoList = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    document.querySelector<HTMLElement>("[data-sessions] a")?.focus();
  };
  return (
    <>
      <div className="flex flex-col gap-2 p-2.5 pb-2">
        <Button size="sm" className="w-full" icon="plus" onClick={startNew}>
          New question
        </Button>
        {search === "" && none ? null : (
          <label className="relative block">
            <span className="sr-only">Search sessions</span>
            <Icon name="search" className="absolute left-2 top-1.5 text-ink-3" />
            <input
              id={searchId}
              type="search"
              value={search}
              maxLength={200}
              onChange={(event) => {
                setSearch(event.target.value);
                setLimit(firstSessions);
              }}
              onKeyDown={intoList}
              placeholder="Search sessions"
              className="h-7 w-full rounded-md border border-line-strong bg-surface pl-7 pr-2 text-xs placeholder:text-ink-3"
            />
          </label>
        )}
        {text !== "" && data && !isPlaceholderData && !none ? (
          <p role="status" className="num px-2 text-2xs text-ink-3">
            {toCount(data.total)} found
          </p>
        ) : null}
        {problem ? <ProblemNotice problem={problem} className="text-xs" /> : null}
      </div>
      {none ? (
        <p className="min-h-0 flex-1 px-4 py-1 text-xs text-ink-3">
          {text === ""
            ? "No sessions yet. Each question becomes one session, kept on this machine."
            : `No session holds “${text}”.`}
        </p>
      ) : (
        <SessionRows
          sessions={sessions ?? []}
          more={(data?.total ?? 0) > (data?.sessions.length ?? 0) && !isPlaceholderData}
          onMore={onMore}
          currentId={currentId}
          now={now}
          onOpen={onOpen}
          actions={actions}
        />
      )}
      <div className="flex flex-col gap-0.5 border-t border-line p-2 text-sm">
        <button
          type="button"
          onClick={onCatalog}
          className="flex h-7 items-center gap-2 rounded-md px-2 text-ink-2 hover:bg-hover"
        >
          <Icon name="table" />
          Catalog{tables === null ? null : <span className="num ml-auto text-xs text-ink-3">{tables} tables</span>}
        </button>
        <button
          type="button"
          onClick={onModels}
          className="flex h-7 items-center gap-2 rounded-md px-2 text-ink-2 hover:bg-hover"
        >
          <Icon name="model" />
          Models
        </button>
      </div>
      {modelOf === null ? null : (
        <Suspense>
          <OtherModel id={modelOf} isOpen={modelOf === currentId} onClose={() => setModelOf(null)} />
        </Suspense>
      )}
    </>
  );
}

/** A failed session goes on with the model it gets, unless it is open: there Resume also opens its stream again. */
function OtherModel({ id, isOpen, onClose }: { id: string; isOpen: boolean; onClose: () => void }) {
  const client = useQueryClient();
  const { data } = useQuery({ queryKey: sessionKey(id), queryFn: () => api.session(id) });
  if (!data) return null;
  const goOn = async () => {
    try {
      if (data.turn === "failed" && !isOpen) await api.resume(id);
    } catch (cause) {
      console.warn("The session did not go on by itself.", cause);
    } finally {
      await client.invalidateQueries({ queryKey: ["sessions"] });
      await client.invalidateQueries({ queryKey: sessionKey(id) });
    }
  };
  return <ModelDialog view={data} onChanged={() => void goOn()} onClose={onClose} />;
}
