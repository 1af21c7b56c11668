/**
 * Cuts a text into tokens by the rules of MySQL's own lexer (sql/sql_lex.cc), which differ from the standard's: `--`
 * needs a blank after it, backslashes escape, `"` may quote a string or a name. Where its rules are subtle or change
 * between versions the text is refused: what this reads as one token, a server must never read as two.
 */

/** From the session's `@@sql_mode`. */
export interface LexRules {
  /** ANSI_QUOTES: `"` quotes a name. */
  ansiQuotes: boolean;
  /** Off under NO_BACKSLASH_ESCAPES. */
  backslashEscapes: boolean;
}

export interface Token {
  kind: "word" | "quoted" | "string" | "number" | "variable" | "sign";
  /** As written; for `quoted` the name inside the quotes. */
  text: string;
  /** A word in capitals, a sign as it is, a quoted name in small letters; empty for the rest: never a keyword. */
  key: string;
  start: number;
  end: number;
}

export type Tokens = { ok: true; tokens: Token[] } | { ok: false; reason: string };

const blanks = /[ \t\n\v\f\r]*/y;
const nameCharacters = /[A-Za-z0-9_$\u0080-\uffff]*/y;
const variableCharacters = /[A-Za-z0-9_$.\u0080-\uffff]*/y;
const digits = /[0-9]*/y;
const exponent = /(e[+-]?[0-9]+)?/iy;
const radixNumber = /(0(x[0-9a-f]+|b[01]+)(?![A-Za-z0-9_$\u0080-\uffff]))?/iy;
/** Hints that change settings, time limits or priorities. */
const settingHint = /\b(set_var|max_execution_time|resource_group)\b/i;
/** After a number without a blank some servers read these as a word of its own. */
const hiddenWord = /^\d.*(into|procedure|for|lock|union|select|from)$/i;

class Refusal extends Error {}

export function tokenize(sql: string, rules: LexRules): Tokens {
  if (sql.includes("\0"))
    return { ok: false, reason: "The SQL holds a NUL character, which would hide what follows it." };
  try {
    return { ok: true, tokens: [...readTokens(sql, rules)] };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, reason: error.message };
    throw error;
  }
}

function* readTokens(sql: string, rules: LexRules): Generator<Token> {
  let at = 0;
  let previous: Token | undefined;
  while (at < sql.length) {
    const start = at;
    const here = sql.charAt(at);
    const comment = skipBlankOrComment(sql, at);
    if (comment > at) {
      at = comment;
      continue;
    }
    let kind: Token["kind"] = "sign";
    // A name after `t.` may begin with digits; a number can't stand there.
    const afterDot = previous?.kind === "sign" && previous.key === "." && previous.end === start;
    if (here === "'" || (here === '"' && !rules.ansiQuotes)) {
      kind = "string";
      at = endOfQuoted(sql, at, rules.backslashEscapes);
    } else if (here === "`" || here === '"') {
      kind = "quoted";
      at = endOfQuoted(sql, at, false);
    } else if (here === "@") {
      kind = "variable";
      at = endOfVariable(sql, at, rules);
    } else if (
      !afterDot &&
      (isDigit(here) || (here === "." && isDigit(sql.charAt(at + 1)) && !isName(previous, start)))
    ) {
      at = endOfNumber(sql, at);
      kind = /^[\d.]+$|^[\d.]+e[+-]?\d+$|^0x[\da-f]+$|^0b[01]+$/i.test(sql.slice(start, at)) ? "number" : "word";
    } else if (skip(nameCharacters, sql, at) > at) {
      kind = "word";
      at = skip(nameCharacters, sql, at);
      if (here === "$") throw new Refusal("A name that begins with $ has to be quoted with backticks.");
    } else if (here === "\\") {
      throw new Refusal("The SQL holds a backslash outside of a text.");
    } else if (here === "?") {
      throw new Refusal("The SQL holds the parameter ?, and no values are bound: write the value itself.");
    } else {
      at += sql.startsWith(":=", at) ? 2 : 1;
    }
    const written = sql.slice(start, at);
    if (kind === "word" && hiddenWord.test(written))
      throw new Refusal(`${written.slice(0, 40)} can't be told from a number and a word: quote it with backticks.`);
    const text = kind === "quoted" ? unquote(written) : written;
    const key =
      kind === "word" ? text.toUpperCase() : kind === "sign" ? text : kind === "quoted" ? text.toLowerCase() : "";
    previous = { kind, text, key, start, end: at };
    yield previous;
  }
}

