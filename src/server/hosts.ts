/**
 * The names this server answers to. A page under a foreign name that resolves to 127.0.0.1 (DNS rebinding) is the same
 * origin as far as a browser knows; only the exact Host header tells the two apart, so it is checked before routing.
 */
export interface Hosts {
  allowsHost(host: string | undefined): boolean;
  /** `undefined` (no Origin header) is for the caller to judge. */
  allowsOrigin(origin: string): boolean;
}

/** `extra` holds names given with --host and --allow-host, each with or without a port. */
export function createHosts(port: number, extra: readonly string[] = []): Hosts {
  const hosts = new Set<string>();
  const origins = new Set<string>();
  const add = (host: string, schemes: readonly string[]) => {
    hosts.add(host.toLowerCase());
    for (const scheme of schemes) origins.add(`${scheme}://${host.toLowerCase()}`);
  };
  for (const name of ["127.0.0.1", "localhost", "[::1]"]) {
    add(`${name}:${port}`, ["http"]);
    // Browsers leave the port out when it is the scheme's own.
    if (port === 80) add(name, ["http"]);
  }
  for (const name of extra) {
    // A name without a port may stand before a proxy that speaks on the scheme's own port, http or https.
    add(name, ["http", "https"]);
    if (!hasPort(name)) add(`${name}:${port}`, ["http", "https"]);
  }
  return {
    allowsHost: (host) => host !== undefined && hosts.has(host.toLowerCase()),
    allowsOrigin: (origin) => origins.has(origin.toLowerCase()),
  };
}

const hasPort = (name: string): boolean => /^(\[[^\]]*\]|[^:]*):\d+$/.test(name);
