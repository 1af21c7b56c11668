/** Keys of the page. They sleep while someone types, in a dialog, and for a moment after a gate has opened. */
import { useEffect, useRef } from "react";

/** Long enough that a stroke meant for something else is over. */
export const gateQuietMs = 350;

/** What a view has no action for, its key leaves alone. */
export type KeyActions = Partial<Record<"?" | "n" | "g" | "o" | "a" | "/" | "[" | "]" | "close", () => void>>;

export const keyWords: [string, string][] = [
  ["?", "these keys"],
  ["n", "new question"],
  ["g", "jump to the gate"],
  ["o", "open Other — specify"],
  ["[  ]", "phase before, next phase"],
  ["↑  ↓", "step or row"],
  ["a", "show or hide the activity"],
  ["/", "search sessions"],
  ["Ctrl Enter", "send, in a text box"],
  ["Esc", "close"],
];

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** `gateId` starts the quiet time whenever it becomes another one. */
export function useKeys(actions: KeyActions, gateId: string | null): void {
  const latest = useRef(actions);
  latest.current = actions;
  const quietUntil = useRef(0);
  useEffect(() => {
    if (gateId !== null) quietUntil.current = performance.now() + gateQuietMs;
  }, [gateId]);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector('[role="dialog"]')) return;
      const name = event.key === "Escape" ? "close" : event.key;
      const action = Object.hasOwn(latest.current, name) ? latest.current[name as keyof KeyActions] : undefined;
      if (performance.now() < quietUntil.current || !action) return;
      event.preventDefault();
      action();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
