import { expect, it } from "vitest";
import { failureCodes } from "../protocol/index.ts";
import { classifyFailure, toFailure } from "./classify-failure.ts";

it.each([
  ["No API key found for anthropic. Use /login", "no-key"],
  ['401: {"message":"invalid x-api-key"}', "wrong-key"],
  ["403: <html>nginx</html>", "wrong-key"],
  ['402: {"message":"Insufficient balance"}', "no-credit"],
  ['429: {"message":"You exceeded your current quota, please check your plan and billing details."}', "no-credit"],
  ['429: {"message":"rate limited"}', "rate-limited"],
  ['529: {"type":"overloaded_error"}', "overloaded"],
  ["500: model not found in cache", "overloaded"],
  ["502: <html><h1>502 Bad Gateway</h1></html>", "overloaded"],
  ['400: {"message":"This model\'s maximum context length is 8192 tokens"}', "context-overflow"],
  ["Context overflow recovery failed after one compact-and-retry attempt. /home/secret", "context-overflow"],
  ['404: {"error":{"message":"The model `gpt-9` does not exist"}}', "model-missing"],
  ["404: page not found", "endpoint-missing"],
  ['400: {"message":"Your request was flagged by our safety system"}', "refused"],
  ["400: something else", "refused"],
  ["Connection error.: connect ECONNREFUSED 127.0.0.1:9", "network"],
  ["terminated: other side closed (UND_ERR_SOCKET)", "network"],
  ["Stream ended without finish_reason", "network"],
  ["Request timed out.", "network"],
  [
    "Connection error.: Request cannot be constructed from a URL that includes credentials: http://x",
    "endpoint-missing",
  ],
  ["Incomplete JSON segment at the end", "network"],
  [
    '{"error":{"message":"<!doctype html><h1>\\"code\\":503 gateway</h1>","code":404,"status":"Not Found"}}',
    "endpoint-missing",
  ],
  ['{"error":{"message":"<!doctype html>","code":401,"status":""}}', "wrong-key"],
  ["strange MARKER-7731", "unknown"],
  ["", "unknown"],
  [undefined, "unknown"],
])("C7.3 %s becomes %s", (raw, code) => {
  expect(classifyFailure(raw)).toBe(code);
});

it("C7.3 every code has its own fixed sentence and says what to do", () => {
  const failures = failureCodes.map((code) => toFailure(code));
  expect(new Set(failures.map((failure) => failure.message)).size).toBe(failureCodes.length);
  for (const failure of failures) {
    expect(failure.message).toMatch(/^[A-Z].*\.$/);
    expect(failure.action).toMatch(/^[A-Z].*\.$/);
  }
});
