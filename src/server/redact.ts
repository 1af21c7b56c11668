/** Takes secrets out of text by their shape, for everything that goes to a log. */
import { homedir } from "node:os";

const shapes: readonly [RegExp, string][] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/g, "[redacted]"],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{6,}/gi, "$1 [redacted]"],
  // user:password@ in any address or DSN
  [/\b([a-z][a-z0-9+.-]*:\/\/[^\s:/@"']*):[^\s/@"']+@/gi, "$1:[redacted]@"],
  [/\b(?:sk|pk|rk|gsk|xai|hf|ghp|gho|ghs|github_pat|glpat|npm|xox[abprs])[-_][A-Za-z0-9_-]{8,}/g, "[redacted]"],
  [/\bAIza[A-Za-z0-9_-]{20,}/g, "[redacted]"],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g, "[redacted]"],
  [/\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, "[redacted]"],
  [/([?&](?:code|key|sig|signature|[a-z_]*token)=)[^\s&"'\\]+/gi, "$1[redacted]"],
  [/\b(thoth_\d+=)[A-Za-z0-9_-]+/g, "$1[redacted]"],
  // A quoted value may hold blanks.
  [/((?:password|passwd|pwd|secret)\s*=\s*)(["'])[^"'\\]*\2/gi, "$1[redacted]"],
  // name=value, name: value and "name":"value", also inside JSON that was escaped once
  [
    /((?:api[-_]?key|x-api-key|apikey|password|passwd|pwd|secret|token|authorization)\\?["']?\s*[:=]\s*\\?["']?)(?!\[redacted\]|Bearer\b|Basic\b)[^\s"',;&}\\]{3,}/gi,
    "$1[redacted]",
  ],
];

/**
 * A word that no person chose: long, of all kinds of characters in between each other, or nothing but hexadecimal digits.
 * Ids of ours have no capital letters and stay, and so do paths and names of functions.
 */
const words = /[A-Za-z0-9_+-]{20,}|(?<![\w/+.-])[A-Za-z0-9/+]{40}(?![\w/+=-]|\.\w)/g;
const count = (text: string, kind: RegExp): number => text.match(kind)?.length ?? 0;

function hideRandom(word: string): string {
  const digits = count(word, /\d/g);
  const mixed = count(word, /[A-Z]/g) >= 3 && count(word, /[a-z]/g) >= 3;
  const random = (mixed && digits >= (word.length === 40 ? 1 : 3)) || /^[0-9a-f]{32,}$/i.test(word);
  return random ? "[redacted]" : word;
}

/** `secrets` are texts that are known to be secret whatever their shape, such as this home's token. */
export function createRedactor(secrets: readonly string[], home?: string): (text: string) => string {
  const known = secrets.filter((secret) => secret.length >= 8);
  return (text) => {
    let out = text;
    for (const secret of known) out = out.replaceAll(secret, "[redacted]");
    for (const [shape, replacement] of shapes) out = out.replace(shape, replacement);
    out = out.replace(words, hideRandom);
    if (home) out = out.replaceAll(home, "$THOTH_HOME");
    const user = homedir();
    return user.length > 1 ? out.replaceAll(`${user}/`, "~/") : out;
  };
}
