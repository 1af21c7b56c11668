/** Headers of every answer. There are no CORS headers anywhere: no other origin may read what this server says. */

const policy = (scripts: string, connect: string) =>
  `default-src 'self'; script-src ${scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; ` +
  `connect-src ${connect}; frame-ancestors 'none'; object-src 'none'; base-uri 'none'; form-action 'self'`;

export const securityHeaders: Record<string, string> = {
  "Content-Security-Policy": policy("'self'", "'self'"),
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** The development page carries inline scripts for hot reloading and speaks to the same server over a web socket. */
export const developmentHeaders: Record<string, string> = {
  ...securityHeaders,
  "Content-Security-Policy": policy("'self' 'unsafe-inline'", "'self' ws:"),
};
