/** Measures that come out differently over the joined rows: counted again, or left out. Pure. */
import type { Finding } from "../protocol/index.ts";
import { figure, listing, rowsOf } from "./ask.ts";
import type { JoinFacts } from "./find-joins.ts";
import { type AddFinding, nameOf, toChip } from "./finding-draft.ts";
import type { Join } from "./join-graph.ts";
import { type Doubled, isSafe } from "./measure-doubles.ts";

export function findChangedMeasures(doubles: readonly Doubled[], facts: readonly JoinFacts[], add: AddFinding): void {
  const open = doubles.filter((double) => !isSafe(double.measure.aggregate));
  for (const double of open) if (double.repeated !== 0) addRepeated(double, open, add);
  addShort(open, facts, add);
}

function addRepeated(double: Doubled, doubles: readonly Doubled[], add: AddFinding): void {
  const { measure, table, join, repeated } = double;
  const safe = doubles.filter((other) => other !== double && other.repeated === 0);
  const times = double.most === 2 ? "twice" : "more than once";
  const far = join ? (join.left === table ? join.right : join.right === table ? join.left : join.right) : undefined;
  const rest =
    safe.length > 0
      ? ` ${listing(safe.map((other) => other.measure.words))} ${safe.length === 1 ? "is" : "are"} safe.`
      : "";
  const which =
    repeated === "many"
      ? `Rows of ${nameOf(table)} stand`
      : `${double.estimated ? "About " : ""}${figure(repeated)} of ${rowsOf(double.rows)} of ${nameOf(table)} ${repeated === 1 ? "stands" : "stand"}`;
  add("warning", {
    code: "measure-doubled",
    title: join
      ? `Join ${join.n} would count ${measure.words} ${times}`
      : `The joins would count ${measure.words} ${times}`,
    body: `${which} ${repeated === "many" ? "more than once" : `up to ${figure(double.most)} times`} in the joined set, so ${measure.words} (${measure.aggregate.toUpperCase()}) adds them again.${rest}`,
    ...(double.once === undefined || double.joined === undefined ? {} : { proof: toProof(doubles, join) }),
    waysOut: [
      far ? toChip(`Sum ${nameOf(far)} per ${nameOf(table)} before join ${join?.n}`) : undefined,
      toChip(`Take ${measure.words} from ${nameOf(table)} in its own step`),
    ],
    ...(join ? { where: join.n } : {}),
  });
}

const isEqual = (one: number, other: number): boolean => Math.abs(one - other) < 0.005;
const amount = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 2 });
const toName = ({ measure }: Doubled): string =>
  `${measure.words} ${measure.aggregate.toUpperCase()}(${measure.alias}.${measure.column})`;

function toProof(doubles: readonly Doubled[], join: Join | undefined): NonNullable<Finding["proof"]> {
  const rows = doubles.flatMap((double) => {
    if (double.once === undefined || double.joined === undefined) return [];
    const again = isEqual(double.joined, double.once) ? "none" : amount(double.joined - double.once);
    return [[toName(double), amount(double.once), amount(double.joined), again]];
  });
  return {
    columns: ["Measure", "Each row once", join ? `With join ${join.n}` : "With the joins", "Counted again"],
    rows,
  };
}

/** The total over the joined rows, each taken once, held against the total of the table on its own. */
function addShort(doubles: readonly Doubled[], facts: readonly JoinFacts[], add: AddFinding): void {
  const short = doubles.flatMap((double) => {
    const { whole, once } = double;
    return whole === undefined || once === undefined || isEqual(whole, once) ? [] : [{ double, whole, once }];
  });
  if (short.length === 0) return;
  const words = listing(short.map(({ double }) => double.measure.words));
  const drops = facts.filter(
    ({ join, evidence }) =>
      join.decision.type === "INNER" &&
      (evidence.leftRows > evidence.leftMatched || evidence.rightRows > evidence.rightMatched),
  );
  add("notice", {
    code: "total-differs",
    title: `${words} over the joined rows ${short.length === 1 ? "is" : "are"} not the total of all rows`,
    body: `The joins leave rows of ${listing([...new Set(short.map(({ double }) => nameOf(double.table)))])} out. If the question asks for all of them, they must stay.`,
    proof: {
      columns: ["Measure", "All rows", "In the joined set", "Difference"],
      rows: short.map(({ double, whole, once }) => [toName(double), amount(whole), amount(once), amount(once - whole)]),
    },
    waysOut: drops.slice(0, 3).map(({ join }) => toChip(`Use LEFT JOIN in ${join.n}`)),
  });
}
