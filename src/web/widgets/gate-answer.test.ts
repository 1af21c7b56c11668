import { describe, expect, test } from "vitest";
import { toLineText, toMarks, toSeqsAt } from "./conformance-marks.ts";
import { toDifference, toRejectWords } from "./deviation-list.tsx";
import {
  continueBlocked,
  otherBlocked,
  toChipGroups,
  toContinue,
  toHeadTags,
  toIntro,
  toOther,
  toWrites,
} from "./gate-answer.ts";
import { toRestGroups, toSeqText } from "./rests-on.tsx";
import { cteGate, filterGate, frame, joinGate, questionGate, sqlGate, summaryGate } from "./review.fixture.ts";
import { toBar, toScale, toWaterfallRows } from "./waterfall-rows.ts";

const draft = { text: "", choice: null as string | null, accepted: [] as string[], answers: {}, otherOpen: false };

describe("answers", () => {
  test("Continue on a question sends the choice, the proposed one without any", () => {
    expect(toContinue(questionGate, draft)).toEqual({ answer: "continue", choice: "all" });
    expect(toContinue(questionGate, { ...draft, choice: "sold" })).toEqual({ answer: "continue", choice: "sold" });
    expect(toContinue(questionGate, { ...draft, choice: "gone" })).toEqual({ answer: "continue", choice: "all" });
    expect(toContinue(joinGate, { ...draft, choice: "all", accepted: ["d1"] })).toEqual({ answer: "continue" });
  });

  test("what Continue writes names the option that is chosen now", () => {
    const asked = {
      ...questionGate,
      payload: { ...questionGate.payload, frame: frame({ writes: ["choice   rock catalogue"] }) },
    };
    expect(toWrites(asked, draft)).toEqual(["choice   All rock tracks of the artist, sold or not"]);
    expect(toWrites(asked, { ...draft, choice: "sold" })).toEqual(["choice   Only tracks sold since 2023"]);
    expect(toWrites(joinGate, draft)).toEqual(joinGate.payload.frame.writes);
  });

  test("accepted deviations are named, unknown ids are not", () => {
    expect(toContinue(sqlGate, { ...draft, accepted: ["old", "d1"] })).toEqual({
      answer: "continue",
      acceptedDeviations: ["d1"],
    });
    expect(continueBlocked(sqlGate, draft)?.headline).toBe("Continue is blocked by 1 deviation.");
    expect(continueBlocked(sqlGate, { ...draft, accepted: ["d1"] })).toBeUndefined();
    expect(continueBlocked(joinGate, draft)).toBeUndefined();
  });

  test("Other sends the words without blank ends, and never none", () => {
    expect(toOther({ ...draft, text: "  Use LEFT JOIN.\n" })).toEqual({ answer: "other", text: "Use LEFT JOIN." });
    expect(otherBlocked({ ...draft, text: " \n" })).toBeTruthy();
    expect(otherBlocked({ ...draft, text: "x" })).toBeUndefined();
  });
});

test("head tags count what needs a look, or what was checked", () => {
  expect(toHeadTags(joinGate).map((tag) => tag.text)).toEqual(["1 warning", "2 notices"]);
  expect(toHeadTags(sqlGate).map((tag) => tag.text)).toEqual(["1 deviation", "1 notice"]);
  expect(toHeadTags(cteGate).map((tag) => tag.text)).toEqual(["6 checks passed"]);
  expect(toHeadTags(summaryGate).map((tag) => tag.text)).toEqual(["2 open questions"]);
});

test("the intro is left out where the list below says the same", () => {
  const read = (text: string, intro: string) =>
    toIntro({
      ...filterGate,
      payload: {
        frame: frame({ intro }),
        decisions: [
          { kind: "interpretation", aspect: "restatement", text },
          { kind: "interpretation", aspect: "grain", text: "artist" },
        ],
      },
    });
  expect(read("The five artists.", "The five artists.")).toBe("");
  expect(read("The five artists.", "The five artists. One row per artist.")).toBe("");
  expect(read("The five artists.", "Two readings are possible.")).toBe("Two readings are possible.");
  expect(toIntro(joinGate)).toBe(joinGate.payload.frame.intro);
});

test("a chip of the same name stands in one group only", () => {
  const chip = { label: "Use LEFT JOIN in 1", text: "Use LEFT JOIN in join 1." };
  const other = { label: "Without Genre", text: "Without Genre." };
  const groups = toChipGroups(
    frame({
      chips: [
        { group: "Findings", chips: [chip] },
        { group: "Joins", chips: [{ ...chip, text: "Use LEFT JOIN in 1." }, other] },
      ],
    }),
  );
  expect(groups).toEqual([
    { group: "Findings", chips: [chip] },
    { group: "Joins", chips: [other] },
  ]);
});

