import { Popover } from "radix-ui";
import { useState } from "react";
import { Button, IconButton } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { reportPath } from "../session/api.ts";

export interface SessionMenuProps {
  sessionId: string;
  name: string;
  onRename: (name: string) => void;
  onDuplicate: () => void;
  onModel: () => void;
  onResume: () => void;
  onRemove: () => void;
  /** On a phone the header has no room for it. */
  stop: { stopping: boolean; press: () => void } | null;
}

const row = "w-full justify-start";
/** The field appears by the reader's own press, so it may take the focus. */
const takeFocus = (input: HTMLInputElement | null) => input?.focus();

export function SessionMenu(props: SessionMenuProps) {
  const { sessionId, name, onRename, onDuplicate, onModel, onResume, onRemove, stop } = props;
  const [open, setOpen] = useState(false);
  const [renaming, setRenaming] = useState<string | null>(null);
  const then = (run: () => void) => () => {
    setOpen(false);
    run();
  };
  return (
    <Popover.Root
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        setRenaming(null);
      }}
    >
      <Popover.Trigger asChild>
        <IconButton label="Session menu" icon="more" className="-mr-1" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          aria-label="Session menu"
          className="z-40 flex w-56 flex-col gap-0.5 rounded-md bg-raised p-1 shadow-pop"
        >
          {renaming === null ? (
            <>
              {stop ? (
                <Button
                  variant="ghost"
                  size="sm"
                  icon="stop"
                  className={`${row} sm:hidden`}
                  onClick={then(stop.press)}
                  blocked={stop.stopping ? "The model is being stopped." : undefined}
                >
                  {stop.stopping ? "Stopping" : "Stop"}
                </Button>
              ) : null}
              <Button variant="ghost" size="sm" icon="refresh" className={row} onClick={then(onResume)}>
                Resume
              </Button>
              <Button variant="ghost" size="sm" icon="model" className={row} onClick={then(onModel)}>
                Use another model
              </Button>
              <Button variant="ghost" size="sm" icon="text" className={row} onClick={() => setRenaming(name)}>
                Rename
              </Button>
              <Button variant="ghost" size="sm" icon="copy" className={row} onClick={then(onDuplicate)}>
                Duplicate
              </Button>
              <a
                href={reportPath(sessionId)}
                target="_blank"
                rel="noreferrer"
                className="btn-ghost btn-sm w-full justify-start px-2"
              >
                <Icon name="book" className="h-3.5 w-3.5" />
                Report
              </a>
              <Button variant="ghost" size="sm" icon="close" className={row} onClick={then(onRemove)}>
                Remove session
              </Button>
            </>
          ) : (
            <form
              className="flex flex-col gap-2 p-1"
              onSubmit={(event) => {
                event.preventDefault();
                setOpen(false);
                onRename(renaming.trim());
              }}
            >
              <label className="text-xs text-ink-2">
                Name
                <input
                  ref={takeFocus}
                  maxLength={200}
                  value={renaming}
                  onChange={(event) => setRenaming(event.target.value)}
                  className="field mt-1 py-1"
                />
              </label>
              <Button type="submit" size="sm">
                Save
              </Button>
            </form>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
