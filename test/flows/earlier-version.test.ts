/** A home that an earlier version wrote (test/fixtures/homes) opens in this one, with all that stands in it. */
import { cpSync, mkdtempSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { LedgerView, OpenGate, SessionItem } from "../../src/protocol/index.ts";
import { freePort, Product } from "../fixtures/product.ts";

const homes = fileURLToPath(new URL("../fixtures/homes", import.meta.url));

describe.each(readdirSync(homes))("a home of version %s", (version) => {
  it("opens: the answered question with its ledger and report, the one without data, the gate that waits", async () => {
    const home = mkdtempSync(join(tmpdir(), "thoth-earlier-"));
    cpSync(join(homes, version), home, { recursive: true });
    const product = new Product(await freePort(), home);
    await product.serve();
    try {
      const { sessions } = (await product.call<{ sessions: SessionItem[] }>("/api/sessions")).body;
      expect(sessions.map(({ outcome, turn }) => `${outcome} ${turn}`).sort()).toEqual([
        "answered idle",
        "cannot-answer idle",
        "null waiting",
      ]);
      const answered = sessions.find(({ outcome }) => outcome === "answered")?.id ?? "";
      const ledger = (await product.call<LedgerView>(`/api/sessions/${answered}/ledger`)).body;
      expect(ledger.entries.some(({ text }) => text?.includes("LEFT"))).toBe(true);
      const result = await product.call<{ rows: unknown[][] }>(`/api/sessions/${answered}/result?format=json`);
      expect(result.body.rows.map((row) => row.map(String))).toEqual([["Helena", "Holý"]]);
      const workspaces = (await product.call<{ workspaces: { name: string }[] }>("/api/workspaces")).body.workspaces;
      expect(workspaces.map(({ name }) => name)).toContain("shop");
      // The gate is answered and the question goes on to its end, with a child of this version.
      const waiting = sessions.find(({ turn }) => turn === "waiting")?.id ?? "";
      const gate = (await product.view(waiting)).openGate as OpenGate;
      expect(await product.answer(waiting, gate)).toBe(200);
      expect((await product.run(waiting)).view.outcome).toBe("answered");
    } finally {
      await product.remove();
    }
  });
});
