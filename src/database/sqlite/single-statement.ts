/**
 * `node:sqlite` runs the first statement of a text and silently ignores what follows it. So the text is cut into
 * SQLite's own tokens (https://www.sqlite.org/draft/tokenreq.html) to be sure that nothing follows. The authorizer,
 * not this, is what keeps a statement from writing.
 */

// Blanks are the five that SQLite knows, and a byte order mark. Everything from U+0080 up belongs to identifiers.
const token = new RegExp(
  [
    String.raw`(?<blank>[ \t\n\f\r\ufeff]+|--[^\n]*|/\*[\s\S]*?(?:\*/|$))`,
    String.raw`(?<quoted>'[^']*(?:''[^']*)*'?|"[^"]*(?:""[^"]*)*"?|${"`[^`]*(?:``[^`]*)*`?"}|\[[^\]]*\]?)`,
    String.raw`(?<word>[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)`,
    String.raw`(?<number>\d[\w.]*)`,
    String.raw`(?<parameter>\?\d*|[:@$#][\w$\u0080-\uffff]+)`,
    "(?<end>;)",
    String.raw`(?<other>[\s\S])`,
  ].join("|"),
  "y",
);

const openers = new Set(["select", "with", "values", "explain"]);

/** The reason is a sentence for the model or the person who wrote the SQL. */
export function checkSingleStatement(sql: string): { ok: true } | { ok: false; reason: string } {
  if (sql.includes("\0"))
    return { ok: false, reason: "The SQL holds a NUL character, which would hide what follows it." };
  let first: string | undefined;
  let ended = false;
  token.lastIndex = 0;
  for (let match = token.exec(sql); match?.groups; match = token.exec(sql)) {
    const { blank, parameter, end } = match.groups;
    if (blank !== undefined) continue;
    if (ended)
      return { ok: false, reason: "Only one statement can run at a time, and something follows its semicolon." };
    if (parameter !== undefined) {
      return {
        ok: false,
        reason: `The SQL holds the parameter ${parameter}, and no values are bound: write the value itself.`,
      };
    }
    if (end !== undefined) ended = true;
    else first ??= match[0];
  }
  if (first === undefined) return { ok: false, reason: "The SQL holds no statement." };
  if (!openers.has(first.toLowerCase())) {
    return {
      ok: false,
      reason: `Only statements that read can run (SELECT, WITH … SELECT, VALUES); this one starts with ${first.slice(0, 40)}.`,
    };
  }
  return { ok: true };
}
