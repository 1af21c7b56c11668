/** Four hours of one session in a minute, by a clock of our own: words, gates, waits and restarts, and nothing piles up. */
import { afterEach, expect, it } from "vitest";
import { childPids, openScripted, readStream, type Scripted } from "../fixtures/scripted-sessions.ts";

let scripted: Scripted;
afterEach(() => scripted?.close());

const minute = 60_000;
const decide = (text: string) => ({ tool: { name: "reviewer_decide", args: { phase: "F1", text, closes: false } } });

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const deadline = performance.now() + 45_000; !(await holds()); )
    if (performance.now() > deadline) throw new Error(`never came: ${what}\n${scripted.logged.join("\n")}`);
    else await new Promise((resolve) => setTimeout(resolve, 20));
}

it("is steered, left at gates for longer than a child waits, answered and gone on with, for four hours", async () => {
  const begun = Date.UTC(2026, 0, 5, 9);
  let now = begun;
  scripted = await openScripted({ clock: () => now, gateWaitMs: 30 * minute, lookAtGatesMs: 20 });
  /** What the model says next, whichever way it is asked. */
  const play = (round: number) =>
    scripted.play({
      start: [{ think: "I look.", ...decide("the first") }],
      steer: [{ think: "I look again.", ...decide(`as you said in ${round}`) }],
      resume: [{ think: "Where was I?", ...decide(`after the pause before ${round}`) }],
    });
  await play(1);
  const { id } = await scripted.sessions.create({ workspace: "demo", question: "How many?" });
  const { sessions } = scripted;
  const gates: string[] = [];
  /** The next open gate, which is another one than all before. */
  const nextGate = async () => {
    await until(async () => {
      const view = await sessions.view(id);
      expect(view.failure).toBeNull();
      return view.turn === "waiting" && view.openGate !== null && !gates.includes(view.openGate.gateId);
    }, "a gate");
    const { openGate } = await sessions.view(id);
    if (!openGate) throw new Error("no gate");
    gates.push(openGate.gateId);
    return openGate;
  };
  const reader = await readStream(sessions, id);
  let restarts = 0;
  for (let round = 1; now < begun + 240 * minute; round += 1) {
    const { gateId, hash } = await nextGate();
    if (round % 4 !== 0) {
      now += 9 * minute;
      await play(round);
      await sessions.steer(id, `Another thought, number ${round}.`);
    } else {
      // Nobody is there for a while: the child goes, the gate stays, and the answer brings another child.
      now += 31 * minute;
      await until(async () => (await childPids(scripted.home)).length === 0, "the child's end");
      restarts += 1;
      await play(round);
      await sessions.answer(id, gateId, { answerId: `a${round}`, hash, answer: "continue" });
    }
    expect((await childPids(scripted.home)).length).toBeLessThanOrEqual(1);
  }
  expect(restarts).toBeGreaterThanOrEqual(4);
  await nextGate();
  const entries = await scripted.entries(id);
  expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, at) => at + 1));
  const opened = entries.filter((entry) => entry.type === "gate-opened").length;
  expect(opened).toBe(gates.length);
  // Times go with the clock, forward only.
  const times = entries.map((entry) => Date.parse(entry.at));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(reader.frames.length).toBeGreaterThan(0);
  reader.close();
}, 240_000);
