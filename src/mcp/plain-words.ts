/** What leaves towards another agent: no control characters that could repaint its screen, no path, no stack. */
import { homedir } from "node:os";
import { type Problem, ThothError } from "../protocol/index.ts";

const unseen = /[^\P{Cc}\n\t]|\p{Bidi_Control}/gu;
/** Two folders or more from a root; addresses of routes and of other machines are none. */
const paths = /(?<![\w:/.@-])(?!\/(?:api|mcp|s)\b)(?:~|[A-Za-z]:)?(?:[\\/][^\s\\/"'“”‘’(),;:]+){2,}/g;

/** Every text in a JSON value, names of properties aside: those are ours. */
export function toPlain<T>(value: T): T {
  if (typeof value === "string") return value.replace(/\r\n?/g, "\n").replace(unseen, "·") as T;
  if (Array.isArray(value)) return value.map(toPlain) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, toPlain(inner)])) as T;
}

export function withoutPaths(text: string): string {
  const home = homedir();
  const known = [process.env.THOTH_HOME ?? "", home.length > 1 ? home : ""].filter((path) => path !== "");
  return known.reduce((said, path) => said.replaceAll(path, "~"), text).replace(paths, toLastPart);
}

const toLastPart = (path: string): string => `…/${path.split(/[\\/]/).at(-1) ?? ""}`;

/** For any thrown value; only an expected fault keeps its own words. */
export function toPlainProblem(error: unknown): Problem {
  const problem: Problem =
    error instanceof ThothError
      ? error.toProblem()
      : {
          code: "internal",
          message: "Something went wrong inside ThothII.",
          action: "Try again; its log on the machine it runs on says more.",
        };
  return toPlain({
    code: problem.code,
    message: withoutPaths(problem.message),
    ...(problem.action ? { action: withoutPaths(problem.action) } : {}),
  });
}
