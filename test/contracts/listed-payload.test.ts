/** Of a gate's payload exactly what its schema lists is shown: nothing beside it, and all of it. */
import { Clean } from "typebox/value";
import { expect, it } from "vitest";
import { check, gates } from "../../src/protocol/index.ts";
import { allGates } from "../../src/web/widgets/review.fixture.ts";

it.each(allGates.map((gate) => [gate.kind, gate] as const))(
  "C12.2 a %s keeps each field that its schema lists",
  (kind, gate) => {
    expect(check(gates[kind], gate.payload)).toMatchObject({ ok: true });
    const planted = { ...structuredClone(gate.payload), planted: "MARK" } as Record<string, unknown>;
    (planted.frame as Record<string, unknown>).planted = "MARK";
    expect(Clean(gates[kind], planted)).toEqual(gate.payload);
  },
);
