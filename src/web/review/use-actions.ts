/** What one can do with a whole session: resume, stop, steer, ask on, rename. */
import { useEffect, useState } from "react";
import type { TurnState } from "../../protocol/phases.ts";
import { type ApiProblem, api, asProblem, offline } from "../session/api.ts";
import type { LiveSession } from "../session/use-session.ts";

/** `gone`: ThothII does not answer at all; what failed for that reason is no news once it is back. */
export function useActions(live: LiveSession, turn: TurnState, gone: boolean) {
  const { id, nextGeneration, refresh } = live;
  const [resuming, setResuming] = useState(false);
  const [refused, setRefused] = useState<ApiProblem | null>(null);
  const [stopping, setStopping] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  useEffect(() => {
    if (turn === "idle" || turn === "failed") setStopping(false);
    if (turn === "running") setRefused(null);
  }, [turn]);

  useEffect(() => {
    if (gone) return;
    const drop = (fault: ApiProblem | null) => (fault?.code === offline ? null : fault);
    setRefused(drop);
    setProblem(drop);
  }, [gone]);

  /** The stream is opened again only after the 200; a refused resume leaves it as it was. */
  const resume = async () => {
    if (resuming) return;
    setResuming(true);
    setRefused(null);
    try {
      await api.resume(id);
      nextGeneration();
      refresh();
    } catch (cause) {
      setRefused(asProblem(cause));
    } finally {
      setResuming(false);
    }
  };
  const stop = async () => {
    if (stopping) return;
    setStopping(true);
    setProblem(null);
    try {
      await api.abort(id);
      refresh();
    } catch (cause) {
      setStopping(false);
      setProblem(asProblem(cause));
    }
  };
  const rename = async (name: string) => {
    try {
      await api.change(id, { name });
      refresh();
    } catch (cause) {
      setProblem(asProblem(cause));
    }
  };
  return {
    resuming,
    refused,
    stopping,
    problem,
    resume: () => void resume(),
    stop: () => void stop(),
    rename: (name: string) => void rename(name),
    steer: async (text: string) => {
      await api.steer(id, text);
      refresh();
    },
    ask: async (text: string) => {
      await api.prompt(id, text);
      refresh();
    },
  };
}
