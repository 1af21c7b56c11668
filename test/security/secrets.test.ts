/** Secrets of every kind the product is given, and every byte that it gives: answers, streams, log, terminal, files. */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createRedactor } from "../../src/server/redact.ts";
import { startChatServer } from "../fixtures/chat-server.ts";
import { freePort, Product } from "../fixtures/product.ts";
import { openAttacks } from "./attacks.ts";
import { readRoutes, send } from "./target.ts";

const { attempt } = openAttacks("secrets");
const root = fileURLToPath(new URL("../..", import.meta.url));
/** Each is found by its words; none looks like a key of anybody. */
const planted = {
  environmentKey: "PLANTEDKEYENVIRONMENT4711",
  storedKey: "PLANTEDKEYSTORED4712",
  literalKey: "PLANTEDKEYLITERAL4713",
  databaseVariable: "PLANTEDPASSWORDVARIABLE4714",
  databaseFile: "PLANTEDPASSWORDFILE4715",
  testedPassword: "PLANTEDPASSWORDTESTED4716",
  testedKey: "PLANTEDKEYTESTED4717",
};
const environment = {
  ANTHROPIC_API_KEY: planted.environmentKey,
  SHOP_PASSWORD: planted.databaseVariable,
  THOTH_LOG: "debug",
  THOTH_PRESTART: "0",
};
let product: Product;
let told = "";
const note = (text: string) => {
  told += `${text}\n`;
};

beforeAll(async () => {
  product = new Product(await freePort());
  writeFileSync(join(product.home, "keys.json"), JSON.stringify({ openai: planted.storedKey }), { mode: 0o600 });
  const model = { id: "m", contextWindow: 32_000, maxTokens: 4096 };
  writeFileSync(
    join(product.home, "models.json"),
    JSON.stringify({
      providers: {
        local: {
          baseUrl: "http://127.0.0.1:9/v1",
          api: "openai-completions",
          apiKey: planted.literalKey,
          models: [model],
        },
      },
    }),
    { mode: 0o600 },
  );
  mkdirSync(join(product.home, "secrets"), { mode: 0o700 });
  await product.serve(environment);
}, 300_000);
afterAll(() => product?.remove());

