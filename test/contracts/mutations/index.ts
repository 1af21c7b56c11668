import { reasoningStream } from "./c1-reasoning-stream.ts";
import { thinkingLevel } from "./c2-thinking-level.ts";
import { joinReview } from "./c3-join-review.ts";
import { ledger } from "./c4-ledger.ts";
import { phaseSummary } from "./c5-phase-summary.ts";
import { sqlViewers } from "./c6-sql-viewers.ts";
import { turnState } from "./c7-turn-state.ts";
import { resume } from "./c8-resume.ts";
import { reconnecting } from "./c9-reconnecting.ts";
import { keepAlive } from "./c10-keep-alive.ts";
import { activityPanel } from "./c11-activity-panel.ts";
import { whatMayCross } from "./c12-what-may-cross.ts";
import { tailwind } from "./c13-tailwind.ts";
import type { Mutation } from "./mutation.ts";

export type { Mutation };
export const mutations: Mutation[] = [
  ...reasoningStream,
  ...thinkingLevel,
  ...joinReview,
  ...ledger,
  ...phaseSummary,
  ...sqlViewers,
  ...turnState,
  ...resume,
  ...reconnecting,
  ...keepAlive,
  ...activityPanel,
  ...whatMayCross,
  ...tailwind,
];
