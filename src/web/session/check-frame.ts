/**
 * Holds what an SSE message carries against its schema. Checked by walking the schema: the compiled checker builds
 * code from text, which the page's Content-Security-Policy forbids (and reports, even where it falls back).
 */
import { Check, Errors } from "typebox/value";
import { type EventName, events, type Frame, unnumberedEvents } from "../../protocol/events.ts";

export type CheckedFrame = { ok: true; frame: Frame } | { ok: false; problem: string };

/** `lastEventId` keeps the last id it saw, so events that carry none must not inherit it. */
export function checkFrame(event: EventName, text: string, lastEventId: string): CheckedFrame {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return { ok: false, problem: "not JSON" };
  }
  const schema = events[event];
  if (!Check(schema, data)) {
    const fault = [...Errors(schema, data)][0];
    return {
      ok: false,
      problem: fault ? `${fault.instancePath || "data"} ${fault.message}` : "does not match its schema",
    };
  }
  const { at, ...payload } = data as { at?: unknown };
  const numbered = !(unnumberedEvents as readonly string[]).includes(event);
  const frame = {
    event,
    data: payload,
    at: typeof at === "number" ? at : Date.now(),
    ...(numbered && lastEventId ? { id: lastEventId } : {}),
  } as Frame;
  return { ok: true, frame };
}