const ask = async (path: string, method = "GET", body?: unknown) => {
  const answer = await send(product.port, {
    method,
    path,
    headers: {
      host: `127.0.0.1:${product.port}`,
      authorization: `Bearer ${product.token}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  note(JSON.stringify(answer.headers));
  note(answer.text);
  return answer;
};

const command = (...args: string[]): Promise<void> =>
  new Promise((done) => {
    const child = spawn(process.execPath, ["src/cli/main.ts", ...args], {
      cwd: root,
      env: {
        ...process.env,
        ...environment,
        THOTH_HOME: product.home,
        THOTH_PORT: String(product.port),
        THOTH_NO_OPEN: "1",
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => note(chunk.toString()));
    child.on("close", () => done());
  });

it("tells none of its secrets in any answer, log line, command or file that isn't their own", async () => {
  const chat = await startChatServer([]);
  // Ways in which a secret is given, with faults that would quote it.
  await ask("/api/workspaces/test", "POST", { url: `postgres://me:${planted.testedPassword}@127.0.0.1:9/shop` });
  await ask("/api/workspaces/test", "POST", {
    url: `mysql://me:${planted.testedPassword}@127.0.0.1:9/shop?ssl=${planted.testedPassword}`,
  });
  await ask("/api/workspaces/test", "POST", { url: "postgres://me@127.0.0.1:9/shop", password: planted.databaseFile });
  await ask("/api/workspaces", "POST", {
    name: "shop",
    url: "postgres://me@127.0.0.1:9/shop",
    passwordEnv: "SHOP_PASSWORD",
  });
  await ask("/api/workspaces", "POST", { name: "shop", url: `nonsense://me:${planted.testedPassword}@host` });
  await ask("/api/models/keys", "POST", { provider: "openai", key: `${planted.testedKey} with blanks` });
  await ask("/api/models/keys", "POST", { provider: "nobody", key: planted.testedKey });
  await ask("/api/models/endpoints/find", "POST", { url: chat.baseUrl, key: planted.testedKey });
  await ask("/api/models/endpoints/find", "POST", { url: `http://me:${planted.testedKey}@127.0.0.1:9/v1` });
  await ask("/api/models/test", "POST", { provider: "local", model: "m" });
  await chat.close();
  const asked: string[] = [];
  for (const wish of [{}, { provider: "local", model: "m" }]) {
    const made = await ask("/api/sessions", "POST", {
      workspace: "demo",
      question: "How many artists are there?",
      ...wish,
    });
    asked.push((JSON.parse(made.text) as { id: string }).id);
  }
  // However far they have come on a busy machine: what is there is looked at.
  for (const id of asked) await product.settle(id).catch(() => undefined);
  for (const id of asked)
    for (const { method, path } of await readRoutes(product, id)) if (method === "GET") await ask(path);
  for (const args of [
    ["doctor"],
    ["doctor", "--json"],
    ["sessions", "--json"],
    ["workspace", "list", "--json"],
    ["report", asked[0] ?? ""],
    ["nonsense"],
    ["check", "--database", `postgres://me:${planted.testedPassword}@127.0.0.1:9/x`, "--sql", "/dev/null"],
  ])
    await command(...args);
  expect(told.length).toBeGreaterThan(10_000);
  for (const [what, secret] of Object.entries(planted)) {
    await attempt(`${what} in an answer or on the terminal`, () => expect(told).not.toContain(secret));
    await attempt(`${what} in the log`, () => expect(product.log).not.toContain(secret));
    await attempt(`${what} in base64`, () =>
      expect(told + product.log).not.toContain(Buffer.from(secret).toString("base64").slice(0, 20)),
    );
  }
  // Own places, for their owner only. A provider's literal key stands beside the model it belongs to.
  const own =
    /^(\/keys\.json|\/models\.json|\/secrets\/.*|\/sessions\/[^/]+\/pi\/agent\/models\.json|\/probe\/.*models\.json)$/;
  for (const entry of readdirSync(product.home, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const short = path.slice(product.home.length);
    await attempt(`file ${short}`, () => {
      const text = readFileSync(path, "latin1");
      const found = Object.values(planted).filter((secret) => text.includes(secret));
      if (!own.test(short)) expect(found).toEqual([]);
      else if (found.length > 0) expect(statSync(path).mode & 0o077).toBe(0);
    });
  }
  await attempt("the home's folder is closed to others", () => expect(statSync(product.home).mode & 0o077).toBe(0));
}, 400_000);

it("takes out of a log line what looks like a secret, wherever it stands", async () => {
  const redact = createRedactor([]);
  const secrets = [
    "sk-proj-aB3dEf6hIj9kLm2nOp5q",
    "sk-ant-api03-aB3dEf6hIj9kLm2nOp5q",
    "gsk_aB3dEf6hIj9kLm2nOp5q",
    "xai-aB3dEf6hIj9kLm2nOp5q",
    "hf_aB3dEf6hIj9kLm2nOp5q",
    "r8_aB3dEf6hIj9kLm2nOp5qaB3dEf6hIj9kLm2n",
    "AIzaSyaB3dEf6hIj9kLm2nOp5qaB3dEf6hIj9kL",
    "AKIAIOSFODNN7EXAMPLE",
    "ghp_aB3dEf6hIj9kLm2nOp5qaB3dEf6hIj9kLm2n",
    "github_pat_aB3dEf6hIj9kLm2nOp5q_aB3dEf6hIj9kLm2n",
    "glpat-aB3dEf6hIj9kLm2nOp5q",
    "xoxb-123456789012-aB3dEf6hIj9kLm2nOp5q",
    "npm_aB3dEf6hIj9kLm2nOp5qaB3dEf6hIj9kLm2n",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.aB3dEf6hIj9kLm2nOp5q",
    "aB3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z",
    "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c",
    "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  ];
  const places: [string, (secret: string) => string][] = [
    ["alone", (secret) => secret],
    ["in a sentence", (secret) => `Incorrect API key provided: ${secret}. You can find yours at https://example.com.`],
    ["in JSON", (secret) => JSON.stringify({ error: { message: `bad key ${secret}` } })],
    ["in JSON within JSON", (secret) => JSON.stringify({ detail: JSON.stringify({ key: secret }) })],
    ["in an address", (secret) => `GET https://api.example.com/v1?key=${secret}&x=1`],
    ["as a header", (secret) => `x-api-key: ${secret}`],
    ["as an argument", (secret) => `--api-key=${secret}`],
    ["as a variable", (secret) => `OPENAI_API_KEY=${secret}`],
    ["in an object printed by Node", (secret) => `{ headers: { authorization: 'Bearer ${secret}' } }`],
  ];
  for (const secret of secrets)
    for (const [where, place] of places)
      await attempt(`${secret.slice(0, 8)}… ${where}`, () => {
        const line = redact(place(secret));
        expect(line).not.toContain(secret);
        expect(line).not.toContain(secret.slice(-12));
      });
  const pem =
    "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7\n-----END PRIVATE KEY-----";
  for (const text of [pem, JSON.stringify({ pem }), pem.replace("PRIVATE", "RSA PRIVATE")])
    await attempt("a private key", () => expect(redact(text)).not.toContain("MIIEvQIBADAN"));
  for (const address of [
    "postgres://me:pa55@h/d",
    "mysql://root:pa:55@h/d",
    "redis://:pa55@h",
    "https://u:pa55@h/?password=pa55",
    "amqp://me:p%40a55@h",
    "Server=h;User Id=me;Password=pa55;",
    "host=h user=me password='pa55 word'",
  ])
    await attempt(`a password in ${address}`, () => expect(redact(address)).not.toMatch(/pa55|pa:55|p%40a55|word'/));
});
