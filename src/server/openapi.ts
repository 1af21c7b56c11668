/** The OpenAPI document, made from the table of routes: what isn't in the table isn't served either. */
import type { TSchema } from "typebox";
import * as protocol from "../protocol/index.ts";
import { toStatus } from "./problems.ts";
import { version } from "./project.ts";
import type { Route } from "./routes/route.ts";

/** Codes that any route may answer with. */
const anyRoute = ["host-not-allowed", "internal"];
const behindAccess = ["no-access", "origin-refused", "cross-site-refused"];
const changing = ["content-type-not-json", "body-too-large"];
const withBody = ["body-malformed", "body-invalid"];

type Json = Record<string, unknown>;

export function toOpenApi(routes: readonly Route[]): Json {
  const named = namedSchemas();
  const used = new Set<string>(["ErrorBody", "ResumeRefused"]);
  const refer = (schema: TSchema): unknown => {
    const name = named.get(schema);
    if (!name) return schema;
    used.add(name);
    return { $ref: `#/components/schemas/${name}` };
  };

  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:([A-Za-z]+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route, refer) };
  }
  const schemas = Object.fromEntries(
    [...named].filter(([, name]) => used.has(name)).map(([schema, name]) => [name, schema]),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: "ThothII",
      version,
      description: "Every error has the shape of ErrorBody; the code says what it is.",
    },
    components: {
      schemas,
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
    security: [{ token: [] }],
    paths,
  };
}

function toOperation(route: Route, refer: (schema: TSchema) => unknown): Json {
  const pathParameters = [...route.path.matchAll(/:([A-Za-z]+)/g)].map((match) => ({
    name: match[1],
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const queryParameters = Object.entries(route.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema,
  }));
  const content: Json = {};
  if (route.answer) content["application/json"] = { schema: refer(route.answer) };
  for (const type of route.answerTypes ?? []) content[type] = { schema: { type: "string" } };
  const parameters = [...pathParameters, ...queryParameters];
  return {
    operationId: toOperationId(route),
    summary: route.summary,
    ...(route.open ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body
      ? { requestBody: { required: true, content: { "application/json": { schema: refer(route.body) } } } }
      : {}),
    responses: {
      ...(Object.keys(content).length > 0
        ? { [String(route.status ?? 200)]: { description: "Success", content } }
        : {}),
      ...toErrors(route),
    },
  };
}

function toErrors(route: Route): Json {
  const codes = [
    ...(route.errors ?? []),
    ...anyRoute,
    ...(route.open ? [] : behindAccess),
    ...(route.method === "GET" ? [] : changing),
    ...(route.body ? withBody : []),
    ...(route.query ? ["query-invalid"] : []),
  ];
  const byStatus = Map.groupBy(codes, toStatus);
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => {
      const name = of.includes("resume-refused") ? "ResumeRefused" : "ErrorBody";
      return [
        String(status),
        {
          description: of.join(", "),
          content: { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } },
        },
      ];
    }),
  );
}

/** `GET /api/sessions/:id/ledger` → `getSessionsIdLedger`. */
function toOperationId(route: Route): string {
  const words = route.path
    .split("/")
    .slice(2)
    .map((part) => part.replace(":", ""));
  return route.method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

/** Schemas that the protocol exports under a name. */
function namedSchemas(): Map<TSchema, string> {
  const found = new Map<TSchema, string>();
  for (const [name, value] of Object.entries(protocol)) {
    if (typeof value === "object" && value !== null && ("type" in value || "anyOf" in value))
      found.set(value as TSchema, name);
  }
  return found;
}
