import { IconButton } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { navigate } from "../route.ts";

/** The narrow left column of middle widths; the full list opens over the page. */
export function Rail({
  waiting,
  onSessions,
  onCatalog,
  onModels,
}: {
  waiting: number;
  onSessions: () => void;
  onCatalog: () => void;
  onModels: () => void;
}) {
  return (
    <nav
      aria-label="Views"
      className="hidden min-h-0 flex-col items-center gap-1 border-r border-line bg-canvas py-3 lg:flex wide:hidden"
    >
      <IconButton
        label="New question"
        icon="plus"
        className="h-8 w-8 border border-line-strong bg-raised"
        onClick={() => navigate("/")}
      />
      <button
        type="button"
        className="icon-btn relative mt-1 h-8 w-8"
        aria-label={waiting > 0 ? `Sessions, ${waiting} waiting for you` : "Sessions"}
        title="Sessions"
        onClick={onSessions}
      >
        <Icon name="menu" />
        {waiting > 0 ? (
          <span className="num absolute -right-1 -top-0.5 flex h-4 min-w-[16px] items-center justify-center rounded-full bg-accent px-1 text-2xs font-semibold text-on-accent">
            {waiting}
          </span>
        ) : null}
      </button>
      <span className="flex-1" />
      <IconButton label="Catalog" icon="table" className="h-8 w-8" onClick={onCatalog} />
      <IconButton label="Models" icon="model" className="h-8 w-8" onClick={onModels} />
    </nav>
  );
}
