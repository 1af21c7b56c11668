import type { Mutation } from "./mutation.ts";

export const tailwind: Mutation[] = [
  {
    clause: "C13.1",
    sentence: "a class token that yields no rule is found",
    fault: "version 4's syntax in a button",
    file: "src/web/elements/sql-viewer.tsx",
    find: '"border-t border-line"',
    replace: '"border-t border-line p-(--gap)"',
    tests: ["test/contracts/tailwind.test.ts"],
  },
  {
    clause: "C13.1",
    sentence: "numeric steps that 3.4 lacks are found",
    fault: "a step of 13",
    file: "src/web/elements/sql-viewer.tsx",
    find: '"border-t border-line"',
    replace: '"border-t border-line px-13"',
    tests: ["test/contracts/tailwind.test.ts"],
  },
  {
    clause: "C13.1",
    sentence: "a rule with an undefined variable is found",
    fault: "an arbitrary value with one",
    file: "src/web/elements/sql-viewer.tsx",
    find: '"border-t border-line"',
    replace: '"border-t border-line p-[var(--spacing)]"',
    tests: ["test/contracts/tailwind.test.ts"],
  },
  {
    clause: "C13.1",
    sentence: "a primitive's computed padding is what its class says",
    fault: "a rule sets it to nothing",
    file: "src/web/styles/base.css",
    find: "@tailwind utilities;",
    replace: "@tailwind utilities;\nbutton {\n  padding: 0 !important;\n}",
    page: true,
    tests: ["test/contracts/page.test.ts"],
  },
];
