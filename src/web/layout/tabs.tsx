import { cn } from "../elements/class-names.ts";
import { Icon, type IconName } from "../elements/icon.tsx";
import type { Tab } from "./workbench.ts";

const tabs: { tab: Tab; word: string; icon: IconName }[] = [
  { tab: "sessions", word: "Sessions", icon: "menu" },
  { tab: "review", word: "Review", icon: "hand" },
  { tab: "activity", word: "Activity", icon: "think" },
];

export function Tabs({ current, onTab }: { current: Tab; onTab: (tab: Tab) => void }) {
  return (
    <nav aria-label="Views" className="flex h-11 border-b border-line bg-surface lg:hidden">
      {tabs.map(({ tab, word, icon }) => (
        <button
          key={tab}
          type="button"
          aria-current={tab === current ? "page" : undefined}
          onClick={() => onTab(tab)}
          className={cn(
            "flex flex-1 items-center justify-center gap-1.5 text-sm",
            tab === current ? "font-semibold text-accent-ink shadow-[inset_0_-2px_0_hsl(var(--accent))]" : "text-ink-2",
          )}
        >
          <Icon name={icon} />
          {word}
        </button>
      ))}
    </nav>
  );
}
