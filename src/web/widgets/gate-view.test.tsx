import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, describe, expect, test } from "vitest";
import type { OpenGate } from "../../protocol/gates.ts";
import { reservedNames } from "../elements/reserved-names.ts";
import { changeDraft, readDraft } from "./draft.ts";
import { GateView, type GateViewProps } from "./gate-view.tsx";
import { allGates, cannotGate, filterGate, joinGate, questionGate, sqlGate } from "./review.fixture.ts";

const render = (gate: OpenGate, props: Partial<GateViewProps> = {}) =>
  renderToStaticMarkup(<GateView gate={gate} live sending={false} onAnswer={() => undefined} {...props} />);
const reset = { text: "", choice: null, accepted: [], answers: {}, otherOpen: false };
afterEach(() => {
  for (const gate of allGates) changeDraft(gate.gateId, () => reset);
});

interface Button {
  name: string;
  html: string;
}
const buttons = (html: string): Button[] =>
  [...html.matchAll(/<button\b([^>]*)>(.*?)<\/button>/gs)]
    .filter((match) => !/role="(radio|tab|checkbox)"/.test(match[1] ?? ""))
    .map((match) => ({
      html: match[0],
      name: (/aria-label="([^"]*)"/.exec(match[1] ?? "")?.[1] ?? (match[2] ?? "").replace(/<[^>]*>/g, "")).trim(),
    }));
const named = (html: string, name: string) => buttons(html).filter((button) => button.name === name);

