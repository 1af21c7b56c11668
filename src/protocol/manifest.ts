/** What a session is, beside its ledger: the wish for model and thinking, never what happens to be in force. */
import { type Static, Type } from "typebox";
import { ReviewMode, ThinkingLevel } from "./phases.ts";

export const Manifest = Type.Object({
  version: Type.Literal(1),
  id: Type.String(),
  name: Type.Optional(Type.String()),
  workspace: Type.String(),
  question: Type.String(),
  provider: Type.String(),
  model: Type.String(),
  /** The level asked for; the level in force is read from the child. */
  thinking: ThinkingLevel,
  review: ReviewMode,
  /** Version of the prompts the session started with. */
  promptVersion: Type.String(),
  /** Checksum of the catalog the decisions rest on. */
  catalogChecksum: Type.String(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type Manifest = Static<typeof Manifest>;
