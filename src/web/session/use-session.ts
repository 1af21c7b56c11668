/** Ties one selected session to React: its store, at most one EventSource per tab, and the stream generation. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { SessionView } from "../../protocol/api.ts";
import { type ApiProblem, api, eventsPath } from "./api.ts";
import { type EventStream, openEventStream, patienceMs, type StreamStatus } from "./event-stream.ts";
import { type LiveSlot, takeLiveSlot } from "./live-slot.ts";
import { type Asked, askedKey, ledgerKey, pollMs, sessionKey } from "./query-keys.ts";
import { createSessionStore, type SessionStore, useSelected } from "./session-store.ts";

/** `polling`: four other tabs are live, this one asks every few seconds. */
export type LiveMode = "undecided" | "live" | "polling";
export interface LiveSession {
  id: string;
  store: SessionStore;
  view: SessionView | undefined;
  viewProblem: ApiProblem | null;
  mode: LiveMode;
  status: StreamStatus | null;
  /** Opens the stream again after a resume that succeeded. */
  nextGeneration(): void;
  retryNow(): void;
  refresh(): void;
}

export function useSession(id: string): LiveSession {
  const client = useQueryClient();
  // biome-ignore lint/correctness/useExhaustiveDependencies: one store per session
  const store = useMemo(() => createSessionStore(), [id]);
  const [generation, setGeneration] = useState(0);
  const mode = useLiveMode(id);
  const { status, retryNow } = useStream(id, store, generation, mode);
  const { data: view, error } = useQuery<SessionView, ApiProblem>({
    queryKey: sessionKey(id),
    queryFn: () => api.session(id),
    // A stream that is lost or not allowed leaves asking as the only way to know.
    refetchInterval: mode === "polling" || status?.state === "lost" ? pollMs : false,
  });

  const asked = client.getQueryData<Asked>(askedKey(id));
  useEffect(() => {
    if (asked) store.setQuestion(asked.question, asked.at);
    else if (view) store.setQuestion(view.question, Date.parse(view.createdAt));
  }, [store, asked, view]);

  const refresh = useCallback(() => {
    void client.invalidateQueries({ queryKey: sessionKey(id) });
    void client.invalidateQueries({ queryKey: ledgerKey(id) });
    void client.invalidateQueries({ queryKey: ["sessions"] });
  }, [client, id]);
  useRefreshOnChange(store, refresh);

  const nextGeneration = useCallback(() => setGeneration((n) => n + 1), []);
  return { id, store, view, viewProblem: error, mode, status, nextGeneration, retryNow, refresh };
}

/** Takes one of the live slots for as long as a session is shown, trying again while there is none. */
function useLiveMode(id: string): LiveMode {
  const [mode, setMode] = useState<LiveMode>("undecided");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the slot is held while one session is shown
  useEffect(() => {
    let gone = false;
    let slot: LiveSlot | null = null;
    let timer = 0;
    const attempt = async () => {
      const taken = await takeLiveSlot().catch((cause: unknown) => {
        console.warn("No live slot could be asked for.", cause);
        return null;
      });
      if (gone) return taken?.release();
      slot = taken;
      setMode(taken ? "live" : "polling");
      if (!taken) timer = window.setTimeout(() => void attempt(), pollMs);
    };
    void attempt();
    return () => {
      gone = true;
      window.clearTimeout(timer);
      slot?.release();
      setMode("undecided");
    };
  }, [id]);
  return mode;
}

function useStream(id: string, store: SessionStore, generation: number, mode: LiveMode) {
  const [status, setStatus] = useState<StreamStatus | null>(null);
  const stream = useRef<EventStream | null>(null);
  const lastAt = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new generation opens the same address again
  useEffect(() => {
    if (mode !== "live") return;
    const opened = openEventStream(eventsPath(id), {
      onSource: () => store.sourceOpened(),
      onFrame: (frame) => {
        lastAt.current = Date.now();
        store.receive(frame);
      },
      onStatus: setStatus,
    });
    stream.current = opened;
    return () => {
      opened.close();
      stream.current = null;
      setStatus(null);
    };
  }, [id, store, generation, mode]);

  // A laptop that slept has no timers to trust: look at once when the page is seen or online again.
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === "visible" && lastAt.current > 0 && Date.now() - lastAt.current > patienceMs)
        stream.current?.retryNow();
    };
    document.addEventListener("visibilitychange", look);
    window.addEventListener("online", look);
    return () => {
      document.removeEventListener("visibilitychange", look);
      window.removeEventListener("online", look);
    };
  }, []);
  const retryNow = useCallback(() => stream.current?.retryNow(), []);
  return { status, retryNow };
}

/** The stream says that something changed; the routes say what. */
function useRefreshOnChange(store: SessionStore, refresh: () => void): void {
  const turn = useSelected(store, (state) => state.turn);
  const outcome = useSelected(store, (state) => state.outcome);
  const phase = useSelected(store, (state) => state.phase);
  const ledgerSeq = useSelected(store, (state) => state.ledgerSeq);
  const gateId = useSelected(store, (state) => state.openGate?.gateId);
  const epoch = useSelected(store, (state) => state.rows.epoch);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these is a reason to ask again
  useEffect(() => {
    if (epoch !== null) refresh();
  }, [turn, outcome, phase, ledgerSeq, gateId, epoch, refresh]);
}
