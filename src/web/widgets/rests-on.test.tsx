import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { check } from "../../protocol/check.ts";
import { GateFrame, type RestsOnItem } from "../../protocol/gates.ts";
import { RestsOn } from "./rests-on.tsx";

const rule: RestsOnItem = {
  seqs: [],
  label: "What the take is",
  knowledge: {
    kind: "evidence",
    title: "What the <take> is",
    file: "evidence/take.md",
    line: 1,
    excerpt: "The take means UnitPrice × Quantity.",
    why: "the question says “take”",
  },
};

describe("what a gate rests on", () => {
  test("knowledge stands apart from decisions, each with its kind, and closed at first", () => {
    const html = renderToStaticMarkup(<RestsOn items={[{ seqs: [4], label: "one row per artist" }, rule]} />);
    expect(html).toContain('href="#decision-4"');
    expect(html).toMatch(/<section aria-label="Rests on knowledge".*rule.*What the &lt;take&gt; is/s);
    expect(html).toContain('aria-expanded="false"');
    expect(html).not.toContain("evidence/take.md");
  });

  test("decisions alone look as before, and knowledge alone leaves no empty row of decisions", () => {
    expect(renderToStaticMarkup(<RestsOn items={[{ seqs: [4], label: "a" }]} />)).not.toContain("Rests on knowledge");
    expect(renderToStaticMarkup(<RestsOn items={[rule]} />)).not.toContain("Changing one reopens its phase");
    expect(renderToStaticMarkup(<RestsOn items={[]} />)).toBe("");
  });

  test("a frame of an earlier version is still a frame", () => {
    const frame = {
      title: "?",
      intro: "",
      findings: [],
      writes: [],
      consequence: "",
      otherConsequence: "",
      chips: [],
      restsOn: [{ seqs: [1, 2], label: "two tables" }],
      gatesLeft: 0,
    };
    expect(check(GateFrame, frame).ok).toBe(true);
    expect(check(GateFrame, { ...frame, restsOn: [rule] }).ok).toBe(true);
  });
});
