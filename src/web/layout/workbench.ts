/** What of the page is open at the moment; every screen shares it, so that nothing folds up when the session changes. */
import { useMemo, useState } from "react";

/** Below 1024 pixels one of three views is shown. */
export type Tab = "sessions" | "review" | "activity";
export type DialogName = "keys" | "add-database" | null;

export interface Workbench {
  tab: Tab;
  setTab(tab: Tab): void;
  /** The list of sessions over the page, at widths that only have the rail. */
  listOpen: boolean;
  setListOpen(open: boolean): void;
  activityOpen: boolean;
  setActivityOpen(open: boolean): void;
  dialog: DialogName;
  setDialog(dialog: DialogName): void;
}

const columns = window.matchMedia("(min-width: 1280px)");

export function useWorkbench(): Workbench {
  const [tab, setTab] = useState<Tab>("review");
  const [listOpen, setListOpen] = useState(false);
  const [activityOpen, setActivityOpen] = useState(columns.matches);
  const [dialog, setDialog] = useState<DialogName>(null);
  return useMemo(
    () => ({ tab, setTab, listOpen, setListOpen, activityOpen, setActivityOpen, dialog, setDialog }),
    [tab, listOpen, activityOpen, dialog],
  );
}
