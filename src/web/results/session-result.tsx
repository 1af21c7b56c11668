import { useQuery, useQueryClient } from "@tanstack/react-query";
import { DropdownMenu } from "radix-ui";
import { useState } from "react";
import type { SessionView } from "../../protocol/api.ts";
import type { QueryResult } from "../../protocol/results.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { toCount } from "../elements/numbers.ts";
import { ProblemNotice } from "../layout/notice.tsx";
import { type ApiProblem, api, reportPath, resultPath } from "../session/api.ts";
import { reviewedKey } from "../session/query-keys.ts";
import { ResultPanel } from "./result-panel.tsx";

/** Rows that the page asks for at first, and the most that the server gives. */
const firstRows = 10_000;
const mostRows = 100_000;

/** The rows of a session's accepted SQL, and ways to take them along. */
export function SessionResult({ view }: { view: SessionView }) {
  const [limit, setLimit] = useState(firstRows);
  const client = useQueryClient();
  const result = useQuery<QueryResult, ApiProblem>({
    queryKey: ["result", view.id, view.sql, limit],
    queryFn: () => api.result(view.id, limit),
    enabled: view.sql !== null,
    staleTime: Number.POSITIVE_INFINITY,
    // The rows of the last gate, or the first of many, stand here until those that were asked for arrive.
    placeholderData: (before, query) =>
      (query?.queryKey[2] === view.sql ? before : undefined) ??
      client.getQueryData<QueryResult>(reviewedKey(view.id, view.sql ?? "")),
  });
  const workspaces = useQuery({ queryKey: ["workspaces"], queryFn: api.workspaces, staleTime: 10_000 });
  const engine = workspaces.data?.workspaces.find((one) => one.name === view.workspace)?.engine;
  const more = result.data?.truncated === true && limit < mostRows;
  if (!result.data)
    return (
      <section aria-label="Result" className="mx-5 rounded-md border border-line px-3 py-2 text-xs text-ink-2">
        {result.error ? (
          <ProblemNotice problem={result.error} />
        ) : view.sql === null ? (
          "There is no SQL to run."
        ) : (
          "Running the SQL…"
        )}
      </section>
    );
  return (
    <>
      <ResultPanel result={result.data} maxHeight={480} engine={engine} actions={<Exports id={view.id} />} />
      {more || limit > firstRows ? (
        <div className="mx-5 mt-2 flex items-center gap-2 text-xs text-ink-3">
          {more ? (
            <Button size="sm" onClick={() => setLimit(mostRows)}>
              Load up to {toCount(mostRows)} rows
            </Button>
          ) : null}
          {result.isFetching ? <span role="status">Running the SQL again…</span> : null}
        </div>
      ) : null}
      {result.error ? <ProblemNotice problem={result.error} className="mx-5 mt-2" /> : null}
    </>
  );
}

/** Files hold more rows than the page shows at first. */
function Exports({ id }: { id: string }) {
  return (
    <>
      <Download href={resultPath(id, "csv")}>CSV</Download>
      <Download href={resultPath(id, "json", mostRows)}>JSON</Download>
      <Download href={resultPath(id, "parquet")}>Parquet</Download>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger asChild>
          <Button size="sm" icon="book">
            Report
          </Button>
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align="end"
            sideOffset={4}
            className="z-40 min-w-48 rounded-md bg-raised p-1 shadow-pop"
          >
            <MenuLink href={reportPath(id)} target="_blank">
              Open as HTML
            </MenuLink>
            <MenuLink href={reportPath(id)} download={`report-${id}.html`}>
              Save as HTML
            </MenuLink>
            <MenuLink href={reportPath(id, "md")} download={`report-${id}.md`}>
              Save as Markdown
            </MenuLink>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
    </>
  );
}

const Download = ({ href, children }: { href: string; children: string }) => (
  <a href={href} download title={`At most ${toCount(mostRows)} rows`} className="btn-secondary btn-sm">
    <Icon name="download" className="h-3.5 w-3.5" />
    {children}
  </a>
);

const MenuLink = ({ children, ...link }: { href: string; target?: string; download?: string; children: string }) => (
  <DropdownMenu.Item asChild>
    <a
      {...link}
      rel="noreferrer"
      className="flex cursor-pointer rounded px-2 py-1 text-sm text-ink outline-none data-[highlighted]:bg-hover"
    >
      {children}
    </a>
  </DropdownMenu.Item>
);
