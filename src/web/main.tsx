/**
 * The page: a session is asked for in `question/`, listed in `sessions/`, worked through in `review/` and watched in
 * `activity/`; `session/` holds its state, `widgets/` one view per gate kind, `elements/` the primitives.
 * Imports nothing of ours but `protocol/`.
 */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { ApiProblem } from "./session/api.ts";
import "./styles/base.css";
import { startTheme } from "./styles/theme.ts";

startTheme();

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // Polling asks again anyway; an answer of the server, even a refusal, is not asked for twice.
      retry: (count, cause) => count < 1 && !(cause instanceof ApiProblem && cause.status > 0),
      retryDelay: 500,
      staleTime: 1_000,
      networkMode: "always",
    },
    mutations: { networkMode: "always" },
  },
});

const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root.");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
