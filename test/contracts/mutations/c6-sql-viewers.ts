import type { Mutation } from "./mutation.ts";

export const sqlViewers: Mutation[] = [
  {
    clause: "C6.1",
    sentence: "the control is there only with two or more blocks",
    fault: "also with one",
    file: "src/web/elements/sql-viewer.tsx",
    find: "const several = blocks.length > 1;",
    replace: "const several = blocks.length > 0;",
    tests: ["src/web/elements/sql-viewer.test.tsx"],
  },
  {
    clause: "C6.1",
    sentence: "two blocks have it",
    fault: "only from three on",
    file: "src/web/elements/sql-viewer.tsx",
    find: "const several = blocks.length > 1;",
    replace: "const several = blocks.length > 2;",
    tests: ["src/web/elements/sql-viewer.test.tsx"],
  },
  {
    clause: "C6.1",
    sentence: "absent from the DOM",
    fault: "only hidden",
    file: "src/web/elements/sql-viewer.tsx",
    find: "{several ? <LayoutControl layout={layout} onLayout={setLayout} /> : null}",
    replace: "<div hidden={!several}>\n        <LayoutControl layout={layout} onLayout={setLayout} />\n      </div>",
    tests: ["src/web/elements/sql-viewer.test.tsx"],
  },
  {
    clause: "C6.2",
    sentence: "a single CTE goes through the viewer, without the control",
    fault: "as two blocks",
    file: "src/web/elements/cte-result-viewer.tsx",
    find: "<SqlViewer blocks={[{",
    replace: "<SqlViewer blocks={[{ sql: step.name }, {",
    tests: ["src/web/elements/sql-viewer.test.tsx"],
  },
];
