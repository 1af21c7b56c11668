/** Every shape that crosses a process, a socket or a disk. Types are inferred from the schemas, never written twice. */
export * from "./api.ts";
export * from "./catalog.ts";
export * from "./check.ts";
export * from "./child.ts";
export * from "./decisions.ts";
export * from "./errors.ts";
export * from "./events.ts";
export * from "./evidence.ts";
export * from "./gates.ts";
export * from "./knowledge.ts";
export * from "./ledger.ts";
export * from "./manifest.ts";
export * from "./models.ts";
export * from "./phases.ts";
export * from "./results.ts";
export * from "./summaries.ts";
export * from "./usage.ts";
