import { homedir } from "node:os";
import { expect, it } from "vitest";
import { createLog } from "./log.ts";
import { createRedactor } from "./redact.ts";

it("takes secrets out by their shape and by what is known", () => {
  const redact = createRedactor(["this-homes-token-value"], "/srv/thoth");
  const secrets = [
    "Authorization: Bearer abcdef0123456789",
    "sk-ant-api03-AAAABBBBCCCC",
    "AIzaSyA1234567890abcdefghijk",
    "ghp_0123456789abcdefghij",
    "AKIAIOSFODNN7EXAMPLE",
    "postgres://me:pa55word@db.example/x",
    "mysql://root:pa55word@127.0.0.1",
    '{"apiKey":"pa55word"}',
    "password=pa55word",
    "api_key: pa55word",
    '{\\"x-api-key\\":\\"pa55word\\"}',
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl",
    "this-homes-token-value",
    "/?code=Zm9vYmFyYmF6",
    "thoth_4817=Zm9vYmFyYmF6",
  ];
  const hidden = /abcdef0123456789|AAAABBBB|AIzaSy|0123456789abcdefghij|AKIA|pa55word|eyJhb|homes-token|Zm9vYmFy/;
  for (const secret of secrets) {
    const text = redact(`before ${secret} after`);
    expect(text).not.toMatch(hidden);
    expect(text).toMatch(/^before .*\[redacted\].* after$/);
  }
  expect(redact(`/srv/thoth/sessions and ${homedir()}/x`)).toBe("$THOTH_HOME/sessions and ~/x");
  expect(redact("How many tokens are there in the table users?")).toBe("How many tokens are there in the table users?");
});

it("keeps each line of the log whole and short", () => {
  const lines: string[] = [];
  const log = createLog({ short: true, write: (line) => void lines.push(line), secrets: ["0123456789"] });
  log.info({}, "not at this level");
  log.warn({ session: "s1", detail: "token 0123456789" }, "Something is odd.");
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(
    /^\d\d:\d\d:\d\d warn Something is odd\. \{"session":"s1","detail":"token \[redacted\]"\}\n$/,
  );
  const json: string[] = [];
  createLog({ short: false, level: "debug", write: (line) => void json.push(line) }).debug({ a: 1 }, "m");
  expect(JSON.parse(json[0] ?? "")).toMatchObject({ a: 1, msg: "m" });
});
