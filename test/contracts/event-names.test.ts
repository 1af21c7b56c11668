/** One list of event names for both sides: what the server's sources can emit, the browser's stream listens to. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { initialBridge, toEvents } from "../../src/bridge/to-events.ts";
import { openEventStream } from "../../src/web/session/event-stream.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return sourcesBelow(path);
    return path.endsWith(".ts") && !/\.test\.|fixture/.test(path) ? [readFileSync(join(root, path), "utf8")] : [];
  });
}

/** Names that stand in the server's own code where an event is made. */
function emittedNames(): string[] {
  const code = [...sourcesBelow("src/server/sessions"), ...sourcesBelow("src/bridge")].join("\n");
  const found = [
    ...code.matchAll(/\bevent: "(\w+)"/g),
    ...code.matchAll(/\btoFrame\("(\w+)"/g),
    ...code.matchAll(/\baddDelta\(state, "(\w+)"/g),
  ];
  return [...new Set(found.map((match) => match[1] ?? ""))].sort();
}

function subscribedNames(): string[] {
  const names: string[] = [];
  const stream = openEventStream(
    "/x",
    { onSource: () => undefined, onFrame: () => undefined, onStatus: () => undefined },
    {
      openSource: () => ({ readyState: 0, addEventListener: (name) => void names.push(name), close: () => undefined }),
      setTimer: () => 0,
      clearTimer: () => undefined,
      now: () => 0,
      warn: () => undefined,
    },
  );
  stream.close();
  return names.filter((name) => name !== "error").sort();
}

describe("event names", () => {
  it("C1.3 whatever the server's sources emit is subscribed to by name, and nothing is listened for in vain", () => {
    const emitted = emittedNames();
    expect(emitted.length).toBeGreaterThan(10);
    expect(subscribedNames()).toEqual(emitted);
  });

  it("C1.1 no delta is dropped or changed, however little there is in it", () => {
    const deltas = ["", " ", "\n", "a", "\u2028", "𝄞", "  b  ", "\u0000"];
    let state = toEvents(initialBridge, { type: "message_start", message: { role: "assistant" } }).state;
    const said = deltas.flatMap((delta, index) => {
      const bridged = toEvents(state, {
        type: "message_update",
        assistantMessageEvent: { type: index % 2 ? "thinking_delta" : "text_delta", contentIndex: index % 2, delta },
      });
      state = bridged.state;
      return bridged.events.map(({ event, data }) => [event, (data as { delta: string }).delta]);
    });
    expect(said).toEqual(
      deltas.flatMap((delta, index) => (delta === "" ? [] : [[index % 2 ? "activity_delta" : "text_delta", delta]])),
    );
  });
});
