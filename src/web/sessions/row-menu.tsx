import { DropdownMenu } from "radix-ui";
import { useRef } from "react";
import { cn } from "../elements/class-names.ts";
import { Icon, type IconName } from "../elements/icon.tsx";
import { reportPath } from "../session/api.ts";

export interface RowMenuProps {
  id: string;
  /** Id of the element that names the session. */
  describedBy: string;
  onRename: () => void;
  onDuplicate: () => void;
  onModel: () => void;
  onRemove: () => void;
}

const item =
  "flex h-7 cursor-default select-none items-center gap-2 rounded-md px-2 text-xs text-ink-2 outline-none data-[highlighted]:bg-hover data-[highlighted]:text-ink";

/** What can be done with one session of the list. */
export function RowMenu({ id, describedBy, onRename, onDuplicate, onModel, onRemove }: RowMenuProps) {
  // The field to rename in takes the focus, and must not lose it to the button when the menu closes.
  const keepsFocus = useRef(false);
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        aria-label="Actions"
        aria-describedby={describedBy}
        className={cn(
          "icon-btn absolute right-1 top-1 h-6 w-6 bg-canvas opacity-0 focus-visible:opacity-100",
          "group-focus-within/row:opacity-100 group-hover/row:opacity-100 data-[state=open]:opacity-100",
          "[@media(hover:none)]:opacity-100",
        )}
      >
        <Icon name="more" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-50 w-48 rounded-md bg-raised p-1 shadow-pop"
          onCloseAutoFocus={(event) => {
            if (keepsFocus.current) event.preventDefault();
            keepsFocus.current = false;
          }}
        >
          <Choice
            icon="text"
            onSelect={() => {
              keepsFocus.current = true;
              onRename();
            }}
          >
            Rename
          </Choice>
          <Choice icon="copy" onSelect={onDuplicate}>
            Duplicate
          </Choice>
          <Choice icon="model" onSelect={onModel}>
            Use another model
          </Choice>
          <DropdownMenu.Item asChild className={item}>
            <a href={reportPath(id)} target="_blank" rel="noreferrer">
              <Icon name="book" className="h-3.5 w-3.5" />
              Report
            </a>
          </DropdownMenu.Item>
          <DropdownMenu.Separator className="mx-2 my-1 h-px bg-line" />
          <Choice icon="close" onSelect={onRemove}>
            Remove
          </Choice>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

const Choice = ({ icon, onSelect, children }: { icon: IconName; onSelect: () => void; children: string }) => (
  <DropdownMenu.Item className={item} onSelect={onSelect}>
    <Icon name={icon} className="h-3.5 w-3.5" />
    {children}
  </DropdownMenu.Item>
);
