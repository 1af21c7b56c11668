/** The six phases of a session and the words the page uses for them. */
import { type Static, Type } from "typebox";

export const phaseIds = ["F1", "F2", "F3", "F4", "F5", "F6"] as const;
export const PhaseId = Type.Enum(phaseIds);
export type PhaseId = (typeof phaseIds)[number];

/** Title of each phase, as shown in the list `Phases`. */
export const phaseTitles: Record<PhaseId, string> = {
  F1: "Question",
  F2: "Data",
  F3: "Joins",
  F4: "Filters",
  F5: "Steps",
  F6: "Answer",
};

/** What one phase looks like from outside: `waiting` means an open gate. */
export const PhaseView = Type.Object({
  phase: PhaseId,
  title: Type.String(),
  state: Type.Union([Type.Literal("to-come"), Type.Literal("current"), Type.Literal("waiting"), Type.Literal("done")]),
  /** Number of decisions of this phase that hold. */
  decisions: Type.Integer({ minimum: 0 }),
  /** Decisions of this phase that reopening it or an earlier one set aside, while none was accepted in their place. */
  setAside: Type.Optional(Type.Integer({ minimum: 1 })),
});
export type PhaseView = Static<typeof PhaseView>;

export const turnStates = ["idle", "running", "waiting", "failed"] as const;
export const TurnState = Type.Enum(turnStates);
export type TurnState = (typeof turnStates)[number];

export const thinkingLevels = ["off", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export const ThinkingLevel = Type.Enum(thinkingLevels);
export type ThinkingLevel = (typeof thinkingLevels)[number];

export const ReviewMode = Type.Union([Type.Literal("every-phase"), Type.Literal("when-needed")]);
export type ReviewMode = Static<typeof ReviewMode>;
