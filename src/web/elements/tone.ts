import type { Severity } from "../../protocol/evidence.ts";
import type { IconName } from "./icon.tsx";

export type Tone = "ok" | "notice" | "warning" | "problem";

/** Colour never speaks alone: each tone has its icon and its word. */
export const tones: Record<
  Tone,
  { icon: IconName; word: string; text: string; soft: string; faint: string; line: string; bar: string }
> = {
  ok: {
    icon: "ok",
    word: "Fine",
    text: "text-ok",
    soft: "bg-ok-soft",
    faint: "bg-ok-soft/60",
    line: "border-ok-line",
    bar: "bg-ok",
  },
  notice: {
    icon: "info",
    word: "Notice",
    text: "text-notice",
    soft: "bg-notice-soft",
    faint: "bg-notice-soft/60",
    line: "border-notice-line",
    bar: "bg-notice",
  },
  warning: {
    icon: "warning",
    word: "Warning",
    text: "text-warning",
    soft: "bg-warning-soft",
    faint: "bg-warning-soft/60",
    line: "border-warning-line",
    bar: "bg-warning-mark",
  },
  problem: {
    icon: "problem",
    word: "Problem",
    text: "text-problem",
    soft: "bg-problem-soft",
    faint: "bg-problem-soft/60",
    line: "border-problem-line",
    bar: "bg-problem",
  },
};

export const toTone = (severity: Severity): Tone => (severity === "info" ? "notice" : severity);
