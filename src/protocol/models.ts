/** Bodies of the routes about models: keys, endpoints, the default and the test. */
import { type Static, Type } from "typebox";
import { Failure } from "./errors.ts";
import { ThinkingLevel } from "./phases.ts";
import { BudgetWish, Usage } from "./usage.ts";

const closed = { additionalProperties: false } as const;
const providerName = Type.String({ minLength: 1, maxLength: 100 });
const modelId = Type.String({ minLength: 1, maxLength: 200 });

/** Where the provider's key is: a variable of the server, ThothII's key store, nowhere, or it needs none. */
export const authStates = ["environment", "stored", "none", "not-needed"] as const;
export const AuthState = Type.Enum(authStates);
export type AuthState = (typeof authStates)[number];

export const ProviderItem = Type.Object({
  provider: Type.String(),
  name: Type.String(),
  auth: AuthState,
  /** Variable of the server's environment that holds the key, or would; empty when no single one does. */
  variable: Type.String(),
  /** How many models it offers with a key. */
  models: Type.Integer(),
  /** Added here or in models.json: it can be removed. */
  added: Type.Boolean(),
  /** Address without anything secret; empty for the providers that Pi knows by itself. */
  url: Type.String(),
  local: Type.Boolean(),
});
export type ProviderItem = Static<typeof ProviderItem>;

export const TestModel = Type.Object({ provider: providerName, model: modelId }, closed);
export type TestModel = Static<typeof TestModel>;
export const ModelTest = Type.Object({
  ok: Type.Boolean(),
  /** From the request to the first word of it, and to its end; null when none came. Milliseconds. */
  firstTokenMs: Type.Union([Type.Number(), Type.Null()]),
  totalMs: Type.Number(),
  usage: Type.Union([Usage, Type.Null()]),
  failure: Type.Union([Failure, Type.Null()]),
});
export type ModelTest = Static<typeof ModelTest>;

export const DefaultModel = Type.Object(
  {
    provider: Type.Optional(providerName),
    model: Type.Optional(modelId),
    thinking: Type.Optional(ThinkingLevel),
    budget: Type.Optional(Type.Union([BudgetWish, Type.Null()])),
  },
  closed,
);
export type DefaultModel = Static<typeof DefaultModel>;

const key = Type.String({ minLength: 1, maxLength: 4000 });
export const StoreKey = Type.Object({ provider: providerName, key }, closed);
export type StoreKey = Static<typeof StoreKey>;

export const endpointKinds = ["openai", "anthropic"] as const;
export const EndpointKind = Type.Enum(endpointKinds);
export type EndpointKind = (typeof endpointKinds)[number];

const url = Type.String({ minLength: 1, maxLength: 2000 });
export const FindEndpoint = Type.Object({ url, kind: Type.Optional(EndpointKind), key: Type.Optional(key) }, closed);
export type FindEndpoint = Static<typeof FindEndpoint>;
export const FoundModel = Type.Object({
  id: Type.String(),
  name: Type.String(),
  reasoning: Type.Boolean(),
  contextWindow: Type.Union([Type.Integer(), Type.Null()]),
  /** False when the server says that the model can't call tools, which a session needs; null when it doesn't say. */
  tools: Type.Union([Type.Boolean(), Type.Null()]),
});
export type FoundModel = Static<typeof FoundModel>;
export const FoundEndpoint = Type.Object({
  kind: EndpointKind,
  /** What answers, e.g. `Ollama`; `OpenAI-compatible` when it doesn't say. */
  server: Type.String(),
  /** As it will be kept, without credentials. */
  url: Type.String(),
  models: Type.Array(FoundModel),
  warning: Type.Union([Type.String(), Type.Null()]),
});
export type FoundEndpoint = Static<typeof FoundEndpoint>;

export const AddEndpoint = Type.Object(
  {
    name: Type.String({ pattern: "^[a-z0-9][a-z0-9_-]{0,62}$" }),
    url,
    kind: Type.Optional(EndpointKind),
    key: Type.Optional(key),
    /** Ids to keep; all that are found when absent. Needed where the server lists none. */
    models: Type.Optional(Type.Array(modelId, { minItems: 1, maxItems: 500 })),
  },
  closed,
);
export type AddEndpoint = Static<typeof AddEndpoint>;

export const LocalEndpoints = Type.Object({
  endpoints: Type.Array(
    Type.Object({
      /** A name it could be added under. */
      name: Type.String(),
      server: Type.String(),
      url: Type.String(),
      models: Type.Integer(),
      added: Type.Boolean(),
    }),
  ),
});
export type LocalEndpoints = Static<typeof LocalEndpoints>;
