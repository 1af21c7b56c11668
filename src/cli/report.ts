/** `thoth report ID`. */
import { exitCodes } from "./fault.ts";
import { toPlainText } from "./terminal-text.ts";
import { withServer } from "./with-server.ts";

export async function report(id: string, options: { html: boolean }): Promise<number> {
  const path = `/api/sessions/${encodeURIComponent(id)}/report?format=${options.html ? "html" : "md"}`;
  const text = await withServer((client) => client.text(path));
  // Into a file or a pipe it goes as it is.
  process.stdout.write(process.stdout.isTTY ? toPlainText(text) : text);
  return exitCodes.done;
}
