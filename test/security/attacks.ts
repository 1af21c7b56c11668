/**
 * The promises of docs/security.md, each with the attack as its test. Here the attacks are counted: one that gets through
 * is named and fails its test, and does not keep the others from being tried.
 */
import { afterAll, afterEach, expect } from "vitest";

export interface Attacks {
  /** `repelled` throws when the attack gets through. */
  attempt(what: string, repelled: () => unknown): Promise<void>;
}

/** Call it once per file. */
export function openAttacks(topic: string): Attacks {
  let tried = 0;
  let through = 0;
  let open: string[] = [];
  afterEach(() => {
    const got = open;
    open = [];
    expect(got, "attacks that got through").toEqual([]);
  });
  afterAll(() => {
    // scripts/count-attacks.ts adds these lines up.
    process.stdout.write(`${topic}: ${tried} attacks tried, ${through} through\n`);
  });
  return {
    async attempt(what, repelled) {
      tried += 1;
      try {
        await repelled();
      } catch (error) {
        through += 1;
        open.push(`${what}: ${error instanceof Error ? error.message : String(error)}`.slice(0, 1500));
      }
    },
  };
}
