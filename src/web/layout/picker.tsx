import type { ReactNode } from "react";
import { cn } from "../elements/class-names.ts";
import { Icon, type IconName } from "../elements/icon.tsx";

export interface PickerProps {
  label: string;
  icon: IconName;
  value: string;
  onPick: (value: string) => void;
  options: { value: string; label: string }[];
  className?: string;
  children?: ReactNode;
}

/** A native select that looks like a quiet button: the system draws its list, on a phone too. */
export function Picker({ label, icon, value, onPick, options, className }: PickerProps) {
  return (
    <label
      className={cn(
        "relative inline-flex h-7 min-w-0 items-center rounded-md text-xs font-medium text-ink-2 hover:bg-hover hover:text-ink",
        className,
      )}
    >
      <span className="sr-only">{label}</span>
      <Icon name={icon} className="pointer-events-none absolute left-2 h-3.5 w-3.5" />
      <select
        value={value}
        onChange={(event) => onPick(event.target.value)}
        className="h-7 min-w-0 max-w-full cursor-pointer appearance-none truncate rounded-md bg-transparent pl-7 pr-6 font-medium [field-sizing:content]"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <Icon name="down" className="pointer-events-none absolute right-2 h-3 w-3" />
    </label>
  );
}
