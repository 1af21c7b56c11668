/**
 * This folder is about models: which there are (a throwaway child is asked, and asked again when a file changed), whose
 * keys and endpoints are known, which one a new session takes, and whether one answers.
 */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import {
  type AddEndpoint,
  type DefaultModel,
  type FindEndpoint,
  type FoundEndpoint,
  type LocalEndpoints,
  type ModelItem,
  type ModelList,
  type ModelTest,
  offlineModel,
  offlineProvider,
  type Problem,
  type ProviderItem,
  type StoreKey,
  type TestModel,
  ThothError,
  toBudget,
} from "../../protocol/index.ts";
import type { ChildProgram } from "../sessions/launch-child.ts";
import { isLoopback, parseAddress, toAddress } from "./addresses.ts";
import { findEndpoint } from "./find-endpoint.ts";
import { createHomeFiles, modelFileNames, readConfigFile } from "./home-files.ts";
import { findLocalEndpoints } from "./local-endpoints.ts";
import { type Probed, probeModels } from "./probe-models.ts";
import { type ProviderKeys, readProviderKeys } from "./provider-keys.ts";
import { testModel } from "./test-model.ts";
import { toProviderEntry } from "./to-provider-entry.ts";

export interface Models {
  list(): Promise<ModelList>;
  /** Whether a session may use it; the offline planner always may, without asking anybody. */
  has(provider: string, model: string): Promise<boolean>;
  readDefault(): Promise<ModelList["default"]>;
  /** Throws ThothError `model-missing`. */
  setDefault(wish: DefaultModel): Promise<void>;
  /** One tiny request. Throws `model-missing`; what the provider does wrong is told in the answer. */
  test(wish: TestModel): Promise<ModelTest>;
  /** Throws `provider-unknown`, `key-unsupported`, `key-malformed`. */
  storeKey(wish: StoreKey): Promise<void>;
  /** Nothing happens when there is none. */
  removeKey(provider: string): Promise<void>;
  /** Throws `endpoint-…`. */
  findEndpoint(wish: FindEndpoint): Promise<FoundEndpoint>;
  /** Throws `endpoint-…`, `provider-exists`. */
  addEndpoint(wish: AddEndpoint): Promise<void>;
  /** Throws `provider-unknown`. */
  removeEndpoint(name: string): Promise<void>;
  /** Looks at the usual ports of this machine, and only when asked. */
  findLocal(): Promise<LocalEndpoints>;
}

const offline: ModelItem = {
  provider: offlineProvider,
  id: offlineModel,
  name: "Offline planner",
  reasoning: true,
  thinkingLevels: ["off", "minimal", "low", "medium", "high"],
  contextWindow: 1_000_000,
  price: null,
  local: true,
};
const builtIn: ModelList["default"] = {
  provider: offlineProvider,
  model: offlineModel,
  thinking: "medium",
  budget: null,
};

export const modelMissing = (provider: string, model: string): Problem => ({
  code: "model-missing",
  message: `The model ${provider}/${model} can't be used here.`,
  action: "Add the provider's key or its endpoint under Models, or choose another model.",
});

