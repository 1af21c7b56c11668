import { expect, test } from "vitest";
import { cellsIn, type KeyPress, moveSelection, type Selection, toSpan } from "./grid-selection.ts";

const size = { rows: 100, columns: 4, page: 20 };
const at = (row: number, column: number): Selection => ({ anchor: { row, column }, cursor: { row, column } });
const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  ...more,
});
const cursorAfter = (from: Selection | null, ...keys: KeyPress[]) =>
  keys.reduce<Selection | null>((now, key) => moveSelection(now, key, size), from)?.cursor;

test("the first arrow shows where the cursor is, the next ones move it, and the edges hold", () => {
  expect(cursorAfter(null, press("ArrowDown"))).toEqual({ row: 0, column: 0 });
  expect(cursorAfter(null, press("ArrowDown"), press("ArrowDown"), press("ArrowRight"))).toEqual({ row: 1, column: 1 });
  expect(cursorAfter(at(99, 3), press("ArrowDown"), press("ArrowRight"))).toEqual({ row: 99, column: 3 });
  expect(cursorAfter(at(0, 0), press("ArrowUp"), press("ArrowUp"), press("ArrowLeft"))).toEqual({ row: -1, column: 0 });
});

test("pages, ends and corners", () => {
  expect(cursorAfter(at(50, 1), press("PageDown"))).toEqual({ row: 70, column: 1 });
  expect(cursorAfter(at(5, 1), press("PageUp"))).toEqual({ row: 0, column: 1 });
  expect(cursorAfter(at(5, 1), press("End"))).toEqual({ row: 5, column: 3 });
  expect(cursorAfter(at(5, 1), press("End", { ctrlKey: true }))).toEqual({ row: 99, column: 3 });
  expect(cursorAfter(at(5, 1), press("Home", { ctrlKey: true }))).toEqual({ row: 0, column: 0 });
});

test("Shift grows a rectangle from where it was begun and never takes the head in", () => {
  const grown = [press("ArrowDown", { shiftKey: true }), press("ArrowRight", { shiftKey: true })].reduce<Selection>(
    (now, key) => moveSelection(now, key, size) ?? now,
    at(2, 1),
  );
  expect(toSpan(grown)).toEqual({ top: 2, bottom: 3, left: 1, right: 2 });
  expect(cellsIn(toSpan(grown))).toBe(4);
  expect(cursorAfter(at(0, 0), press("ArrowUp", { shiftKey: true }))).toEqual({ row: 0, column: 0 });
  expect(toSpan(moveSelection(at(3, 3), press("a", { ctrlKey: true }), size) ?? at(0, 0))).toEqual({
    top: 0,
    bottom: 99,
    left: 0,
    right: 3,
  });
  expect(moveSelection(at(3, 3), press("x"), size)).toBeNull();
});