/** The position after one blank or comment, or the same position. */
function skipBlankOrComment(sql: string, at: number): number {
  const here = sql.charAt(at);
  if (here === "\ufeff" && at === 0) return 1;
  const past = skip(blanks, sql, at);
  if (past > at) return past;
  const toLineEnd = () => {
    const end = sql.indexOf("\n", at);
    return end < 0 ? sql.length : end + 1;
  };
  if (here === "#") return toLineEnd();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the server takes these for blanks after `--`.
  if (sql.startsWith("--", at) && /^[\x01-\x20\x7f]?$/.test(sql.charAt(at + 2))) return toLineEnd();
  if (!sql.startsWith("/*", at)) return at;
  if (/^\/\*(!|M!)/i.test(sql.slice(at, at + 4)))
    throw new Refusal("A comment that begins with /*! or /*M! is run by the server: leave it out.");
  const end = sql.indexOf("*/", at + 2);
  if (end < 0) throw new Refusal("A comment isn't closed.");
  if (sql.charAt(at + 2) === "+" && settingHint.test(sql.slice(at, end)))
    throw new Refusal("A hint that changes settings of the server isn't allowed.");
  return end + 2;
}

/** A doubled quote stands for itself; with escapes a backslash takes the next character along. */
function endOfQuoted(sql: string, from: number, escapes: boolean): number {
  const quote = sql.charAt(from);
  let at = from + 1;
  while (at < sql.length) {
    const here = sql.charAt(at);
    if (escapes && here === "\\") at += 2;
    else if (here !== quote) at += 1;
    else if (sql.charAt(at + 1) === quote) at += 2;
    else return at + 1;
  }
  throw new Refusal(`A text or name that begins with ${quote} isn't closed.`);
}

function endOfVariable(sql: string, from: number, rules: LexRules): number {
  const at = from + (sql.startsWith("@@", from) ? 2 : 1);
  const quote = sql.charAt(at);
  if (quote === "`" || (quote === '"' && rules.ansiQuotes)) return endOfQuoted(sql, at, false);
  if (quote === "'" || quote === '"') return endOfQuoted(sql, at, rules.backslashEscapes);
  return skip(variableCharacters, sql, at);
}

/** Digits followed by letters are a name (`3pointplay`), unless they have a point or an exponent. */
function endOfNumber(sql: string, from: number): number {
  const radix = skip(radixNumber, sql, from);
  if (radix > from) return radix;
  const whole = skip(digits, sql, from);
  const scaled = skip(exponent, sql, whole);
  if (scaled > whole && whole > from) return scaled;
  if (sql.charAt(whole) !== ".") return skip(nameCharacters, sql, whole);
  return skip(exponent, sql, skip(digits, sql, whole + 1));
}

/** The position after what a sticky pattern, which may match nothing, takes from `from` on. */
function skip(pattern: RegExp, sql: string, from: number): number {
  pattern.lastIndex = from;
  return from + (pattern.exec(sql)?.[0].length ?? 0);
}

const isDigit = (character: string): boolean => character >= "0" && character <= "9";

const isName = (token: Token | undefined, end: number): boolean =>
  token?.end === end && (token.kind === "word" || token.kind === "quoted");

function unquote(written: string): string {
  const quote = written.charAt(0);
  return written.slice(1, -1).replaceAll(quote + quote, quote);
}
