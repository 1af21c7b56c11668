/** One correction in a real session: kept, saved, linted, verified and exported, each by the product's own doors. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parseQuestions } from "../../src/evaluation/questions.ts";
import type { KeptPiece, LedgerView, Suggestions } from "../../src/protocol/index.ts";
import { readKnowledge } from "../../src/workspace/read-knowledge.ts";
import { Product } from "../fixtures/product.ts";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
let product: Product;
beforeAll(async () => {
  product = await Product.start();
});
afterAll(() => product?.remove());

const run = promisify(execFile);
const thoth = async (...args: string[]): Promise<string> => {
  const { stdout } = await run(process.execPath, [main, "workspace", ...args], {
    env: { ...process.env, THOTH_HOME: product.home },
  });
  return stdout;
};

it("a correction at the join review and the accepted answer stay with the workspace", async () => {
  const question = "How many albums does each artist have? Show the artist name and the count.";
  const words = "Use LEFT JOIN in 1";
  const id = await product.create(question);
  let corrected = false;
  const { view, result } = await product.run(id, (gate) => {
    if (gate.kind !== "join-review" || corrected) return {};
    corrected = true;
    return { answer: "other", text: words };
  });
  expect(view.outcome).toBe("answered");

  const path = `/api/sessions/${id}`;
  const { suggestions, verified } = (await product.call<Suggestions>(`${path}/suggestions`)).body;
  expect(suggestions).toMatchObject([{ phase: "F3", text: words, state: "open" }]);
  expect(verified).toEqual({ question, saved: null, replaces: null });
  const [draft] = suggestions[0]?.drafts ?? [];
  expect(draft).toMatchObject({ kind: "relation", from: { columns: ["ArtistId"] }, to: { columns: ["ArtistId"] } });

  const kept = await product.call<KeptPiece>(`${path}/suggestions/${suggestions[0]?.seq}`, "POST", draft);
  expect([kept.status, kept.body.file]).toEqual([201, "relations.yaml"]);
  const saved = await product.call<KeptPiece>(`${path}/verified`, "POST", {});
  expect(saved.status).toBe(201);
  const again = await product.call<KeptPiece>(`${path}/verified`, "POST", {});
  expect(again.body).toEqual(saved.body);

  const folder = join(product.home, "workspaces", "demo");
  const knowledge = await readKnowledge(folder);
  expect(knowledge.faults).toEqual([]);
  expect(knowledge.verified).toMatchObject([
    {
      question,
      sql: view.sql,
      row_count: result?.rowCount,
      columns: result?.columns,
      model: expect.stringMatching(/^thoth\//),
    },
  ]);
  const { entries } = (await product.call<LedgerView>(`${path}/ledger`)).body;
  const sql = entries.find(({ decision }) => decision?.kind === "sql");
  expect(knowledge.verified[0]?.origin).toEqual({ session: id, seq: sql?.seq });
  const held = entries.filter(({ type, holds }) => type === "decision" && holds);
  expect(knowledge.verified[0]?.decisions).toEqual(held.map(({ seq, phase, decision }) => ({ seq, phase, decision })));
  expect(entries.slice(-2).map(({ type, text }) => [type, text])).toEqual([
    ["knowledge", `#${suggestions[0]?.seq} kept as ${kept.body.id}`],
    ["knowledge", `#${sql?.seq} kept as ${saved.body.id}`],
  ]);

  expect(await thoth("lint", "demo")).toBe("demo: 2 pieces that can be used, no fault.\n");
  expect(await thoth("verify", "demo")).toContain("demo: 1 of 1 verified queries hold.\n");
  mkdirSync(join(product.home, "out"));
  const file = join(product.home, "out", "questions.jsonl");
  await thoth("export", "demo", "--jsonl", file);
  expect(parseQuestions(readFileSync(file, "utf8"))).toMatchObject([{ question, gold_sql: view.sql, db: "chinook" }]);
  expect(existsSync(`${file}.tmp`)).toBe(false);
});
