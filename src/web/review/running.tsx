import { phaseTitles } from "../../protocol/phases.ts";
import { Elapsed } from "../layout/elapsed.tsx";
import type { Facts } from "./facts.ts";
import { phaseWork } from "./phase-words.ts";

export function Running({ facts }: { facts: Facts }) {
  const { title, next } = phaseWork[facts.phase];
  return (
    <section aria-label="Work in progress" className="pb-3">
      <div className="px-5 pb-2 pt-4">
        <p className="num text-xs text-ink-3">
          {facts.phase} {phaseTitles[facts.phase]}
          {facts.turnAt === null ? null : (
            <>
              {" "}
              · <Elapsed since={facts.turnAt} />
            </>
          )}
        </p>
        <h2 className="text-lg font-semibold tracking-[-0.01em]">{title}</h2>
        <p className="mt-0.5 text-sm text-ink-2">{next} You can go on reading; nothing is written until you decide.</p>
      </div>
      <div className="mx-5 mt-2 flex flex-col gap-2 border-t border-line pt-3" aria-hidden="true">
        <span className="h-3 w-[72%] rounded-sm bg-hover" />
        <span className="h-3 w-[88%] rounded-sm bg-hover" />
        <span className="h-3 w-[54%] rounded-sm bg-hover" />
      </div>
    </section>
  );
}
