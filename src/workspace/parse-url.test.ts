import { expect, test } from "vitest";
import { parseUrl } from "./parse-url.ts";

test.each([
  [
    "postgres://ann@db.example/shop",
    { engine: "postgres", host: "db.example", port: 5432, database: "shop", user: "ann", tls: "require" },
  ],
  [
    "postgresql://ann@localhost:5433/shop",
    { engine: "postgres", host: "localhost", port: 5433, database: "shop", user: "ann", tls: "off" },
  ],
  [
    "mariadb://ann@127.0.0.1/shop?ssl-mode=REQUIRED",
    { engine: "mysql", host: "127.0.0.1", port: 3306, database: "shop", user: "ann", tls: "require" },
  ],
  [
    "mysql://a%40b@[2001:db8::1]:3307/my%20shop?ssl=false",
    { engine: "mysql", host: "2001:db8::1", port: 3307, database: "my shop", user: "a@b", tls: "off" },
  ],
  [
    "postgres://ann@/shop?host=/run/postgresql",
    { engine: "postgres", host: "/run/postgresql", port: 5432, database: "shop", user: "ann", tls: "off" },
  ],
  [
    "postgres://ann@db.example/shop?sslmode=verify-full",
    { engine: "postgres", host: "db.example", port: 5432, database: "shop", user: "ann", tls: "verify" },
  ],
])("%s", (url, connection) => {
  expect(parseUrl(url)).toEqual({ connection });
});

test("a password is given apart, with its signs", () => {
  const { connection, password } = parseUrl("postgres://ann:p%40ss%2Fw%C3%B6rd@localhost/shop");
  expect(password).toBe("p@ss/wörd");
  expect(JSON.stringify(connection)).not.toContain("ss");
});

test.each([
  ["no scheme", "shop.sqlite", "no address"],
  ["another scheme", "oracle://ann:hunter2@host/db", "oracle://"],
  ["no user", "postgres://host/db", "names no user"],
  ["no database", "postgres://ann:hunter2@host", "/database"],
  ["a path for a database", "postgres://ann:hunter2@host/a/b", "/database"],
  ["no host", "postgres://ann:hunter2@/db", "names no host"],
  ["an unknown setting", "postgres://ann:hunter2@host/db?search_path=x", "search_path"],
  ["a wrong mode", "postgres://ann:hunter2@host/db?sslmode=maybe", "sslmode"],
  ["a wrong port", "postgres://ann:hunter2@host:99999/db", "can't be read"],
  ["a loose percent sign", "postgres://ann:hunter2%@host/db", "%25"],
])("%s is refused with a way out and without the password", (_, url, words) => {
  const fault = (() => {
    try {
      return parseUrl(url);
    } catch (error) {
      return error;
    }
  })();
  expect(fault).toMatchObject({
    code: "url-invalid",
    message: expect.stringContaining(words),
    action: expect.any(String),
  });
  expect(JSON.stringify((fault as { toProblem(): unknown }).toProblem())).not.toContain("hunter2");
});
