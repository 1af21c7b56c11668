/**
 * ThothII inside Pi's own terminal, as a Pi package: `/thoth QUESTION` asks a workspace of the home, with the same tools,
 * the same gates and the same ledger as on the page. There is no server then: what it does around a gate (write first,
 * show, write the answer) is done here, by the rules of `workflow`. Nothing changes in a Pi session that never asks, and
 * nothing but this file is loaded.
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { checkNodeVersion } from "../server/node-version.ts";
import type { Desk } from "./desk.ts";

/** Custom entry of Pi's session that names ours. */
const sessionNote = "thoth.session";

export default function thothPackage(pi: ExtensionAPI): void {
  let opening: Promise<Desk> | null = null;
  const desk = () => {
    opening ??= import("./desk.ts").then(({ createDesk }) =>
      createDesk(pi, (id) => pi.appendEntry(sessionNote, { id })),
    );
    return opening;
  };

  pi.registerCommand("thoth", {
    description: "ask a database: /thoth QUESTION; without one, the question that is open goes on",
    handler: async (args, context) => {
      // Pi runs on older ones too, on which the rest would fail with words that help nobody.
      const old = checkNodeVersion();
      if (old) context.ui.notify(`${old.message} ${old.action}`, "error");
      else await (await desk()).ask(args.trim(), context);
    },
  });
  pi.on("session_start", async (_event, context) => {
    const kept = context.sessionManager
      .getBranch()
      .findLast((entry) => entry.type === "custom" && entry.customType === sessionNote);
    const id = kept?.type === "custom" ? (kept.data as { id?: unknown } | undefined)?.id : undefined;
    if (typeof id === "string") await (await desk()).takeUp(id, context);
  });
  pi.on("session_shutdown", async () => (await opening)?.close());
}
