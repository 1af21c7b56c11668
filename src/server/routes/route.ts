/** One HTTP route as data: the same table registers the routes and writes their documentation. */
import type { ServerResponse } from "node:http";
import type { Static, TObject, TSchema } from "typebox";
import type { Problem } from "../../protocol/index.ts";
import type { Access } from "../access.ts";
import type { Catalogs } from "../catalogs.ts";
import type { EventStreams } from "../event-streams.ts";
import type { Log } from "../log.ts";
import type { Metrics } from "../metrics.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { WorkspaceStates } from "../workspace-states.ts";

/** What the routes work with; everything that a test may want to choose. */
export interface RouteParts {
  home: string;
  sessions: Sessions;
  workspaces: WorkspaceStates;
  catalogs: Catalogs;
  access: Access;
  address: string;
  streams: EventStreams;
  metrics: Metrics;
  readiness: () => Promise<Problem[]>;
  log: Log;
}

export interface RouteRequest<B, Q> {
  /** A path parameter by name; empty when the route has none of that name. */
  param(name: string): string;
  query: Q;
  body: B;
  header(name: string): string | undefined;
  signal: AbortSignal;
  /** The method as it was sent: a HEAD request runs the GET route. */
  method: string;
  /** The socket's side of the answer; absent when the app is called without a server. */
  outgoing: ServerResponse | undefined;
}

export interface Route<B extends TSchema = TSchema, Q extends TObject = TObject, A extends TSchema = TSchema> {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With parameters in the form `:id`. */
  path: string;
  summary: string;
  /** Needs neither token nor cookie. */
  open?: true;
  body?: B;
  /** Runs on the parsed body before its schema does, to say something better than the schema can. */
  checkBody?: (body: unknown) => void;
  /** Strings, and integers in decimal digits. */
  query?: Q;
  /** Status of success, 200 when absent. */
  status?: number;
  answer?: A;
  /** Other types that success may have. */
  answerTypes?: string[];
  /** Error codes besides those that any route may give. */
  errors?: string[];
  handle(request: RouteRequest<Static<B>, Static<Q>>, parts: RouteParts): Promise<Static<A> | Response>;
}

/** Gives `handle` the types of its schemas. */
export function defineRoute<B extends TSchema, Q extends TObject, A extends TSchema>(route: Route<B, Q, A>): Route {
  return route as unknown as Route;
}
