/** Which secret a provider needs and where it is: `keys.json` in the home, or the server's own environment. */
import { type AuthState, offlineProvider } from "../../protocol/index.ts";
import { isLoopback } from "./addresses.ts";
import { type ModelsFile, readKeysFile, readModelsFile } from "./home-files.ts";
import { keyVariables } from "./key-variables.ts";

export interface ProviderKeys {
  /** Environment of a child that uses this provider: its variables, or nothing. */
  forProvider(provider: string): Record<string, string>;
  /** For the child that only lists models. */
  forAll(): Record<string, string>;
  authOf(provider: string): { auth: AuthState; variable: string };
  /** Every secret there is, for taking them out of the log. */
  secrets: string[];
  /** Providers that the user described in models.json, with where they are. */
  described: ReadonlyMap<string, { baseUrl: string }>;
}

/** What stands in models.json where an endpoint needs no key: Pi wants something there. */
export const noKeyNeeded = "none-needed";

/** Throws ThothError `keys-damaged` or `models-damaged`. */
export async function readProviderKeys(home: string, environment: NodeJS.ProcessEnv): Promise<ProviderKeys> {
  const keys = await readKeysFile(home);
  const { providers } = await readModelsFile(home);
  const describedOf = (provider: string) => (Object.hasOwn(providers, provider) ? providers[provider] : undefined);
  const knownOf = (provider: string) => (Object.hasOwn(keyVariables, provider) ? keyVariables[provider] : undefined);
  const variableOf = (provider: string): string | undefined =>
    toVariable(describedOf(provider)?.apiKey) ?? knownOf(provider)?.key;
  const keyOf = (provider: string, variable: string): string | undefined =>
    (Object.hasOwn(keys, provider) ? keys[provider] : undefined) ?? environment[variable];

  const forProvider = (provider: string): Record<string, string> => {
    const variable = variableOf(provider);
    if (variable === undefined) return {};
    const key = keyOf(provider, variable);
    const beside = (knownOf(provider)?.beside ?? []).map((name) => [name, environment[name]] as const);
    return Object.fromEntries(
      [[variable, key] as const, ...beside].flatMap(([name, value]) => (value ? [[name, value]] : [])),
    );
  };
  const all = new Set([...Object.keys(keyVariables), ...Object.keys(providers)]);
  const forAll = (): Record<string, string> => Object.assign({}, ...[...all].map(forProvider));
  const authOf = (provider: string): { auth: AuthState; variable: string } => {
    const variable = variableOf(provider) ?? "";
    if (provider === offlineProvider) return { auth: "not-needed", variable };
    if (variable !== "" && Object.hasOwn(keys, provider)) return { auth: "stored", variable };
    if (Object.keys(forProvider(provider)).length > 0) return { auth: "environment", variable };
    const described = describedOf(provider);
    const literal = toVariable(described?.apiKey) === undefined ? described?.apiKey : undefined;
    if (literal === undefined) return { auth: "none", variable };
    const dummy = literal === noKeyNeeded || isLoopback(described?.baseUrl ?? "");
    return { auth: dummy ? "not-needed" : "stored", variable };
  };
  return {
    forProvider,
    forAll,
    authOf,
    secrets: [...Object.values(keys), ...Object.values(forAll()), ...literalKeys(providers)],
    described: new Map(Object.entries(providers).map(([name, { baseUrl = "" }]) => [name, { baseUrl }])),
  };
}

const toVariable = (apiKey: string | undefined): string | undefined =>
  /^\$\{?([A-Za-z_][A-Za-z0-9_]*)\}?$/.exec(apiKey ?? "")?.[1];

const literalKeys = (providers: ModelsFile["providers"]): string[] =>
  Object.values(providers).flatMap(({ apiKey }) =>
    apiKey && apiKey !== noKeyNeeded && !/^[$!]/.test(apiKey) ? [apiKey] : [],
  );
