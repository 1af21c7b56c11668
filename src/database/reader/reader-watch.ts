/** Ends the reader process when its parent is gone or its time is over, even while a query blocks its main thread. */
import { workerData } from "node:worker_threads";

const { killAt, parent } = workerData as { killAt: Float64Array; parent: number };

setInterval(() => {
  const end = killAt[0] ?? 0;
  if (process.ppid !== parent || (end > 0 && Date.now() > end)) process.kill(process.pid, "SIGKILL");
}, 250);
