/** The files in deploy/ are not run here; what can be read off them is. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const read = (name: string): string =>
  readFileSync(fileURLToPath(new URL(join("../deploy", name), import.meta.url)), "utf8");

describe("deploy", () => {
  it("the unit has its three sections, known keys only, and a command that exists", () => {
    const known: Record<string, RegExp> = {
      Unit: /^(Description|After)$/,
      Service:
        /^(ExecStart|Environment|Restart|RestartSec|TimeoutStopSec|NoNewPrivileges|PrivateTmp|ProtectSystem|ReadWritePaths|UMask)$/,
      Install: /^WantedBy$/,
    };
    let section = "";
    const seen = new Map<string, string>();
    for (const line of read("thothii.service").split("\n")) {
      if (line === "" || line.startsWith("#")) continue;
      const header = /^\[(\w+)\]$/.exec(line)?.[1];
      if (header !== undefined) section = header;
      else {
        const [key = "", value = ""] = line.split(/=(.*)/s);
        expect([key, known[section]?.test(key)]).toEqual([key, true]);
        expect(value).not.toBe("");
        seen.set(`${section}.${key}`, value);
      }
    }
    expect(seen.get("Service.ExecStart")).toBe("/usr/bin/env thoth serve --no-open");
    expect(seen.get("Install.WantedBy")).toBe("default.target");
    expect(seen.get("Service.UMask")).toBe("0077");
  });

  it("the Dockerfile has known instructions only, runs as a user, and installs the package it packs", () => {
    const instructions = read("Dockerfile")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => line.split(" ")[0]);
    const known = new Set(["FROM", "WORKDIR", "COPY", "RUN", "USER", "ENV", "VOLUME", "EXPOSE", "CMD"]);
    expect(instructions.filter((word) => !known.has(word ?? ""))).toEqual([]);
    const text = read("Dockerfile");
    expect(text.indexOf("USER node")).toBeLessThan(text.indexOf("CMD"));
    expect(text).toContain("npm pack");
    const command: unknown = JSON.parse(/^CMD (.*)$/m.exec(text)?.[1] ?? "null");
    expect(command).toEqual(expect.arrayContaining(["thoth", "serve", "--host", "0.0.0.0"]));
  });
});
