/**
 * Whether a text is exactly one statement that only reads, decided on MySQL's own tokens. The server refuses several
 * statements in one text as well, and writes in its read-only transaction; what this adds is everything that counts
 * as reading for a server and isn't: files, locks, variables, waiting, stored functions.
 */
import { judgeCall } from "./functions.ts";
import { type LexRules, type Token, tokenize } from "./tokens.ts";

/** `text` is the statement without what follows its last token. */
export type StatementCheck = { ok: true; text: string } | { ok: false; reason: string };

const openers = new Set(["SELECT", "WITH", "VALUES", "TABLE"]);
/** A longer one isn't written for a person, and a server would refuse most of them. */
const maxLength = 1_000_000;

export function checkStatement(sql: string, rules: LexRules): StatementCheck {
  const refuse = (reason: string): StatementCheck => ({ ok: false, reason });
  if (sql.length > maxLength) return refuse("The SQL is longer than a million characters.");
  const cut = tokenize(sql, rules);
  if (!cut.ok) return refuse(cut.reason);
  const tokens = cut.tokens;
  const semicolon = tokens.findIndex((token) => sign(token) === ";");
  if (semicolon >= 0 && semicolon < tokens.length - 1)
    return refuse("Only one statement can run at a time, and something follows its semicolon.");
  if (semicolon >= 0) tokens.pop();
  const last = tokens.at(-1);
  if (!last) return refuse("The SQL holds no statement.");
  const first = tokens.findIndex((token) => token.key !== "(" || token.kind !== "sign");
  const opener = tokens[first];
  if (opener?.kind !== "word" || !openers.has(opener.key)) {
    return refuse(
      `Only statements that read can run (SELECT, WITH … SELECT, VALUES, TABLE); this one starts with ${(opener?.text ?? "(").slice(0, 40)}.`,
    );
  }
  const closings = findClosings(tokens);
  const closing: Closing = (open) => closings.get(open) ?? tokens.length;
  for (let index = 0; index < tokens.length; index += 1) {
    const reason = findFault(tokens, index, closing);
    if (reason) return refuse(reason);
  }
  return { ok: true, text: sql.slice(0, last.end) };
}

/** The position of the parenthesis that closes the one at `open`. */
type Closing = (open: number) => number;

const word = (token: Token | undefined): string => (token?.kind === "word" ? token.key : "");
const sign = (token: Token | undefined): string => (token?.kind === "sign" ? token.key : "");

function findFault(tokens: readonly Token[], index: number, closing: Closing): string | undefined {
  const token = tokens[index];
  const before = tokens[index - 1];
  const after = tokens[index + 1];
  if (!token) return undefined;
  if (token.kind === "sign")
    return token.key === ":=" ? "Setting a variable isn't allowed: a query may only read." : undefined;
  if (token.kind !== "word" && token.kind !== "quoted") return undefined;
  if (sign(before) === ".") {
    if (/^(nextval|currval)$/i.test(token.text)) return "A sequence isn't allowed: taking its value changes it.";
    if (sign(after) === "(" && !isHeader(tokens, index, closing))
      return `The function ${nameOf(tokens, index)} isn't one of the server's own: it could do more than read.`;
    return undefined;
  }
  if (token.kind === "word") {
    const reason = findKeywordFault(tokens, index, closing);
    if (reason) return reason;
  }
  if (sign(after) !== "(" || isHeader(tokens, index, closing)) return undefined;
  const judged = judgeCall(token.text, token.kind === "quoted");
  if (judged === "reaching") return `The function ${token.text} isn't allowed: a query may only read.`;
  if (judged === "unknown")
    return `The function ${token.text.slice(0, 60)} isn't one of the server's own that only compute: it could do more than read.`;
  if (token.key.toUpperCase() === "LAST_INSERT_ID" && sign(tokens[index + 2]) !== ")")
    return "The function last_insert_id with a value isn't allowed: it sets what it returns.";
  return undefined;
}

