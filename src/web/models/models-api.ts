/** The routes about models; each change answers with the list as it stands then. */
import type { ModelList } from "../../protocol/api.ts";
import type {
  AddEndpoint,
  DefaultModel,
  FindEndpoint,
  FoundEndpoint,
  LocalEndpoints,
  ModelTest,
  TestModel,
} from "../../protocol/models.ts";
import { request } from "../session/api.ts";

const part = encodeURIComponent;

export const modelsApi = {
  test: (body: TestModel) => request<ModelTest>("POST", "/api/models/test", body),
  setDefault: (body: DefaultModel) => request<ModelList>("POST", "/api/models/default", body),
  storeKey: (provider: string, key: string) => request<ModelList>("POST", "/api/models/keys", { provider, key }),
  removeKey: (provider: string) => request<ModelList>("DELETE", `/api/models/keys/${part(provider)}`, {}),
  local: () => request<LocalEndpoints>("GET", "/api/models/local"),
  find: (body: FindEndpoint) => request<FoundEndpoint>("POST", "/api/models/endpoints/find", body),
  add: (body: AddEndpoint) => request<ModelList>("POST", "/api/models/endpoints", body),
  remove: (name: string) => request<ModelList>("DELETE", `/api/models/endpoints/${part(name)}`, {}),
};
