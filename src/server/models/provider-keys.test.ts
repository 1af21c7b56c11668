import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toModelItem } from "./probe-models.ts";
import { readProviderKeys } from "./provider-keys.ts";

async function homeWith(files: Record<string, unknown>): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "home-"));
  for (const [name, value] of Object.entries(files))
    await writeFile(join(home, name), typeof value === "string" ? value : JSON.stringify(value));
  return home;
}

it("a child gets the key of its own provider and no other, from keys.json before the environment", async () => {
  const home = await homeWith({
    "keys.json": { anthropic: "from-file", local: "local-secret" },
    "models.json": {
      providers: {
        local: { baseUrl: "http://127.0.0.1:1/v1", apiKey: "$LOCAL_KEY", models: [] },
        plain: { apiKey: "dummy" },
      },
    },
  });
  const keys = await readProviderKeys(home, {
    ANTHROPIC_API_KEY: "from-env",
    OPENAI_API_KEY: "openai-env",
    GEMINI_API_KEY: "",
  });
  expect(keys.forProvider("anthropic")).toEqual({ ANTHROPIC_API_KEY: "from-file" });
  expect(keys.forProvider("openai")).toEqual({ OPENAI_API_KEY: "openai-env" });
  expect(keys.forProvider("local")).toEqual({ LOCAL_KEY: "local-secret" });
  for (const none of ["google", "plain", "thoth", "constructor", "nobody"]) expect(keys.forProvider(none)).toEqual({});
  expect(keys.forAll()).toEqual({
    ANTHROPIC_API_KEY: "from-file",
    OPENAI_API_KEY: "openai-env",
    LOCAL_KEY: "local-secret",
  });
  expect(keys.secrets).toEqual(expect.arrayContaining(["from-file", "local-secret", "openai-env"]));
});

it("no files are no keys, and a damaged file is named without what stands in it", async () => {
  expect((await readProviderKeys(await homeWith({}), {})).forAll()).toEqual({});
  for (const text of ['{"anthropic": "SECRET"', '{"anthropic": {"key": "SECRET"}}']) {
    const error = await readProviderKeys(await homeWith({ "keys.json": text }), {}).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "keys-damaged" });
    expect(JSON.stringify(error) + String((error as Error).stack) + String((error as Error).cause)).not.toContain(
      "SECRET",
    );
  }
});

it("a model's levels follow its map: nothing named is up to high, the highest two only when named", () => {
  const none = { described: new Map() };
  const levels = (more: object) =>
    toModelItem({ provider: "p", id: "m", reasoning: true, ...more }, none)[0]?.thinkingLevels;
  expect(levels({})).toEqual(["off", "minimal", "low", "medium", "high"]);
  expect(
    levels({ thinkingLevelMap: { off: null, minimal: null, low: "low", medium: null, high: "high", xhigh: "xhigh" } }),
  ).toEqual(["low", "high", "xhigh"]);
  expect(levels({ reasoning: false })).toEqual(["off"]);
  expect(toModelItem({ provider: "p" }, none)).toEqual([]);
  expect(
    toModelItem(
      { provider: "local", id: "m", baseUrl: "http://localhost:1/v1", contextWindow: 10, headers: { secret: "x" } },
      { described: new Map([["local", { baseUrl: "http://localhost:1/v1" }]]) },
    ),
  ).toEqual([
    {
      provider: "local",
      id: "m",
      name: "m",
      reasoning: false,
      thinkingLevels: ["off"],
      contextWindow: 10,
      price: null,
      local: true,
    },
  ]);
});
