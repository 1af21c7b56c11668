/** What the model is told: the standing rules, and for each phase what to do in it, as files that can be read and changed. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type PhaseId, phaseIds } from "../protocol/index.ts";
import { hashOf } from "./canonical.ts";

const fileOf = (name: string): string => fileURLToPath(new URL(`./prompts/${name}.md`, import.meta.url));

/** Absolute path of the system prompt, given to the child as a file. */
export const systemPromptFile = fileOf("system");

const phasePrompts = new Map(phaseIds.map((phase) => [phase, readFileSync(fileOf(phase), "utf8").trim()]));

export const phasePrompt = (phase: PhaseId): string => phasePrompts.get(phase) ?? "";

/** Changes whenever one of the prompts does; kept in each manifest and with each question in the ledger. */
export const promptVersion = hashOf(
  [readFileSync(systemPromptFile, "utf8"), ...phasePrompts.values()].join("\n"),
).slice(0, 12);
