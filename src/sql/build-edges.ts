/** The joins of one FROM out of what stood in it, its ON conditions and WHERE. */
import type { Scope, Source } from "./scope.ts";
import {
  type EdgeFact,
  type EdgeKind,
  type EdgePair,
  edgeKind,
  type Found,
  type JoinItem,
  type Place,
} from "./statement-facts.ts";
import { spansOf } from "./tree.ts";

/** Joins of one FROM: column pairs by the two sources they connect. */
export function buildEdges(
  scope: Scope,
  joins: readonly JoinItem[],
  found: readonly Found[],
  covered: boolean,
): EdgeFact[] {
  const made: EdgeFact[] = [];
  const add = (left: Source, right: Source, kind: EdgeKind, pair: EdgePair | undefined, place: Place) => {
    let edge = made.find((known) => known.left === left && known.right === right);
    const swapped = edge ? undefined : made.find((known) => known.left === right && known.right === left);
    if (swapped) edge = swapped;
    if (!edge) {
      edge = {
        left,
        right,
        kind,
        alsoAnti: false,
        pairs: [],
        overSteps: left.table === undefined || right.table === undefined,
        ...place,
      };
      made.push(edge);
    }
    if (pair) edge.pairs.push(edge === swapped ? { left: pair.right, right: pair.left, text: pair.text } : pair);
  };
  for (const join of joins) {
    for (const { left, right, name, also } of join.using) {
      const [first, second] = /right/i.test(join.kind) ? [right, left] : [left, right];
      const origins = (source: Source) => source.output.find((column) => column.name === name)?.origins ?? [];
      add(
        first,
        second,
        edgeKind(join.kind),
        {
          left: [first, ...(first === left ? also : [])].flatMap(origins),
          right: [second, ...(second === left ? also : [])].flatMap(origins),
          text: name,
        },
        placeOf(second, join, covered),
      );
    }
  }
  for (const item of found) {
    if (!("pair" in item)) continue;
    if (typeof item.origin === "string" || item.outer) {
      // A correlated query in the SELECT list gives a row without partners an empty value, as LEFT JOIN does.
      add(item.left, item.right, item.outer ? "LEFT" : "INNER", item.pair, item.place);
      continue;
    }
    const order = (source: Source) => scope.sources.indexOf(source);
    const forward = order(item.left) <= order(item.right);
    const right = /right/i.test(item.origin.kind)
      ? forward
        ? item.left
        : item.right
      : forward
        ? item.right
        : item.left;
    const left = right === item.left ? item.right : item.left;
    const pair =
      left === item.left ? item.pair : { left: item.pair.right, right: item.pair.left, text: item.pair.text };
    add(left, right, edgeKind(item.origin.kind), pair, placeOf(right, item.origin, covered));
  }
  for (const join of joins) {
    const joined = scope.sources.slice(join.first, join.last + 1);
    const before = scope.sources.slice(0, join.first);
    const touched = made.some(
      (edge) =>
        (joined.includes(edge.left) && before.includes(edge.right)) ||
        (joined.includes(edge.right) && before.includes(edge.left)),
    );
    const left = before.at(-1);
    const right = joined[0];
    if (join.explained && (left?.table === undefined || right?.table === undefined)) continue;
    if (!touched && left && right && right.output.length > 0) {
      const kind = edgeKind(join.kind);
      add(left, right, kind === "INNER" ? "CROSS" : kind, undefined, placeOf(right, join, covered));
    }
  }
  for (const item of found) {
    if ("nullTest" in item)
      for (const edge of made) if (edge.kind === "LEFT" && edge.right === item.nullTest) edge.alsoAnti = true;
  }
  return made;
}

function placeOf(source: Source, join: JoinItem, covered: boolean): Place {
  const at = join.at >= 0 ? join.at : source.at;
  return { at, end: spansOf(join.on).at(-1)?.end ?? at, covered };
}
