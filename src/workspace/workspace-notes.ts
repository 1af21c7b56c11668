/** The keys of `workspace.yaml` that tell about the database, beside those that say where it is. Pure. */
import { WorkspaceNotes } from "../protocol/index.ts";
import { fitSchema } from "./fit-schema.ts";
import { nearestName } from "./nearest-name.ts";
import { type LineFault, readYaml, type Spot } from "./yaml-spots.ts";

/** A key that can't be used is left out; the others hold. */
export function parseNotes(text: string): { notes: WorkspaceNotes; faults: LineFault[] } {
  const read = readYaml(text);
  // What isn't YAML is told where the connection is read from it, too; here it is one more place to see it.
  if (!read.ok) return { notes: {}, faults: read.faults };
  const faults: LineFault[] = [];
  let notes: WorkspaceNotes = {};
  for (const [name, spot] of read.spot.below) {
    if (!isNoteKey(name) || spot.value === null) continue;
    const one: Spot = { value: { [name]: spot.value }, line: spot.line, below: new Map([[name, spot]]) };
    const fitted = fitSchema(WorkspaceNotes, one, "the workspace");
    if (fitted.ok) notes = { ...notes, ...fitted.value };
    else faults.push(...fitted.faults);
  }
  return { notes, faults };
}

const noteKeys = Object.keys(WorkspaceNotes.properties);
const connectionKeys = ["version", "engine", "file", "host", "port", "database", "user", "password", "tls"];

/** A misspelled one is a note, too: it must not cost the connection. */
export const isNoteKey = (name: string): boolean =>
  noteKeys.includes(name) || (!connectionKeys.includes(name) && nearestName(name, noteKeys) !== undefined);
