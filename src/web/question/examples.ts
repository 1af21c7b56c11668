import type { FirstQuestion } from "../../protocol/api.ts";

/** The demo database's own questions to begin with; for another workspace the server looks for some. */
export const demoExamples: FirstQuestion[] = [
  { question: "Which customer has spent the most money?", kind: "1 join" },
  { question: "What were the total sales in each year?", kind: "1 table" },
  { question: "Which five artists have the most albums?", kind: "1 join" },
  { question: "Which playlists contain no tracks?", kind: "outer join" },
  { question: "Which customer spent the most in each country?", kind: "ranking" },
];

const draftKey = "thothii-draft";

/** The unsent question of this tab: it survives a reload and a look at another session. */
export function readDraft(): string {
  try {
    return window.sessionStorage.getItem(draftKey) ?? "";
  } catch {
    return ""; // storage can be forbidden
  }
}

export function keepDraft(text: string): void {
  try {
    window.sessionStorage.setItem(draftKey, text);
  } catch (cause) {
    console.warn("The draft is not kept.", cause);
  }
}