function findKeywordFault(tokens: readonly Token[], index: number, closing: Closing): string | undefined {
  const next = word(tokens[index + 1]);
  switch (tokens[index]?.key) {
    case "INTO":
      return "INTO isn't allowed: it writes a file, a table or a variable.";
    case "DELETE":
    case "UPDATE":
      return `${tokens[index]?.key} isn't allowed: a query may only read. (A column of that name has to be quoted with backticks.)`;
    case "INSERT":
    case "REPLACE":
      return sign(tokens[index + 1]) === "("
        ? undefined
        : `${tokens[index]?.key} isn't allowed: a query may only read.`;
    case "FOR":
      return next === "UPDATE" || next === "SHARE" ? `FOR ${next} isn't allowed: it locks rows.` : undefined;
    case "LOCK":
      return next === "IN" && word(tokens[index + 2]) === "SHARE"
        ? "LOCK IN SHARE MODE isn't allowed: it locks rows."
        : undefined;
    case "PROCEDURE":
      return "PROCEDURE isn't allowed: a query may only read.";
    case "NEXT":
    case "PREVIOUS":
      return next === "VALUE" && word(tokens[index + 2]) === "FOR"
        ? "A sequence isn't allowed: taking its value changes it."
        : undefined;
    case "WITH":
      return isCteList(tokens, index) ? findWithFault(tokens, index, closing) : undefined;
    default:
      return undefined;
  }
}

/** WITH ROLLUP, WITH TIES, WITH QUERY EXPANSION, WITH PARSER and the like aren't lists of CTEs. */
function isCteList(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  return (
    before === undefined ||
    sign(before) === "(" ||
    word(tokens[index + 1]) === "RECURSIVE" ||
    word(tokens[index + 2]) === "AS"
  );
}

/** What follows the list of CTEs has to read, too. */
function findWithFault(tokens: readonly Token[], index: number, closing: Closing): string | undefined {
  let at = index + 1;
  if (word(tokens[at]) === "RECURSIVE") at += 1;
  for (;;) {
    at += 1;
    if (sign(tokens[at]) === "(") at = closing(at) + 1;
    if (word(tokens[at]) !== "AS" || sign(tokens[at + 1]) !== "(") return "The list of CTEs after WITH can't be read.";
    at = closing(at + 1) + 1;
    if (word(tokens[at]) === "CYCLE") while (at < tokens.length && word(tokens[at - 1]) !== "RESTRICT") at += 1;
    if (sign(tokens[at]) !== ",") break;
    at += 1;
  }
  const main = tokens[at];
  if (sign(main) === "(" || openers.has(word(main))) return undefined;
  return `Only a SELECT can follow the CTEs of WITH; here it is ${(main?.text ?? "nothing").slice(0, 40)}.`;
}

/** For each opening parenthesis the position of its closing one; past the end when there is none. One pass. */
function findClosings(tokens: readonly Token[]): Map<number, number> {
  const closings = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach((token, at) => {
    if (sign(token) === "(") open.push(at);
    else if (sign(token) === ")") {
      const from = open.pop();
      if (from !== undefined) closings.set(from, at);
    }
  });
  for (const from of open) closings.set(from, tokens.length);
  return closings;
}

/** A name with a list of columns or a window, no call: `WITH c (n) AS (`, `(SELECT …) AS d (n)`, `t AS d (n)`. */
function isHeader(tokens: readonly Token[], index: number, closing: Closing): boolean {
  const before = tokens[index - 1];
  if (["AS", "RECURSIVE", "WITH"].includes(word(before))) return true;
  if (sign(before) === ")") return true;
  const close = closing(index + 1);
  return sign(before) === "," && word(tokens[close + 1]) === "AS" && sign(tokens[close + 2]) === "(";
}

function nameOf(tokens: readonly Token[], index: number): string {
  return `${tokens[index - 2]?.text ?? ""}.${tokens[index]?.text ?? ""}`.slice(0, 100);
}
