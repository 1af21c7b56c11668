/** The deltas of a real child at 200 a second, over connections that break: in order, none lost, none twice. */
import { get } from "node:http";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type CutLine, openCutLine } from "./cut-line.ts";
import { activity, launch, noteSources, patience, ScriptedPage, sourcesOf, turn } from "./scripted-page.ts";

/** Pieces of exactly the 12 characters that the scripted model gives at a time, each with its number. */
const pieces = (letter: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index).padStart(5, "0")} word `);
const thought = pieces("t", 800);
const said = pieces("s", 400);
const script = { start: [{ think: thought.join(""), text: said.join(""), delay: 4 }] };

let line: CutLine;
let product: ScriptedPage;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  line = await openCutLine();
  [product, browser] = await Promise.all([ScriptedPage.start({ publicPort: line.port }), launch()]);
  line.to(product.port);
  context = await product.enter(browser);
});
// A tab that a failed test left would take a live slot from the next one.
afterEach(() => Promise.all(context.pages().map((page) => page.close())));
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  await line?.close();
});

interface Frame {
  event: string;
  id: string | undefined;
  data: { at: number; block?: string; delta?: string; turn?: string; reason?: string };
}

/** Reads the session's stream until `enough` holds, then breaks the connection without a word. */
function readFrames(
  id: string,
  lastEventId: string | undefined,
  enough: (frames: Frame[]) => boolean,
): Promise<Frame[]> {
  return new Promise((done, fail) => {
    const frames: Frame[] = [];
    let text = "";
    const request = get(
      {
        host: "127.0.0.1",
        port: product.port,
        path: `/api/sessions/${id}/events`,
        headers: { ...product.headers(), ...(lastEventId ? { "last-event-id": lastEventId } : {}) },
      },
      (answer) => {
        answer.setEncoding("utf8");
        answer.on("data", (chunk: string) => {
          text += chunk;
          for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
            const found = /^event: (\w+)\n(?:id: (\S+)\n)?data: (.*)$/s.exec(text.slice(0, end));
            text = text.slice(end + 2);
            if (found) frames.push({ event: found[1] ?? "", id: found[2], data: JSON.parse(found[3] ?? "") });
          }
          if (!enough(frames)) return;
          request.destroy();
          done(frames);
        });
      },
    );
    request.on("error", fail);
  });
}

const deltas = (frames: Frame[], event: string) => frames.filter((frame) => frame.event === event);
const toText = (frames: Frame[], event: string) =>
  deltas(frames, event)
    .map((frame) => frame.data.delta)
    .join("");
const count = (frames: Frame[]) => deltas(frames, "activity_delta").length + deltas(frames, "text_delta").length;
const ended = (frames: Frame[]) => frames.some(({ event, data }) => event === "turn" && data.turn === "idle");

describe("1,200 deltas of a real child", () => {
  it("C1.1 C1.2 come in order, none lost and none twice, over two reconnects with Last-Event-ID in the middle", async () => {
    product.play(script);
    const id = await product.create("How fast?");
    const first = await readFrames(id, undefined, (frames) => count(frames) >= 200);
    const second = await readFrames(id, first.findLast((frame) => frame.id)?.id, (frames) => count(frames) >= 350);
    const third = await readFrames(id, second.findLast((frame) => frame.id)?.id, ended);
    const all = [...first, ...second, ...third];
    expect(toText(all, "activity_delta")).toBe(thought.join(""));
    expect(toText(all, "text_delta")).toBe(said.join(""));
    const ids = all.flatMap((frame) => (frame.id ? [frame.id] : []));
    expect(new Set(ids.map((one) => one.split("-")[0])).size).toBe(1);
    expect(ids.map((one) => Number(one.split("-")[1]))).toEqual(ids.map((_, index) => index + 1));
    // It was a stream and no lump: the child itself took its time, and each reader saw a part of it.
    const [begin, end] = [deltas(all, "activity_delta")[0], deltas(all, "text_delta").at(-1)];
    expect(count(all) / (((end?.data.at ?? 0) - (begin?.data.at ?? 0)) / 1000)).toBeGreaterThan(20);
    expect(count(second)).toBeGreaterThanOrEqual(350);
    expect(count(third)).toBeGreaterThan(0);
    // Who comes later, without a cursor, gets the same.
    const late = await readFrames(id, undefined, ended);
    expect(toText(late, "activity_delta")).toBe(thought.join(""));
    expect(toText(late, "text_delta")).toBe(said.join(""));
  }, 90_000);

  it("C9.1 C11.1 stand in the page as they were sent, over three cuts, a Resume, and an end nobody saw", async () => {
    product.play(script);
    const id = await product.create("How complete?");
    const page = await product.open(context, id);
    const shown = () => activity(page).textContent();
    // Reasoning that is over folds to its first words: then the output that follows tells that the piece was passed.
    const passed = (text: string, piece: string) =>
      text.includes(piece) || (piece.startsWith("t") && /s00\d{3} word/.test(text));
    const reached = (piece: string) =>
      expect
        .poll(async () => passed((await shown()) ?? "", piece), { timeout: patience, interval: 20, message: piece })
        .toBe(true);
    await reached("t00100");
    line.cut();
    await reached("t00300");
    line.cut(500);
    await reached("t00500");
    // A press while the line is still dead would be told so, and that is another test's.
    const answers = () =>
      page.evaluate(() =>
        fetch("/api/health").then(
          ({ ok }) => ok,
          () => false,
        ),
      );
    await expect.poll(answers, { timeout: patience }).toBe(true);
    // A kept Resume opens the same stream anew: its replay takes the place of what stands there.
    const resume = async () => {
      await page.getByRole("button", { name: "Session menu" }).click();
      const answer = page.waitForResponse((response) => response.url().endsWith("/resume"), { timeout: 8000 });
      await page.getByRole("button", { name: "Resume", exact: true }).click();
      return await (await answer).json();
    };
    // A request on a connection that the cut broke is lost without an answer; a person would press again.
    expect(await resume().catch(resume)).toMatchObject({ resumed: "kept" });
    await reached("s00200");
    // The rest of the turn goes by while the line is dead.
    line.cut(1500);
    await turn(page, "idle");
    await reached("s00399");
    const log = activity(page);
    await log.getByRole("button", { name: /Reasoning/ }).click();
    const rows = await log.locator("p, div.whitespace-pre-wrap").allTextContents();
    expect(rows.filter((text) => text === thought.join(""))).toHaveLength(1);
    expect(rows.filter((text) => text === said.join(""))).toHaveLength(1);
    const whole = (await log.textContent()) ?? "";
    for (const piece of ["t00000", "t00799", "s00000", "s00399"]) expect(whole.split(piece), piece).toHaveLength(2);
  }, 90_000);
});

describe("a line that falls silent", () => {
  it("C10.1 is found dead by the missing heartbeats; the page says so, and all is there once it speaks again", async () => {
    await noteSources(context);
    product.play({ start: [{ text: said.join(""), delay: 10 }] });
    const id = await product.create("Who is there?");
    const page: Page = await context.newPage();
    await page.clock.install();
    await page.goto(`${product.base}/s/${id}`);
    await expect.poll(() => activity(page).textContent(), { timeout: patience, interval: 20 }).toContain("s00020");
    line.silence();
    await page.clock.fastForward(40_000);
    await page.clock.fastForward(4_000);
    await expect
      .poll(() => page.getByRole("alert").allTextContents(), { timeout: patience })
      .toEqual([expect.stringMatching(/Live updates stopped|ThothII is not running/)]);
    line.mend();
    line.cut();
    await expect
      .poll(
        async () => {
          await page.clock.runFor(1_000);
          return await activity(page).textContent();
        },
        { timeout: patience },
      )
      .toContain("s00399");
    await turn(page, "idle");
    expect(await page.getByRole("alert").count()).toBe(0);
    expect((await sourcesOf(page)).filter(([, open]) => open)).toHaveLength(1);
    const rows = await activity(page).locator("p").allTextContents();
    expect(rows.filter((text) => text === said.join(""))).toHaveLength(1);
  }, 90_000);
});
