/** `thoth models`: which there are, whether one answers, keys, endpoints and what a new session takes. */
import { text } from "node:stream/consumers";
import {
  type AddEndpoint,
  type AuthState,
  type DefaultModel,
  endpointKinds,
  LocalEndpoints,
  type ModelItem,
  ModelList,
  ModelTest,
  toBudgetWords,
  toDollars,
  tokensOf,
} from "../protocol/index.ts";
import { toModel } from "./ask.ts";
import { exitCodes, printFault, UsageError } from "./fault.ts";
import { toBudgetOption, toThinking } from "./model-options.ts";
import { toTable } from "./terminal-text.ts";
import { withServer } from "./with-server.ts";

const print = (lines: string) => void process.stdout.write(`${lines}\n`);
const printJson = (value: unknown) => print(JSON.stringify(value, null, 2));

export async function models(options: { json: boolean; all: boolean }): Promise<number> {
  const list = await withServer((client) => client.get("/api/models", ModelList));
  if (options.json) {
    printJson(list);
    return exitCodes.done;
  }
  const usual = list.default;
  const rows = list.models.map((model) => [
    `${model.provider}/${model.id}${model.provider === usual.provider && model.id === usual.model ? " *" : ""}`,
    model.contextWindow > 0 ? model.contextWindow.toLocaleString("en-US") : "",
    toPrice(model),
    model.thinkingLevels.join(" "),
    model.local ? "this machine" : "hosted",
  ]);
  print(toTable(["model", "context", "$/M in, out", "thinking", "runs"], rows, 72));
  print(
    `\n* what a new session takes, with thinking ${usual.thinking}${usual.budget ? ` and a budget of ${toBudgetWords(usual.budget)}` : ""}\n`,
  );
  const known = list.providers.filter((item) => options.all || item.auth !== "none");
  print(
    toTable(
      ["provider", "key", "models", "where"],
      known.map((item) => [
        item.provider,
        toAuthWords(item.auth, item.variable),
        String(item.models),
        item.url || item.name,
      ]),
      72,
    ),
  );
  const left = list.providers.length - known.length;
  if (left > 0)
    print(
      `\n${left} more providers need a key: \`thoth models --all\` lists them, \`thoth models key PROVIDER --stdin\` adds one.`,
    );
  return exitCodes.done;
}

const toPrice = ({ price, local }: ModelItem): string =>
  price ? `${price.input}, ${price.output}` : local ? "free" : "";

function toAuthWords(auth: AuthState, variable: string): string {
  if (auth === "environment") return `from ${variable}`;
  if (auth === "none") return variable === "" ? "none" : `none (or set ${variable})`;
  return auth === "stored" ? "stored" : "not needed";
}

export async function testModel(name: string, options: { json: boolean }): Promise<number> {
  const answer = await withServer((client) => client.send("POST", "/api/models/test", toModel(name), ModelTest));
  if (options.json) printJson(answer);
  if (answer.failure) {
    if (!options.json) printFault(answer.failure);
    return exitCodes.fault;
  }
  const first = answer.firstTokenMs === null ? "" : `first word after ${answer.firstTokenMs} ms, `;
  const used = answer.usage
    ? `, ${tokensOf(answer.usage)} tokens${answer.usage.cost > 0 ? `, ${toDollars(answer.usage.cost)}` : ""}`
    : "";
  if (!options.json) print(`${name} answers: ${first}done after ${answer.totalMs} ms${used}.`);
  return exitCodes.done;
}

export async function changeKey(provider: string, options: { stdin: boolean; remove: boolean }): Promise<number> {
  if (options.stdin === options.remove)
    throw new UsageError("Say what to do with the key.", "Give --stdin and send the key there, or --remove.");
  if (options.remove) {
    await withServer((client) =>
      client.send("DELETE", `/api/models/keys/${encodeURIComponent(provider)}`, {}, ModelList),
    );
    print(`The key of ${provider} is removed.`);
    return exitCodes.done;
  }
  const key = (await text(process.stdin)).trim();
  if (key === "")
    throw new UsageError(
      "Nothing came on standard input.",
      `For example: thoth models key ${provider} --stdin < key.txt`,
    );
  const list = await withServer((client) => client.send("POST", "/api/models/keys", { provider, key }, ModelList));
  const count = list.models.filter((model) => model.provider === provider).length;
  print(`The key of ${provider} is stored; ${count} models can be used. Try one: thoth models test ${provider}/MODEL`);
  return exitCodes.done;
}

interface AddOptions {
  url: string;
  kind?: string;
  keyStdin: boolean;
  model: string[];
  json: boolean;
}

export async function addEndpoint(name: string, options: AddOptions): Promise<number> {
  const kind = endpointKinds.find((one) => one === options.kind);
  if (options.kind !== undefined && !kind)
    throw new UsageError(`There is no kind ${options.kind}.`, `Use one of: ${endpointKinds.join(", ")}.`);
  const wish: AddEndpoint = {
    name,
    url: options.url,
    ...(kind ? { kind } : {}),
    ...(options.keyStdin ? { key: (await text(process.stdin)).trim() } : {}),
    ...(options.model.length > 0 ? { models: options.model } : {}),
  };
  const list = await withServer((client) => client.send("POST", "/api/models/endpoints", wish, ModelList));
  const added = list.models.filter((model) => model.provider === name);
  if (options.json) printJson({ models: added });
  else
    print(
      `Added ${name}: ${added.map((model) => `${name}/${model.id}`).join(", ")}\nTry one: thoth models test ${name}/${added[0]?.id ?? "MODEL"}`,
    );
  return exitCodes.done;
}

export async function removeEndpoint(name: string): Promise<number> {
  await withServer((client) =>
    client.send("DELETE", `/api/models/endpoints/${encodeURIComponent(name)}`, {}, ModelList),
  );
  print(`${name} is removed, with its key.`);
  return exitCodes.done;
}

export async function findLocal(options: { json: boolean }): Promise<number> {
  const { endpoints } = await withServer((client) => client.get("/api/models/local", LocalEndpoints));
  if (options.json) printJson({ endpoints });
  else if (endpoints.length === 0)
    print(
      "No model server answers on this machine's usual ports (Ollama 11434, LM Studio 1234, llama.cpp 8080, vLLM 8000).",
    );
  else
    for (const { name, server, url, models: count, added } of endpoints)
      print(
        `${server} at ${url}, ${count} models: ${added ? "added already" : `thoth models add ${name} --url ${url}`}`,
      );
  return exitCodes.done;
}

export async function setDefault(
  name: string | undefined,
  options: { thinking?: string; budget?: string },
): Promise<number> {
  const thinking = toThinking(options.thinking);
  const wish: DefaultModel = {
    ...(name === undefined ? {} : toModel(name)),
    ...(thinking ? { thinking } : {}),
    ...(options.budget === undefined ? {} : { budget: toBudgetOption(options.budget) }),
  };
  if (Object.keys(wish).length === 0)
    throw new UsageError("Nothing to change.", "Name a model, or give --thinking or --budget.");
  const { default: usual } = await withServer((client) => client.send("POST", "/api/models/default", wish, ModelList));
  print(
    `A new session takes ${usual.provider}/${usual.model}, thinking ${usual.thinking}, ${usual.budget ? `a budget of ${toBudgetWords(usual.budget)}` : "no budget"}.`,
  );
  return exitCodes.done;
}
