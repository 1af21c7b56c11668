/** Reads `SHOW GRANTS`: which rights go beyond reading, and on what. Pure. */

/** Rights to look at data or names of it. */
const reading = new Set([
  "USAGE",
  "SELECT",
  "SHOW VIEW",
  "SHOW DATABASES",
  "REFERENCES",
  "SELECT_PRIV",
  "SHOW_VIEW_PRIV",
  "USAGE_PRIV",
]);
/** Rights on the server itself that are worth a word each. */
const dangerous: Record<string, string> = {
  FILE: "read and write files of the server (FILE)",
  SUPER: "change the server's settings (SUPER)",
  PROCESS: "see other logins' queries (PROCESS)",
  "CREATE USER": "create logins (CREATE USER)",
  SHUTDOWN: "stop the server (SHUTDOWN)",
};

/** One entry per scope, e.g. "INSERT, UPDATE on `shop`.*". A password's hash, which grants may hold, never stands in it. */
export function findExcess(grants: readonly string[]): string[] {
  return grants.flatMap((grant) => {
    if (/^GRANT PROXY\b/i.test(grant)) return ["act as other logins (PROXY)"];
    const found = /^GRANT (.+?) ON (.+?) TO /is.exec(grant);
    if (!found?.[1] || !found[2]) return [];
    const scope = found[2].replace(/^(TABLE|FUNCTION|PROCEDURE|PACKAGE) /i, "");
    const rights = splitRights(found[1])
      .map((right) => right.toUpperCase())
      .filter((right) => !reading.has(right) && right !== "");
    const all = rights.some((right) => /^ALL( PRIVILEGES)?$/.test(right));
    if (all) return [`everything (ALL PRIVILEGES) on ${scope}`];
    const words = rights.flatMap((right) => dangerous[right] ?? []);
    const others = rights.filter((right) => !(right in dangerous));
    const shown = others.slice(0, 6).join(", ") + (others.length > 6 ? ` and ${others.length - 6} more` : "");
    return [...words, ...(others.length > 0 ? [`${shown} on ${scope}`] : [])];
  });
}

/** `SELECT (a, b), INSERT, UPDATE (c)` → names without their columns. */
function splitRights(text: string): string[] {
  return text
    .replace(/\([^)]*\)/g, "")
    .split(",")
    .map((right) => right.trim());
}