test("ways out come first among the chips, and none twice", () => {
  expect(toChipGroups(joinGate.payload.frame).map(({ group, chips }) => [group, chips.length])).toEqual([
    ["Findings", 5],
    ["Joins", 2],
  ]);
  const way = { label: "Without Genre", text: "Without Genre" };
  const finding = { id: "f", code: "c", severity: "notice" as const, title: "t", body: "b", waysOut: [way] };
  expect(
    toChipGroups(
      frame({
        findings: [finding],
        chips: [
          { group: "Joins", chips: [way] },
          { group: "Empty", chips: [] },
        ],
      }),
    ),
  ).toEqual([{ group: "Joins", chips: [way] }]);
});

describe("conformance", () => {
  test("each line carries its decisions; a deviating line is marked", () => {
    const marks = toMarks(sqlGate.payload.conformance);
    expect(marks[23]).toEqual({ text: "#27", bad: true });
    expect(marks[10]).toEqual({ text: "#5", bad: false });
    expect(marks[1]).toBeUndefined();
    expect([...toSeqsAt(sqlGate.payload.conformance, 24)]).toEqual([4]);
    const many = {
      rows: [1, 2, 3, 4, 5].map((seq) => ({ seq, text: "", status: "found" as const, lines: [1] })),
      deviations: [],
    };
    expect(toMarks(many)[1]?.text).toBe("#1 #2 +3");
  });

  test("lines and numbers are shortened to ranges", () => {
    expect(toLineText([28, 24, 29])).toBe("24, 28–29");
    expect(toSeqText([16, 11, 12, 13, 14, 15, 4])).toBe("#4, #11–16");
    const items = [
      { seqs: [5], label: "artist" },
      { seqs: [15, 16], label: "two tables" },
      { seqs: [99], label: "of who knows where" },
    ];
    const groups = toRestGroups(items, (seq) => (seq < 10 ? "F1" : seq < 20 ? "F2" : undefined));
    expect(groups.map((group) => [group.phase, group.items.map((item) => item.label)])).toEqual([
      [null, ["of who knows where"]],
      ["F1", ["artist"]],
      ["F2", ["two tables"]],
    ]);
  });

  test("the part that differs is marked on both sides, even where one side only lacks a word", () => {
    const accepted = "LEFT JOIN track_sales AS ts";
    const inSql = "JOIN track_sales AS ts";
    expect(toDifference(accepted, inSql).differs.trim()).toBe("LEFT JOIN");
    expect(toDifference(inSql, accepted).differs.trim()).toBe("JOIN");
    const { before, differs, after } = toDifference("a = 1 AND b = 2", "a = 1 AND b = 3");
    expect(before + differs + after).toBe("a = 1 AND b = 2");
    expect(differs).toBe("2");
  });

  test("rejecting names the decision to keep", () => {
    const [deviation] = sqlGate.payload.conformance.deviations;
    expect(deviation && toRejectWords(deviation)).toBe(
      "Keep #27, as accepted: LEFT JOIN track_sales AS ts ON ts.TrackId = rt.TrackId. Not as in this SQL: Line 23 says JOIN, you accepted LEFT JOIN.",
    );
  });
});

describe("waterfall", () => {
  const rows = toWaterfallRows(cteGate.payload.steps);
  test("a source table stands once, above the first step that reads it", () => {
    expect(rows.map((row) => (row.kind === "table" ? row.name : row.step.name))).toEqual([
      "Track",
      "rock_tracks",
      "InvoiceLine",
      "track_sales",
      "by_artist",
      "answer",
    ]);
  });

  test("bars are shares of the largest count and never exceed it", () => {
    const scale = toScale(rows);
    expect(scale).toBe(3503);
    for (const step of cteGate.payload.steps) {
      const bar = toBar(step, scale);
      expect(bar.kept).toBeCloseTo((step.rowCount / 3503) * 100);
      expect(bar.kept + bar.folded + bar.leftOut).toBeLessThanOrEqual(100.0001);
    }
    const grown = {
      ...cteGate.payload.steps[0],
      rowCount: 9000,
      folded: 50,
      leftOut: 99_999,
    } as (typeof cteGate.payload.steps)[number];
    const bar = toBar(grown, toScale([{ kind: "step", step: grown }]));
    expect(bar.kept + bar.folded + bar.leftOut).toBeLessThanOrEqual(100);
  });
});
