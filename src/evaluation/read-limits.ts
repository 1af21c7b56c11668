/** How much of a gold or predicted result is compared. */
import type { Read, ReadOptions } from "../database/database.ts";

export type { Read };

export const readLimits: ReadOptions = { maxRows: 100_000, maxBytes: 50_000_000, deadlineMs: 30_000 };
