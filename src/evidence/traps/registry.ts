/** All traps, those first whose counts are the most telling: when a statement raises too many, the last are not asked. */
import { ambiguousDates } from "./ambiguous-dates.ts";
import { attributeValues } from "./attribute-values.ts";
import { bridgeWeights } from "./bridge-weights.ts";
import { dateGaps } from "./date-gaps.ts";
import { distinctSums } from "./distinct-sums.ts";
import { duplicateReferences } from "./duplicate-references.ts";
import { mixedUnits } from "./mixed-units.ts";
import { narrowedTotals } from "./narrowed-totals.ts";
import { countedOuter, nullInNotIn, nullKeys } from "./null-keys.ts";
import { paddedKeys, zeroKeys } from "./padded-keys.ts";
import { periodChanges } from "./period-changes.ts";
import { polymorphicReferences } from "./polymorphic-references.ts";
import { snapshots } from "./snapshots.ts";
import { softDeletes } from "./soft-deletes.ts";
import { textLiterals } from "./text-literals.ts";
import { textNumbers } from "./text-numbers.ts";
import { ties } from "./ties.ts";
import type { Trap } from "./trap.ts";
import { validityRanges } from "./validity-ranges.ts";
import { viewFanOut } from "./view-fan-out.ts";
import { wrongTotals } from "./wrong-totals.ts";

export const traps: readonly Trap[] = [
  validityRanges,
  softDeletes,
  snapshots,
  bridgeWeights,
  viewFanOut,
  polymorphicReferences,
  attributeValues,
  mixedUnits,
  nullInNotIn,
  countedOuter,
  distinctSums,
  wrongTotals,
  narrowedTotals,
  duplicateReferences,
  textLiterals,
  textNumbers,
  paddedKeys,
  zeroKeys,
  periodChanges,
  ties,
  nullKeys,
  ambiguousDates,
  dateGaps,
];
