import { describe, expect, it } from "vitest";
import type { Column } from "../../protocol/index.ts";
import { flagName, flagOf } from "./flags.ts";

const column = (name: string, kind: Column["kind"], samples: string[]) => ({
  isKey: false,
  info: {
    name,
    type: kind === "boolean" ? "BOOLEAN" : "TEXT",
    kind,
    nullable: true,
    samples,
    distinct: samples.length,
  },
});

describe("columns that only say yes or no", () => {
  it("are told by their values", () => {
    expect(flagOf(column("member", "text", ["Yes", "No"]))).toEqual({ yes: "Yes", no: "No" });
    expect(flagOf(column("member", "text", ["Yes", "Perhaps"]))).toBeUndefined();
  });

  it("are told by name, type or both digits", () => {
    expect(flagOf(column("stops", "integer", ["1", "0"]))).toBeUndefined();
    expect(flagOf(column("rank", "integer", ["1", "2"]))).toBeUndefined();
    expect(flagOf(column("active", "integer", ["1", "0"]))).toEqual({ yes: "1", no: "0" });
    expect(flagOf(column("is_open", "integer", ["1", "0"]))).toEqual({ yes: "1", no: "0" });
    expect(flagOf(column("open", "boolean", ["0"]))).toEqual({ yes: "1", no: "0" });
  });

  it("go without the words that only mark them", () => {
    expect(flagName(["has", "garden"])).toEqual(["garden"]);
    expect(flagName(["paid", "yn"])).toEqual(["paid"]);
    expect(flagName(["is"])).toEqual(["is"]);
  });
});
