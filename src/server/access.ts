/**
 * Who may speak to this server: programs that know the home's token, and browsers that got its cookie. A browser gets in
 * by an address with a one-time code, because an EventSource can send no header and a token in an address would stay in
 * its history.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { chmod, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Milliseconds for which a code that nobody used stays good. */
const codeLife = 10 * 60_000;
const maxCodes = 100;
const cookieDays = 30;

export interface Access {
  allows(authorization: string | undefined, cookieHeader: string | undefined): boolean;
  /** A code for one entry. */
  createCode(): string;
  /** True once per code. */
  redeemCode(code: string): boolean;
  /** Value of the Set-Cookie header. */
  readonly setCookie: string;
}

export const tokenFile = (home: string): string => join(home, "token");

/** The home's token; made when there is none, or when a new one is asked for. */
export async function openToken(home: string, renew: boolean): Promise<string> {
  const kept = renew ? null : await readToken(home);
  if (kept) {
    await chmod(tokenFile(home), 0o600);
    return kept;
  }
  const token = randomBytes(32).toString("base64url");
  const next = `${tokenFile(home)}.${randomBytes(6).toString("hex")}`;
  await writeFile(next, `${token}\n`, { mode: 0o600, flag: "wx" });
  await rename(next, tokenFile(home));
  return token;
}

/** Null when there is none or it can't have been made by us. */
export async function readToken(home: string): Promise<string | null> {
  try {
    const text = (await readFile(tokenFile(home), "utf8")).trim();
    return /^[A-Za-z0-9_-]{40,}$/.test(text) ? text : null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export function createAccess(token: string, port: number, now: () => number = Date.now): Access {
  // Cookies ignore ports: the name keeps two servers of one machine apart.
  const cookieName = `thoth_${port}`;
  const codes = new Map<string, number>();
  const isToken = (text: string) => timingSafeEqual(digest(text), digest(token));

  return {
    allows(authorization, cookieHeader) {
      const bearer = /^Bearer ([^\s]+)$/i.exec(authorization ?? "")?.[1];
      if (bearer !== undefined && isToken(bearer)) return true;
      return cookieValues(cookieHeader ?? "", cookieName).some(isToken);
    },
    createCode() {
      for (const [code, until] of codes) if (until <= now() || codes.size >= maxCodes) codes.delete(code);
      const code = randomBytes(18).toString("base64url");
      codes.set(code, now() + codeLife);
      return code;
    },
    redeemCode(code) {
      const until = codes.get(code);
      codes.delete(code);
      return until !== undefined && until > now();
    },
    setCookie: `${cookieName}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${cookieDays * 24 * 3600}`,
  };
}

// Equal lengths for the constant-time comparison, whatever was sent.
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

function cookieValues(header: string, name: string): string[] {
  return header.split(";").flatMap((part) => {
    const at = part.indexOf("=");
    return at > 0 && part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : [];
  });
}
