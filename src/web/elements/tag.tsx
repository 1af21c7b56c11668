import type { MouseEvent, ReactNode } from "react";
import { cn } from "./class-names.ts";
import { Icon } from "./icon.tsx";
import { type Tone, tones } from "./tone.ts";

export interface TagProps {
  tone: Tone;
  children: ReactNode;
  /** `#id` of what the tag counts; a click scrolls there and leaves the address alone. */
  href?: string;
}

export function Tag({ tone, children, href }: TagProps) {
  const look = tones[tone];
  const className = cn(
    "inline-flex h-5 items-center gap-1 whitespace-nowrap rounded-sm border px-1.5 text-2xs font-medium",
    look.line,
    look.soft,
    look.text,
  );
  const content = (
    <>
      <Icon name={look.icon} className="h-3 w-3" />
      {children}
    </>
  );
  if (!href) return <span className={className}>{content}</span>;
  const jump = (event: MouseEvent) => {
    const target = document.getElementById(href.slice(1));
    if (!target) return;
    event.preventDefault();
    target.scrollIntoView({ block: "start" });
  };
  return (
    <a href={href} className={className} onClick={jump}>
      {content}
    </a>
  );
}
