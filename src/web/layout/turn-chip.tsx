import type { TurnState } from "../../protocol/phases.ts";
import { cn } from "../elements/class-names.ts";
import { Icon, type IconName } from "../elements/icon.tsx";

const looks: Record<TurnState, { look: string; icon: IconName; word: string }> = {
  idle: { look: "border-line-strong text-ink-2", icon: "circle", word: "Idle" },
  running: { look: "border-accent-line text-accent-ink", icon: "run", word: "Running" },
  waiting: { look: "border-accent bg-accent-soft text-accent-ink", icon: "hand", word: "Waiting for you" },
  failed: { look: "border-problem-line bg-problem-soft text-problem", icon: "problem", word: "Failed" },
};

export function TurnChip({ turn }: { turn: TurnState }) {
  const { look, icon, word } = looks[turn];
  return (
    <span
      role="status"
      aria-label={`Turn: ${turn}`}
      className={cn(
        "inline-flex h-6 items-center gap-1.5 whitespace-nowrap rounded border px-2 text-xs font-medium",
        look,
      )}
    >
      <Icon name={icon} className={cn("h-3.5 w-3.5", turn === "running" && "spin")} />
      {word}
    </span>
  );
}
