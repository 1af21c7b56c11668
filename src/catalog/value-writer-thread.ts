/** The thread that a long build writes in: one message per page, one answer for each. */
import { parentPort, workerData } from "node:worker_threads";
import { openWritable } from "./value-files.ts";
import { createValueWriter, type Page } from "./value-writer.ts";

const database = openWritable(String(workerData.file));
const writer = createValueWriter(database);

parentPort?.on("message", (page: Page | "finish") => {
  if (page === "finish") {
    writer.finish();
    database.close();
  } else writer.add(page);
  parentPort?.postMessage("done");
});
