/** What findings about joins are made of. Pure. */
import type { Chip, Finding, Severity } from "../protocol/index.ts";
import { cut } from "./ask.ts";
import type { JoinedTable } from "./join-graph.ts";

export type Draft = Omit<Finding, "id" | "severity" | "waysOut"> & { waysOut?: (Chip | undefined)[] };
export type AddFinding = (severity: Severity, draft: Draft) => void;

export const toChip = (text: string): Chip => ({ label: cut(text, 120), text: cut(text, 400) });
export const nameOf = (table: JoinedTable): string => table.table.name;
