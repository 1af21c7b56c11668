/** The two pages that stand before the product: the way in with a one-time code, and the words for who has no access. */
import type { Problem } from "../protocol/index.ts";
import { escapeHtml } from "./escape-html.ts";
import { toErrorResponse } from "./problems.ts";

export const noAccess: Problem = {
  code: "no-access",
  message: "This ThothII belongs to whoever started it.",
  action:
    "Open the address that it printed when it started, or run `npx thoth open` in its folder for a fresh one. Programs send the header Authorization: Bearer with the text of the file token in THOTH_HOME.",
};

export const usedCode: Problem = {
  code: "no-access",
  message: "This address was used already or is older than ten minutes.",
  action: "Run `npx thoth open` in ThothII's folder for a fresh one.",
};

/** Loaded from a file because the content policy allows no inline script. */
export const entryScriptPath = "/enter.js";
export const entryScript = 'location.replace("/");\n';

/**
 * A page and not a redirect: after a click in another program the browser withholds a SameSite=Strict cookie for the
 * whole chain of redirects, but sends it again once a page of this origin asks.
 */
export function toEntryResponse(setCookie: string | null): Response {
  const html = page(
    "ThothII",
    `<p>Opening ThothII …</p><p><a href="/">Go on</a></p><script src="${entryScriptPath}"></script>`,
  );
  return new Response(html, {
    headers: { ...htmlHeaders, ...(setCookie ? { "Set-Cookie": setCookie } : {}) },
  });
}

/** For a browser that navigates, a page; for everything else the error shape. */
export function toNoAccessResponse(accept: string | null, problem: Problem = noAccess): Response {
  const headers = { "WWW-Authenticate": 'Bearer realm="ThothII"', "Cache-Control": "no-store" };
  if (!accept?.includes("text/html")) return toErrorResponse(problem, headers);
  const body = `<h1>No access yet</h1><p>${escapeHtml(problem.message)}</p><p>${escapeHtml(problem.action ?? "")}</p>`;
  return new Response(page("No access — ThothII", body), { status: 401, headers: { ...htmlHeaders, ...headers } });
}

const htmlHeaders = { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" };

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:15vh auto;padding:0 1rem}h1{font-size:1.25rem}</style>
</head><body><main>${body}</main></body></html>
`;
}
