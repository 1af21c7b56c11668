import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ModelList } from "../../protocol/api.ts";
import { type ApiProblem, asProblem } from "../session/api.ts";

export interface Change {
  busy: boolean;
  problem: ApiProblem | null;
  /** True when it went well; the list of models is then the one that came back. */
  run(work: () => Promise<ModelList>): Promise<boolean>;
  forget(): void;
}

export function useChange(): Change {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  return {
    busy,
    problem,
    forget: () => setProblem(null),
    async run(work) {
      setBusy(true);
      setProblem(null);
      try {
        client.setQueryData(["models"], await work());
        return true;
      } catch (cause) {
        setProblem(asProblem(cause));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
