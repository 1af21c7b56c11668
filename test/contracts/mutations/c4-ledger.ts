// biome-ignore-all lint/suspicious/noTemplateCurlyInString: pieces of source text
import { type Mutation, writers } from "./mutation.ts";

const ledgerTests = ["src/ledger/ledger.test.ts"];

export const ledger: Mutation[] = [
  {
    clause: "C4.1",
    sentence: "a lock holds across processes",
    fault: "the lock is not waited for",
    file: "src/ledger/writer-lock.ts",
    find: "!lock.tryAcquire();",
    replace: "!lock.tryAcquire() && longest < 0;",
    tests: [...ledgerTests, writers],
  },
  {
    clause: "C4.1",
    sentence: "plain readers take no lock",
    fault: "a reader waits for the writer",
    file: "src/ledger/ledger.ts",
    find: "return (await readSnapshot(dir, sessionId)).ledger;",
    replace: "return withWriterLock(dir, async () => (await readSnapshot(dir, sessionId)).ledger);",
    tests: [...ledgerTests, writers],
  },
  {
    clause: "C4.1",
    sentence: "read and change are one critical section",
    fault: "what was kept is not held against the file",
    file: "src/ledger/ledger.ts",
    find: "known.identity === identityAt(path)",
    replace: "known.identity !== null",
    tests: [...ledgerTests, writers],
  },
  {
    clause: "C4.1",
    sentence: "readers see a whole ledger",
    fault: "the file is written in place",
    file: "src/ledger/replace-file.ts",
    find: "    await rename(next, path);",
    replace:
      '    await rename(next, `${next}.old`);\n    await unlink(`${next}.old`);\n    const target = await open(path, "w");\n    await target.writeFile(content);\n    await target.close();',
    tests: [writers],
  },
  {
    clause: "C4.2",
    sentence: "numbers are gap-free and strictly increasing",
    fault: "entries of one change share a number",
    file: "src/ledger/ledger.ts",
    find: "seq: ledger.entries.length + index + 1,",
    replace: "seq: ledger.entries.length + 1,",
    tests: [...ledgerTests, writers],
  },
  {
    clause: "C4.2",
    sentence: "under any number of concurrent writers",
    fault: "the lock is not waited for",
    file: "src/ledger/writer-lock.ts",
    find: "!lock.tryAcquire();",
    replace: "!lock.tryAcquire() && longest < 0;",
    tests: [...ledgerTests, writers],
  },
  {
    clause: "C4.3",
    sentence: "never a torn ledger",
    fault: "the file is written in place, in two pieces",
    file: "src/ledger/replace-file.ts",
    find: "    await rename(next, path);",
    replace:
      '    await unlink(next);\n    const target = await open(path, "w");\n    await target.write(content.slice(0, content.length >> 1) as never);\n    await target.write(content.slice(content.length >> 1) as never);\n    await target.close();',
    tests: [...ledgerTests, writers],
  },
  {
    clause: "C4.3",
    sentence: "never a lock that blocks the next writer",
    fault: "the lock is not given up",
    file: "src/ledger/writer-lock.ts",
    find: "  } finally {\n    lock.close();\n  }",
    replace: "  } finally {\n    (globalThis as Record<string, unknown>)[`lock${Math.random()}`] = lock;\n  }",
    tests: [...ledgerTests, writers],
  },
  {
    clause: "C4.3",
    sentence: "a killed writer leaves nothing in the way",
    fault: "leftovers stay",
    file: "src/ledger/ledger.ts",
    find: "    await removeLeftovers(dir);\n",
    replace: "",
    tests: ledgerTests,
  },
  {
    clause: "C4.4",
    sentence: "two sessions never wait for each other",
    fault: "one queue for all sessions",
    file: "src/ledger/writer-lock.ts",
    find: "const before = queues.get(key) ?? Promise.resolve();",
    replace: "const before = [...queues.values()].at(-1) ?? Promise.resolve();",
    tests: ledgerTests,
  },
];
