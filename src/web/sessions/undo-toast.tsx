import { Icon } from "../elements/icon.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import type { Removals } from "./use-removals.ts";

/** Below the header, where it covers neither a dock nor the list. Always there, so that it is read out when it speaks. */
export function UndoToast({ all, undo, hold }: Removals) {
  return (
    <div
      role="status"
      className="pointer-events-none fixed left-1/2 top-12 z-40 flex w-[min(440px,calc(100vw-24px))] -translate-x-1/2 flex-col gap-1.5"
    >
      {all.map(({ id, title, problem }) => (
        <div
          key={id}
          role="group"
          className="pointer-events-auto flex items-center gap-2 rounded-md bg-raised px-3 py-2 text-sm shadow-pop"
          onPointerEnter={() => hold(true)}
          onPointerLeave={() => hold(false)}
          onFocus={() => hold(true)}
          onBlur={() => hold(false)}
        >
          <Icon name={problem ? "problem" : "close"} className={problem ? "text-problem" : "text-ink-3"} />
          <span className="min-w-0 flex-1 text-ink-2">
            {problem ? (
              <>
                <span className="text-ink">{problem.message}</span> {problem.action}
              </>
            ) : (
              <span className="line-clamp-2 [overflow-wrap:anywhere]">
                Removed <span className="text-ink">{<VisibleText text={title} />}</span>
              </span>
            )}
          </span>
          <button type="button" className="link shrink-0" onClick={() => undo(id)}>
            Undo
          </button>
        </div>
      ))}
    </div>
  );
}
