/** The left column and what it needs: sessions found by the server, polled, removed and brought back. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { SessionList } from "../../protocol/api.ts";
import { type ApiProblem, api } from "../session/api.ts";
import { pollMs } from "../session/query-keys.ts";

/** As many are asked for at first; scrolling to the end asks for more. */
export const firstSessions = 200;
/** A list that someone has scrolled through for long is large: it is asked for less often. */
const manySessions = 1_000;

/** `text` searches names, questions and workspaces on the server. */
export function useSessions(text = "", limit = firstSessions) {
  return useQuery<SessionList, ApiProblem>({
    queryKey: ["sessions", text, limit],
    queryFn: () => api.sessions({ limit, ...(text === "" ? {} : { text }) }),
    refetchInterval: limit > manySessions ? 5 * pollMs : pollMs,
    placeholderData: keepPreviousData,
  });
}

const typingMs = 150;

/** The value as it is once nobody has changed it for a moment; an empty one at once. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === "") return setSettled("");
    const timer = window.setTimeout(() => setSettled(value), typingMs);
    return () => window.clearTimeout(timer);
  }, [value]);
  return settled;
}
