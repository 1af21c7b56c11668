/**
 * Names that programs and checks look up. A button whose words come from the database or the model may happen to
 * contain one (a table called `Question`), and would then be taken for the real one.
 */
export const reservedNames = [
  "New question",
  "Question",
  "Start",
  "Continue",
  "Other — specify",
  "What should change",
  "Send",
  "Resume",
  "Stop",
] as const;

export const holdsReservedName = (text: string): boolean => {
  const folded = text.toLowerCase();
  return reservedNames.some((name) => folded.includes(name.toLowerCase()));
};

/** Attributes of a button that is on or off; one whose words collide becomes a checkbox, which is just as true. */
export const toggleAttributes = (name: string, on: boolean) =>
  holdsReservedName(name) ? ({ role: "checkbox", "aria-checked": on } as const) : ({ "aria-pressed": on } as const);
