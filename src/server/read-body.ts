/** From a request's bytes to a checked value; each way this can fail has its own code. */
import type { Static, TSchema } from "typebox";
import { check, ThothError } from "../protocol/index.ts";

/** Bytes. A question of any sensible length stays far below, so that its own limit speaks first. */
export const maxBody = 1024 * 1024;

/**
 * A browser may send forms and plain text across sites without asking; JSON it may not. A request without any body
 * needs no type. `overSocket`: HTTP says by a header whether a body follows, and only a request made in memory doesn't.
 */
export function requireJson(request: Request, overSocket: boolean): void {
  const type = request.headers.get("content-type");
  if (type === null && !hasBody(request, overSocket)) return;
  if (type?.split(";")[0]?.trim().toLowerCase() === "application/json") return;
  throw new ThothError(
    "content-type-not-json",
    "The body of this request isn't declared as JSON.",
    "Send it with the header Content-Type: application/json.",
  );
}

function hasBody(request: Request, overSocket: boolean): boolean {
  const length = request.headers.get("content-length");
  if (length !== null) return length !== "0";
  return request.headers.has("transfer-encoding") || (!overSocket && request.body !== null);
}

const tooLarge = () =>
  new ThothError("body-too-large", "The body of this request is larger than 1 MB.", "Send less in one request.");

/** By what it says of itself, before a byte is read; also where no body is wanted. Throws `body-too-large`. */
export function refuseLarge(request: Request): void {
  if (Number(request.headers.get("content-length") ?? 0) > maxBody) throw tooLarge();
}

/** Throws `body-too-large`, `body-malformed`. */
export async function readJson(request: Request): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBody) throw tooLarge();
    chunks.push(chunk);
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch (cause) {
    throw new ThothError(
      "body-malformed",
      size === 0 ? "This request needs a body and has none." : "The body of this request isn't valid JSON.",
      "Send one JSON object, encoded as UTF-8.",
      cause,
    );
  }
}

/** Throws `body-invalid` with the fields named. */
export function parseBody<S extends TSchema>(schema: S, value: unknown, where: string): Static<S> {
  const checked = check(schema, value);
  if (checked.ok) return checked.value;
  throw new ThothError(
    "body-invalid",
    `The body doesn't fit: ${checked.problem}.`,
    `Mend what is named and send it again; /api/openapi.json describes the body of ${where}.`,
  );
}
