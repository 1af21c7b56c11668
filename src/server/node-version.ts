/** Whether this Node can run ThothII. Written so that it loads on older ones too, to say so. */

import type { Problem } from "../protocol/errors.ts";
import { oldestNode } from "./project.ts";

/** Null when it can. */
export function checkNodeVersion(found: string = process.versions.node): Problem | null {
  const [major = 0, minor = 0] = found.split(".").map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = oldestNode.split(".").map(Number);
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return null;
  return {
    code: "node-too-old",
    message: `ThothII needs Node ${oldestNode} or newer; this is Node ${found}.`,
    action:
      "Run `npm ci` and start it with `npm start`, which brings its own Node on most machines; otherwise install Node 24 from nodejs.org.",
  };
}
