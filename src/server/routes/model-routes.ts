/** Routes about models: which there are, whether one answers, keys, endpoints and the default. */
import {
  AddEndpoint,
  DefaultModel,
  FindEndpoint,
  FoundEndpoint,
  LocalEndpoints,
  ModelList,
  ModelTest,
  StoreKey,
  TestModel,
} from "../../protocol/index.ts";
import { defineRoute, type Route } from "./route.ts";

const endpointErrors = [
  "endpoint-url",
  "endpoint-unreachable",
  "endpoint-key",
  "endpoint-unknown",
  "endpoint-empty",
  "provider-exists",
];
const fileErrors = ["keys-damaged", "models-damaged"];

export const modelRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/api/models",
    summary: "Providers with where their keys are, models that a session can use, and what a new session takes.",
    answer: ModelList,
    handle: (_request, parts) => parts.sessions.models.list(),
  }),
  defineRoute({
    method: "POST",
    path: "/api/models/test",
    summary: "Sends a model one tiny request: how fast it answers, or why it doesn't.",
    body: TestModel,
    answer: ModelTest,
    errors: ["model-missing", ...fileErrors],
    handle: ({ body }, parts) => parts.sessions.models.test(body),
  }),
  defineRoute({
    method: "POST",
    path: "/api/models/default",
    summary: "What a new session takes when it names nothing else; what isn't given stays.",
    body: DefaultModel,
    answer: ModelList,
    errors: ["model-missing"],
    async handle({ body }, parts) {
      await parts.sessions.models.setDefault(body);
      return parts.sessions.models.list();
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/models/keys",
    summary: "Keeps a provider's key in a file that only the owner may read. It is never told again.",
    body: StoreKey,
    answer: ModelList,
    errors: ["provider-unknown", "key-unsupported", "key-malformed", ...fileErrors],
    async handle({ body }, parts) {
      await parts.sessions.models.storeKey(body);
      return parts.sessions.models.list();
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/api/models/keys/:provider",
    summary: "Removes a kept key; one in the server's environment stays where it is.",
    answer: ModelList,
    errors: fileErrors,
    async handle(request, parts) {
      await parts.sessions.models.removeKey(request.param("provider"));
      return parts.sessions.models.list();
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/models/local",
    summary: "Model servers that answer on this machine's usual ports, looked for now.",
    answer: LocalEndpoints,
    handle: (_request, parts) => parts.sessions.models.findLocal(),
  }),
  defineRoute({
    method: "POST",
    path: "/api/models/endpoints/find",
    summary: "Which models an address has and which protocol it speaks; nothing is kept.",
    body: FindEndpoint,
    answer: FoundEndpoint,
    errors: endpointErrors,
    handle: ({ body }, parts) => parts.sessions.models.findEndpoint(body),
  }),
  defineRoute({
    method: "POST",
    path: "/api/models/endpoints",
    summary: "Adds an OpenAI- or Anthropic-compatible address under a name, once it has answered.",
    body: AddEndpoint,
    status: 201,
    answer: ModelList,
    errors: [...endpointErrors, ...fileErrors],
    async handle({ body }, parts) {
      await parts.sessions.models.addEndpoint(body);
      return parts.sessions.models.list();
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/api/models/endpoints/:name",
    summary: "Removes an endpoint and its kept key.",
    answer: ModelList,
    errors: ["provider-unknown", ...fileErrors],
    async handle(request, parts) {
      await parts.sessions.models.removeEndpoint(request.param("name"));
      return parts.sessions.models.list();
    },
  }),
];
