import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import type { SessionItem, SessionList } from "../../protocol/api.ts";
import { navigate, sessionPath } from "../route.ts";
import { type ApiProblem, api, asProblem } from "../session/api.ts";
import { sessionKey } from "../session/query-keys.ts";

/** Long enough to notice and take it back. */
const undoMs = 10_000;

export interface Removal {
  id: string;
  title: string;
  /** Why it could not be removed or brought back. */
  problem: ApiProblem | null;
}

export interface Removals {
  /** Latest first, each for ten seconds. */
  all: Removal[];
  /** A poll may still find one whose model is being stopped. */
  isRemoved: (id: string) => boolean;
  remove: (id: string, title: string) => void;
  undo: (id: string) => void;
  /** While someone reads them, none goes away. */
  hold: (held: boolean) => void;
}

/** Sessions leave the list at once and lie in the trash; Undo brings them back from there. */
export function useRemovals(currentId: string | null): Removals {
  const client = useQueryClient();
  const [all, setAll] = useState<Removal[]>([]);
  const [held, hold] = useState(false);
  const wasShown = useRef(new Set<string>());
  const removing = useRef(new Map<string, Promise<unknown>>());
  const refresh = useCallback(() => void client.invalidateQueries({ queryKey: ["sessions"] }), [client]);
  const tell = (id: string, problem: ApiProblem) =>
    setAll((before) => before.map((one) => (one.id === id ? { ...one, problem } : one)));

  // One clock for all: whoever holds one holds the others too.
  const latest = all[0];
  useEffect(() => {
    if (!latest || held) return;
    const timer = window.setTimeout(() => setAll([]), undoMs);
    return () => window.clearTimeout(timer);
  }, [latest, held]);

  return {
    all,
    hold,
    isRemoved: (id) => all.some((one) => one.id === id && one.problem === null),
    remove(id, title) {
      // A toast that goes away under the pointer never tells that it was left.
      hold(false);
      if (id === currentId) {
        wasShown.current.add(id);
        navigate("/");
      }
      client.setQueriesData<SessionList>({ queryKey: ["sessions"] }, (list) => list && without(list, id));
      const work = api.remove(id).catch((cause: unknown) => tell(id, asProblem(cause)));
      removing.current.set(id, work);
      void work.finally(refresh);
      setAll((before) => [{ id, title, problem: null }, ...before.filter((one) => one.id !== id)].slice(0, 3));
    },
    undo(id) {
      hold(false);
      void (async () => {
        try {
          await removing.current.get(id);
          client.setQueryData(sessionKey(id), await api.restore(id));
          setAll((before) => before.filter((one) => one.id !== id));
          if (wasShown.current.delete(id)) navigate(sessionPath(id));
        } catch (cause) {
          tell(id, asProblem(cause));
        } finally {
          refresh();
        }
      })();
    },
  };
}

function without(list: SessionList, id: string): SessionList {
  const sessions = list.sessions.filter((session: SessionItem) => session.id !== id);
  return { sessions, total: list.total - (list.sessions.length - sessions.length) };
}
