import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { navigate, sessionPath } from "../route.ts";
import { type ApiProblem, api, asProblem } from "../session/api.ts";
import { type Asked, askedKey, sessionKey } from "../session/query-keys.ts";

/** What the list does with a session that isn't open; `problem` is why the last thing did not work. */
export function useSessionActions() {
  const client = useQueryClient();
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const attempt = async (work: () => Promise<void>) => {
    setProblem(null);
    try {
      await work();
    } catch (cause) {
      setProblem(asProblem(cause));
    } finally {
      void client.invalidateQueries({ queryKey: ["sessions"] });
    }
  };
  return {
    problem,
    rename: (id: string, name: string) =>
      attempt(async () => {
        client.setQueryData(sessionKey(id), await api.change(id, { name: name.trim() }));
      }),
    /** The same question again, from the start, with the same model: what changed since shows in the answer. */
    duplicate: (id: string) =>
      attempt(async () => {
        const { workspace, question, provider, model, thinking, review } = await api.session(id);
        const made = await api.create({ workspace, question, provider, model, thinking, review });
        client.setQueryData<Asked>(askedKey(made.id), { question, at: Date.now() });
        navigate(sessionPath(made.id));
      }),
  };
}
