import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "../elements/class-names.ts";
import { Icon } from "../elements/icon.tsx";

export interface DialogProps {
  title: string;
  intro?: string;
  wide?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** For what one looks up beside the work; gates never come in one. Escape closes. */
export function Dialog({ title, intro, wide, onClose, children }: DialogProps) {
  return (
    <Radix.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 bg-canvas/70" />
        <Radix.Content
          {...(intro ? {} : { "aria-describedby": undefined })}
          className={cn(
            "fixed left-1/2 top-[10vh] z-50 flex max-h-[80vh] w-[calc(100vw-32px)] -translate-x-1/2 flex-col rounded-lg bg-raised shadow-pop",
            wide ? "max-w-[880px]" : "max-w-[520px]",
          )}
        >
          <div className="flex items-start gap-3 border-b border-line px-5 py-3">
            <div className="min-w-0 flex-1">
              <Radix.Title className="text-lg font-semibold tracking-[-0.01em]">{title}</Radix.Title>
              {intro ? <Radix.Description className="mt-0.5 text-sm text-ink-2">{intro}</Radix.Description> : null}
            </div>
            <Radix.Close className="icon-btn -mr-2" aria-label="Close">
              <Icon name="close" />
            </Radix.Close>
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4" tabIndex={0}>
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
