/** Names under which what was fetched is kept; apart from the stream, so that a page without a session need not load it. */

export const pollMs = 3_000;
export const sessionKey = (id: string) => ["session", id] as const;
/** The result that the last gate showed for a statement. */
export const reviewedKey = (id: string, sql: string) => ["reviewed", id, sql] as const;
export const ledgerKey = (id: string) => ["ledger", id] as const;
/** The question as it was asked on this page, known before the session can be fetched. */
export const askedKey = (id: string) => ["asked", id] as const;
export interface Asked {
  question: string;
  at: number;
}
