/** What only looks at a stream ends by itself. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("C10.2 a question asked at the command line exits by itself once it is answered", async () => {
  const home = mkdtempSync(join(tmpdir(), "thoth-probe-"));
  const asking = spawn(process.execPath, ["src/cli/main.ts", "ask", "How many artists are there?", "--yes", "--json"], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
    env: { ...process.env, THOTH_HOME: home, THOTH_NO_OPEN: "1" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let said = "";
  asking.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const limit = setTimeout(() => asking.kill("SIGKILL"), 40_000);
  const end = await new Promise((done) => asking.once("exit", (code, signal) => done(signal ?? code)));
  clearTimeout(limit);
  rmSync(home, { recursive: true, force: true });
  expect(end).toBe(0);
  expect(JSON.parse(said)).toMatchObject({ outcome: "answered", result: { rows: [[275]] } });
}, 60_000);
