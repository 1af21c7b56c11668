/** The page at `/models`: who can do the thinking, what it costs, whose key is known, and what a new session takes. */
import type { ReactNode } from "react";
import type { ModelList } from "../../protocol/api.ts";
import { cn } from "../elements/class-names.ts";
import { BackendGone } from "../layout/banner.tsx";
import { Header } from "../layout/header.tsx";
import { useKeys } from "../layout/keys.ts";
import type { Workbench } from "../layout/workbench.ts";
import { navigate } from "../route.ts";
import { DefaultForm } from "./default-form.tsx";
import { EndpointForm } from "./endpoint-form.tsx";
import { ModelTable } from "./model-table.tsx";
import { ProviderList } from "./provider-list.tsx";

export function ModelsScreen({ list, gone, bench }: { list: ModelList | undefined; gone: boolean; bench: Workbench }) {
  const nothing = () => undefined;
  useKeys(
    {
      "?": () => bench.setDialog("keys"),
      n: () => navigate("/"),
      g: nothing,
      o: nothing,
      a: nothing,
      "/": nothing,
      "[": nothing,
      "]": nothing,
      close: () => bench.setListOpen(false),
    },
    null,
  );
  return (
    <>
      <div className="[grid-area:header]">
        <Header
          workspace={null}
          model={null}
          onModel={null}
          thinking={null}
          asked={null}
          turn={null}
          stop={null}
          activityShown={false}
          onActivity={null}
          onKeys={() => bench.setDialog("keys")}
        />
      </div>
      <div className="[grid-area:banner]">{gone ? <BackendGone /> : null}</div>
      <main
        aria-label="Models"
        className={cn(
          "min-h-0 min-w-0 flex-col overflow-y-auto bg-surface [grid-column:main-start/-1] [grid-row:main] lg:flex",
          bench.tab === "sessions" ? "hidden" : "flex",
        )}
      >
        <div className="mx-auto w-full max-w-[960px] px-5 pb-10 pt-6">
          <h1 className="text-xl font-semibold tracking-[-0.015em]">Models</h1>
          <p className="mt-1 max-w-[76ch] text-sm text-ink-2 [text-wrap:pretty]">
            What can do the thinking in a session. The offline planner is always there and nothing leaves this machine
            with it or with a server of your own. With a hosted model your question, the names of tables and columns,
            and the values and rows it looks up go to its provider.
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
      </main>
    </>
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
