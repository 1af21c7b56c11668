import { configDefaults, defineConfig } from "vitest/config";

/** Minutes each: axe on every view in both themes, evaluations, four protocols times six models, gigabytes and full disks. */
const long = [
  "test/browser/access.test.ts",
  "test/flows/evaluation.test.ts",
  "test/wire/*.test.ts",
  "test/load/*.test.ts",
  "test/security/bodies.test.ts",
  "test/security/files.test.ts",
];
const runsLong = process.env.THOTH_TEST_LONG === "1";
if (!runsLong) console.log(`Left out, \`npm run test:long\` runs them: ${long.join(", ")}`);

export default defineConfig({
  test: {
    include: ["src/**/*.test.{ts,tsx}", "test/**/*.test.ts", "bench/**/*.test.ts"],
    exclude: [...configDefaults.exclude, ...(runsLong ? [] : long)],
    // Real children, databases and a browser share two cores: a slow machine must not look like a fault.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
