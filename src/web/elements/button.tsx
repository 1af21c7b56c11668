import { type ButtonHTMLAttributes, type MouseEvent, type Ref, useId } from "react";
import { cn } from "./class-names.ts";
import { Icon, type IconName } from "./icon.tsx";

type NativeButton = ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> };

export interface ButtonProps extends NativeButton {
  variant?: "primary" | "secondary" | "ghost";
  size?: "md" | "sm";
  /** Why it can't be used now. The button stays focusable, so that the reason can be read. */
  blocked?: string;
  icon?: IconName;
}

const base =
  "inline-flex shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-md font-medium transition-colors duration-fast";
const sizes = { md: "h-8 px-3 text-sm", sm: "h-7 px-2.5 text-xs" };
const variants = {
  primary: "bg-accent text-on-accent hover:bg-accent-hover",
  secondary: "border border-line-strong bg-raised text-ink hover:border-control hover:bg-hover",
  ghost: "px-2 text-ink-2 hover:bg-hover hover:text-ink",
};
const off = "cursor-not-allowed border border-line-strong bg-sunken text-ink-3";

/** With `blocked` and no `aria-describedby` of its own, the button brings a hidden sentence that says why. */
export function Button({
  variant = "secondary",
  size = "md",
  blocked,
  icon,
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  const ownReason = useId();
  const describedBy = rest["aria-describedby"] ?? (blocked ? ownReason : undefined);
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    if (blocked) event.preventDefault();
    else onClick?.(event);
  };
  return (
    <>
      <button
        type="button"
        {...rest}
        aria-describedby={describedBy}
        aria-disabled={blocked ? true : rest["aria-disabled"]}
        className={cn(base, sizes[size], blocked ? off : variants[variant], className)}
        onClick={click}
      >
        {icon ? <Icon name={icon} className="h-3.5 w-3.5" /> : null}
        {children}
      </button>
      {blocked && describedBy === ownReason ? (
        <span id={ownReason} className="sr-only">
          {blocked}
        </span>
      ) : null}
    </>
  );
}

export interface IconButtonProps extends NativeButton {
  label: string;
  icon: IconName;
  iconClassName?: string;
}

export function IconButton({ label, icon, className, iconClassName, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={cn(
        "inline-flex h-7 w-7 shrink-0 items-center justify-center rounded-md text-ink-3 transition-colors duration-fast hover:bg-hover hover:text-ink",
        className,
      )}
    >
      <Icon name={icon} className={iconClassName} />
    </button>
  );
}
