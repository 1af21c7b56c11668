/** What a session leaves behind in its workspace: the routes, and the name under which their answer is kept. */
import type { KeepPiece, KeptPiece, SaveVerified, Suggestions } from "../../protocol/knowledge.ts";
import { request } from "../session/api.ts";
import { ledgerKey } from "../session/query-keys.ts";

const session = (id: string) => `/api/sessions/${encodeURIComponent(id)}`;

/** Goes with the ledger: whoever asks for that one again asks for this one, too. */
export const suggestionsKey = (id: string) => [...ledgerKey(id), "suggestions"] as const;

export const knowledgeApi = {
  suggestions: (id: string) => request<Suggestions>("GET", `${session(id)}/suggestions`),
  keep: (id: string, seq: number, piece: KeepPiece) =>
    request<KeptPiece>("POST", `${session(id)}/suggestions/${seq}`, piece),
  drop: (id: string, seq: number) => request<Suggestions>("POST", `${session(id)}/suggestions/${seq}/drop`, {}),
  saveVerified: (id: string, body: SaveVerified) => request<KeptPiece>("POST", `${session(id)}/verified`, body),
};
