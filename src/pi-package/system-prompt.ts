/** The standing rules that a child of the server gets as its system prompt. */
import { readFileSync } from "node:fs";
import { systemPromptFile } from "../workflow/phase-prompts.ts";

export const systemPrompt = readFileSync(systemPromptFile, "utf8");
