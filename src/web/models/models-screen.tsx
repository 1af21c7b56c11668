/** The page at `/models`: who can do the thinking, what it costs, whose key is known, and what a new session takes. */
import type { ReactNode } from "react";
import type { ModelList } from "../../protocol/api.ts";
import { SidePage } from "../layout/side-page.tsx";
import type { Workbench } from "../layout/workbench.ts";
import { DefaultForm } from "./default-form.tsx";
import { EndpointForm } from "./endpoint-form.tsx";
import { ModelTable } from "./model-table.tsx";
import { ProviderList } from "./provider-list.tsx";

export function ModelsScreen({ list, gone, bench }: { list: ModelList | undefined; gone: boolean; bench: Workbench }) {
  return (
    <SidePage label="Models" gone={gone} bench={bench} className="flex-col overflow-y-auto">
      <div className="mx-auto w-full max-w-[960px] px-5 pb-10 pt-6">
        <h1 className="text-xl font-semibold tracking-[-0.015em]">Models</h1>
        <p className="mt-1 max-w-[76ch] text-sm text-ink-2 [text-wrap:pretty]">
          What can do the thinking in a session. The offline planner is always there and nothing leaves this machine
          with it or with a server of your own. With a hosted model your question, the names of tables and columns, and
          the values and rows it looks up go to its provider.
        </p>
        {list === undefined ? (
          <p className="mt-6 text-sm text-ink-3">Asking which models there are…</p>
        ) : (
          <>
            <Part title="New sessions take">
              <DefaultForm list={list} />
            </Part>
            <Part title="Providers and keys">
              <ProviderList providers={list.providers} />
            </Part>
            <Part title="A server of your own, or a gateway">
              <EndpointForm />
            </Part>
            <Part title="Models that can be used">
              <ModelTable list={list} />
            </Part>
          </>
        )}
      </div>
    </SidePage>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="mt-7">
      <h2 className="mb-2 text-lg font-semibold tracking-[-0.01em]">{title}</h2>
      {children}
    </section>
  );
}
