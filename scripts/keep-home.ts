/**
 * Keeps what this version writes for later versions to open: test/fixtures/homes/<version>/, with one session that is
 * answered, one that cannot be, one that waits at a gate, and a workspace.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { OpenGate } from "../src/protocol/index.ts";
import { Product } from "../test/fixtures/product.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const kept = join(root, "test/fixtures/homes", version);

const product = await Product.start();
try {
  await product.call("/api/workspaces", "POST", { name: "shop", file: join(root, "demo/chinook.sqlite") });
  const answered = await product.create("Which customer has spent the most money?");
  let sentBack = false;
  await product.run(answered, (gate) => {
    if (gate.kind !== "join-review" || sentBack) return {};
    sentBack = true;
    return { answer: "other", text: "use LEFT JOIN for Customer and Invoice" };
  });
  await product.run(await product.create("What is the weather in Paris?"));
  const waiting = await product.create("How much revenue did each country bring?");
  const first = (await product.settle(waiting)).openGate as OpenGate | null;
  if (!first) throw new Error("the question that should wait came to no gate");
  await product.answer(waiting, first);
  await product.settle(waiting, new Set([first.gateId]));
  await product.end("SIGKILL");
  rmSync(kept, { recursive: true, force: true });
  for (const id of readdirSync(join(product.home, "sessions"))) {
    mkdirSync(join(kept, "sessions", id), { recursive: true });
    for (const file of ["manifest.json", "ledger.json"])
      cpSync(join(product.home, "sessions", id, file), join(kept, "sessions", id, file));
  }
  cpSync(join(product.home, "workspaces"), join(kept, "workspaces"), { recursive: true });
  console.log(`kept ${readdirSync(join(kept, "sessions")).length} sessions of ${version}`);
} finally {
  await product.remove();
}