describe("the frame of every gate", () => {
  test.each(allGates.map((gate) => [gate.gateId, gate] as const))(
    "%s: region Review with exactly one Continue and one Other",
    (_, gate) => {
      const html = render(gate);
      expect(html).toMatch(/^<section id="review" aria-label="Review"/);
      expect(named(html, "Continue")).toHaveLength(1);
      expect(named(html, "Other — specify")).toHaveLength(1);
      expect(html).not.toContain("could not show");
    },
  );

  test.each(allGates.map((gate) => [gate.gateId, gate] as const))(
    "%s: no further button's name holds a reserved one, closed or open",
    (_, gate) => {
      for (const otherOpen of [false, true]) {
        const allowed = ["Continue", "Other — specify", ...(otherOpen ? ["Send"] : [])];
        for (const { name } of buttons(render(gate, { otherOpen }))) {
          if (allowed.includes(name)) continue;
          for (const reserved of reservedNames) expect(name.toLowerCase()).not.toContain(reserved.toLowerCase());
        }
      }
    },
  );

  test("a chip or value that holds a reserved name is a checkbox instead", () => {
    const gate: OpenGate = {
      ...filterGate,
      payload: {
        ...filterGate.payload,
        frame: {
          ...filterGate.payload.frame,
          chips: [{ group: "G", chips: [{ label: "Start from Question", text: "x" }] }],
        },
        filters: [
          {
            ...(filterGate.payload.filters?.[0] as NonNullable<typeof filterGate.payload.filters>[number]),
            matches: [{ value: "Nonstop", how: "exact", rows: 1, inFilter: true }],
          },
        ],
      },
    };
    const html = render(gate, { otherOpen: true });
    expect(html).toMatch(/role="checkbox" aria-checked="false"[^>]*>.*?Start from Question/s);
    expect(html).toMatch(/role="checkbox"[^>]*aria-label="Leave out Nonstop"/);
  });

  test("exactly one filled button: Continue, or Send once Other is open, or Reject on a deviation", () => {
    const filled = (html: string) =>
      buttons(html)
        .filter((button) => /class="(?:[^"]* )?bg-accent[ "]/.test(button.html))
        .map((button) => button.name);
    changeDraft(joinGate.gateId, (draft) => ({ ...draft, text: "Without Genre." }));
    changeDraft(sqlGate.gateId, (draft) => ({ ...draft, text: "Keep it." }));
    expect(filled(render(joinGate))).toEqual(["Continue"]);
    expect(filled(render(joinGate, { otherOpen: true }))).toEqual(["Send"]);
    expect(filled(render(sqlGate))).toEqual(["Reject and keep #27"]);
    expect(filled(render(sqlGate, { otherOpen: true }))).toEqual(["Send"]);
  });

  test("an empty What should change can't be sent, and the reason stands beside it", () => {
    const html = render(joinGate, { otherOpen: true });
    const send = named(html, "Send")[0]?.html ?? "";
    expect(send).toContain('aria-disabled="true"');
    const reason = /aria-describedby="([^"]*)"/.exec(send)?.[1] ?? "?";
    expect(html).toContain(`<p id="${reason}" class="text-xs text-ink-2">Say what should change first`);
    changeDraft(joinGate.gateId, (draft) => ({ ...draft, text: "  \n " }));
    expect(named(render(joinGate, { otherOpen: true }), "Send")[0]?.html).toContain('aria-disabled="true"');
    changeDraft(joinGate.gateId, (draft) => ({ ...draft, text: "x" }));
    expect(named(render(joinGate, { otherOpen: true }), "Send")[0]?.html).not.toContain("aria-disabled");
  });

  test("the draft is kept by gate id, over a gate that is delivered again", () => {
    changeDraft(joinGate.gateId, (draft) => ({ ...draft, text: "Half a thought", otherOpen: true }));
    expect(render(structuredClone(joinGate))).toContain(">Half a thought</textarea>");
    expect(render({ ...joinGate, gateId: "F3-2" })).not.toContain("Half a thought");
    expect(readDraft("F3-2")).toEqual(reset);
  });

  test("not live, blocked, lost and sending each say so, and only the first leaves Continue usable", () => {
    const isBlocked = (html: string) => named(html, "Continue")[0]?.html.includes('aria-disabled="true"');
    const notLive = render(joinGate, { live: false });
    expect(notLive).toContain("Not live.");
    expect(isBlocked(notLive)).toBe(false);
    for (const props of [
      { blocked: "ThothII is not running." },
      { lost: "Already answered in another tab: Continue, 14:06." },
      { sending: true },
    ]) {
      const html = render(joinGate, props);
      expect(isBlocked(html)).toBe(true);
      expect(html).toContain(props.blocked ?? props.lost ?? "Your answer is on its way.");
    }
  });

  test("what can't be answered is said with what is missing", () => {
    expect(render(cannotGate)).toContain("chinook has no cost column.");
  });

  test("the proposed option is preselected, and a choice stays", () => {
    const checked = (html: string) =>
      /role="radio"[^>]*aria-checked="true"[^>]*value="([^"]*)"|aria-checked="true"[^>]*value="([^"]*)"/
        .exec(html)
        ?.slice(1)
        .find(Boolean);
    expect(checked(render(questionGate))).toBe("all");
    changeDraft(questionGate.gateId, (draft) => ({ ...draft, choice: "sold" }));
    expect(checked(render(questionGate))).toBe("sold");
  });

  test("markup from the model or the database never becomes HTML", () => {
    const evil = "<img src=x onerror=alert(1)>";
    const seed = JSON.stringify(allGates).replaceAll("Track", evil).replaceAll("Rock", evil).replaceAll("U2", evil);
    for (const gate of JSON.parse(seed) as OpenGate[]) expect(render(gate, { otherOpen: true })).not.toMatch(/<img/);
  });
});

describe("sql-review", () => {
  test("Continue is blocked while a deviation is open, and says why in the dock", () => {
    const html = render(sqlGate);
    expect(named(html, "Continue")[0]?.html).toContain('aria-disabled="true"');
    expect(html).toContain("Continue is blocked by 1 deviation.");
    changeDraft(sqlGate.gateId, (draft) => ({ ...draft, accepted: ["d1"] }));
    const accepted = render(sqlGate);
    expect(named(accepted, "Continue")[0]?.html).not.toContain("aria-disabled");
    expect(accepted).toContain("Accepts 1 deviation as a new decision.");
  });

  test("C6.1 one block without a layout control, and the result in its region", () => {
    const html = render(sqlGate);
    expect(html).not.toMatch(/aria-label="Layout"/);
    expect(html).toMatch(/<section aria-label="Result"/);
  });
});
