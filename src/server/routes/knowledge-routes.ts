/** Routes about what a session leaves behind in its workspace: words that are kept or dropped, and its answer. */
import { KeepPiece, KeptPiece, Nothing, SaveVerified, Suggestions, ThothError } from "../../protocol/index.ts";
import { dropSuggestion, keepPiece, readSuggestions, saveVerified } from "../knowledge/keep-piece.ts";
import { defineRoute, type Route } from "./route.ts";

const common = ["session-unknown", "workspace-unknown", "workspace-broken"];
const writing = ["piece-invalid", "knowledge-broken", "knowledge-changed"];

export const knowledgeRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/api/sessions/:id/suggestions",
    summary: "The reviewer's own words that the workspace could remember, and whether the answer is saved.",
    answer: Suggestions,
    errors: common,
    handle: (request, parts) => readSuggestions(parts, request.param("id")),
  }),
  defineRoute({
    method: "POST",
    path: "/api/sessions/:id/suggestions/:seq",
    summary: "Keeps words of ledger entry :seq as a piece of the workspace's knowledge.",
    body: KeepPiece,
    status: 201,
    answer: KeptPiece,
    errors: [...common, "suggestion-unknown", "table-unknown", "piece-exists", "descriptions-broken", ...writing],
    handle: (request, parts) => keepPiece(parts, request.param("id"), toSeq(request.param("seq")), request.body),
  }),
  defineRoute({
    method: "POST",
    path: "/api/sessions/:id/suggestions/:seq/drop",
    summary: "Drops them for good; the ledger keeps them.",
    body: Nothing,
    answer: Suggestions,
    errors: [...common, "suggestion-unknown"],
    async handle(request, parts) {
      await dropSuggestion(parts, request.param("id"), toSeq(request.param("seq")));
      return await readSuggestions(parts, request.param("id"));
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/sessions/:id/verified",
    summary: "Saves the accepted SQL as a verified query of its workspace.",
    body: SaveVerified,
    status: 201,
    answer: KeptPiece,
    errors: [...common, "no-result-yet", "catalog-changed", "result-timeout", ...writing],
    handle: (request, parts) => saveVerified(parts, request.param("id"), request.body),
  }),
];

function toSeq(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new ThothError("suggestion-unknown", "There is no such ledger entry.", "Load the session again.");
}
