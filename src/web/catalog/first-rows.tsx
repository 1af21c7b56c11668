import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { QueryResult } from "../../protocol/results.ts";
import { ProblemNotice } from "../layout/notice.tsx";
import { ResultGrid } from "../results/result-grid.tsx";
import { type ApiProblem, api } from "../session/api.ts";

/** Whoever goes through the list with the arrow keys passes many tables: none of them is read. */
const passingMs = 250;

export function FirstRows({ workspace, table }: { workspace: string; table: string }) {
  const [stays, setStays] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setStays(true), passingMs);
    return () => window.clearTimeout(timer);
  }, []);
  const { data, error } = useQuery<QueryResult, ApiProblem>({
    queryKey: ["first-rows", workspace, table],
    queryFn: () => api.firstRows(workspace, table),
    enabled: stays,
    staleTime: 60_000,
  });
  if (error) return <ProblemNotice problem={error} className="mx-5" />;
  if (!data) return <p className="px-5 text-xs text-ink-3">Reading the first rows…</p>;
  return (
    <div className="mx-5 overflow-hidden rounded-md border border-line">
      <ResultGrid result={data} label={`First rows of ${table}`} numbered={false} />
    </div>
  );
}
