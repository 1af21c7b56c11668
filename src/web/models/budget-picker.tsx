import { type Budget, toBudgetWords } from "../../protocol/usage.ts";
import { Picker } from "../layout/picker.tsx";

/** Read by `parseBudget`; an empty one means none. */
const usualAmounts = ["100,000 tokens", "300,000 tokens", "1,000,000 tokens", "$0.25", "$1.00", "$5.00"];

/** The limit of one session. `value` is null while nothing was chosen: then the default counts. */
export function BudgetPicker({
  usual,
  value,
  onPick,
}: {
  usual: Budget | null;
  value: string | null;
  onPick: (value: string) => void;
}) {
  const words = usual ? toBudgetWords(usual) : "";
  const amounts = [...new Set(["", words, ...usualAmounts])];
  return (
    <Picker
      label="Budget"
      icon="slash"
      value={value ?? words}
      onPick={onPick}
      options={amounts.map((amount) => ({ value: amount, label: amount === "" ? "No budget" : `Up to ${amount}` }))}
    />
  );
}
