/** `thoth sessions`: what was asked and what came of it. */
import { phaseTitles, type SessionItem, SessionList } from "../protocol/index.ts";
import { exitCodes } from "./fault.ts";
import { toTable } from "./terminal-text.ts";
import { withServer } from "./with-server.ts";

export async function sessions(options: { json: boolean }): Promise<number> {
  const { sessions: found } = await withServer((client) => client.get("/api/sessions", SessionList));
  if (options.json) process.stdout.write(`${JSON.stringify({ sessions: found }, null, 2)}\n`);
  else if (found.length === 0)
    process.stdout.write('No sessions yet. Ask something: thoth ask "How many artists are there?"\n');
  else {
    const rows = found.map((session) => [
      session.id,
      session.workspace,
      toState(session),
      session.updatedAt.slice(0, 16).replace("T", " "),
      session.name ?? session.question,
    ]);
    process.stdout.write(`${toTable(["id", "workspace", "state", "last change (UTC)", "question"], rows)}\n`);
  }
  return exitCodes.done;
}

function toState(session: SessionItem): string {
  if (session.outcome === "answered") return "answered";
  if (session.outcome === "cannot-answer") return "cannot be answered";
  return `${session.turn} at ${session.phase} ${phaseTitles[session.phase]}`;
}
