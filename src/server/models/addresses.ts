/** Addresses of endpoints: which are this machine, and what a person typed as one that can be kept. */
import { isIP } from "node:net";
import { ThothError } from "../../protocol/index.ts";

export function isLoopback(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { hostname } = new URL(address);
  return hostname === "localhost" || hostname === "[::1]" || (isIP(hostname) === 4 && hostname.startsWith("127."));
}

const wrong = (message: string, action: string) => new ThothError("endpoint-url", message, action);

/**
 * The address as it will be kept, and the key that stood in it: a password goes to the key store, never into
 * models.json. Throws ThothError `endpoint-url`.
 */
export function parseAddress(text: string): { url: URL; key: string | null } {
  const trimmed = text.trim();
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  const example = "Write it like http://127.0.0.1:11434/v1 or https://gateway.example/v1.";
  if (!URL.canParse(full)) throw wrong("That is no address.", example);
  const url = new URL(full);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw wrong("An endpoint's address begins with http:// or https://.", example);
  if (url.hostname === "") throw wrong("The address names no machine.", example);
  // Pi reads a leading $ or ! in its file as a variable or a command; in an address neither has any business.
  if (/[$!`{}]/.test(decodeSafely(trimmed)))
    throw wrong("The address holds characters that an endpoint's address doesn't have.", example);
  if (url.search !== "" || url.hash !== "")
    throw wrong(
      "The address has a query or a fragment, where a key is often put and would be seen.",
      "Leave off everything from ? or #, and give the key in its own field.",
    );
  const key =
    url.password !== "" ? decodeSafely(url.password) : url.username !== "" ? decodeSafely(url.username) : null;
  url.username = "";
  url.password = "";
  return { url, key };
}

/** Without the slash at its end. */
export const toAddress = (url: URL): string => url.href.replace(/\/+$/, "");

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone % is a character like any other
  }
}
