import type { MouseEvent } from "react";
import { Name } from "../elements/visible-text.tsx";
import { catalogPath, navigate } from "../route.ts";

export function TableLink({ workspace, table }: { workspace: string; table: string }) {
  const href = catalogPath(workspace, table);
  const open = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(href);
  };
  return (
    <a href={href} onClick={open} className="link font-mono">
      <Name text={table} />
    </a>
  );
}