export function createModels(
  program: ChildProgram,
  on: { problem: (detail: string) => void; secrets: (secrets: readonly string[]) => void },
): Models {
  const { home, environment } = program;
  const files = createHomeFiles(home);
  let cached: { version: string; probed: Promise<Probed> } | undefined;
  let testing: Promise<unknown> = Promise.resolve();

  const readKeys = async (): Promise<ProviderKeys> => {
    const keys = await readProviderKeys(home, environment);
    on.secrets(keys.secrets);
    return keys;
  };
  const versionOf = async (): Promise<string> => {
    const stats = await Promise.all(modelFileNames.map((name) => stat(join(home, name)).catch(() => null))); // absent is a version too
    return stats.map((found) => (found ? `${found.ino}:${found.mtimeMs}:${found.size}` : "-")).join("|");
  };
  const probe = async (): Promise<Probed> => {
    const version = await versionOf();
    if (cached?.version !== version) {
      const probed = readKeys()
        .then((keys) => probeModels(program, keys))
        .catch((error: unknown) => {
          on.problem(error instanceof Error ? `${error.message} ${String(error.cause ?? "")}` : String(error));
          cached = undefined; // asked again the next time
          return { models: [], providers: [] };
        });
      cached = { version, probed };
    }
    return cached.probed;
  };
  const listModels = async (): Promise<ModelItem[]> => {
    const { models } = await probe();
    const known = models.some((item) => item.provider === offlineProvider && item.id === offlineModel);
    return known ? models : [offline, ...models];
  };
  const readDefault = async (): Promise<ModelList["default"]> => {
    const config = await readConfigFile(home);
    return config ? { ...builtIn, ...config, budget: config.budget ?? null } : builtIn;
  };
  const has = async (provider: string, model: string): Promise<boolean> =>
    (provider === offlineProvider && model === offlineModel) ||
    (await listModels()).some((item) => item.provider === provider && item.id === model);
  const require = async (provider: string, model: string): Promise<void> => {
    if (await has(provider, model)) return;
    const { code, message, action } = modelMissing(provider, model);
    throw new ThothError(code, message, action);
  };

  return {
    readDefault,
    has,
    async list() {
      const [{ providers }, models, usual] = await Promise.all([probe(), listModels(), readDefault()]);
      // A damaged file is told where a session is started; here the rest is still worth showing.
      const keys = await readKeys().catch(() => null);
      return { models, providers: toProviderItems(providers, models, keys), default: usual };
    },
    async setDefault(wish) {
      const usual = await readDefault();
      const provider = wish.provider ?? usual.provider;
      const model = wish.model ?? (wish.provider === undefined ? usual.model : "");
      if (wish.provider !== undefined || wish.model !== undefined) await require(provider, model);
      const budget = wish.budget === undefined ? usual.budget : toBudget(wish.budget);
      await files.writeConfig({ provider, model, thinking: wish.thinking ?? usual.thinking, budget });
    },
    async test({ provider, model }) {
      await require(provider, model);
      const mine = testing.then(async () =>
        testModel(program, provider, model, (await readKeys()).forProvider(provider)),
      );
      testing = mine.catch(() => undefined); // one child at a time is enough
      return mine;
    },
    async storeKey({ provider, key }) {
      const value = key.trim();
      if (!/^[\x21-\x7e]+$/.test(value))
        throw new ThothError(
          "key-malformed",
          "That is no key: it holds blanks or odd characters.",
          "Copy the key alone.",
        );
      const { variable } = (await readKeys()).authOf(provider);
      if (variable === "") {
        const known = (await probe()).providers.some((item) => item.provider === provider);
        throw known
          ? new ThothError(
              "key-unsupported",
              "This provider takes no key.",
              "It can be used as it is, or see docs/models.md.",
            )
          : providerUnknown(provider);
      }
      on.secrets([value]);
      await files.changeKeys((keys) => ({ ...keys, [provider]: value }));
    },
    removeKey: (provider) =>
      files.changeKeys((keys) => Object.fromEntries(Object.entries(keys).filter(([name]) => name !== provider))),
    async findEndpoint(wish) {
      if (wish.key) on.secrets([wish.key]);
      return (await findEndpoint(wish)).found;
    },
    async addEndpoint({ name, models: chosen, ...wish }) {
      if (wish.key) on.secrets([wish.key]);
      const { providers } = await probe();
      const taken = name === offlineProvider || providers.some((item) => item.provider === name);
      if (taken)
        throw new ThothError(
          "provider-exists",
          `There is a provider ${name} already.`,
          "Choose another name, or remove that one first.",
        );
      const { found, key } = await findEndpoint(wish, chosen);
      if (key) on.secrets([key]);
      if (key) await files.changeKeys((keys) => ({ ...keys, [name]: key }));
      await files.changeModels((before) => ({
        ...before,
        providers: { ...before.providers, [name]: toProviderEntry(name, found, key !== null, chosen) },
      }));
    },
    async removeEndpoint(name) {
      if (!(await readKeys()).described.has(name)) throw providerUnknown(name);
      const without = <T>(from: Record<string, T>): Record<string, T> =>
        Object.fromEntries(Object.entries(from).filter(([key]) => key !== name));
      await files.changeModels((before) => ({ ...before, providers: without(before.providers) }));
      await files.changeKeys(without);
    },
    findLocal: async () => findLocalEndpoints((await readKeys()).described),
  };
}

const providerUnknown = (provider: string) =>
  new ThothError("provider-unknown", `There is no provider ${provider}.`, "`thoth models` lists those that there are.");

/** Those that can be used first, then by name. */
function toProviderItems(
  known: Probed["providers"],
  models: readonly ModelItem[],
  keys: ProviderKeys | null,
): ProviderItem[] {
  const all = new Map(known.map((item) => [item.provider, item]));
  for (const { provider } of models) {
    const count = models.filter((model) => model.provider === provider).length;
    if (!all.has(provider)) all.set(provider, { provider, name: provider, models: count });
  }
  // Described, but hidden by Pi as long as its key isn't there.
  for (const provider of keys?.described.keys() ?? [])
    if (!all.has(provider)) all.set(provider, { provider, name: provider, models: 0 });
  const items = [...all.values()].map(({ provider, name, models: count }): ProviderItem => {
    const { auth, variable } = keys?.authOf(provider) ?? { auth: "none" as const, variable: "" };
    const baseUrl = keys?.described.get(provider)?.baseUrl ?? "";
    return {
      provider,
      name: provider === offlineProvider ? "Offline planner" : name,
      auth,
      variable,
      models: count,
      added: keys?.described.has(provider) ?? false,
      url: toShownAddress(baseUrl),
      local: provider === offlineProvider || isLoopback(baseUrl),
    };
  });
  const rank = (item: ProviderItem) => (item.auth === "none" ? 1 : 0);
  return items.sort((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name, "en"));
}

/** A file written by hand may hold what an address must not show. */
function toShownAddress(baseUrl: string): string {
  if (!URL.canParse(baseUrl)) return "";
  try {
    return toAddress(parseAddress(baseUrl).url);
  } catch {
    return new URL(baseUrl).origin;
  }
}
