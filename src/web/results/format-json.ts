/** Lays out JSON for reading. Only blanks outside of strings change: a number keeps every digit, which parsing would not. */
export function formatJson(text: string): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    JSON.parse(text);
  } catch {
    return null; // not JSON: shown as it is
  }
  let depth = 0;
  let out = "";
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
  for (const [index, token] of tokens.entries()) {
    const opens = token === "{" || token === "[";
    const closes = token === "}" || token === "]";
    const before = tokens[index - 1];
    const empty = closes && (before === "{" || before === "[");
    if (closes) depth -= 1;
    if ((closes && !empty) || before === "," || ((before === "{" || before === "[") && !closes))
      out += `\n${"  ".repeat(depth)}`;
    out += token === ":" ? ": " : token;
    if (opens) depth += 1;
  }
  return out;
}
